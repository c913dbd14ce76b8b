"""./attacca readme, for those who work on the project: it is not listed."""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.commands.common import examples


@click.command(
    "readme",
    epilog=examples(
        "./attacca bench -o results.json && ./attacca readme results.json", "./attacca readme uno.json stm32f103.json"
    ),
)
@click.argument("results", type=click.Path(path_type=Path), nargs=-1)
def command(results: tuple[Path, ...]) -> None:
    """Write the README's generated parts anew: the example, and from RESULTS files, one a board, the tables."""
    from attacca_lab import readme

    changed = readme.update(readme.README, [one for path in results for one in readme.load(path)] if results else None)
    print("README.md is written anew" if changed else "README.md is as it was")
