"""QEMU's opinion on exceptions and the MPU: random streams of steps, the same state in both. It has no time to compare.

ATTACCA_OPINION_SEEDS says how many streams of 20,000 steps are tried.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import instrument_tools as tools

HERE = Path(__file__).resolve().parent
SEEDS = int(os.environ.get("ATTACCA_OPINION_SEEDS", "4"))
LINES = 40


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Code from 0, which both have: the one as flash's second address, the other as its only one."""
    text = (HERE / "kits" / "cortex_m" / "kit.ld").read_text()
    assert "ORIGIN = 0x08000000" in text
    script = tmp_path_factory.mktemp("script") / "from_0.ld"
    script.write_text(text.replace("ORIGIN = 0x08000000", "ORIGIN = 0"))
    return script


def on_qemu(firmware: Path) -> str:
    """What the firmware printed by semihosting, which QEMU puts on its standard error."""
    emulator = shutil.which("qemu-system-arm")
    if emulator is None:
        pytest.skip("no qemu-system-arm: apt-get install qemu-system-arm")
    semihosting = ["-semihosting-config", "enable=on,target=native"]
    quiet = ["-display", "none", "-monitor", "none", "-serial", "none"]
    command = [emulator, "-M", "mps2-an385", *quiet, *semihosting, "-kernel", str(firmware)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
@pytest.mark.parametrize("program", ["nested", "mpu"])
def test_both_say_the_same(attacca_cortex_m: Path, tmp_path: Path, script: Path, program: str, seed: int) -> None:
    source = HERE / f"cortex_m_{program}.c"
    firmware = tools.build_cortex_m([source], tmp_path / "firmware.elf", f"-DSEED={seed}", "-O1", script=script)
    done = tools.call(attacca_cortex_m, "--cycles", "100M", firmware)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == LINES
    assert done.stdout == on_qemu(firmware)
