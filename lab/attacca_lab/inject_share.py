"""How much of "an interrupt at every instruction" the short campaign tries: as much as a fixed budget of runs allows.

Every scenario is tried, on one board of two; those that are hot on both. data/inject_windows.json says how long the
window of each situation was when a campaign's report was published (`publish`). Windows up to a length that the
budget settles are tried at each instruction, longer ones at as many instructions as that length. Which ones is drawn by
the scenario's name, for what one action leaves out another may take, and by the contents of the kernel and of the
scenarios: the share moves with each change of them, and the same tree makes the same runs everywhere. A situation that
the table does not know is new, and is tried at each instruction.
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Iterable, Mapping
from pathlib import Path

from attacca_lab import shards
from attacca_lab.output import write_atomic

WINDOWS = Path(__file__).parent / "data" / "inject_windows.json"
BUDGET = {"uno": 100_000, "stm32f103": 72_000}  # runs with one handler: about forty seconds of a processor, each
Table = dict[str, dict[str, int]]  # board -> "topic situation" -> instructions


def known(path: Path = WINDOWS) -> Table:
    """The published table."""
    table: Table = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return table


def publish(windows: Mapping[str, Mapping[str, int]], path: Path = WINDOWS) -> None:
    """Write the table anew. What a campaign did not try in whole is as long as it was."""
    table = known(path)
    for board, lengths in windows.items():
        table[board] = dict(sorted((table.get(board, {}) | dict(lengths)).items()))
    write_atomic(path, json.dumps(table, indent=0) + "\n")


@functools.cache
def _turn() -> str:
    return shards.digest([*shards.CODE, "test/kernel/inject"])


def drawn(scenario: str, turn: str | None = None) -> int:
    """The seed by which a scenario's share is drawn; it is another one when what is tested has changed."""
    return random.Random(f"{turn or _turn()} {scenario}").randrange(1 << 16)


def whole_up_to(lengths: Iterable[int], budget: int) -> int:
    """The longest window that is tried in whole, if so many runs are made of windows of these lengths."""
    ordered = sorted(lengths)
    left = budget
    for n, length in enumerate(ordered):
        if length * (len(ordered) - n) > left:
            return max(1, left // (len(ordered) - n))
        left -= length
    return ordered[-1] if ordered else 1


def one_in(length: int | None, limit: int) -> int:
    """Of a window of that length, one instruction in so many."""
    return 1 if length is None else -(-length // limit)
