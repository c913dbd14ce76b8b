"""One command at a time: a second one says at once for which it waits."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from attacca_lab import progress


def _holder(file: TextIO) -> str:
    """The command that has the lock. It writes its name right after it got the lock: a moment is given for that."""
    for _ in range(100):
        file.seek(0)
        name = file.read().strip()
        if name:
            return name
        time.sleep(0.01)
    return "another ./attacca"


@contextlib.contextmanager
def alone(lock: Path, what: str) -> Iterator[None]:
    """While the block runs, no other command is in a block with the same file. `what` follows "which"."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(file)
            if not holder.endswith(f"(process {os.getpid()})"):  # not another thread of this one
                progress.note(f"waiting for {holder}, which {what}")
            fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(0)
        file.write(f"./attacca {shlex.join(sys.argv[1:])} (process {os.getpid()})")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)  # so that the next one to wait does not read this name
