"""Every shape of a call in every build: one table, a line a shape, a column a build."""

from __future__ import annotations

from collections.abc import Sequence

from attacca_lab.builds import BUILDS, FAST
from attacca_lab.experiments import SHAPED
from attacca_lab.output import Column, Table
from attacca_lab.stats import Result, number

CONTENDED = ("switch-", "irq-")
TITLE = "Each shape of a call, in each build of the kernel: median, in {unit}"


def table(results: Sequence[Result]) -> Table | None:
    """The shapes among these results; None where there is but one build of them."""
    from attacca_lab.compare import WAIT_STATES

    found: dict[tuple[str, str | None], dict[str, float]] = {}
    for one in results:
        plain = one.threads is None and one.timers is None and one.edge is None and one.call is None
        if one.experiment in SHAPED and plain and WAIT_STATES not in (one.variant or ""):
            found.setdefault((one.experiment, one.variant), {})[one.build or FAST] = one.median
    found = {row: medians for row, medians in found.items() if len(medians) > 1}
    names = [name for name in BUILDS if any(name in medians for medians in found.values())]
    if len(names) < 2:
        return None
    columns = [
        Column("experiment", "experiment"),
        Column("shape", "shape"),
        *(Column(name, name, form=number, right=True) for name in names),
    ]
    rows = [
        {"experiment": name, "shape": shape(name, variant), **medians}
        for name in SHAPED
        for (experiment, variant), medians in found.items()
        if experiment == name
    ]
    unit = next(one.unit for one in results if one.experiment in SHAPED)
    notes = ["; ".join(f"{name}: {BUILDS[name][1]}" for name in names)]
    return Table(columns, rows, title=TITLE.format(unit=unit), notes=notes, records=[])


def shape(experiment: str, variant: str | None) -> str:
    """What a variant is, in words."""
    if variant is None:
        return "waits for ever" if experiment.startswith((*CONTENDED, "pair-")) else "plain"
    words = {"timeout": "with a timeout", "NOWAIT": "does not wait", "whole round": "waits for ever, whole round",
             "timeout, whole round": "with a timeout, whole round"}  # fmt: skip
    return words.get(variant, variant)
