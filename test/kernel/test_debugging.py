"""The debugger's example in docs/debugging.md, as it stands there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT, Firmware


def test_gdb_shows_ready_threads_and_alarms(tmp_path: Path, firmware: Firmware) -> None:
    if shutil.which("gdb") is None:
        pytest.skip("no gdb")
    block = re.search(r"```gdb\n(.*?)```", (ROOT / "docs" / "debugging.md").read_text(encoding="utf-8"), re.DOTALL)
    assert block
    script = tmp_path / "script.gdb"
    script.write_text(f"{block[1]}\nbreak settle\nrun\nthreads\nkill\n", encoding="utf-8")
    command = ["gdb", "-batch", "-nx", "-ex", "set confirm off", "-x", script, firmware("host", "test-layout")]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    if "ptrace" in done.stderr:
        pytest.skip("no debugging here")
    lines = [line for line in done.stdout.splitlines() if line.startswith(("ready", "alarm"))]
    assert lines[0] == "ready    4  chain", done.stdout + done.stderr  # the controller
    assert sorted(line.split()[1] for line in lines[1:]) == ["3", "3"]
