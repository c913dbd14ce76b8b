"""Storms: interrupts at random distances, of all three kinds at once.

An interrupt at every instruction is another stage: lab/attacca_lab/inject.py, test/kernel/inject.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from conftest import Firmware


@pytest.mark.parametrize("preset", ["uno", "uno-check"])
@pytest.mark.parametrize("seed", range(1, 5))
def test_a_storm(attacca_avr: Path, firmware: Firmware, preset: str, seed: int) -> None:
    storm = ["PCINT0:1400:6000", "PCINT1:1500:7000", "PCINT2:1600:9000"]
    options = [word for one in storm for word in ("--random-irq", one)]
    elf = firmware(preset, "test-stress")
    command = [str(attacca_avr), "--seed", str(seed), "--cycles", "300M", *options, str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
