"""./attacca doctor"""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.commands.common import examples, make_output, output_options


@click.command("doctor", epilog=examples("./attacca doctor"))
@output_options()
def command(as_json: bool, as_csv: bool, files: tuple[Path, ...]) -> int:
    """Tell what is there and what is missing. Installs nothing.

    Status 0 when all that `bench` needs is there, 1 when something is missing.
    """
    from attacca_lab.doctor import examine, missing

    output = make_output(as_json, as_csv, files)
    table = examine()
    # a narrow terminal has no room for the column that says it
    table.notes = [*table.notes, *(f"{row['tool']}: {row['place']}" for row in table.rows if not row["there"])]
    output.emit(table)
    return 1 if missing(table.rows) else 0
