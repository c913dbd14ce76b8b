"""The report, the pictures, the quoted source: whole, self-contained, well-formed, the same every time."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from captures import capture, pairs, pulse

from attacca_lab import picture, pulses, report, stats, summary, terminal
from attacca_lab.beside import boards_beside
from attacca_lab.compare import compare
from attacca_lab.errors import UserError
from attacca_lab.output import Column, Table, markdown, plain
from attacca_lab.source_lines import Excerpt, excerpts
from attacca_lab.waveform import Waveform, waveform

ORIGIN = stats.Origin("uno", "attacca-avr 1.0", "avr-gcc 7.3.0", "-Os", "abc123", seed=1)
HEAD = report.Head(
    "Attacca on Arduino Uno", "Arduino Uno", "ATmega328P", 16_000_000, "attacca-avr 1.0", "avr-gcc 7.3.0", "-Os",
    "abc123", "./attacca bench --board uno -o report.html", notes=["a <note>"],
)  # fmt: skip
SVG = "{http://www.w3.org/2000/svg}"


def seen(operation: int = 118, **more: int) -> tuple[pulses.Samples, Waveform]:
    changes = pairs(30, 2, operation, **more)
    changes += [(1_020, "masked", 1), (1_060, "masked", 0), (5_030, "irq", 1), (5_050, "irq", 0)]
    captured = capture(changes)
    samples = pulses.measure(captured)
    return samples, waveform(captured, samples, pin="D13")


def entry(name: str = "switch-semaphore", operation: int = 118) -> report.Entry:
    samples, wave = seen(operation)
    summary = stats.summarise(samples.values, samples.disturbed)
    return report.Entry(
        stats.result(name, ORIGIN, summary, "cycles", overhead=samples.overhead),
        "From A < B to the end.", group="Switch by mechanism", samples=samples, waveform=wave,
        comparison=compare(name, "ATmega328P", summary.median),
        excerpts=[Excerpt("bench/x.c", 10, "if (a < b && c)\n    att_sem_give(&s);")],
        tables=[Table((Column("f", "function"), Column("c", "longest", "cycles")), [{"f": "give<T>", "c": 1_234}])],
    )  # fmt: skip


class Outline(HTMLParser):
    """Complains about what is not closed, collects what refers to elsewhere."""

    VOID = frozenset({"meta", "br", "hr", "img", "link", "input"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        for key, value in attrs:
            if key in ("src", "srcset", "data") or (key == "href" and not (value or "").startswith("#")):
                self.outside.append(f"{tag} {key}={value}")
            if key == "href":
                self.links.append((value or "")[1:])
            if key == "id":
                self.ids.append(value or "")
        assert tag not in ("link", "img", "iframe", "object")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"


def test_the_page_is_whole_and_needs_nothing_from_outside() -> None:
    flash = report.Entry(stats.single("flash", ORIGIN, 1_180, "bytes"), "The program.", group="Memory",
                         comparison=compare("flash", "ATmega328P", 1_180, "bytes"))  # fmt: skip
    page = report.render(HEAD, [entry(), entry("switch-yield", 130), flash])
    outline = Outline()
    outline.feed(page)
    assert outline.open == [] and outline.outside == []
    assert "url(" not in page and "@import" not in page
    assert len(set(outline.ids)) == len(outline.ids) and set(outline.links) <= set(outline.ids)
    for text in ("118", "7.375", "ChibiOS/NIL 218", "0.54", "./attacca bench --board uno -o report.html", "abc123",
                 "1,726", "bench/x.c, lines 10 to 11", "chibios-switch", "prefers-color-scheme:dark", "@media print",
                 'name="viewport"'):  # fmt: skip
        assert text in page, text
    assert "a &lt;note&gt;" in page and "if (a &lt; b &amp;&amp; c)" in page and "give&lt;T&gt;" in page
    assert page == report.render(HEAD, [entry(), entry("switch-yield", 130), flash]), "the same every time"


def test_a_page_of_one_result_without_anything_else() -> None:
    one = report.Entry(stats.single("masked-by-code", ORIGIN, 37, "cycles", call="att_sem_give"), "The longest.")
    page = report.render(HEAD, [one])
    outline = Outline()
    outline.feed(page)
    assert "masked-by-code (att_sem_give)" in page and "All results" not in page


def test_another_build_is_said() -> None:
    other = stats.Origin("uno", "attacca-avr 1.0", "avr-gcc 5.4.0", "-Os", "abc123")
    page = report.render(HEAD, [report.Entry(stats.single("flash", other, 1, "bytes"), "x")])
    assert "Taken with avr-gcc 5.4.0." in page


@pytest.mark.parametrize("width", [350, 960])
def test_the_oscilloscope_picture(width: int) -> None:
    _, wave = seen()
    root = ElementTree.fromstring(picture.scope(wave, width, standalone=True, title="a <title>"))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    for wanted in ("A", "B", "C", "D", "D13", "in handler", "irqs masked", "tAB = 2", "tCD = 120", "a <title>"):
        assert wanted in texts, wanted
    assert any("118 cycles = 7.375 µs" in (text or "") for text in texts)
    for element in root.iter():
        for key in ("x", "y", "width", "height"):
            if key in element.attrib:
                assert -1 <= float(element.attrib[key]) <= 1_200


def test_a_long_gap_is_cut_out() -> None:
    changes = []
    for number in range(10):
        changes += pulse(1_000 + 50_000 * number, 2) + pulse(31_000 + 50_000 * number, 120)
    captured = capture(changes)
    wave = waveform(captured, pulses.measure(captured))
    assert len(wave.parts) == 2 and wave.ticks < 400
    assert "//" in terminal.draw(wave, 80)
    ElementTree.fromstring(picture.scope(wave))


def test_the_picture_in_characters() -> None:
    _, wave = seen()
    drawn = terminal.draw(wave, 80)
    assert all(len(line) <= 80 for line in drawn.splitlines()[:-1])
    assert drawn.splitlines()[0].split() == ["A", "B", "C", "D"]
    assert "┌" in drawn and "D13" in drawn and "118 cycles" in drawn
    plain = terminal.draw(wave, 80, unicode=False)
    assert plain.isascii() and "+" in plain


@pytest.mark.parametrize("values", [[1.0], [118, 118, 264], list(range(5_000)), [129.5, 130, 131.25]])
def test_histograms_are_well_formed(values: list[float]) -> None:
    bins = stats.histogram(values)
    root = ElementTree.fromstring(picture.histogram(bins, "cycles", values[0], values[-1]))
    assert len(list(root.iter(f"{SVG}rect"))) == len(bins)


SOURCE = """\
static void low(void *arg)
{
    for (;;) {
        /* [measured: switch-semaphore, masked-by-code] */
        probe_set();
        /* [measured: inner] */
        att_sem_give(&s);
        /* [end] */
        /* [end] */
    }
}
    // [measured: switch-semaphore]
    /* [measured: twin] */
    probe_clear();
    // [end]
"""


def test_marked_source_lines(tmp_path: Path) -> None:
    path = tmp_path / "bench" / "x.c"
    path.parent.mkdir()
    path.write_text(SOURCE)
    first, second = excerpts(path, "switch-semaphore", tmp_path)
    assert (first.file, first.first, first.text) == ("bench/x.c", 5, "probe_set();\natt_sem_give(&s);")
    assert (second.first, second.last, second.text) == (14, 14, "probe_clear();")
    assert [one.text for one in excerpts(path, "inner")] == ["att_sem_give(&s);"]
    assert [one.first for one in excerpts(path, "masked-by-code")] == [5]
    assert [one.text for one in excerpts(path, "twin")] == ["probe_clear();"]
    assert excerpts(path, "nothing") == []


@pytest.mark.parametrize(("text", "complaint"), [("/* [measured: a] */\n", "x.c:1: .*out"), ("/* [end] */", "x.c:1")])
def test_marks_that_do_not_match(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "x.c").write_text(text)
    with pytest.raises(UserError, match=complaint):
        excerpts(tmp_path / "x.c", "a")


def test_nothing_here_refers_to_a_network() -> None:
    for path in report.TEMPLATES.iterdir():
        assert not re.search(r"https?://(?!www\.w3\.org)", path.read_text(encoding="utf-8")), path


def test_the_printed_tables() -> None:
    flash = report.Entry(stats.single("flash", ORIGIN, 1_180, "bytes"), "x")
    flash.comparison = compare("flash", "ATmega328P", 1_180, "bytes")
    times, sizes = summary.tables([entry(), flash], 16_000_000)
    text = plain(times).splitlines()
    assert text[0].split()[:3] == ["experiment", "median", "[cycles]"]
    assert " ".join(text[1].split()) == "switch-semaphore 118 7.375 ChibiOS/NIL 218 0.54 30 118 118 118 118 2 1"
    assert "1,180" in plain(sizes) and "ChibiOS/RT 1,726 (reduced: ChibiOS/NIL 1,162)" in markdown(sizes)
    assert times.data[0]["experiment"] == "switch-semaphore" and times.data[0]["median"] == 118


def test_a_models_bounds_and_another_board_stand_beside() -> None:
    """Only what is the same experiment in the same variant; cycles of a model have no time."""
    modelled = stats.Origin("stm32f103", "attacca-cortex-m 1.0", "arm-none-eabi-gcc 12.2.1", "-O2", "abc123")
    ours = [
        report.Entry(stats.single("switch-semaphore", modelled, 61, "cycles", low=58, high=63), "x", has_time=False),
        report.Entry(stats.single("switch-semaphore", modelled, 70, "cycles", variant="two wait states"), "x"),
        report.Entry(stats.single("size-mutex", modelled, 16, "bytes"), "x"),
    ]
    uno = boards_beside([entry().result, stats.single("size-mutex", ORIGIN, 8, "bytes")])
    times, sizes = summary.tables(ours, 72_000_000, beside=uno)
    first, second = (" ".join(line.split()) for line in plain(times).splitlines()[1:])
    assert first.startswith("switch-semaphore 61 58 to 63 - - - 118 1")
    assert second.startswith("switch-semaphore (two wait states) 70 - 0.972 - - - 1")
    assert plain(sizes).split()[-5:] == ["size-mutex", "16", "-", "-", "8"]
    page = report.render(replace(HEAD, beside=uno), ours)
    assert "model's bounds 58 to 63" in " ".join(page.split()) and ">Arduino Uno -Os</th>" in page
    assert "0.847 µs" not in page, "61 cycles at 72 MHz"


def test_another_level_of_the_same_board_stands_beside() -> None:
    small, fast = (replace(ORIGIN, flags=f"-mmcu=x {level} -g") for level in ("-Os", "-O2"))
    beside = boards_beside([stats.single("flash", small, 10, "bytes"), stats.single("flash", fast, 12, "bytes")])
    entries = [report.Entry(stats.single("flash", fast, 11, "bytes"), "x")]
    (sizes,) = summary.tables(entries, 16_000_000, beside=beside, note="so it was built")
    assert [" ".join(line.split()) for line in plain(sizes).splitlines()] == [
        "memory bytes best peer ratio Arduino Uno -Os Arduino Uno -O2", "flash 11 - - 10 12", "so it was built",
    ]  # fmt: skip
    page = report.render(replace(HEAD, flags=fast.flags), entries)
    assert "<dt>Optimisation</dt><dd>-O2</dd>" in page


@pytest.mark.parametrize("method", ["pairs", "pulses", "toggles", "delay"])
def test_caption_bracket_and_headline_agree(method: str) -> None:
    """What the caption says is got from the bracket in the picture is the figure, whatever is subtracted."""
    changes = pairs(30, 2, 118)
    changes += [(begin + 7 + 3, "in_d2", 1) for begin in range(1_000, 31_000, 1_000)]
    changes += [(begin + 500, "in_d2", 0) for begin in range(1_000, 31_000, 1_000)]
    captured = capture(changes)
    samples = {
        "pairs": lambda: pulses.measure(captured),
        "pulses": lambda: pulses.measure(captured, method="pulses", overhead=2.0),
        "toggles": lambda: pulses.toggles(captured, per=2, edge="rise", overhead=4.0),
        "delay": lambda: replace(one := pulses.delay(captured, "in_d2", effect_edge="fall"),
                                 values=one.values - 5, overhead=5.0),
    }[method]()  # fmt: skip
    wave = waveform(captured, samples)
    (bracket,) = (float(cursor.text) for cursor in wave.cursors if cursor.name == "tCD")
    own = next((float(cursor.text) for cursor in wave.cursors if cursor.name == "tAB"), 0.0)
    rule, _, rest = (
        wave.caption.partition(" = ") if method != "pairs" else wave.caption.split(" = ", 1)[1].partition(" = ")
    )
    value = eval(rule.replace("tCD", str(bracket)).replace("tAB", str(own)))
    assert stats.number(value) == rest.split()[0] == stats.number(samples.values[samples.typical()])
