"""How much of "an interrupt at every instruction" the short campaign tries: as much as a fixed budget of runs allows.

Every scenario is tried, on one board of two; those that are hot on both. data/inject_windows.json says how long the
window of each situation was when a campaign's report was published (`publish`). Windows up to a length that the
budget settles are tried at each instruction, longer ones at as many instructions as that length, drawn by the
scenario's name: what one action leaves out another may take. A situation that the table does not know is new, and is
tried at each instruction. So the same tree makes the same runs everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from attacca_lab.output import write_atomic

WINDOWS = Path(__file__).parent / "data" / "inject_windows.json"
BUDGET = {"uno": 250_000, "stm32f103": 180_000}  # runs with one handler: about a hundred seconds of a processor, each
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
