"""./attacca scope"""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.boards import Board
from attacca_lab.commands.common import board_option, examples, make_output, output_options
from attacca_lab.options import SCOPE_ENDINGS


@click.command(
    "scope",
    epilog=examples(
        "./attacca scope sketch.elf --board uno",
        "./attacca scope sketch.hex --pin D8 --cycles 300ms -o sketch.html -o sketch.vcd",
        "./attacca scope analyser.vcd --clock 16MHz --json",
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@board_option()
@click.option("--pin", metavar="PIN", help="Probe pin.  [default: the board's probe A, such as D13]")
@click.option("--cycles", metavar="TIME", help="How long to run it: cycles, or as 2s, 300ms.  [default: 2s]")
@click.option("--clock", metavar="FREQUENCY", help="Processor clock behind a real capture, as 16MHz.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Seed of all that is random.")
@click.option("--stimulus", type=click.Path(path_type=Path), metavar="FILE", help="What happens on input pins.")
@output_options(SCOPE_ENDINGS, quiet=True)
def command(
    file: Path,
    board: Board,
    pin: str | None,
    cycles: str | None,
    clock: str | None,
    seed: int | None,
    stimulus: Path | None,
    as_json: bool,
    as_csv: bool,
    files: tuple[Path, ...],
    quiet: bool,
) -> int | None:
    """Find the pulses on a probe pin and tell how long they last.

    FILE is the firmware of any kernel (ELF or Intel hex), which is run on the board's instrument, or a capture (VCD)
    of an instrument or a real logic analyser.
    """
    output = make_output(as_json, as_csv, files, quiet, SCOPE_ENDINGS)
    from attacca_lab import progress, scope

    progress.quiet = quiet
    return scope.run(file, board, scope.ScopeOptions(output, pin, cycles, clock, seed, stimulus))
