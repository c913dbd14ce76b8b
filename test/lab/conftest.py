"""What the laboratory's tests share: the command as a user types it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab"))

# A shell starts what it puts into the background with SIGINT ignored, nohup with SIGHUP, and what that starts would
# ignore it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

Typed = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def attacca() -> Typed:
    """`attacca("boards", "--json")`: the finished process, its output as text; `env` adds to the environment."""

    def type_it(
        *arguments: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None, command: Path | str | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(command or ROOT / "attacca"), *map(str, arguments)],
            cwd=cwd,
            env=os.environ | (env or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return type_it
