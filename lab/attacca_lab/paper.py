"""A publication's table again: what it printed for its kernels, and what the same experiments give with ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attacca_lab import pin_response
from attacca_lab.compare import SOURCES, WAIT_STATES, published_rows
from attacca_lab.output import Column, Table
from attacca_lab.rounding import fixed
from attacca_lab.stats import Result, number, ratio

if TYPE_CHECKING:
    from attacca_lab.boards import Board
    from attacca_lab.report import Entry

SOURCE = {
    "chibios": "chibios-switch",
    "krnl": "krnl-performance",
    "lan-kannan": "lan-kannan-2015",
    "pavlas": "pavlas-2010",
}
PROGRAMS = ("context-switch", "interrupt-latency", "semaphore-acquire", "priority-inversion")  # Lan and Kannan's four


@dataclass(frozen=True)
class Ours:
    """What of ours repeats a row; alike: the ratio means something."""

    experiment: str
    variant: str | None = None
    alike: bool = True
    note: str = ""


_SUM = "ours is the whole pulse: give, sleep, switch"
# Ours for what a publication calls an experiment; by kernel where their listings differ.
_OURS: dict[tuple[str, str, str], Ours] = {
    ("krnl-performance", "signal-wait-loop", ""): Ours("signal-wait-loop", "mean of 100 rounds"),
    ("krnl-performance", "interrupts-off", ""): Ours("masked-by-code", "semaphore"),
    ("lan-kannan-2015", "context-switch", ""): Ours("context-switch", "low-preempted, digitalWrite", alike=False),
    ("lan-kannan-2015", "interrupt-latency", ""): Ours("irq-to-handler", "digitalWrite", alike=False),
    ("lan-kannan-2015", "semaphore-acquire", ""): Ours("semaphore-acquire", "digitalWrite", alike=False, note=_SUM),
    ("lan-kannan-2015", "priority-inversion", "FreeRTOS"): Ours(
        "priority-inversion", "sleeps 1 ms", note="ours sleeps 1 ms, as their FreeRTOS listing"
    ),
    ("lan-kannan-2015", "priority-inversion", "ChibiOS/RT"): Ours(
        "priority-inversion", "sleeps 5 ms", note="ours sleeps 5 ms, as their ChibiOS listing"
    ),
}
_PER_SECOND = {"us": 1e6, "ms": 1e3}
_UNITS = {"us": "µs"}


def rows(name: str) -> frozenset[tuple[str, str | None]]:
    """The rows that its table needs, as plans name them."""
    found = [_ours(row) for row in published_rows(SOURCE[name])]
    return frozenset((one.experiment, None if one.variant == WAIT_STATES else one.variant) for one in found)


def table(name: str, entries: Sequence[Entry], board: Board) -> Table:
    """What it printed, a line a row of its own, ours beside; JSON and CSV hold the same lines."""
    title = f"{SOURCES[SOURCE[name]]}; ours on the {board.title}"
    results = [entry.result for entry in entries]
    if name == "pavlas":
        found = pin_response.table(entries, board.clock_hz)
        assert found is not None
        units = [column for column in found.columns if column.key == "unit"]  # first: a narrow terminal keeps them
        rest = [column for column in found.columns[2:] if column.key != "unit"]
        return Table([*found.columns[:2], *units, *rest], found.rows, title=title)
    lines = [_line(row, results, board) for row in published_rows(SOURCE[name])]
    kernels = list(dict.fromkeys(_kernel(line, lines) for line in lines))
    shown: dict[tuple[str, ...], dict[str, Any]] = {}
    for line in lines:
        key = tuple(str(line[part]) for part in ("experiment", "unit", "attacca"))
        row = shown.setdefault(
            key, {"experiment": line["experiment"], "attacca": line["attacca"], "unit": line["unit"]}
        )
        row[_kernel(line, lines)] = line["published"]
        best = row.get("best")
        if line["ratio"] is not None and (best is None or float(line["published"]) < best):
            row |= {"best": float(line["published"]), "ratio": line["ratio"]}
    columns = (
        Column("experiment", "experiment"),
        *(Column(kernel, kernel, right=True) for kernel in kernels),
        Column("attacca", "Attacca", right=True),
        Column("unit", "unit"),
        Column("ratio", "ratio", right=True),
    )
    notes = ["ratio: ours divided by the smallest that was published of this processor, where both are the same thing."]
    notes += dict.fromkeys(_note(line, lines) for line in lines if line["note"])
    return Table(columns, list(shown.values()), title=title, notes=notes, records=lines)


def _note(line: dict[str, Any], lines: Sequence[dict[str, Any]]) -> str:
    """With the column where the experiment has several."""
    several = len({_kernel(one, lines) for one in lines if one["experiment"] == line["experiment"]}) > 1
    return f"{line['experiment']}{f', {_kernel(line, lines)}' if several else ''}: {line['note']}."


def _kernel(line: dict[str, Any], lines: Sequence[dict[str, Any]]) -> str:
    """The heading of its column: the processor if that is what tells them apart."""
    apart = len({one["processor"] for one in lines}) > 1
    return str(line["processor"]).split(" (")[0] if apart else str(line["kernel"])


def _ours(row: dict[str, str]) -> Ours:
    source, experiment = row["source"], row["experiment"]
    if experiment == "ram":
        return Ours("ram", row["statistic"])
    if source == "chibios-switch":
        return Ours(experiment, WAIT_STATES)
    default = _OURS.get((source, experiment, ""), Ours(experiment))
    return _OURS.get((source, experiment, row["rtos"]), default)


def _line(row: dict[str, str], results: Sequence[Result], board: Board) -> dict[str, Any]:
    wanted = _ours(row)
    mine = next(
        (one for one in results if (one.experiment, one.variant) == (wanted.experiment, wanted.variant)
         and one.threads is None and one.timers is None), None
    )  # fmt: skip
    value = mine.median if mine else None
    if value is not None and row["unit"] in _PER_SECOND and mine is not None and mine.unit == "cycles":
        value = value * _PER_SECOND[row["unit"]] / (board.clock_hz or 1)
    same = row["cpu"].startswith(board.processor) and wanted.alike and value is not None
    statistic = "" if row["statistic"] == "single" else row["statistic"]
    what = ", ".join(filter(None, (row["experiment"], statistic)))
    note = "; ".join(filter(None, (wanted.note, "" if row["note"] == "likewise" else row["note"])))
    return {
        "experiment": what,
        "kernel": row["rtos"] + (f" {row['rtos_version']}" if row["rtos_version"] else ""),
        "processor": row["cpu"],
        "published": row["value"],
        "attacca": _text(value, row["unit"]),
        "unit": _UNITS.get(row["unit"], row["unit"]),
        "ratio": ratio(value / float(row["value"])) if same and value is not None else None,
        "note": note or None,
    }


def _text(value: float | None, unit: str) -> str | None:
    if value is None:
        return None
    return fixed(value, 3) if unit in _PER_SECOND else number(value)
