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
from collections.abc import Iterator
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
    _adopt()
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
        _end_programs(1.0)
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
    """Remove the folders of commands that were killed: nobody holds their locks."""
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


def _adopt() -> None:
    """Programs whose parent ends become children of this process, so that they are found."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def _programs() -> list[int]:
    """All processes that descend from this one and have not ended."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (path / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue  # it has ended meanwhile
        if state != "Z":
            children.setdefault(int(parent), []).append(int(path.name))
    found, rest = [], [os.getpid()]
    while rest:
        mine = children.get(rest.pop(), [])
        found += mine
        rest += mine
    return found


def _signal(number: int) -> bool:
    """Send it to all programs; whether there were any."""
    programs = _programs()
    for pid in programs:
        with contextlib.suppress(OSError):
            os.kill(pid, number)
    return bool(programs)


def _end_programs(seconds: float) -> None:
    """Ask all programs to end, and end those that have not after so long."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return  # there are none, as usual
    end = time.monotonic() + seconds
    while _signal(signal.SIGTERM) and time.monotonic() < end:
        time.sleep(0.05)
    _signal(signal.SIGKILL)


def _finish(status: int, folder: Path | None, finished: threading.Event) -> None:
    """Beside the main thread, once a signal has come: end what is started, and at last the process."""
    end = time.monotonic() + GRACE
    while time.monotonic() < end:
        _signal(signal.SIGTERM)
        if finished.wait(0.1):
            return
    _signal(signal.SIGKILL)
    if folder:
        _remove(folder)
    os._exit(status)
