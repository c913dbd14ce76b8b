"""The head of a report of many results: the rows that stand first, and their bars beside the other kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attacca_lab import headline
from attacca_lab.boards import board
from attacca_lab.compare import WAIT_STATES
from attacca_lab.stats import Result, microseconds, number

SHOWN = ("ChibiOS/RT", "FreeRTOS")  # in the chart, whichever is the best
# What is unfolded when the page opens, and printed.
OPEN = ("switch-semaphore", "switch-message", "switch-yield", "pair-semaphore", "pair-mutex", "inversion-resolve",
        "irq-to-thread", "context-switch")  # fmt: skip


def headlines(results: Sequence[Result], places: Mapping[str, str]) -> list[tuple[str, list[dict[str, Any]]]]:
    """The two tables, of cycles or instructions and of bytes."""
    if not results:
        return []
    target = board(results[0].board)
    found = []
    unit = "instructions" if target.counts else "cycles"
    for what, wanted in ((f"median, in {unit}", headline.TIMES), ("in bytes", headline.SIZES)):
        rows = headline.rows(results, wanted, target)
        for row in rows:
            row["id"] = places.get(row["row"].experiment, "all")
            row["us"] = time(results, row["result"], target.clock_hz, not target.cycles_are_time)
        found.append((what, rows))
    return found


def time(results: Sequence[Result], one: Result, clock_hz: int | None, slower: bool) -> str:
    """On a chip whose flash is slower than its processor: as long as it takes with wait states."""
    if one.unit != "cycles":
        return ""
    if not slower:
        return microseconds(one.median, clock_hz)
    variant = ", ".join(filter(None, (one.variant, WAIT_STATES)))
    real = headline.find(results, one.experiment, variant, one.build or "fast")
    return microseconds(real.median, clock_hz) if real else ""


def chart(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Bars of the rows that a peer was measured for."""
    if not results:
        return []
    found = []
    for row in headline.rows(results, headline.TIMES, board(results[0].board)):
        others = row["others"]
        if row["fastest"] is None or not others or not others.peers:
            continue
        shown = {figure.kernel: figure for figure in [others.peers[0], *(f for f in others.peers if f.kernel in SHOWN)]}
        bars = [("ours", "Attacca", row["result"].median), *(("peer", name, f.value) for name, f in shown.items())]
        longest = max(value for _, _, value in bars) or 1.0
        found.append(
            {
                "title": row["title"],
                "bars": [
                    {"kind": kind, "name": name, "value": number(value), "percent": 100 * value / longest}
                    for kind, name, value in bars
                ],
            }
        )
    return found
