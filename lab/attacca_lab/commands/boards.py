"""./attacca boards"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from attacca_lab import board_table
from attacca_lab.boards import boards
from attacca_lab.commands.common import examples, make_output, output_options
from attacca_lab.output import Column, Table

COLUMNS = (
    Column("name", "board"),
    Column("processor", "processor"),
    Column("clock_hz", "clock", form=board_table.megahertz, right=True),
    Column("flash", "flash", form=lambda size: f"{size // 1024} KB", right=True),
    Column("ram", "RAM", form=lambda size: f"{size // 1024} KB", right=True),
    Column("timing", "timing"),
    Column("runs", "runs on"),
    Column("unit", "unit of time"),
    Column("figures", "a figure measured there"),
    Column("probes", "probes A-D"),
)
KEYS = ("name", "title", "processor", "clock_hz", "flash", "ram", "instrument", "timing", "toolchain", "probes",
        "caution")  # fmt: skip


@click.command("boards", epilog=examples("./attacca boards", "./attacca boards --json"))
@output_options()
def command(as_json: bool, as_csv: bool, files: tuple[Path, ...]) -> None:
    """List the boards: where the kernel runs, and what a time measured there means."""
    output = make_output(as_json, as_csv, files)
    notes = [f"{board.name}: {board.caution}" for board in boards().values() if board.caution]
    more = {row["name"]: {key: row[key] for key in ("port", "runs", "unit", "figures")} for row in board_table.rows()}
    rows = [{key: asdict(board)[key] for key in KEYS} | more[board.name] for board in boards().values()]
    output.emit(Table(COLUMNS, rows, notes=["", *notes]))
