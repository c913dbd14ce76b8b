"""What the laboratory prints and writes.

A result is a Table: columns with a title and a unit, rows as dictionaries. It is shown as aligned text, on a
terminal no wider than that is, and written as JSON, CSV or Markdown. JSON and CSV carry the records, which may hold
more than the columns show. Files appear whole or not at all: they are written beside their name and renamed.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from attacca_lab import layout
from attacca_lab.errors import USAGE, UserError, printable
from attacca_lab.rounding import fixed

Record = Mapping[str, Any]
Format = Literal["table", "json", "csv"]
ABSENT = "-"


@dataclass(frozen=True)
class Column:
    """One column of a table. Numbers stand right and have `digits` decimals; `form` overrides how they look."""

    key: str
    title: str
    unit: str = ""
    digits: int | None = None
    form: Callable[[Any], str] | None = None
    right: bool | None = None

    @property
    def heading(self) -> str:
        return f"{self.title} [{self.unit}]" if self.unit else self.title

    def text(self, value: object) -> str:
        """The value as people read it."""
        if value is None:
            return ABSENT
        if self.form:
            return self.form(value)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int):
            return f"{value:,}"
        if isinstance(value, float):
            if self.digits is not None:
                return fixed(value, self.digits)
            return fixed(value, 2).rstrip("0").rstrip(".")
        if isinstance(value, list | tuple):
            return " ".join(str(part) for part in value)
        return str(value)


@dataclass
class Table:
    """Columns, rows, a title above and notes below; `records` is what JSON and CSV hold, the rows if not given."""

    columns: Sequence[Column]
    rows: Sequence[Record]
    title: str = ""
    notes: Sequence[str] = ()
    records: Sequence[Record] | None = None

    @property
    def data(self) -> Sequence[Record]:
        return self.rows if self.records is None else self.records

    def cells(self) -> list[list[str]]:
        """The rows as text."""
        return [[printable(column.text(row.get(column.key))) for column in self.columns] for row in self.rows]

    def right(self) -> list[bool]:
        """Which columns stand right: those of numbers."""
        result = []
        for column in self.columns:
            values = [row.get(column.key) for row in self.rows]
            numbers = [isinstance(v, int | float) and not isinstance(v, bool) for v in values if v is not None]
            result.append(column.right if column.right is not None else bool(numbers) and all(numbers))
        return result


def plain(table: Table, width: int | None = None) -> str:
    """Aligned text, two spaces between columns; in at most `width` columns if that is given."""
    laid = layout.fit([column.heading for column in table.columns], table.cells(), table.right(), width)
    text = layout.wrap(table.title, width) if table.title else []
    text += [*laid.head, *(line for row in laid.rows for line in row)]
    for note in _notes(table, laid, width):
        text += layout.wrap(note, width)
    return "\n".join(text) + "\n"


def _notes(table: Table, laid: layout.Layout, width: int | None) -> list[str]:
    return [*table.notes, *([layout.note(laid.left_out, width)] if laid.left_out else [])]


def markdown(table: Table) -> str:
    """A Markdown table."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    rule = "|" + "|".join("---:" if flush else "---" for flush in table.right()) + "|"
    text = [f"**{table.title}**", ""] if table.title else []
    text += [
        line([column.heading for column in table.columns]),
        rule,
        *(line(cells) for cells in table.cells()),
    ]
    if table.notes:
        text += ["", *table.notes]
    return "\n".join(text) + "\n"


def json_text(records: object) -> str:
    """JSON, indented, in the order given."""
    return json.dumps(records, indent=2, ensure_ascii=False, default=_plain_value) + "\n"


def csv_text(records: Sequence[Record]) -> str:
    """CSV; the columns are all keys that any record has, in the order in which they come up."""
    keys = list(dict.fromkeys(key for record in records for key in record))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(keys)
    for record in records:
        values = (record.get(key) for key in keys)
        writer.writerow(" ".join(map(str, v)) if isinstance(v, list | tuple) else v for v in values)
    return text.getvalue()


def _plain_value(value: object) -> object:
    if isinstance(value, Path):
        return str(value)
    item = getattr(value, "item", None)  # numpy's numbers
    if callable(item):
        return item()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def on_terminal(stream: IO[str]) -> bool:
    """Whether a person reads this stream on something that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def show(table: Table, width: int | None = None) -> None:
    """The table on stdout: as wide as a terminal is, without a limit elsewhere; `width` says otherwise."""
    if not on_terminal(sys.stdout):
        sys.stdout.write(plain(table, width))
        return
    width = width or shutil.get_terminal_size().columns
    bold, dim, usual = ("\x1b[1m", "\x1b[2m", "\x1b[0m")
    laid = layout.fit([column.heading for column in table.columns], table.cells(), table.right(), width)
    if table.title:
        sys.stdout.write(f"{bold}{chr(10).join(layout.wrap(table.title, width))}{usual}\n")
    sys.stdout.writelines(f"{line}\n" for line in [*laid.head, "─" * laid.width])
    sys.stdout.writelines(f"{line}\n" for row in laid.rows for line in row)
    for note in _notes(table, laid, width):
        sys.stdout.writelines(f"{dim}{line}{usual}\n" for line in layout.wrap(note, width))


@contextlib.contextmanager
def atomic(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """A file that appears under its name when the block ends well, and not at all otherwise."""
    target = Path(os.path.realpath(path))
    encoding = None if "b" in mode else "utf-8"
    try:
        if target.exists() and not target.is_file():  # a pipe or a device: nothing to rename
            with target.open(mode, encoding=encoding) as file:
                yield file
            return
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from None
    try:
        with os.fdopen(handle, mode, encoding=encoding) as file:
            yield file
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)  # noqa: PTH101
        os.replace(name, target)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108
        raise


def write_atomic(path: Path, text: str) -> None:
    """Write a whole text file, or nothing."""
    with atomic(path) as file:
        file.write(text)


def check_destination(path: Path, endings: Sequence[str]) -> None:
    """Complain about a file that could not be written at the end, before an hour's work is done for it."""
    if path.suffix.lower() not in endings:
        raise UserError(f"{path}: the ending says the format; endings: {' '.join(endings)}", status=USAGE)
    if path.is_dir() or not path.parent.is_dir():
        what = "is a directory" if path.is_dir() else "no such directory"
        raise UserError(f"cannot write {path}: {what}", status=USAGE)


@dataclass
class Output:
    """Where a command's result goes: stdout in one format, and any number of files."""

    format: Format = "table"
    files: Sequence[Path] = ()
    quiet: bool = False
    width: int | None = None  # None: the terminal's
    extra: dict[str, Callable[[], str]] = field(default_factory=dict)  # writers of further endings, as ".html"

    @property
    def shows(self) -> bool:
        """Whether a table is printed for people."""
        return self.format == "table" and not self.quiet

    def emit(self, *tables: Table, shown: Sequence[Table] | None = None) -> None:
        """Write the files, then print. Several tables make one list of records in JSON and CSV.

        `shown` are the tables for a terminal, if these are others than those in the files.
        """
        records = [dict(record) for table in tables for record in table.data]
        for path in self.files:
            write_atomic(path, self._text(path.suffix.lower(), tables, records))
        if self.format == "json":
            sys.stdout.write(json_text(records))
        elif self.format == "csv":
            sys.stdout.write(csv_text(records))
        elif not self.quiet:
            for number, table in enumerate(tables if shown is None else shown):
                if number:
                    sys.stdout.write("\n")
                show(table, self.width)

    def _text(self, ending: str, tables: Sequence[Table], records: Sequence[Record]) -> str:
        if ending in self.extra:
            return self.extra[ending]()
        if ending == ".json":
            return json_text(records)
        if ending == ".csv":
            return csv_text(records)
        form = {".md": markdown, ".txt": plain}.get(ending)
        if form is None:
            raise UserError(f"{ending} cannot be written here", status=USAGE)
        return "\n".join(form(table) for table in tables)
