"""Programs that a stage of the tests waits for: each has a time limit, and ends with all that it has started.

The output goes to a file. A pipe would stay open as long as any program has it, one that was left behind too.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from attacca_lab import ending
from attacca_lab.errors import UserError

GRACE = 2.0  # seconds that a program has to end when it is asked to, or to say where it stands


def run(
    command: Sequence[str | Path],
    seconds: float,
    *,
    name: str = "",
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    speaks: bool = False,
) -> tuple[int, str]:
    """Status and output, both streams in one; a UserError when it has not ended after so many seconds.

    A program that `speaks` says something from time to time: its seconds count from the last output. It is Python with
    faulthandler, which answers SIGABRT with the place where it stands.
    """
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            ended = _wait(process, output.fileno() if speaks else None, seconds)
            if speaks and not ended:
                process.send_signal(signal.SIGABRT)
                _wait(process, None, GRACE)
        finally:
            end(process)
        output.seek(0)
        said = output.read().decode(errors="replace")
    if ended:
        return process.returncode, said
    how = f"has said nothing for {seconds:.0f} s" if speaks else f"has not ended after {seconds:.0f} s"
    raise UserError(f"{name or Path(command[0]).name} {how}, and was ended", said.strip() or None)


def _wait(process: subprocess.Popen[bytes], output: int | None, seconds: float) -> bool:
    """Whether it has ended in time."""
    last, size = time.monotonic(), 0
    while True:
        try:
            process.wait(min(1.0, max(0.0, last + seconds - time.monotonic())))
            return True
        except subprocess.TimeoutExpired:
            if output is not None and os.fstat(output).st_size != size:
                last, size = time.monotonic(), os.fstat(output).st_size
            if time.monotonic() >= last + seconds:
                return False


def end(process: subprocess.Popen[bytes]) -> None:
    """End it if it has not ended, and what it has started."""
    if process.poll() is not None:
        return
    started = ending.programs(process.pid)
    process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    ending.end(started, GRACE)
