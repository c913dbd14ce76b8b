"""./attacca test"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from attacca_lab.boards import Board
from attacca_lab.commands.common import BoardType, examples
from attacca_lab.errors import USAGE, UserError, unknown


@click.command(
    "test",
    epilog=examples(
        "./attacca test",
        "./attacca test --quick",
        "./attacca test --only host --only sanitizers",
        "./attacca test --board uno",
        "./attacca test --exhaustive --shard 2/3",
        "./attacca test --merge 1.json --merge 2.json --merge 3.json",
        "./attacca test --exhaustive --on tcp://192.168.0.7:8786",
        "sudo ./attacca test --fresh",
        "sudo ./attacca test --fresh --only host",
    ),
)
@click.option("--only", multiple=True, metavar="STAGE", help="Only this stage. May be repeated.")
@click.option("--list", "only_list", is_flag=True, help="List the stages and what they cost, and do nothing.")
@click.option("--board", type=BoardType(), metavar="NAME", help="Only what concerns this board.")
@click.option("--quick", is_flag=True, help="Before a commit: what is quick, and one image a board; no stage twice.")
@click.option("--exhaustive", is_flag=True, help="Every interrupt at every instruction, instead of a share; minutes.")
@click.option("--topic", "topics", multiple=True, metavar="NAME", help="With --exhaustive: only these scenarios.")
@click.option("--shard", "part", metavar="K/N", help="With --exhaustive: the Kth of N parts, and a report of it.")
@click.option(
    "--report", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Where --shard's report goes."
)
@click.option(
    "--merge",
    "reports",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Add up the reports of all shards, one option each; fails when one is missing.",
)
@click.option("--on", "address", metavar="ADDRESS", help="With --exhaustive: on a Dask cluster, by its scheduler.")
@click.option("--fresh", is_flag=True, help="Try bench and test on an empty Debian 12, made for it; needs root.")
@click.option("--publish", is_flag=True, help="Write what stages cost and how long inject's windows are, for others.")
@click.option("-v", "--verbose", is_flag=True, help="A line for each program and each build.")
def command(
    only: tuple[str, ...],
    only_list: bool,
    board: Board | None,
    quick: bool,
    exhaustive: bool,
    topics: tuple[str, ...],
    part: str | None,
    report: Path | None,
    reports: tuple[Path, ...],
    address: str | None,
    fresh: bool,
    publish: bool,
    verbose: bool,
) -> int:
    """Run every test of the project: a line a stage with its time and its processor time, what failed below it, and the
    sum at the end.

    Status 0 when nothing failed and something passed.
    """
    _check(click.get_current_context().params)
    from attacca_lab import output, testing

    if only_list:
        output.show(testing.listing())
        return 0
    from attacca_lab import quick as quick_tests

    known = list(quick_tests.STAGES) if quick else [stage.name for stage in testing.STAGES]
    for name in only:
        if name not in known:
            raise unknown("stage", name, known)
    if fresh:
        from attacca_lab.fresh import try_fresh

        options = [word for stage in only for word in ("--only", stage)]
        options += ["--board", board.name] if board else []
        return try_fresh([*options, *(["--verbose"] if verbose else [])])
    if quick:
        return quick_tests.run(only, board, verbose)
    if reports or exhaustive:
        return testing.run(only, board, verbose, [testing.exhaustive(topics, part, report, reports, address)])
    return testing.run(only, board, verbose, publish=publish)


def _check(given: dict[str, Any]) -> None:
    """Options that do not go together, before any work; one line. `given`: by the names of the parameters above."""
    from attacca_lab.shards import Shard

    modes = {"quick": "--quick", "exhaustive": "--exhaustive", "reports": "--merge", "fresh": "--fresh"}
    chosen = [option for name, option in modes.items() if given[name]]
    if len(chosen) > 1:
        raise UserError(f"{chosen[0]} and {chosen[1]}: one of them", status=USAGE)
    for name, option in (("topics", "--topic"), ("part", "--shard"), ("address", "--on")):
        if given[name] and not given["exhaustive"]:
            raise UserError(f"{option} is for --exhaustive", status=USAGE)
    if given["publish"] and chosen:
        raise UserError(f"--publish is of a whole test: not with {chosen[0]}", status=USAGE)
    if given["part"] and given["address"]:
        raise UserError("--shard and --on: one of them", status=USAGE)
    if given["part"]:
        Shard.read(given["part"])
    elif given["report"]:
        raise UserError("--report is for --shard", status=USAGE)
    if given["topics"]:
        from attacca_lab.inject import known_topics

        for name in given["topics"]:
            if name not in known_topics():
                raise unknown("topic", name, known_topics())
