"""A kernel that locks by BASEPRI masks nothing above it, whatever it does: PRIMASK is set before `main` alone."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from attacca_lab import build

IMAGES = ("test-stress-basepri", "test-moments-basepri", "test-clock-basepri")


@pytest.fixture(scope="module")
def instrument() -> Path:
    """The Cortex-M instrument's executable."""
    given = os.environ.get("ATTACCA_CORTEX_M")
    return Path(given) if given else build.instrument("cortex-m")


@pytest.mark.parametrize("name", IMAGES)
def test_nothing_is_masked_above(instrument: Path, name: str, tmp_path: Path) -> None:
    builds = os.environ.get("ATTACCA_TEST_BUILDS")
    folder = Path(builds) / "stm32f103" if builds else build.build("stm32f103", [name]).directory
    report = tmp_path / "report.json"
    command = [str(instrument), "--cycles", "600M", "--report", str(report), str(folder / "firmware" / f"{name}.elf")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    masked = json.loads(report.read_text())["masked"]
    assert {one["function"] for one in masked["all_by_code"]} <= {"Reset_Handler"}
    assert len(masked["by_code"]) > 5  # BASEPRI is seen
