"""The builds of the kernel that are measured: what a program gets that states no option, and what options make of it.

Each is a preset of CMakePresets.json: the board's own, or that one's name with an ending. Where the own one is built
for tests, the fastest has the ending -fast.
"""

from __future__ import annotations

from attacca_lab.boards import Board
from attacca_lab.build import entries, levels
from attacca_lab.errors import UserError, unknown

FAST = "fast"
DEFAULT = "default"
# The name of a build, the ending of its preset, and what it is.
BUILDS = {
    DEFAULT: ("-default", "as without any option: callers are checked"),
    FAST: ("", "checks off"),
    "check": ("-check", "all checks, the kernel's own invariants too"),
    "traced": ("-traced", "checks off, every kernel event recorded"),
    "c": ("-c", "checks off, the kernel's C alone"),
}


def preset(board: Board, build: str, level: str | None = None) -> str:
    """The preset of a board's build, at an optimisation level if one is named; a UserError when there is none."""
    if build not in BUILDS:
        raise unknown("build", build, list(BUILDS))
    name = board.preset + BUILDS[build][0]
    if build == FAST and f"{name}-fast" in entries():
        name = f"{name}-fast"  # the board's own is built for its tests, with all checks
    if name not in entries():
        raise unknown("build", build, [one for one, (end, _) in BUILDS.items() if board.preset + end in entries()],
                      plural=f"{board.name} has")  # fmt: skip
    if level is None:
        return name
    known = levels(name)
    if level not in known:
        where = board.name if build == FAST else f"{board.name} in its build '{build}'"
        raise unknown("optimisation", level, list(known), plural=f"{where} has")
    return known[level]


def is_built(board: Board, build: str, level: str | None) -> bool:
    """Whether there is a preset for it: at another optimisation level there need not be."""
    try:
        return bool(preset(board, build, level))
    except UserError:
        return False
