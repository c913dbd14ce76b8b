"""The contract once more, on the GBA instrument: test_conformance.py with its kit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def test_the_contract(attacca_gba: Path) -> None:
    chosen = {"ATTACCA_INSTRUMENT_KIT": "gba", "ATTACCA_INSTRUMENT": str(attacca_gba)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / "test_conformance.py")]
    done = subprocess.run(command, env=os.environ | chosen, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
