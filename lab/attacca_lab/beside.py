"""Another board's results beside ours, in cycles: the same experiment, told from its like in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attacca_lab.boards import board
from attacca_lab.stats import Result

Key = tuple[str, str | None, str | None, str | None, int | None, int | None, str]


def _key(one: Result) -> Key:
    return (one.experiment, one.variant, one.edge, one.call, one.threads, one.timers, one.unit)


@dataclass(frozen=True)
class Beside:
    """The medians of another board."""

    board: str
    title: str
    medians: dict[Key, float]

    def median(self, ours: Result) -> float | None:
        """What the other board has for the same."""
        return self.medians.get(_key(ours))


def boards_beside(results: Sequence[Result]) -> list[Beside]:
    """One for each board among these results, in the order in which they come up."""
    names = list(dict.fromkeys(one.board for one in results))
    return [
        Beside(name, board(name).title, {_key(one): one.median for one in results if one.board == name})
        for name in names
    ]
