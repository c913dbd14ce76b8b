"""Statistics, results, and how figures are written.

A percentile is the nearest rank: the smallest sample that at least that share of all samples do not exceed
(p99 of 1,000 is the 990th). It is always a value that occurred. The median of an even number is the mean of the
two in the middle. Nothing is left out, disturbed samples neither.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from attacca_lab.rounding import fixed

MANY = 10_000  # from this many samples on, a 99.9th percentile is given


@dataclass(frozen=True)
class Summary:
    """What is said of a set of samples."""

    n: int
    min: float
    median: float
    mean: float
    p99: float
    max: float
    p999: float | None = None  # from 10,000 samples on
    disturbed: int | None = None  # None: unknown
    max_undisturbed: float | None = None


@dataclass(frozen=True)
class Result:
    """One figure with all that it takes to repeat it. The field names are the keys of the JSON that is exchanged."""

    experiment: str
    board: str
    instrument: str
    compiler: str
    flags: str
    commit: str
    unit: str  # "cycles", "instructions", "us" or "bytes"
    n: int
    min: float
    median: float
    mean: float
    p99: float
    max: float
    overhead: float | None = None
    disturbed: int | None = None
    seed: int | None = None
    p999: float | None = None
    threads: int | None = None
    timers: int | None = None
    low: float | None = None
    high: float | None = None
    variant: str | None = None
    edge: str | None = None
    call: str | None = None
    build: str | None = None  # of the kernel (builds.py); None in files that are older: "fast"

    @property
    def bounds(self) -> str | None:
        """What a model's two bounds make of it: `94 to 118`."""
        return f"{number(self.low)} to {number(self.high)}" if self.low is not None and self.high is not None else None

    def as_json(self) -> dict[str, Any]:
        """Its JSON object: the common keys always, the rest where they apply; whole numbers without a point."""
        plain = asdict(self)
        return {
            key: tidy(value) if isinstance(value, float) else value
            for key, value in plain.items()
            if value is not None or key in _ALWAYS
        }

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Result:
        """The result that a JSON object holds; keys it does not know are left alone."""
        return cls(**{key: value for key, value in record.items() if key in cls.__dataclass_fields__})


_ALWAYS = (
    *("experiment", "board", "instrument", "compiler", "flags", "commit", "unit", "n", "min", "median", "mean"),
    *("p99", "max", "overhead", "disturbed", "seed"),
)


@dataclass(frozen=True)
class Bin:
    """Samples from `low` to `high`, both included."""

    low: float
    high: float
    count: int
    disturbed: int = 0


@dataclass(frozen=True)
class Origin:
    """Where figures come from: what every result carries."""

    board: str
    instrument: str
    compiler: str
    flags: str
    commit: str
    seed: int | None = None
    extra: dict[str, Any] = field(default_factory=dict)


def nearest_rank(values: npt.ArrayLike, percent: float) -> float:
    """The smallest value that at least `percent` percent of the values do not exceed."""
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    rank = max(1, math.ceil(round(percent * len(ordered) / 100, 9)))
    return float(ordered[rank - 1])


def summarise(values: npt.ArrayLike, disturbed: npt.NDArray[np.bool_] | None = None) -> Summary:
    """The summary of at least one sample."""
    data = np.asarray(values, dtype=np.float64)
    if not len(data):
        raise ValueError("no samples")
    calm = data if disturbed is None else data[~disturbed]
    return Summary(
        n=len(data),
        min=float(data.min()),
        median=float(np.median(data)),
        mean=math.fsum(data) / len(data),
        p99=nearest_rank(data, 99),
        max=float(data.max()),
        p999=nearest_rank(data, 99.9) if len(data) >= MANY else None,
        disturbed=None if disturbed is None else int(np.count_nonzero(disturbed)),
        max_undisturbed=float(calm.max()) if disturbed is not None and len(calm) else None,
    )


def result(experiment: str, origin: Origin, summary: Summary, unit: str, **more: Any) -> Result:
    """A result from a summary; `more` are overhead, threads, variant and the other optional keys."""
    return Result(
        experiment=experiment, board=origin.board, instrument=origin.instrument, compiler=origin.compiler,
        flags=origin.flags, commit=origin.commit, seed=origin.seed, unit=unit, n=summary.n, min=summary.min,
        median=summary.median, mean=summary.mean, p99=summary.p99, max=summary.max, p999=summary.p999,
        disturbed=summary.disturbed, **{**origin.extra, **more},
    )  # fmt: skip


def single(experiment: str, origin: Origin, value: float, unit: str, **more: Any) -> Result:
    """A result that is one number: a size, a longest stretch."""
    return result(experiment, origin, Summary(1, value, value, value, value, value), unit, **more)


def histogram(values: npt.ArrayLike, disturbed: npt.NDArray[np.bool_] | None = None, most: int = 64) -> list[Bin]:
    """A bin for every value that occurs; where these are more than `most`, bins of as few whole units each
    (2, 5, 10, 20, ...) as keep to it. Empty bins are left out."""
    data = np.asarray(values, dtype=np.float64)
    hit = np.zeros(len(data), dtype=bool) if disturbed is None else disturbed
    distinct, index = np.unique(data, return_inverse=True)
    if len(distinct) <= most:
        return [
            Bin(value, value, int(count), int(bad))
            for value, count, bad in zip(
                distinct.tolist(), np.bincount(index), np.bincount(index, weights=hit), strict=True
            )
        ]
    low, high = float(distinct[0]), float(distinct[-1])
    whole = bool(np.all(data == np.rint(data)))
    step = _step(math.floor(high) - math.floor(low) + 1, most)
    start = math.floor(low / step) * step
    index = np.floor((data - start) / step).astype(np.int64)
    counts, hits = np.bincount(index), np.bincount(index, weights=hit.astype(np.float64))
    last = 1 if whole else 0
    return [
        Bin(start + i * step, start + (i + 1) * step - last, int(counts[i]), int(hits[i]))
        for i in np.flatnonzero(counts).tolist()
    ]


def _step(span: int, most: int) -> int:
    step, factors = 1, (2.0, 2.5, 2.0)
    turn = 0
    while math.ceil(span / step) + 1 > most and span > most:
        step = int(step * factors[turn % 3])
        turn += 1
    return step


def tidy(value: float) -> float | int:
    """A whole number as one; others to six decimals."""
    return int(value) if value == int(value) else round(value, 6)


def number(value: float | None, decimals: int | None = None) -> str:
    """For people: 1,234, 203.5, 7.375; nothing becomes a dash. Without `decimals`, as many as needed, at most 2."""
    if value is None:
        return "—"
    if decimals is not None:
        return fixed(value, decimals)
    if abs(value - round(value)) < 5e-7:
        return f"{round(value):,}"
    return fixed(value, 2).rstrip("0").rstrip(".")


def microseconds(cycles: float | None, clock_hz: int | None) -> str:
    """Cycles as microseconds: three decimals below 1,000, two below 10,000, else one; halves upward."""
    if cycles is None or not clock_hz:
        return "—"
    value = round(cycles * 1e6 / clock_hz, 9)  # without what a division in binary leaves behind
    return fixed(value, 3 if abs(value) < 1_000 else 2 if abs(value) < 10_000 else 1)


def ratio(value: float | None) -> str:
    """Ours divided by theirs: 0.55, 1.00, 12.3."""
    if value is None:
        return "—"
    value = round(value, 9)
    return fixed(value, 2 if value < 10 else 1)


def together(results: Iterable[Result]) -> list[dict[str, Any]]:
    """The JSON list of many results."""
    return [one.as_json() for one in results]
