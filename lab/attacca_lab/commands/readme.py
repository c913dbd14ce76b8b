"""./attacca readme, for those who work on the project: it is not listed."""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.commands.common import examples


@click.command("readme", epilog=examples("./attacca bench -o results.json && ./attacca readme results.json"))
@click.argument("results", type=click.Path(path_type=Path), required=False)
def command(results: Path | None) -> None:
    """Write the README's generated parts anew: the example, and from a RESULTS file the table."""
    from attacca_lab import readme

    changed = readme.update(readme.README, readme.load(results) if results else None)
    print("README.md is written anew" if changed else "README.md is as it was")
