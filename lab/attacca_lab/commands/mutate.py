"""./attacca mutate, for work on the project: it is not listed."""

from __future__ import annotations

from pathlib import Path

import click

from attacca_lab.commands.common import ENDINGS, SEED, examples
from attacca_lab.output import check_destination


@click.command(
    "mutate",
    epilog=examples("./attacca mutate --sample 200", "./attacca mutate --files sched,waitq -o survivors.json"),
)
@click.option("--files", metavar="NAMES", default="", help="Files of kernel/, as sched,waitq.  [default: the core]")
@click.option("--sample", type=click.IntRange(min=1), default=1000, show_default=True, metavar="N", help="Mutants.")
@click.option("--seed", type=SEED, default=1, show_default=True, metavar="N", help="Which ones.")
@click.option("--jobs", type=click.IntRange(min=1, max=16), default=2, show_default=True, metavar="N", help="At once.")
@click.option("-o", "file", type=click.Path(path_type=Path), metavar="FILE", help="All verdicts, as JSON.")
def command(files: str, sample: int, seed: int, jobs: int, file: Path | None) -> None:
    """Change the kernel in small ways, one at a time, and list the changes that no test notices.

    Verdicts are kept in build/mutate while the sources stay as they are: the same command goes on where it was
    interrupted, and a larger sample contains the smaller one.
    """
    from attacca_lab import mutate

    if file:
        check_destination(file, ENDINGS[:1])
    result = mutate.run([name for name in files.split(",") if name], sample, seed, jobs)
    if file:
        mutate.write(result, file)
    print(mutate.text(result))
