"""The lines of firmware that a figure was taken from, found by their marks.

A bench source says what is measured with `/* [measured: NAME] */` before and `/* [end] */` after; a name may be
marked more than once (the two threads of a switch), a mark may list several names, marks on lines that follow each
other are one mark, and stretches may lie in one another.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

from attacca_lab.errors import UserError

_BEGIN = re.compile(r"/\*\s*\[measured:\s*([\w., -]+?)\s*\]\s*\*/|//\s*\[measured:\s*([\w., -]+?)\s*\]")
_END = re.compile(r"(?:/\*|//)\s*\[end\]")


@dataclass(frozen=True)
class Excerpt:
    """Some lines of a file, without their common indentation."""

    file: str  # as shown: relative to the tree
    first: int  # the number of the first line
    text: str

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.first + self.text.count("\n")


def excerpts(path: Path, name: str, root: Path | None = None) -> list[Excerpt]:
    """The stretches of a file that are marked with a name (a mark may list several, with commas)."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}") from None
    shown = str(path.relative_to(root)) if root and path.is_relative_to(root) else path.name
    found: list[tuple[int, list[str]]] = []
    open_marks: list[tuple[set[str], int, list[str]]] = []
    for number, line in enumerate(lines, start=1):
        begin = _BEGIN.search(line)
        if begin:
            names = {part.strip() for part in (begin.group(1) or begin.group(2)).split(",")}
            if open_marks and open_marks[-1][1] == number:
                names |= open_marks.pop()[0]
            open_marks.append((names, number + 1, []))
        elif _END.search(line):
            if not open_marks:
                raise UserError(f"{shown}:{number}: [end] without [measured: ...]")
            names, first, body = open_marks.pop()
            if name in names:
                found.append((first, body))
        else:
            for _, _, body in open_marks:
                body.append(line)
    if open_marks:
        raise UserError(f"{shown}:{open_marks[-1][1] - 1}: [measured: ...] without [end]")
    return [Excerpt(shown, first, textwrap.dedent("\n".join(body))) for first, body in sorted(found)]
