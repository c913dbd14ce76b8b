"""./attacca readme, for work on the project: it is not listed."""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.commands.common import examples


@click.command(
    "readme",
    epilog=examples("./attacca readme", "./attacca readme uno.json stm32f103.json stm32f103-os.json"),
)
@click.argument("results", type=click.Path(path_type=Path), nargs=-1)
def command(results: tuple[Path, ...]) -> None:
    """Write generated parts anew: docs/choosing.md's table of boards, the README's example, and from RESULTS files,
    one a board or level, its tables and docs/results.md."""
    from attacca_lab import board_table, readme

    if board_table.update():
        print("docs/choosing.md is written anew")
    changed = readme.update(readme.README, [one for path in results for one in readme.load(path)] if results else None,
                            readme.DETAILS)  # fmt: skip
    print(
        "README.md and docs/results.md are written anew"
        if changed
        else "README.md and docs/results.md are as they were"
    )
