"""One `./attacca bench`: which builds are measured in what, and what is shown of it.

The table on a terminal is short: the rows of headline.py, and only these are measured then. `--all`, a file, JSON and
CSV take everything: each experiment in the fastest build, and each shape of a call in all others too.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attacca_lab.builds import BUILDS, DEFAULT, FAST, is_built
from attacca_lab.errors import USAGE, UserError
from attacca_lab.options import BenchOptions
from attacca_lab.plan import Plan, headlines, named, papers, shapes

if TYPE_CHECKING:
    from attacca_lab.bench import Bench
    from attacca_lab.boards import Board
    from attacca_lab.output import Table
    from attacca_lab.report import Entry, Head


def plans(board: Board, options: BenchOptions) -> list[Plan]:
    """What is measured, build by build; the first one's entries are shown whole."""
    if options.paper:
        return [papers(options.paper, board, options.build or FAST)]
    if options.build:
        return [named(board, options.build, options.experiments)]
    others = [DEFAULT] if options.experiments or options.is_short else [build for build in BUILDS if build != FAST]
    others = [build for build in others if is_built(board, build, options.optimize)]
    if options.is_short:
        return [headlines(board, build) for build in (FAST, *others)]
    return [named(board, FAST, options.experiments), *(shapes(board, build, options.experiments) for build in others)]


def run(board: Board, options: BenchOptions) -> int:
    """Measure, print, write; the exit status."""
    from attacca_lab import bench, instrument, report, summary
    from attacca_lab.runs import prepare
    from attacca_lab.what import WHAT

    wanted = plans(board, options)
    check_samples(board, options, wanted[0])
    with instrument.workspace() as directory:
        benches = [bench.Bench(board, options, directory / plan.build, plan) for plan in wanted if not plan.is_empty]
        prepare([(one.runs, one.wanted()) for one in benches])
        found = [
            (one, [entry for name in WHAT if one.plan.has(name) for entry in one.entries(name)]) for one in benches
        ]
    entries = [entry for _, some in found for entry in some]
    head = _head(board, options, found[0][0])
    options.output.extra[".html"] = lambda: report.render(head, entries)
    tables = summary.tables(entries, board.clock_hz, beside=head.beside, note=_note(head, entries))
    if options.paper:
        from attacca_lab import paper

        table = paper.table(options.paper, entries, board)
        options.output.extra[".html"] = lambda: report.render(head, entries, paper=table)
        options.output.emit(table)
    else:
        shown = _short(board, options, head, entries) if options.is_short else tables
        options.output.emit(*tables, shown=shown)
    return 0


def _short(board: Board, options: BenchOptions, head: Head, entries: Sequence[Entry]) -> list[Table]:
    from attacca_lab import summary

    where = "" if board.name == "uno" else f" --board {board.name}"
    return summary.short(
        [entry.result for entry in entries],
        board,
        note=f"{head.processor}: {head.compiler} {head.optimisation}, {head.instrument}.",
        rest=f"The rest: ./attacca bench --all{where}; with pictures: ./attacca bench{where} -o report.html",
    )


def _note(head: Head, entries: Sequence[Entry]) -> str:
    theirs = next((one.comparison.build for one in entries if one.comparison and one.comparison.peers), "")
    built = f"{head.board}: {head.compiler} {head.optimisation}" + (f"; peers: {theirs}" if theirs else "")
    return ". ".join([built, *head.notes])


def _head(board: Board, options: BenchOptions, first: Bench) -> Head:
    from attacca_lab import report
    from attacca_lab.beside import boards_beside

    build = f", build '{options.build}'" if options.build else ""
    return report.Head(
        title=f"Attacca on the {board.title}" + (f", {options.optimize}" if options.optimize else "") + build,
        board=board.title,
        processor=board.processor,
        clock_hz=board.clock_hz,
        instrument=first.origin.instrument,
        compiler=first.origin.compiler,
        flags=first.origin.flags,
        commit=first.origin.commit,
        command=command(board, options),
        notes=[board.caution] if board.caution else [],
        beside=boards_beside(options.beside),
    )


def command(board: Board, options: BenchOptions) -> str:
    """What to type to have the same again."""
    words = ["./attacca", "bench", *options.experiments]
    words += ["--paper", options.paper] if options.paper else []
    words += ["--board", board.name] if board.name != "uno" and not options.paper else []
    words += ["--build", options.build] if options.build else []
    words += ["--optimize", options.optimize] if options.optimize else []
    words += ["--samples", str(options.samples)] if options.samples else []
    words += ["--seed", str(options.seed)] if options.seed != 1 else []
    words += [word for path in options.output.files for word in ("-o", path.name)]
    return shlex.join(words)


def check_samples(board: Board, options: BenchOptions, plan: Plan) -> None:
    """Complain about more samples than an experiment makes, before any work is done for it."""
    if options.samples is None:
        return
    fewest = min((case for case in plan.cases(board) if case.pulses), key=lambda case: case.pulses or 0, default=None)
    if fewest is not None and fewest.pulses is not None and options.samples > fewest.pulses:
        raise UserError(
            f"--samples {options.samples}: {fewest.experiment} makes {fewest.pulses:,} pulses", status=USAGE
        )
