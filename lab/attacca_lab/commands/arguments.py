"""./attacca arguments, for use after a change of options."""

from __future__ import annotations

import click

from attacca_lab.commands.common import examples


@click.command("arguments", epilog=examples("./attacca arguments"))
def command() -> None:
    """Write lab/arguments.txt, the table by which wrong arguments are refused before anything is installed."""
    from attacca_lab.arguments import TABLE, text
    from attacca_lab.output import write_atomic

    same = TABLE.exists() and TABLE.read_text(encoding="utf-8") == text()
    if not same:
        write_atomic(TABLE, text())
    print(f"lab/arguments.txt is {'as it was' if same else 'written anew'}")
