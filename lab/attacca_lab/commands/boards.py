"""./attacca boards"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from attacca_lab.boards import boards
from attacca_lab.commands.common import examples, make_output, output_options
from attacca_lab.output import Column, Table


def _clock(hertz: int) -> str:
    return f"{hertz / 1_000_000:g}"


COLUMNS = (
    Column("name", "board"),
    Column("title", "title"),
    Column("processor", "processor"),
    Column("clock_hz", "clock", "MHz", form=_clock, right=True),
    Column("flash", "flash", "bytes"),
    Column("ram", "RAM", "bytes"),
    Column("instrument", "instrument"),
    Column("timing", "timing"),
    Column("toolchain", "toolchain"),
    Column("probes", "probes A-D"),
)
KEYS = [column.key for column in COLUMNS]


@click.command("boards", epilog=examples("./attacca boards", "./attacca boards --json"))
@output_options()
def command(as_json: bool, as_csv: bool, files: tuple[Path, ...]) -> None:
    """List the boards: where the kernel runs, what runs it, and what a time measured there means."""
    output = make_output(as_json, as_csv, files)
    rows = [{key: asdict(board)[key] for key in KEYS} for board in boards().values()]
    output.emit(Table(COLUMNS, rows))
