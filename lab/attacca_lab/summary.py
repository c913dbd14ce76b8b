"""The results as tables: what `./attacca bench` prints, and what stands in the README.

The records are the results' JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from attacca_lab import floors, headline, matrix, pin_response
from attacca_lab.beside import Beside
from attacca_lab.boards import Board
from attacca_lab.output import Column, Table
from attacca_lab.report import Entry
from attacca_lab.stats import Result, microseconds, number, ratio

_MANY = (
    Column("n", "n", form=number),
    Column("min", "min", form=number),
    Column("mean", "mean", form=number),
    Column("p99", "p99", form=number),
    Column("max", "max", form=number),
    Column("overhead", "overhead", form=number),
    Column("disturbed", "disturbed", form=number),
)


def tables(
    entries: Sequence[Entry], clock_hz: int | None, *, beside: Sequence[Beside] = (), note: str = ""
) -> list[Table]:
    """One table of times, one of sizes, each only when there is something in it; other boards' medians beside.

    The note stands below the last one.
    """
    others = [Column(f"on {other.title}", other.title, form=number, right=True) for other in beside]
    whole = [entry for entry in entries if not entry.brief] or entries  # others stand in the table of builds
    times = [entry for entry in whole if entry.result.unit != "bytes"]
    sizes = [entry for entry in whole if entry.result.unit == "bytes"]
    found = []
    if times:
        columns = [
            Column("experiment", "experiment"),
            Column("median", "median", _unit(times), form=number, right=True),
            Column("us", "µs", right=True),
            Column("best", "best peer"),
            Column("ratio", "ratio", form=ratio, right=True),
        ]
        if any(entry.result.low is not None for entry in times):
            columns.insert(2, Column("bounds", "model's bounds", right=True))
        if _unit(times) == "instructions":
            columns = columns[:2]  # no time follows from them, and nothing measured in cycles is set beside them
        columns += [*others, *_MANY]
        found.append(_table(columns, times, clock_hz, beside))
    if sizes:
        columns = [
            Column("experiment", "memory"),
            Column("median", "bytes", form=number, right=True),
            Column("best", "best peer"),
            Column("ratio", "ratio", form=ratio, right=True),
            *others,
        ]
        found.append(_table(columns, sizes, clock_hz, beside))
    responses = pin_response.table(entries, clock_hz)
    found += [responses] if responses else []
    beside_floors = floors.table([entry.result for entry in entries])
    found += [beside_floors] if beside_floors else []
    of_builds = matrix.table([entry.result for entry in entries])
    if of_builds:
        found.append(replace(of_builds, records=[entry.result.as_json() for entry in entries if entry.brief]))
    if note and found:
        found[-1].notes = [*found[-1].notes, note]
    return found


def short(results: Sequence[Result], target: Board, *, note: str, rest: str) -> list[Table]:
    """What a terminal of 80 columns has room for: the rows that stand first, and where the rest is."""
    times = headline.rows(results, headline.TIMES, target)
    sizes = headline.rows(results, headline.SIZES, target)

    def columns(what: str) -> list[Column]:
        return [
            Column("name", what),
            Column("lead", "default", right=True),
            Column("fastest", "fastest", right=True),
            *([Column("best_short", "best peer"), Column("ratio", "ratio", right=True)] if beside else []),
        ]

    beside = any(row["best"] for row in times + sizes)
    title = f"Attacca on the {target.title}" + (", beside other kernels on the same processor" if beside else "")
    return [
        Table(columns("median, in instructions" if target.counts else "median, in cycles"), times, title=title),
        Table(
            columns("in bytes"),
            sizes,
            notes=[
                "",
                "default: as without any option, callers checked, waits with a timeout. fastest: checks off, waits for "
                "ever" + (", as the peers were measured; the ratio is that one's." if beside else "."),
                note,
                *([target.caution] if target.caution else []),
                rest,
            ],
        ),
    ]


def _unit(entries: Sequence[Entry]) -> str:
    units = {entry.result.unit for entry in entries}
    return units.pop() if len(units) == 1 else ""


def _table(
    columns: Sequence[Column], entries: Sequence[Entry], clock_hz: int | None, beside: Sequence[Beside]
) -> Table:
    rows = []
    for entry in entries:
        one, others = entry.result, entry.comparison
        row: dict[str, object] = {"experiment": entry.name, "median": one.median, "n": one.n}
        row["us"] = microseconds(one.median, clock_hz) if one.unit == "cycles" and entry.has_time else None
        row["bounds"] = one.bounds
        row |= {f"on {other.title}": other.median(one) for other in beside}
        row["best"] = others.best_text or None if others else None
        row["ratio"] = others.ratio if others else None
        if one.n > 1:
            row |= {key: getattr(one, key) for key in ("min", "mean", "p99", "max", "overhead", "disturbed")}
        rows.append(row)
    return Table(columns, rows, records=[entry.result.as_json() for entry in entries])
