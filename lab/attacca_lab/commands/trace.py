"""./attacca trace"""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.boards import Board
from attacca_lab.commands.common import SEED, board_option, examples, make_output, output_options, stimulus_option
from attacca_lab.errors import USAGE, UserError
from attacca_lab.options import TRACE_ENDINGS


@click.command(
    "trace",
    epilog=examples(
        "./attacca trace build/uno/firmware/example-26-recorder.elf",
        "./attacca trace firmware.elf --board stm32f103 -o run.vcd -o run.trace",
        "./attacca trace firmware.elf --memory ram.bin --base 0x100",
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@board_option()
@click.option("--memory", type=click.Path(path_type=Path), metavar="FILE", help="A board's RAM, raw, instead of a run.")
@click.option("--base", metavar="ADDRESS", help="Address at which the file of --memory begins.  [default: 0]")
@click.option("--recorder", metavar="NAME", help="Which recorder.  [default: the one that was started last]")
@click.option("--cycles", metavar="TIME", help="How long to run it: cycles, or as 2s, 300ms.  [default: 2s]")
@click.option("--clock", metavar="FREQUENCY", help="ATT_TIME_HZ, as 250kHz.  [default: the board's]")
@click.option("--seed", type=SEED, metavar="N", help="Seed of all that is random.")
@stimulus_option
@output_options(TRACE_ENDINGS, quiet=True)
def command(
    file: Path,
    board: Board,
    memory: Path | None,
    base: str | None,
    recorder: str | None,
    cycles: str | None,
    clock: str | None,
    seed: int | None,
    stimulus: Path | None,
    as_json: bool,
    as_csv: bool,
    files: tuple[Path, ...],
    quiet: bool,
) -> None:
    """Show the kernel events that a firmware's recorder holds.

    FILE is a firmware with a recorder (docs/debugging.md), as ELF or by its name in `./attacca build`: it is run on
    the board's instrument and its memory read at the end; or --memory is what a debugger read out of a real board. A
    .vcd shows the threads in GTKWave, a .trace in ui.perfetto.dev.
    """
    output = make_output(as_json, as_csv, files, quiet, TRACE_ENDINGS)
    from attacca_lab import progress, trace

    progress.quiet = quiet
    try:
        address = None if base is None else int(base, 0)
    except ValueError:
        address = -1
    if address is not None and not 0 <= address < 1 << 32:
        raise UserError(f"--base: '{base}' is no address: say 0x100 or 256", status=USAGE)
    options = trace.TraceOptions(output, memory, address, recorder, cycles, clock, seed, stimulus)
    trace.run(file, board, options)
