"""One line a step on stderr: with running seconds on a terminal, written once elsewhere. Never on stdout."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from types import TracebackType
from typing import ClassVar

from attacca_lab.output import on_terminal

_WHEEL = "|/-\\"
quiet = False  # set by commands that were told --quiet


def note(text: str) -> None:
    """A line of its own, at once, also while a step is running."""
    clear = "\r\033[K" if on_terminal(sys.stderr) else ""
    print(f"{clear}attacca: {text}", file=sys.stderr, flush=True)


def share(done: int, of: int, seconds: float, name: str) -> str:
    """`switch-yield, 12 of 214, 40 s left`: where it is, and how long the rest takes at this pace."""
    left = seconds / done * (of - done) if done else 0.0
    time_left = f"{left / 60:.0f} min" if left >= 90 else f"{left:.0f} s"
    return f"{name}, {done} of {of}, {time_left} left"


class Step:
    """`with Step("building"):` shows a line while the block runs, and its duration when it ends.

    Steps nest: the outermost one turns, with what goes on inside it in brackets. A silent step and the steps in it
    show themselves only while they run, and only on a terminal.
    """

    _stack: ClassVar[list[Step]] = []

    def __init__(self, text: str, silent: bool = False) -> None:
        self.text = text
        self.silent = silent
        self.detail = ""
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._begun = 0.0

    @property
    def seconds(self) -> float:
        """How long it has been going on."""
        return time.monotonic() - self._begun

    def update(self, detail: str) -> None:
        """What is going on inside the step, as "3 of 14"; seen on a terminal only."""
        self.detail = detail

    def __enter__(self) -> Step:
        self._begun = time.monotonic()
        Step._stack.append(self)
        if len(Step._stack) == 1 and on_terminal(sys.stderr) and not quiet:
            self._thread = threading.Thread(target=self._spin, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        hidden = quiet or any(step.silent for step in Step._stack)
        Step._stack.remove(self)
        self._ended.set()
        if self._thread:
            self._thread.join()
        if on_terminal(sys.stderr) and not quiet:
            sys.stderr.write("\r\033[K")
        if not hidden:
            end = f"{self.seconds:.1f} s" if kind is None else "failed"
            print(f"attacca: {self.text} ... {end}", file=sys.stderr)
        sys.stderr.flush()

    def _spin(self) -> None:
        wheel = 0
        while not self._ended.wait(0.1):
            wheel += 1
            inside = [self.detail, *(text for step in Step._stack[1:] for text in (step.text, step.detail))]
            detail = ", ".join(filter(None, inside))
            line = f"attacca: {self.text}{f' ({detail})' if detail else ''}"
            room = shutil.get_terminal_size().columns - 10
            sys.stderr.write(f"\r\033[K{line[:room]} {_WHEEL[wheel % 4]} {self.seconds:.0f} s")
            sys.stderr.flush()
