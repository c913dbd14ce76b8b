"""./attacca bench"""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.boards import Board
from attacca_lab.boards import board as board_named
from attacca_lab.builds import BUILDS
from attacca_lab.commands.common import SEED, board_option, examples, make_output, output_options
from attacca_lab.errors import USAGE, UserError, unknown
from attacca_lab.options import BENCH_ENDINGS, BenchOptions
from attacca_lab.papers import PAPERS


@click.command(
    "bench",
    epilog=examples(
        "./attacca bench",
        "./attacca bench --all --width 120",
        "./attacca bench --build default switch-semaphore",
        "./attacca bench --paper krnl",
        "./attacca bench switch-semaphore switch-yield --vcd captures",
        "./attacca bench -o results.json -o report.html",
        "./attacca bench --board stm32f103 --optimize -Os",
        "./attacca bench --board stm32f103 --beside results.json -o both.html",
        "./attacca bench --list",
    ),
)
@click.argument("experiments", nargs=-1, metavar="[EXPERIMENT]...")
@board_option()
@click.option(
    "--optimize", metavar="LEVEL", help="How the compiler optimises, as -Os or -O2.  [default: the board's own]"
)
@click.option("--build", "kernel", metavar="NAME", help=f"Only this build of the kernel: {', '.join(BUILDS)}.")
@click.option(
    "--paper", metavar="NAME", help=f"A publication's experiments, on its board, beside it: {', '.join(PAPERS)}."
)
@click.option("--all", "everything", is_flag=True, help="Everything, not only the table that stands first.")
@click.option(
    "--width", type=click.IntRange(min=20), metavar="N", help="Columns of the tables.  [default: the terminal's]"
)
@click.option("--list", "only_list", is_flag=True, help="List the experiments and do nothing.")
@click.option("--samples", type=click.IntRange(min=1), metavar="N", help="Only the first N pulses of each experiment.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed of all that is random.")
@click.option(
    "--vcd",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep the captures there, for GTKWave, PulseView or sigrok-cli.",
)
@click.option(
    "--beside",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Another board's or level's results, as -o FILE.json wrote them, to stand beside. May be repeated.",
)
@output_options(BENCH_ENDINGS, quiet=True)
def command(
    experiments: tuple[str, ...],
    board: Board,
    optimize: str | None,
    kernel: str | None,
    paper: str | None,
    everything: bool,
    width: int | None,
    only_list: bool,
    samples: int | None,
    seed: int,
    vcd: Path | None,
    beside: tuple[Path, ...],
    as_json: bool,
    as_csv: bool,
    files: tuple[Path, ...],
    quiet: bool,
) -> int | None:
    """Measure the kernel and set it beside what was published and measured for others.

    Without an EXPERIMENT: the short table, of the rows that matter most; --all, -o, --json and --csv take all of them.
    Every figure is of exact processor cycles, the cost of setting and clearing the pin subtracted; on a board in
    QEMU, of executed instructions, of which no time follows.
    """
    from attacca_lab import bench, progress, session
    from attacca_lab.readme import load

    output = make_output(as_json, as_csv, files, quiet, BENCH_ENDINGS)
    output.width = width
    known = bench.experiments()
    if only_list:
        from attacca_lab.output import Column, Table

        rows = [{"experiment": name, "measures": text} for name, text in known.items()]
        output.emit(Table((Column("experiment", "experiment"), Column("measures", "measures")), rows))
        return None
    for name in experiments:
        if name not in known:
            raise unknown("experiment", name, list(known))
    if kernel is not None and kernel not in BUILDS:
        raise unknown("build", kernel, list(BUILDS))
    if paper is not None:
        board = _board_of(paper, experiments)
    if not board.measures and not board.counts:
        raise UserError(f"times mean nothing on board '{board.name}'; try --board uno", status=USAGE)
    progress.quiet = quiet
    others = tuple(one for path in beside for one in load(path))
    return session.run(
        board,
        BenchOptions(experiments, output, vcd, seed, samples, quiet, others, optimize, kernel, everything, paper),
    )


def _board_of(paper: str, experiments: tuple[str, ...]) -> Board:
    """The board that a publication's experiments run on."""
    context = click.get_current_context()
    if paper not in PAPERS:
        raise unknown("paper", paper, list(PAPERS))
    if experiments:
        raise UserError("--paper names its experiments itself: give no EXPERIMENT", status=USAGE)
    named = context.get_parameter_source("board") is click.core.ParameterSource.COMMANDLINE
    if named and context.params["board"].name != PAPERS[paper]:
        raise UserError(f"--paper {paper} is measured on board '{PAPERS[paper]}'", status=USAGE)
    return board_named(PAPERS[paper])
