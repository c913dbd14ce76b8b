"""./attacca scope"""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.boards import Board
from attacca_lab.commands.common import SEED, BoardType, examples, make_output, output_options, stimulus_option
from attacca_lab.options import SCOPE_ENDINGS


@click.command(
    "scope",
    epilog=examples(
        "./attacca scope sketch.elf --board uno",
        "./attacca scope sketch.hex --pin D8 -o sketch.html -o sketch.vcd",
        "./attacca scope sketch.elf --board stm32f103 --timing wait-states=2",
        "./attacca scope analyser.sr --clock 16MHz --json",
        "./attacca scope servo.bin --channels 8 --samplerate 24MHz --pin D3",
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--shape",
    type=click.Choice(["auto", "pairs", "pulses", "toggles", "low"]),
    default="auto",
    show_default=True,
    help="Pairs of A-B and C-D, each pulse by itself, from edge to edge, or low pulses. auto: pairs or pulses.",
)
@click.option("--board", type=BoardType(), metavar="NAME", help="Board.  [default: uno for firmware; a capture's own]")
@click.option("--pin", metavar="PIN", help="Probe pin.  [default: the board's probe A, such as D13]")
@click.option("--cycles", metavar="TIME", help="How long to run it: cycles, or as 2s, 300ms.  [default: 2s]")
@click.option("--clock", metavar="FREQUENCY", help="Processor clock, of firmware or behind a real capture, as 16MHz.")
@click.option("--timing", metavar="SET", help="A model's timing: main, low, high, parameters, as low,wait-states=2.")
@click.option("--samplerate", metavar="RATE", help="Of a capture that does not state its own, as 24MHz.")
@click.option("--channels", type=click.IntRange(1, 64), metavar="N", help="How many a .bin of raw samples has.")
@click.option("--seed", type=SEED, metavar="N", help="Seed of all that is random.")
@stimulus_option
@output_options(SCOPE_ENDINGS, quiet=True)
def command(
    file: Path,
    board: Board | None,
    shape: str,
    pin: str | None,
    cycles: str | None,
    clock: str | None,
    timing: str | None,
    samplerate: str | None,
    channels: int | None,
    seed: int | None,
    stimulus: Path | None,
    as_json: bool,
    as_csv: bool,
    files: tuple[Path, ...],
    quiet: bool,
) -> int | None:
    """Find the pulses on a probe pin and tell how long they last.

    FILE is the firmware of any kernel (ELF or Intel hex), which is run on the board's instrument; the name of one from
    `./attacca build`; or a capture of an instrument or a real logic analyser: VCD, a session of sigrok's (.sr), CSV
    as sigrok and Saleae's Logic write it, or raw samples (.bin).
    """
    output = make_output(as_json, as_csv, files, quiet, SCOPE_ENDINGS)
    from attacca_lab import progress, scope

    progress.quiet = quiet
    options = scope.ScopeOptions(
        output, pin, cycles, clock, seed, stimulus, shape, timing, samplerate, channels
    )  # fmt: skip
    return scope.run(file, board, options)
