"""Responses of a pin beside the published ones: minimum, average and maximum, both edges, both readings of a unit.

The publication's table prints ms where the magnitudes say µs: each of its kernels has a line for either reading, and
none has a ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attacca_lab.compare import published_rows
from attacca_lab.output import Column, Table
from attacca_lab.stats import Result, microseconds

if TYPE_CHECKING:
    from attacca_lab.report import Entry

PREFIX = "pin-response-"
SOURCE = "pavlas-2010"
EDGES = ("rising", "falling")
STATISTICS = ("min", "average", "max")
READINGS = (("ms", "as printed"), ("µs", "as likely"))
COLUMNS = (
    Column("experiment", "experiment"),
    Column("kernel", "kernel"),
    *(Column(f"{edge} {of}", f"{edge} {of}", right=True) for edge in EDGES for of in STATISTICS),
    Column("unit", "unit"),
)


def table(entries: Sequence[Entry], clock_hz: int | None) -> Table | None:
    """All of them among these entries; None where there are none."""
    timed = (entry for entry in entries if entry.has_time)  # cycles of a chip that does not exist have no µs
    found = [one for entry in timed if (one := entry.result).experiment.startswith(PREFIX)]
    if not found or not clock_hz:
        return None
    rows = []
    for name in dict.fromkeys(one.experiment for one in found):
        own = [one for one in found if one.experiment == name]
        for variant in dict.fromkeys(one.variant for one in own):
            rows.append(_ours(name, variant, [one for one in own if one.variant == variant], clock_hz))
        rows += _published(name)
    return Table(COLUMNS, rows, title="Responses of a pin, beside the published ones", records=[])


def _ours(name: str, variant: str | None, some: Sequence[Result], clock_hz: int) -> dict[str, Any]:
    row: dict[str, Any] = {"experiment": name, "kernel": "Attacca" + (f", {variant}" if variant else ""), "unit": "µs"}
    for one in some:
        for of, cycles in zip(STATISTICS, (one.min, one.mean, one.max), strict=True):
            row[f"{one.edge} {of}"] = microseconds(cycles, clock_hz)
    return row


def _published(name: str) -> list[dict[str, Any]]:
    printed = [row for row in published_rows(SOURCE) if row["experiment"] == name]
    rows = []
    for kernel in dict.fromkeys(row["rtos"] for row in printed):
        values = {row["statistic"]: row["value"] for row in printed if row["rtos"] == kernel}
        rows += [{"experiment": name, "kernel": f"{kernel}, {how}", "unit": unit, **values} for unit, how in READINGS]
    return rows
