"""Statistics and how figures are written."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from attacca_lab import stats

ORIGIN = stats.Origin("uno", "attacca-avr 1.0", "avr-gcc 7.3.0", "-Os", "abc", seed=1)
KEYS = "experiment board instrument compiler flags commit unit n min median mean p99 max overhead disturbed seed"


def test_percentiles_are_nearest_ranks() -> None:
    values = np.arange(1, 1_001)
    np.random.default_rng(1).shuffle(values)
    assert stats.nearest_rank(values, 99) == 990
    assert stats.nearest_rank(values, 99.9) == 999
    assert stats.nearest_rank(values, 100) == 1_000
    assert stats.nearest_rank([7], 99) == 7
    assert stats.nearest_rank(range(1, 101), 99) == 99
    assert stats.nearest_rank(range(1, 102), 99) == 100


def test_a_summary() -> None:
    disturbed = np.array([False, False, False, True])
    one = stats.summarise([118, 118, 120, 264], disturbed)
    assert (one.n, one.min, one.median, one.mean, one.p99, one.max) == (4, 118, 119, 155, 264, 264)
    assert (one.disturbed, one.max_undisturbed, one.p999) == (1, 120, None)
    assert stats.summarise(np.arange(10_000)).p999 == 9_989
    assert stats.summarise([1]).disturbed is None
    with pytest.raises(ValueError, match="no samples"):
        stats.summarise([])


def test_a_result_has_the_common_keys_and_round_trips() -> None:
    one = stats.result("switch-semaphore", ORIGIN, stats.summarise([118, 119]), "cycles", overhead=2.0, threads=8)
    record = one.as_json()
    assert list(record)[:16] == KEYS.split()
    assert record["threads"] == 8 and "timers" not in record
    assert record["disturbed"] is None and record["median"] == 118.5
    text = json.dumps(record)
    assert '"min": 118,' in text
    assert stats.Result.from_json(json.loads(text)).as_json() == record


def test_single_figures() -> None:
    record = stats.single("flash", ORIGIN, 1_180, "bytes").as_json()
    assert (record["n"], record["median"], record["unit"]) == (1, 1_180, "bytes")


def test_histograms_keep_every_sample() -> None:
    values = np.random.default_rng(2).integers(100, 5_000, 2_000).astype(float)
    bins = stats.histogram(values, values > 4_000)
    assert sum(one.count for one in bins) == 2_000 and len(bins) <= 64
    assert sum(one.disturbed for one in bins) == int((values > 4_000).sum())
    assert all(low.high < high.low for low, high in itertools.pairwise(bins))
    assert stats.histogram([118, 118, 264]) == [stats.Bin(118, 118, 2), stats.Bin(264, 264, 1)]
    assert stats.histogram([129.5, 130]) == [stats.Bin(129.5, 129.5, 1), stats.Bin(130, 130, 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (stats.number(1234), "1,234"), (stats.number(203.5), "203.5"), (stats.number(119.456), "119.46"),
        (stats.number(None), "—"), (stats.number(2, 3), "2.000"), (stats.number(0.1 + 0.2), "0.3"),
        (stats.microseconds(118, 16_000_000), "7.375"),
        (stats.microseconds(137, 16_000_000), "8.563"),
        (stats.microseconds(None, 1), "—"),
        (stats.microseconds(16_000_000, 16_000_000), "1,000,000.0"), (stats.microseconds(5, None), "—"),
        (stats.ratio(0.5449), "0.54"), (stats.ratio(12.34), "12.3"), (stats.ratio(None), "—"),
    ],
)  # fmt: skip
def test_how_figures_are_written(text: str, expected: str) -> None:
    assert text == expected


@pytest.mark.parametrize(
    ("cycles", "clock_hz", "text"), [(141, 16_000_000, "8.813"), (1, 16_000_000, "0.063"), (3, 16_000_000, "0.188")]
)
def test_halves_of_a_microsecond_are_rounded_away_from_zero(cycles: int, clock_hz: int, text: str) -> None:
    assert stats.microseconds(cycles, clock_hz) == text


@pytest.mark.parametrize(
    ("value", "number", "ratio"),
    [(0.125, "0.13", "0.13"), (0.375, "0.38", "0.38"), (2.675, "2.68", "2.68"), (1.005, "1.01", "1.01"),
     (12.25, "12.25", "12.3"), (12.35, "12.35", "12.4"), (1234.5, "1,234.5", "1,234.5")],
)  # fmt: skip
def test_every_figure_is_rounded_alike(value: float, number: str, ratio: str) -> None:
    """Ratios, medians and columns of tables: a half never depends on which of them prints it."""
    from attacca_lab.output import Column

    assert stats.number(value) == number and stats.ratio(value) == ratio
    assert Column("x", "x").text(value) == number and Column("x", "x", digits=2).text(value) == stats.number(value, 2)
