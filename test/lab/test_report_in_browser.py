"""The report as a browser lays it out: never wider than the window, folded, sorted, searched, zoomed, printed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from browser import STICKS_OUT, ask, printed_pages
from test_report import HEAD, ORIGIN, entry, seen

from attacca_lab import report, stats
from attacca_lab.compare import compare
from attacca_lab.experiments import CASES
from attacca_lab.report import Entry
from attacca_lab.what import WHAT

BUILDS = ("default", "check", "traced", "c")


def entries() -> list[Entry]:
    """As many as a whole run has, with pictures, curves, bounds and long names."""
    samples, wave = seen()
    plain = entry()
    found = []
    for name, what in WHAT.items():
        cases = [case for case in CASES if case.experiment == name and (not case.boards or "uno" in case.boards)]
        for case in cases:
            result = replace(plain.result, experiment=name, variant=case.variant, threads=case.threads, edge=case.edge,
                             timers=case.timers, median=100.0 + len(found), low=90.0, high=1_234_567.0,
                             build="fast")  # fmt: skip
            beside = compare(name, "ATmega328P", result.median, variant=case.variant) if case.main else None
            found.append(Entry(result, what, group=name, samples=samples, waveform=wave, comparison=beside,
                               excerpts=plain.excerpts if case.main else ()))  # fmt: skip
            if case.is_shape:
                found += [Entry(replace(result, build=build), what, group=name, brief=True) for build in BUILDS]
        if not cases:
            sized = stats.single(name, ORIGIN, 1_234, "bytes", build="fast")
            found.append(Entry(sized, what, group=name, comparison=compare(name, "ATmega328P", 1_234, "bytes")))
    for call in ("att_queue_put_ahead_until", "att_message_send"):
        found.append(
            Entry(stats.single("masked-by-code", ORIGIN, 90, "cycles", call=call), "x", group="masked-by-code")
        )
    return found


@pytest.fixture(scope="module")
def page() -> str:
    return report.render(replace(HEAD, flags="-mmcu=atmega328p -DF_CPU=16000000UL -Os -ffunction-sections"), entries())


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("opened", [False, True])
def test_nothing_is_wider_than_the_window(page: str, tmp_path: Path, width: int, opened: bool) -> None:
    before = "for (const one of document.querySelectorAll('details')) one.open = true;" if opened else ""
    unfold = "for (const one of document.querySelectorAll('.fold')) one.click();" if opened else ""
    answer = ask(tmp_path, page, width, before + unfold + STICKS_OUT)
    assert answer["found"] == [] and answer["page"] <= width


def test_no_name_is_broken_on_a_narrow_page(page: str, tmp_path: Path) -> None:
    """A name may go on in the next line behind a space, a hyphen or an underscore, not within a word."""
    answer = ask(tmp_path, page, 390, """
        for (const one of document.querySelectorAll("details")) one.open = true;
        for (const one of document.querySelectorAll(".fold")) one.click();
        const broken = [], words = {};
        for (const kind of ["td.peer", ".kernel", "th[scope=row]", ".given td", ".flag"])
          for (const one of document.querySelectorAll(kind)) {
            if (!one.offsetHeight) continue;
            const walk = document.createTreeWalker(one, window.NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
              const text = walk.currentNode;
              for (const part of text.data.matchAll(kind === ".flag" ? /.+/g : /[^ _-]+/g)) {
                const range = document.createRange();
                range.setStart(text, part.index);
                range.setEnd(text, part.index + part[0].length);
                words[kind] = (words[kind] || 0) + 1;
                if (range.getClientRects().length > 1) broken.push(part[0]);
              }
            }
          }
        return { broken: broken, words: words };
    """)  # fmt: skip
    assert len(answer["words"]) == 5 and min(answer["words"].values()) > 3
    assert answer["broken"] == []


def test_the_page_begins_with_what_matters(page: str, tmp_path: Path) -> None:
    answer = ask(tmp_path, page, 1400, """
        const top = id => document.getElementById(id).getBoundingClientRect().top;
        return { order: ["summary", "chart", "contents", "picture", "x-switch-semaphore", "builds", "all"].map(top),
                 rows: document.querySelectorAll(".first tbody tr").length,
                 shown: [...document.querySelectorAll(".results tr")].filter(row => row.offsetHeight).length,
                 names: [...document.querySelectorAll(".results th a")].map(a => a.textContent) };
    """)  # fmt: skip
    assert answer["order"] == sorted(answer["order"]) and answer["rows"] >= 15
    assert answer["shown"] <= len(WHAT) + 1, "a line an experiment, its variants folded"
    assert not [name for name in answer["names"] if re.search(r"\d (threads|timers?)\)$", name)], "growth is in curves"


def test_the_table_is_searched_sorted_and_unfolded(page: str, tmp_path: Path) -> None:
    answer = ask(tmp_path, page, 1400, """
        const shown = () => [...document.querySelectorAll(".results tbody tr")].filter(row => row.offsetHeight);
        const field = document.querySelector(".search input");
        const search = text => {
          field.value = text;
          field.dispatchEvent(new window.Event("input"));
          return shown().length;
        };
        const whole = shown().length, one = search("pair-mutex nowait"), none = search("no such thing");
        const again = search("");
        const fold = document.querySelector(".fold"), body = fold.closest("tbody");
        fold.click();
        const unfolded = shown().length - whole, more = body.rows.length - 1;
        fold.click();
        const heading = document.querySelectorAll(".results th[data-sort]")[1];
        const bodies = () => [...document.querySelectorAll(".results tbody")];
        const medians = () => bodies().map(body => +body.rows[0].cells[1].dataset.value);
        heading.click();
        const up = medians();
        heading.click();
        const down = medians();
        const ratio = [...document.querySelectorAll(".results th[data-sort]")].find(th => th.textContent === "ratio");
        ratio.click();
        ratio.click();
        const ratios = bodies().map(body => body.rows[0].cells[ratio.cellIndex].textContent.trim());
        return { whole, one, none, again, unfolded, more, up, down, ratios };
    """)  # fmt: skip
    assert (answer["one"], answer["none"], answer["again"]) == (1, 0, answer["whole"])
    assert answer["unfolded"] == answer["more"] > 0
    assert answer["up"] == sorted(answer["up"]) and answer["down"] == sorted(answer["up"], reverse=True)
    there = [text for text in answer["ratios"] if text]
    assert there and answer["ratios"][: len(there)] == there, "rows without a ratio come last, either way"


def test_a_picture_zooms_along_its_axis(page: str, tmp_path: Path) -> None:
    """A-B is a few pixels wide at first; text keeps its size, and the page its width."""
    answer = ask(tmp_path, page, 1400, """
        const figure = document.querySelector("#picture .picture"), svg = figure.querySelector("svg");
        const bracket = () => [...svg.querySelectorAll(".cursor")].map(one => one.getBoundingClientRect().width);
        const tag = () => svg.querySelector(".tag").getBoundingClientRect().height;
        const press = by => figure.querySelector(`[data-zoom="${by}"]`).click();
        const box = one => one.getBoundingClientRect();
        const name = text => [...svg.querySelectorAll(".tag")].find(one => one.textContent.startsWith(text));
        const away = (text, x) => Math.abs((box(name(text)).left + box(name(text)).right) / 2 - x);
        const before = bracket(), size = tag();
        for (let i = 0; i < 4; i++) press("2");
        const after = bracket(), large = tag(), wide = document.documentElement.scrollWidth;
        const marks = [...svg.querySelectorAll(".mark")].map(one => box(one).left);
        const letters = ["A", "B", "C"].map((text, i) => away(text, marks[i]));
        press("0");
        return { before, after, size, large, wide, letters, again: bracket() };
    """)  # fmt: skip
    assert answer["before"][0] < 12 < 60 < answer["after"][0]
    for before, after in zip(answer["before"], answer["after"], strict=True):
        assert after == pytest.approx(16 * before, rel=0.1)
    assert answer["again"] == answer["before"] and answer["large"] == pytest.approx(answer["size"], abs=0.5)
    assert max(answer["letters"]) < 3, "each letter at its edge"
    assert answer["wide"] <= 1400


def test_a_link_opens_what_it_leads_to(page: str, tmp_path: Path) -> None:
    answer = ask(tmp_path, page, 1400, """
        const folded = document.querySelector("details.group:not([open])");
        window.location.hash = folded.id;
        window.dispatchEvent(new window.Event("hashchange"));
        return { open: folded.open };
    """)  # fmt: skip
    assert answer["open"]


def test_it_prints_on_less_than_thirty_pages(page: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(page, encoding="utf-8")
    assert 3 < printed_pages(tmp_path, path) < 30
