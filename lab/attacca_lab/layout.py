"""A table in lines of at most so many columns: words wrap between words, and what does not fit is named.

No name and no number is ever broken. Text wraps at its spaces; where that is not enough, the last columns are left out
and a note says which.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

GAP = 2


@dataclass(frozen=True)
class Layout:
    """Lines of headings, lines of rows, and the headings of the columns that are left out."""

    head: list[str]
    rows: list[list[str]]  # of each row its lines
    left_out: list[str]
    width: int


def fit(headings: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[bool], width: int | None) -> Layout:
    """The table in at most `width` columns; without a limit if there is none."""
    lines = [list(headings), *(list(row) for row in cells)]
    count = len(headings)
    name = max(len(line[0]) for line in lines) if lines and lines[0] else 0
    while width is not None and count > 1 and _total(_roomy(_least(lines, right, count), name, width)) > width:
        count -= 1
    widths = _shrink(lines, right, count, width)
    drawn = [_row(line[:count], widths, right) for line in lines]
    return Layout(drawn[0], drawn[1:], list(headings[count:]), _total(widths))


def note(left_out: Sequence[str], width: int | None) -> str:
    """What is said of the columns that a narrow terminal has no room for."""
    return f"Not shown in {width} columns: {', '.join(left_out)}. A wider terminal, --csv or -o FILE shows them."


def wrap(text: str, width: int | None) -> list[str]:
    """A note in lines; its words are not broken."""
    if width is None or len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _least(lines: list[list[str]], right: Sequence[bool], count: int) -> list[int]:
    """How narrow each column can be: a number stands whole, text is as wide as its longest word."""
    return [
        max(len(line[i]) if right[i] and line is not lines[0] else _longest_word(line[i]) for line in lines)
        for i in range(count)
    ]


def _roomy(least: list[int], name: int, width: int) -> list[int]:
    """With a first column in which a name needs few lines: rather a figure less than a name in four."""
    return [max(least[0], min(name, width // 2 - 6)), *least[1:]]


def _longest_word(text: str) -> int:
    return max((len(word) for word in text.split()), default=0)


def _shrink(lines: list[list[str]], right: Sequence[bool], count: int, width: int | None) -> list[int]:
    """As wide as each column wants to be; if that is too much, the widest text gives way first."""
    widths = [max(len(line[i]) for line in lines) for i in range(count)]
    least = _least(lines, right, count)
    if width is not None and _total(_roomy(least, widths[0], width)) <= width:
        least = _roomy(least, widths[0], width)
    while width is not None and _total(widths) > width:
        spare = [i for i in range(count) if widths[i] > least[i]]
        if not spare:
            break
        # columns of text before headings of numbers, the widest of them first
        widths[max(spare, key=lambda i: (not right[i], widths[i]))] -= 1
    return widths


def _row(line: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    parts = [wrap(text, width) for text, width in zip(line, widths, strict=True)]
    found = []
    for number in range(max(len(part) for part in parts)):
        texts = [part[number] if number < len(part) else "" for part in parts]
        placed = [
            text.rjust(width) if flush else text.ljust(width)
            for text, width, flush in zip(texts, widths, right, strict=False)
        ]
        found.append((" " * GAP).join(placed).rstrip())
    return found
