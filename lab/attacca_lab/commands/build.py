"""./attacca build"""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.commands.common import BoardType, examples, make_output, output_options
from attacca_lab.errors import USAGE, UserError


@click.command(
    "build",
    epilog=examples("./attacca build", "./attacca build --board mega2560", "./attacca build --preset host --json"),
)
@click.option("--board", type=BoardType(), metavar="NAME", help="Board to build for.  [default: uno]")
@click.option("--preset", metavar="NAME", help="Preset of CMakePresets.json, instead of a board.")
@click.option("--target", "targets", multiple=True, metavar="NAME", help="Only this target. May be repeated.")
@output_options()
def command(
    board: object,
    preset: str | None,
    targets: tuple[str, ...],
    as_json: bool,
    as_csv: bool,
    files: tuple[Path, ...],
) -> None:
    """Build firmware and instruments, and list the firmware with its size.

    Without --preset the board's instrument is built too. Files go to build/.
    """
    from attacca_lab import build as builder
    from attacca_lab.boards import Board
    from attacca_lab.boards import board as board_of
    from attacca_lab.firmware import size_table

    output = make_output(as_json, as_csv, files)
    if preset and board:
        raise UserError("--board and --preset: one of them", status=USAGE)
    if preset is None:
        chosen = board if isinstance(board, Board) else board_of("uno")
        preset = chosen.preset
        if chosen.instrument in builder.INSTRUMENTS:
            builder.instrument(chosen.instrument)
    built = builder.build(preset, targets)
    output.emit(size_table(built))
