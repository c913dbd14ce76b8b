"""What was measured beside floors: the same pulses with the least that the processor must do, written by hand."""

from __future__ import annotations

from collections.abc import Sequence

from attacca_lab.builds import FAST
from attacca_lab.experiments import FLOOR, FLOORS
from attacca_lab.output import Column, Table
from attacca_lab.stats import Result, number, ratio

TITLE = "Beside a floor written by hand in assembly: median, in"


def table(results: Sequence[Result]) -> Table | None:
    """A line for each experiment that has a floor among these results; None where there is none."""
    rows = []
    for name in FLOORS:
        found = {one.variant: one.median for one in results if _is_plain(one) and one.experiment == name}
        if None in found and FLOOR in found:
            floor, measured = found[FLOOR], found[None]
            rows.append({"experiment": name, "floor": floor, "measured": measured, "ratio": measured / floor})
    columns = (
        Column("experiment", "experiment"),
        Column("floor", "floor", form=number, right=True),
        Column("measured", "measured", form=number, right=True),
        Column("ratio", "ratio", form=ratio, right=True),
    )
    note = (
        "floor: the least that such a switch must do, without the kernel; what it leaves out stands in bench/*/floor.S"
    )
    unit = results[0].unit if results else ""
    return Table(columns, rows, title=f"{TITLE} {unit}", notes=[note], records=[]) if rows else None


def _is_plain(one: Result) -> bool:
    return not one.threads and not one.timers and one.build in (None, FAST)
