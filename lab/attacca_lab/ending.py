"""However a command ends, it leaves no temporary file and no program behind.

A command has one temporary folder, in the cache (or where TMPDIR says), which is TMPDIR for everything that it starts.
It holds a lock in it as long as it lives: what a killed command could not remove, the next one does.

Every program that it started, and what those started in turn, ends with it. SIGINT, SIGTERM and SIGHUP become an
exception, so that each `with` does its part; threads that still start programs meanwhile see them end at once, and
after GRACE seconds the process ends without waiting for them.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import threading
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from types import FrameType

from attacca_lab import prepare

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
GRACE = 3.0
PREFIX = "attacca-"
LOCK = ".lock"
_SUBREAPER = 36  # prctl's PR_SET_CHILD_SUBREAPER


class EndedError(KeyboardInterrupt):
    """A signal asked this command to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextlib.contextmanager
def nothing_left() -> Iterator[None]:
    """While the block runs, temporary files are in a folder of its own; after it they and its programs are gone."""
    adopt()
    folder, lock = _folder()
    finished = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        for one in SIGNALS:
            signal.signal(one, signal.SIG_IGN)
        threading.Thread(target=_finish, args=(128 + number, folder, finished), daemon=True).start()
        raise EndedError(number)

    for one in SIGNALS:
        if signal.getsignal(one) is not signal.SIG_IGN:  # nohup's way to let a command go on
            signal.signal(one, end)
    try:
        yield
    finally:
        _end_all(1.0)
        if folder:
            _remove(folder)
        finished.set()
        if lock is not None:
            os.close(lock)


def _folder() -> tuple[Path | None, int | None]:
    """This command's temporary folder, and its lock; none where none can be made: then the system's is used."""
    given = os.environ.get("TMPDIR")
    base = Path(given) if given else prepare.cache() / "temporary"
    try:
        base.mkdir(parents=True, exist_ok=True)
        _sweep(base)
        folder = base / f"{PREFIX}{os.getpid()}-{time.monotonic_ns():x}"
        folder.mkdir(mode=0o700)
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError:
        return None, None
    os.environ["TMPDIR"] = str(folder)
    return folder, lock


def _sweep(base: Path) -> None:
    """Remove the folders of commands that were killed: their locks are free."""
    for path in base.glob(f"{PREFIX}*/{LOCK}"):
        with contextlib.suppress(OSError), path.open("r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if time.time() - os.fstat(file.fileno()).st_mtime > 1:  # or its owner is about to lock it
                _remove(path.parent)


def _remove(folder: Path) -> None:
    """With all that is in it, but nothing of a file system that is mounted there."""
    here = folder.lstat().st_dev if folder.exists() else 0
    for directory, names, _ in os.walk(folder):
        if any(os.lstat(Path(directory) / name).st_dev != here for name in names):
            return
    shutil.rmtree(folder, ignore_errors=True)


def adopt() -> None:
    """Programs whose parent ends become children of this process, so that they are found."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def programs(of: int | None = None) -> list[int]:
    """All processes that descend from this one, or from another, and have not ended."""
    if of is None and not _has_children():
        return []  # as usual, and in no time
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (path / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue  # it has ended meanwhile
        if state != "Z":
            children.setdefault(int(parent), []).append(int(path.name))
    found, rest = [], [of or os.getpid()]
    while rest:
        mine = children.get(rest.pop(), [])
        found += mine
        rest += mine
    return found


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def end(which: Collection[int], seconds: float) -> None:
    """Ask programs that descend from this one to end, and those that have not after so long end all the same."""
    until = time.monotonic() + seconds
    while left := set(programs()) & set(which):
        late = time.monotonic() - until
        if late > 1.0:
            return  # not even SIGKILL ends what waits for a disk
        _send(signal.SIGKILL if late >= 0 else signal.SIGTERM, left)
        time.sleep(0.05)


def _send(number: int, to: Iterable[int]) -> None:
    for pid in to:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def _end_all(seconds: float) -> None:
    """The same for all programs, and those that they still start."""
    until = time.monotonic() + seconds
    while (left := programs()) and time.monotonic() < until:
        _send(signal.SIGTERM, left)
        time.sleep(0.05)
    _send(signal.SIGKILL, programs())


def _finish(status: int, folder: Path | None, finished: threading.Event) -> None:
    """Beside the main thread, once a signal has come: end what is started, and at last the process."""
    end = time.monotonic() + GRACE
    while time.monotonic() < end:
        _send(signal.SIGTERM, programs())
        if finished.wait(0.1):
            return
    _send(signal.SIGKILL, programs())
    if folder:
        _remove(folder)
    os._exit(status)
