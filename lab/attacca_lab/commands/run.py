"""./attacca run"""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.boards import Board
from attacca_lab.commands.common import SEED, board_option, examples, stimulus_option


@click.command(
    "run",
    epilog=examples(
        "./attacca run example-01-blink --cycles 3s",
        "./attacca run firmware.elf --board stm32f103",
        "./attacca run firmware.hex --stimulus keys.txt > console.txt",
    ),
)
@click.argument("file", metavar="FIRMWARE", type=click.Path(path_type=Path))
@board_option()
@click.option("--cycles", metavar="TIME", help="How long at most: cycles, or as 2s, 300ms.  [default: 10s]")
@click.option("--clock", metavar="FREQUENCY", help="Processor clock, as 8MHz.  [default: the board's]")
@click.option("--timing", metavar="SET", help="A model's timing: main, low, high, parameters, as low,wait-states=2.")
@click.option("--seed", type=SEED, metavar="N", help="Seed of all that is random.")
@stimulus_option
@click.option("-q", "--quiet", is_flag=True, help="The console alone: no progress, and nothing on how it ended.")
def command(
    file: Path,
    board: Board,
    cycles: str | None,
    clock: str | None,
    timing: str | None,
    seed: int | None,
    stimulus: Path | None,
    quiet: bool,
) -> int:
    """Run any firmware without a board and show its console.

    FIRMWARE is an ELF or Intel hex file of any kernel or none, or the name of one from `./attacca build`. Its console
    goes to stdout as it comes, how it ended to stderr. The status is 0 when it ended itself with 0, 1 with another
    value, 4 when its time was up, 5 when it crashed, 7 when it halted: docs/instrument.md, Exit status.
    """
    from attacca_lab import console, progress

    progress.quiet = quiet
    return console.run(file, board, console.RunOptions(cycles, clock, timing, seed, stimulus, quiet))
