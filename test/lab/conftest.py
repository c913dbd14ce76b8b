"""What the laboratory's tests share: the command as a user types it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab"))

pytest_plugins = ["attacca_lab.hang_guard"]
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
