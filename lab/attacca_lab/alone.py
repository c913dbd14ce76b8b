"""One command at a time: a second one says at once for which it waits."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from attacca_lab import progress


@contextlib.contextmanager
def alone(lock: Path, what: str) -> Iterator[None]:
    """While the block runs, no other command is in a block with the same file. `what` follows "which"."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            progress.note(f"waiting for {file.read().strip() or 'another ./attacca'}, which {what}")
            fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(0)
        file.write(f"./attacca {shlex.join(sys.argv[1:])} (process {os.getpid()})")
        file.flush()
        yield
