"""./attacca model, to check the cycles of the Cortex-M's model: it is not listed."""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.commands.common import ENDINGS, examples, make_output, output_options


@click.command("model", epilog=examples("./attacca model", "./attacca model --write"))
@click.option("--write", is_flag=True, help="Write the table of docs/measuring.md anew.")
@output_options(ENDINGS)
def command(write: bool, as_json: bool, as_csv: bool, files: tuple[Path, ...]) -> None:
    """Show the Cortex-M's timing model beside published figures of silicon, in cycles."""
    from attacca_lab import model

    if write:
        print("docs/measuring.md is written anew" if model.write() else "docs/measuring.md is as it was")
        return
    make_output(as_json, as_csv, files).emit(model.table())
