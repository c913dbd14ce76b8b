"""The contract once more, on the VexRiscv instrument: test_conformance.py with the other kit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def test_the_contract(attacca_vexriscv: Path) -> None:
    chosen = {"ATTACCA_INSTRUMENT_KIT": "vexriscv", "ATTACCA_INSTRUMENT": str(attacca_vexriscv)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / "test_conformance.py")]
    done = subprocess.run(command, env=os.environ | chosen, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
