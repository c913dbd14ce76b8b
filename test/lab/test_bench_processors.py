"""Boards that do not exist, to measure the kernel on other processors: they run, repeat, and say what they are."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from attacca_lab import instrument, readme, results_page
from attacca_lab.boards import boards
from attacca_lab.build import build
from attacca_lab.build import instrument as built_instrument
from attacca_lab.experiments import FLOATS
from attacca_lab.stats import Result
from conftest import Typed

UNREAL = [name for name, one in boards().items() if one.caution]
EXPERIMENTS = ("switch-semaphore", "irq-to-thread")


def figure(board: str, median: float) -> Result:
    return Result("switch-semaphore", board, "i", "arm-none-eabi-gcc 12.2.1", "-O2", "abc", "cycles", 1, median, median,
                  median, median, median, build="fast")  # fmt: skip


def test_which_they_are() -> None:
    assert UNREAL == ["m0plus", "m4f"]
    assert not any(boards()[name].can_be_flashed for name in UNREAL)


@pytest.mark.parametrize("name", UNREAL)
def test_its_figures_are_the_same_again(attacca: Typed, name: str) -> None:
    first, second = (attacca("bench", "--board", name, *EXPERIMENTS, "--json").stdout for _ in range(2))
    assert first == second
    found = json.loads(first)
    assert {(one["experiment"], one["build"]) for one in found} == {(experiment, build) for experiment in EXPERIMENTS
                                                                    for build in ("fast", "default")}  # fmt: skip
    assert all(one["n"] == 1_000 and 10 < one["median"] < 1_000 for one in found)


@pytest.mark.parametrize("name", UNREAL)
def test_what_it_shows_says_so_and_knows_no_time(attacca: Typed, tmp_path: Path, name: str) -> None:
    page = tmp_path / "page.html"
    done = attacca("bench", "--board", name, "switch-semaphore", "--build", "fast", "-o", page)
    shown = " ".join(done.stdout.split())
    caution = boards()[name].caution
    assert "No such chip exists" in caution and caution in shown
    assert caution in html.unescape(page.read_text(encoding="utf-8"))
    assert not re.search(r"\d µs", shown)
    assert caution in " ".join(attacca("boards").stdout.split())


def test_the_timing_is_whose_it_says(tmp_path: Path) -> None:
    executable = built_instrument("cortex-m")
    for name, whose in (("m0plus", "Cortex-M0+"), ("m4f", "Cortex-M3")):
        elf = build(name, ["pair-semaphore"]).elf("pair-semaphore")
        run = instrument.run(executable, elf, tmp_path, board=name, cycles=100_000_000, name=name)
        assert whose in run.report["timing_of"]
        assert run.report["clock_hz"] == boards()[name].clock_hz
    assert "timed as a Cortex-M3" in boards()["m4f"].caution


def test_floating_point_costs_the_threads_that_use_it(attacca: Typed) -> None:
    found = json.loads(attacca("bench", "--board", "m4f", "switch-semaphore", "--build", "fast", "--json").stdout)
    median = {one.get("variant"): one["median"] for one in found if not {"threads", "timers"} & one.keys()}
    assert median[None] < median[FLOATS[1]] < median[FLOATS[2]]
    assert median[FLOATS[1]] >= median[None] + 18, "s16 to s31, return address and FPSCR are stored"


def test_the_readme_has_them_not_and_the_page_of_all_rows_does() -> None:
    found = [figure("stm32f103", 76), *(figure(name, 127) for name in UNREAL)]
    assert "127" not in readme.results(found)
    text = results_page.tables(found)
    for name in UNREAL:
        assert f"## {boards()[name].title}\n" in text and boards()[name].caution in text
        assert re.search(r"^\| .*\(`switch-semaphore`\) \| \*\*127\*\* \|", text, re.MULTILINE)
