"""./attacca flash"""

from __future__ import annotations

import click

from attacca_lab.boards import Board
from attacca_lab.commands.common import board_option, examples


@click.command(
    "flash",
    epilog=examples(
        "./attacca flash example-01-blink",
        "./attacca flash switch-semaphore --port /dev/ttyACM0",
        "./attacca flash switch-semaphore --board stm32f103",
    ),
)
@click.argument("firmware")
@board_option()
@click.option("--port", metavar="DEVICE", help="Serial port; found by itself when there is only one.")
@click.option("--dry-run", is_flag=True, help="Print the command instead of running it.")
def command(firmware: str, board: Board, port: str | None, dry_run: bool) -> None:
    """Write FIRMWARE, a name from `./attacca build` or an ELF or hex file, to a real board.

    Where avrdude, OpenOCD or the port is missing, the exact command to type is printed instead and the status is 1.
    """
    from attacca_lab import flash

    flash.flash(firmware, board, port, dry_run)
