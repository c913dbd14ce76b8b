"""Results of another board or optimisation level beside ours: the same experiment, told from its like as ours is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attacca_lab.boards import board
from attacca_lab.compare import optimisation
from attacca_lab.stats import Result

Key = tuple[str, str | None, str | None, str | None, int | None, int | None, str, str]


def _key(one: Result) -> Key:
    return (one.experiment, one.variant, one.edge, one.call, one.threads, one.timers, one.unit, one.build or "fast")


@dataclass(frozen=True)
class Beside:
    """The medians of another board, or of the same one's firmware optimised otherwise."""

    title: str
    medians: dict[Key, float]

    def median(self, ours: Result) -> float | None:
        """What the other board has for the same."""
        return self.medians.get(_key(ours))


def boards_beside(results: Sequence[Result]) -> list[Beside]:
    """One for each board and level among these results, in the order in which they come up."""
    found: dict[str, Beside] = {}
    for one in results:
        title = f"{board(one.board).title} {optimisation(one.flags)}"
        found.setdefault(title, Beside(title, {})).medians[_key(one)] = one.median
    return list(found.values())
