"""Where ./attacca hands over. Turns whatever happens into one line on stderr and an honest exit status.

The status is 0 for success, 1 for a failure that was explained, 2 for wrong usage, 70 for a bug of ours, 130 or 141
when the user or the reader of the output went away, and 128 plus its number when another signal ended the command.
ATTACCA_DEBUG=1 shows tracebacks.
"""

from __future__ import annotations

import errno
import os
import signal
import sys

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # what a full disk answers to what is printed


def _line(text: str, lead: str = "attacca: ") -> None:
    """One line on stderr. What came out of a file or an argument may hold anything: only letters are shown."""
    from attacca_lab.errors import printable

    print(lead + printable(text), file=sys.stderr)


def _command() -> int:
    """What click's own main does, but for its ways with Ctrl-C and closed pipes."""
    import click

    from attacca_lab import errors
    from attacca_lab.cli import cli

    try:
        with cli.make_context("./attacca", sys.argv[1:]) as context:
            status = cli.invoke(context)
            return status if isinstance(status, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return errors.USAGE
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "./attacca"
        raise errors.UserError(
            f"{error.format_message().rstrip('.')}; see {where} --help", status=errors.USAGE
        ) from None
    except click.ClickException as error:
        raise errors.UserError(error.format_message(), status=error.exit_code) from None
    except click.Abort:
        raise KeyboardInterrupt from None


def main() -> int:
    """Run the command line; the returned value is the process's exit status."""
    from attacca_lab import ending, errors

    debug = os.environ.get("ATTACCA_DEBUG", "") not in ("", "0")
    try:
        with ending.nothing_left():
            status = _command()
            sys.stdout.flush()
        return status
    except errors.UserError as error:
        if debug:
            raise
        _line(error.message)
        if error.hint:
            _line(error.hint, "    ")
        return error.status
    except KeyboardInterrupt as end:
        number = getattr(end, "number", signal.SIGINT)
        if sys.stderr.isatty():
            print(file=sys.stderr)  # below the ^C and the step that was going on
        _line("interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}")
        return 128 + int(number)
    except BrokenPipeError:
        # the reader has gone; keep the interpreter from complaining about it once more at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return errors.PIPE_CLOSED
    except Exception as error:
        if debug:
            raise
        if isinstance(error, OSError) and error.filename is None and error.errno in NO_ROOM:
            # what is left in the buffer cannot go there either: keep the interpreter from complaining once more
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            _line(f"cannot write the output: {(error.strerror or str(error)).lower()}")
            return errors.FAILED
        if isinstance(error, OSError) and error.filename:  # a full disk, a directory of another user
            _line(f"{error.filename}: {(error.strerror or str(error)).lower()}")
            return errors.FAILED
        _line(f"a bug in the laboratory: {type(error).__name__}: {error}; ATTACCA_DEBUG=1 shows where")
        return errors.INTERNAL


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        _line("interrupted")
        sys.exit(130)
