"""How the laboratory fails: one line that says what is wrong, and one that says what to do about it.

Everything a user can cause is a UserError; whatever else escapes is a bug of ours and says so.
"""

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


def unknown(kind: str, name: str, known: list[str], plural: str | None = None) -> UserError:
    """A name that is not among those known: they are listed when few, the likely ones suggested when many."""
    plural = plural or f"{kind}s"
    if len(known) <= 6:
        return UserError(f"unknown {kind} '{name}'; {plural}: {', '.join(known)}", status=USAGE)
    import difflib

    close = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    meant = f"; did you mean {' or '.join(close)}?" if close else f"; {plural}: {', '.join(known)}"
    return UserError(f"unknown {kind} '{name}'{meant}", status=USAGE)
