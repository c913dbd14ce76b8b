"""./attacca fuzz, for work on the project: it is not listed."""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.commands.common import examples
from attacca_lab.errors import USAGE, UserError


@click.command(
    "fuzz",
    epilog=examples("./attacca fuzz --time 600", "./attacca fuzz --replay FILE", "./attacca fuzz --minimize"),
)
@click.option("--time", "seconds", type=click.IntRange(min=1), default=60, show_default=True, metavar="SECONDS")
@click.option("--seed", type=click.IntRange(1, 2**32 - 1), metavar="N", help="Seed; without one another each time.")
@click.option("--replay", type=click.Path(path_type=Path), metavar="FILE", help="Run one input and list its calls.")
@click.option("--minimize", is_flag=True, help="Merge what was found into the kept corpus.")
def command(seconds: int, seed: int | None, replay: Path | None, minimize: bool) -> int:
    """Try random calls of several threads and interrupts against a model of the kernel.

    Starts from the kept corpus, verify/fuzz/corpus.txt. Status 1 when something failed: the input is kept, and its
    calls are listed.
    """
    from attacca_lab import fuzz

    if replay and minimize:
        raise UserError("--replay and --minimize: one of them", status=USAGE)
    if replay:
        well, text = fuzz.listing(replay)
        print(text)
        return 0 if well else 1
    if minimize:
        before, after = fuzz.minimize()
        print(f"corpus: {before} inputs before, {after} now")
        return 0
    found = fuzz.search(seconds, seed)
    print(found.text)
    if not found.crash:
        return 0
    print(f"{fuzz.listing(found.crash)[1]}\n\n./attacca fuzz --replay {fuzz.shown(found.crash)}")
    return 1
