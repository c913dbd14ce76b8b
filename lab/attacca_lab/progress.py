"""One line a step on stderr: with running seconds on a terminal, written once elsewhere. Never on stdout."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from types import TracebackType

from attacca_lab.output import on_terminal

quiet = False  # set by commands that were told --quiet


class Step:
    """`with Step("building"):` shows a line while the block runs, and its duration when it ends."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.detail = ""
        self._live = on_terminal(sys.stderr) and not quiet
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._begun = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun

    def update(self, detail: str) -> None:
        """What is going on inside the step, as "3 of 14"; seen on a terminal only."""
        self.detail = detail

    def __enter__(self) -> Step:
        self._begun = time.monotonic()
        if self._live:
            self._thread = threading.Thread(target=self._spin, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._thread:
            self._thread.join()
            sys.stderr.write("\r\033[K")
        if not quiet:
            end = f"{self.seconds:.1f} s" if kind is None else "failed"
            print(f"attacca: {self.text} ... {end}", file=sys.stderr, flush=True)

    def _spin(self) -> None:
        wheel = 0
        while not self._ended.wait(0.1):
            wheel += 1
            detail = f" ({self.detail})" if self.detail else ""
            spoke = "|/-\\"[wheel % 4]
            line = f"attacca: {self.text}{detail} {spoke} {self.seconds:.0f} s"
            sys.stderr.write("\r\033[K" + line[: shutil.get_terminal_size().columns - 1])
            sys.stderr.flush()
