"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from attacca_lab.boards import Board, board
from attacca_lab.errors import USAGE, UserError
from attacca_lab.output import Format, Output, check_destination

Function = TypeVar("Function", bound=Callable[..., Any])

ENDINGS = (".json", ".csv", ".txt", ".md")
SEED = click.IntRange(0, 2**32 - 1)


def examples(*lines: str) -> str:
    """The end of every --help."""
    return "\n".join(["\b", "Example:" if len(lines) == 1 else "Examples:", *(f"  {line}" for line in lines)])


class BoardType(click.ParamType[Board]):
    """A board by its name."""

    name = "board"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Board:
        return value if isinstance(value, Board) else board(value)


def board_option(default: str | None = "uno") -> Callable[[Function], Function]:
    """--board NAME."""
    return click.option("--board", type=BoardType(), default=default, show_default=True, metavar="NAME", help="Board.")


def stimulus_option(function: Function) -> Function:
    """--stimulus FILE."""
    kind = click.Path(exists=True, dir_okay=False, path_type=Path)
    return click.option("--stimulus", type=kind, metavar="FILE", help="What happens on input pins.")(function)


def output_options(endings: Sequence[str] = ENDINGS, quiet: bool = False) -> Callable[[Function], Function]:
    """--json, --csv and -o FILE (and --quiet): what `make_output` wants."""

    def decorate(function: Function) -> Function:
        if quiet:
            function = click.option("-q", "--quiet", is_flag=True, help="No table and no progress.")(function)
        function = click.option(
            "-o",
            "files",
            multiple=True,
            type=click.Path(path_type=Path),
            metavar="FILE",
            help=f"Write FILE too; its ending says the format ({' '.join(endings)}). May be repeated.",
        )(function)
        function = click.option("--csv", "as_csv", is_flag=True, help="CSV instead of a table.")(function)
        return click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")(function)

    return decorate


def make_output(
    as_json: bool, as_csv: bool, files: Sequence[Path], quiet: bool = False, endings: Sequence[str] = ENDINGS
) -> Output:
    """The Output that these options ask for; complains about files that could not be written, before any work."""
    if as_json and as_csv:
        raise UserError("--json and --csv: one of them", status=USAGE)
    for path in files:
        check_destination(path, endings)
    form: Format = "json" if as_json else "csv" if as_csv else "table"
    return Output(form, files, quiet)
