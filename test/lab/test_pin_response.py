"""Responses of a pin beside the published ones: both edges, both readings of the printed unit, no ratio."""

from __future__ import annotations

import pytest

from attacca_lab import paper, pin_response
from attacca_lab.boards import board
from attacca_lab.compare import compare
from attacca_lab.experiments import CASES
from attacca_lab.output import plain
from attacca_lab.report import Entry
from attacca_lab.stats import Result


def entry(name: str, edge: str, median: float, variant: str | None = None) -> Entry:
    facts = {"board": "uno", "instrument": "i", "compiler": "c", "flags": "-Os", "commit": "abc", "unit": "cycles"}
    figures = {"n": 3, "min": median - 1, "median": median, "mean": median, "p99": median + 2, "max": median + 2}
    return Entry(Result.from_json({"experiment": name, "edge": edge, "variant": variant, **facts, **figures}), "what")


def test_table() -> None:
    name = "pin-response-irq"
    table = pin_response.table([entry(name, "rising", 46), entry(name, "falling", 48)], 16_000_000)
    assert table is not None and not table.data
    ours, *others = table.rows
    assert [ours[f"rising {of}"] for of in ("min", "average", "max")] == ["2.813", "2.875", "3.000"]
    assert ours["falling min"] == "2.938" and ours["unit"] == "µs"
    readings = {(row["kernel"], row["unit"]): row["falling average"] for row in others}
    assert readings[("uC/OS-III, as printed", "ms")] == readings[("uC/OS-III, as likely", "µs")] == "5.86"
    assert {kernel.split(",")[0] for kernel, _ in readings} == {"uC/OS-III", "uC/OS-II", "FreeRTOS"} and len(
        readings
    ) == 6


def test_a_narrow_terminal_shows_the_unit() -> None:
    f107 = board("stm32f107")
    table = paper.table("pavlas", [entry("pin-response-irq", "rising", 46, "two wait states")], f107)
    lines = plain(table, 80).splitlines()
    assert all(any(word in line.split() for line in lines) for word in ("unit", "ms", "µs")), lines
    assert max(map(len, lines)) <= 80


def test_there_is_none_without_such_results() -> None:
    assert pin_response.table([entry("switch-semaphore", "rising", 1)], 16_000_000) is None


@pytest.mark.parametrize("edge", ["rising", "falling"])
def test_published_ones_are_of_the_same_edge_and_have_no_ratio(edge: str) -> None:
    figures = compare("pin-response-loop", "Cortex-M3", 30, edge=edge).published
    assert len(figures) == 9 and all(one.statistic.startswith(edge) for one in figures)
    assert all(one.ratio is None and one.unit == "ms" and one.us == one.value for one in figures)


def test_every_experiment_has_both_edges_at_both_frequencies() -> None:
    cases = [(one.experiment, one.variant, one.edge) for one in CASES if one.experiment.startswith(pin_response.PREFIX)]
    assert len(cases) == len(set(cases)) == 5 * 2 * 2
    runs = {}
    for one in CASES:
        if one.stimulus:
            assert runs.setdefault(one.run or one.firmware, one.stimulus) == one.stimulus  # a run has one stimulus
