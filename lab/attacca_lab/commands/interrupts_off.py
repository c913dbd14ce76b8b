"""./attacca interrupts-off"""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.boards import Board
from attacca_lab.commands.common import ENDINGS, board_option, examples, make_output, output_options


@click.command(
    "interrupts-off", epilog=examples("./attacca interrupts-off", "./attacca interrupts-off --board stm32f103 --write")
)
@board_option()
@click.option(
    "--write", is_flag=True, help="Write the board's part of docs/interrupts-off.md, which the tests compare with."
)
@output_options(ENDINGS)
def command(board: Board, write: bool, as_json: bool, as_csv: bool, files: tuple[Path, ...]) -> int | None:
    """Tell for every call how long it keeps interrupts off, in cycles."""
    from attacca_lab import interrupts_off
    from attacca_lab.errors import USAGE, UserError
    from attacca_lab.output import write_atomic

    output = make_output(as_json, as_csv, files)
    if not board.measures:
        raise UserError(f"times mean nothing on board '{board.name}'; try --board uno", status=USAGE)
    found = interrupts_off.run(board.name)
    missing = found.missing()
    if write:
        if missing:
            raise UserError(f"no image makes these calls: {', '.join(missing)}", "add them to bench/calls-*.c")
        before = interrupts_off.DOCUMENT.read_text(encoding="utf-8") if interrupts_off.DOCUMENT.exists() else ""
        write_atomic(interrupts_off.DOCUMENT, interrupts_off.document(found, before))
        return None
    output.emit(*interrupts_off.tables(found))
    return None
