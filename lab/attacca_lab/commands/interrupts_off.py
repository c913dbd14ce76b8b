"""./attacca interrupts-off"""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.commands.common import ENDINGS, examples, make_output, output_options


@click.command("interrupts-off", epilog=examples("./attacca interrupts-off", "./attacca interrupts-off --write"))
@click.option("--write", is_flag=True, help="Write docs/interrupts-off.md, which the tests compare with.")
@output_options(ENDINGS)
def command(write: bool, as_json: bool, as_csv: bool, files: tuple[Path, ...]) -> int | None:
    """Tell for every call how long it keeps interrupts off, in cycles, on the Uno."""
    from attacca_lab import interrupts_off
    from attacca_lab.errors import UserError
    from attacca_lab.output import write_atomic

    output = make_output(as_json, as_csv, files)
    found = interrupts_off.run()
    missing = found.missing()
    if write:
        if missing:
            raise UserError(f"no image makes these calls: {', '.join(missing)}", "add them to bench/calls-*.c")
        write_atomic(interrupts_off.DOCUMENT, interrupts_off.document(found))
        return None
    output.emit(*interrupts_off.tables(found))
    return None
