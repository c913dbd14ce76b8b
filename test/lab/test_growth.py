"""Growth: results that belong together make a curve, and the report shows it in one place."""

from __future__ import annotations

from xml.etree import ElementTree

from test_report import HEAD, ORIGIN, SVG, Outline

from attacca_lab import growth, report, stats
from attacca_lab.compare import compare


def result(median: float, experiment: str = "switch-semaphore", **more: object) -> stats.Result:
    return stats.single(experiment, ORIGIN, median, "cycles", **more)


THREADS = [result(139), *(result(139, threads=n) for n in (8, 4, 16))]
TIMERS = [result(140, timers=1), result(400, timers=64), result(200, timers=4)]
OTHERS = [result(1, variant="no timer"), result(2, "switch-wake", threads=4), result(3, timers=4, variant="quiet")]


def test_results_that_differ_in_one_number_are_a_curve() -> None:
    threads, timers = growth.curves([*THREADS, *TIMERS, *OTHERS], THREADS[0])
    assert threads.points == ((2, 139), (4, 139), (8, 139), (16, 139)) and threads.flat
    assert timers.points == ((0, 139), (1, 140), (4, 200), (64, 400)) and not timers.flat
    assert threads.text == "139 cycles, with 2 to 16 threads in all."
    assert timers.text == "139 cycles with 0, 400 with 64 timers armed for later."
    assert growth.curves(OTHERS, OTHERS[0]) == []


def test_the_picture() -> None:
    _, timers = growth.curves([*THREADS, *TIMERS], THREADS[0], ("Other 1.0", 218.0))
    root = ElementTree.fromstring(growth.picture(timers))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert {"0", "1", "4", "64", "139", "140", "200", "400", "Other 1.0 218"} <= set(texts)
    dots = [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in root.iter(f"{SVG}circle")]
    assert dots == sorted(dots) and [y for _, y in dots] == sorted((y for _, y in dots), reverse=True)


def test_points_stand_in_one_place_of_the_report() -> None:
    entries = [report.Entry(one, "what", group="g") for one in [*THREADS, *TIMERS]]
    entries[0].comparison = compare("switch-semaphore", "ATmega328P", 139)
    page = report.render(HEAD, entries)
    outline = Outline()
    outline.feed(page)
    assert outline.open == [] and len(set(outline.ids)) == len(outline.ids)
    assert set(outline.links) <= set(outline.ids)
    assert outline.links.count("growth-switch-semaphore") == 1, "its own heading; the table has no row of it"
    assert page.count("ChibiOS/NIL 4.1.4 218") == 2 and "switch-semaphore (64 timers)" not in page
