"""./attacca test"""

from __future__ import annotations

import click

from attacca_lab.boards import Board
from attacca_lab.commands.common import BoardType, examples
from attacca_lab.errors import unknown


@click.command(
    "test",
    epilog=examples(
        "./attacca test",
        "./attacca test --only host --only sanitizers",
        "./attacca test --board uno",
        "./attacca test --exhaustive",
        "sudo ./attacca test --fresh",
    ),
)
@click.option("--only", multiple=True, metavar="STAGE", help="Only this stage. May be repeated.")
@click.option("--list", "only_list", is_flag=True, help="List the stages and do nothing.")
@click.option("--board", type=BoardType(), metavar="NAME", help="Leave out the kernel suite on other boards.")
@click.option("--exhaustive", is_flag=True, help="Every interrupt at every instruction, instead of a share; minutes.")
@click.option("--fresh", is_flag=True, help="Try bench and test on an empty Debian 12, made for it; needs root.")
@click.option("-v", "--verbose", is_flag=True, help="A line for each program and each build.")
def command(
    only: tuple[str, ...], only_list: bool, board: Board | None, exhaustive: bool, fresh: bool, verbose: bool
) -> int:
    """Run every test of the project: a line a stage, what failed below it, and the sum at the end.

    Status 0 when nothing failed and something passed.
    """
    if fresh:
        from attacca_lab.fresh import try_fresh

        return try_fresh()
    from attacca_lab import testing

    if only_list:
        for stage in testing.STAGES:
            print(f"{stage.name:<11} {stage.title}")
        return 0
    known = [stage.name for stage in testing.STAGES]
    for name in only:
        if name not in known:
            raise unknown("stage", name, known)
    return testing.run(only, board, verbose, exhaustive)
