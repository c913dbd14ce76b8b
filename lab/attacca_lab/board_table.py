"""The table of boards: what `./attacca boards` prints, and what the documents show of it between two marker lines."""

from __future__ import annotations

import re
from pathlib import Path

from attacca_lab.boards import Board, boards
from attacca_lab.build import INSTRUMENTS
from attacca_lab.output import Column, Table, markdown
from attacca_lab.prepare import ROOT

DOCUMENT = ROOT / "docs" / "choosing.md"
RUNNERS = {"qemu": "QEMU", "host": "this computer"}


def megahertz(hertz: int) -> str:
    """A clock."""
    return f"{hertz / 1_000_000:g} MHz"


COLUMNS = (
    Column("name", "board"),
    Column("what", "what it is"),
    Column("port", "port"),
    Column("clock_hz", "clock", form=megahertz, right=True),
    Column("runs", "runs on"),
    Column("unit", "kernel's unit of time"),
    Column("figures", "a figure measured there"),
)


def ports() -> dict[str, str]:
    """The port of each board, as the build has it."""
    text = (ROOT / "cmake" / "boards.cmake").read_text(encoding="utf-8")
    found = dict(re.findall(r"^attacca_board\((\S+) (\S+) ", text, re.MULTILINE))
    return found | dict.fromkeys(re.findall(r"^attacca_board_on\((\S+) ", text, re.MULTILINE), "cortex-m")


def runner(board: Board) -> str:
    """What runs its firmware."""
    return INSTRUMENTS.get(board.instrument, RUNNERS.get(board.instrument, board.instrument))


def unit(board: Board) -> str:
    """What a unit of the kernel's time is, where the laboratory knows the board's clock."""
    if not board.time_hz or not board.clock_hz:
        return ""
    cycles = board.clock_hz // board.time_hz
    return f"{1e6 / board.time_hz:.4g} µs, {cycles} cycles" if board.clock_hz % board.time_hz == 0 else ""


def figures(board: Board) -> str:
    """What it is in, and how far to trust it."""
    if board.counts:
        return "instructions, exact; no cycles"
    if not board.measures:
        return "none: tests only"
    if board.caution:
        return (
            "cycles, of a model; no such chip exists" if board.bounds else "cycles, by the manual; no such chip exists"
        )
    if board.bounds:
        return "cycles, of a timing model with bounds"
    return "cycles, exact"


def rows() -> list[dict[str, object]]:
    """A row for each board, in the order of the file."""
    port = ports()
    return [
        {
            "name": one.name,
            "what": one.title if one.processor.split(",")[0] in one.title else f"{one.title} ({one.processor})",
            "port": port[one.name],
            "clock_hz": one.clock_hz,
            "runs": runner(one),
            "unit": unit(one),
            "figures": figures(one),
        }
        for one in boards().values()
    ]


def part() -> str:
    """The table as documents show it."""
    return markdown(Table(COLUMNS, rows()))


def update(document: Path = DOCUMENT) -> bool:
    """Write it anew; True: it changed."""
    from attacca_lab.output import write_atomic
    from attacca_lab.readme import replace_part

    before = document.read_text(encoding="utf-8")
    after = replace_part(before, "boards", part())
    if after != before:
        write_atomic(document, after)
    return after != before
