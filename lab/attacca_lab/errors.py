"""How the laboratory fails: one line that says what is wrong, and one that says what to do about it.

Everything a user can cause is a UserError; whatever else escapes is a bug of ours and says so.
"""

from __future__ import annotations

from collections.abc import Sequence

FAILED = 1
USAGE = 2
INTERNAL = 70
INTERRUPTED = 130
PIPE_CLOSED = 141


class UserError(Exception):
    """Something the user can mend: printed as `attacca: message`, then the hint, without a traceback."""

    def __init__(self, message: str, hint: str | None = None, status: int = FAILED) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.status = status


SHOWN = 5  # of names that could have been meant


def printable(text: str) -> str:
    """The text on one line, with what a terminal would not show, or would obey, replaced."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def candidates(name: str, known: Sequence[str], more: str = "") -> str:
    """The names to offer in place of one that is not known: all when few, else those most like it, at most five.

    `more` says where the rest is.
    """
    if len(known) <= SHOWN + 1:
        return ", ".join(known)
    import difflib

    asked = name.lower()
    likely = [one for one in known if len(asked) > 1 and (asked in one.lower() or one.lower() in asked)]
    lower = {one.lower(): one for one in known}
    likely += [lower[one] for one in difflib.get_close_matches(asked, lower, n=SHOWN, cutoff=0.3)]
    shown = list(dict.fromkeys([*likely, *known]))[:SHOWN]
    return f"{', '.join(shown)} and {len(known) - len(shown)} more" + (f": {more}" if more else "")


def unknown(
    kind: str, name: str, known: list[str], plural: str | None = None, hint: str | None = None, more: str = ""
) -> UserError:
    """A name that is not among those known: the one that was meant, or those that it could have been."""
    import difflib

    plural = plural or f"{kind}s"
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.6) if len(known) > SHOWN + 1 else []
    close.sort(key=lambda one: not one.startswith(name))
    meant = f"did you mean {' or '.join(close)}?" if close else f"{plural}: {candidates(name, known, more)}"
    return UserError(f"unknown {kind} '{printable(name[:60])}'; {meant}", hint, status=USAGE)
