"""QEMU's opinion on exceptions and the MPU: random streams of steps, the same state in both. It has no time to compare.

ATTACCA_OPINION_SEEDS says how many streams of 20,000 steps are tried.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

import instrument_tools as tools

HERE = Path(__file__).resolve().parent
SEEDS = int(os.environ.get("ATTACCA_OPINION_SEEDS", "4"))
LINES = 40


@dataclass
class Target:
    """The same processor here and there, and a program that both can run."""

    cpu: str
    machine: str
    options: tuple[str, ...]
    program: str


TARGETS = {
    "nested on an M3": Target("cortex-m3", "mps2-an385", (), "nested"),
    "nested on an M0": Target("cortex-m0", "microbit", ("--mcu", "m0"), "nested"),
    "MPU": Target("cortex-m3", "mps2-an385", (), "mpu"),
}


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Code from 0, which all have: flash's second address here, its only one there; and the smallest RAM."""
    text = (HERE / "kits" / "cortex_m" / "kit.ld").read_text()
    for here, there in (("ORIGIN = 0x08000000", "ORIGIN = 0"), ("LENGTH = 20K", "LENGTH = 16K")):
        assert here in text
        text = text.replace(here, there)
    script = tmp_path_factory.mktemp("script") / "from_0.ld"
    script.write_text(text)
    return script


def on_qemu(machine: str, firmware: Path) -> str:
    """What the firmware printed by semihosting, which QEMU puts on its standard error."""
    emulator = shutil.which("qemu-system-arm")
    if emulator is None:
        pytest.skip("no qemu-system-arm: apt-get install qemu-system-arm")
    semihosting = ["-semihosting-config", "enable=on,target=native"]
    quiet = ["-display", "none", "-monitor", "none", "-serial", "none"]
    command = [emulator, "-M", machine, *quiet, *semihosting, "-kernel", str(firmware)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
@pytest.mark.parametrize("name", TARGETS)
def test_both_say_the_same(attacca_cortex_m: Path, tmp_path: Path, script: Path, name: str, seed: int) -> None:
    target = TARGETS[name]
    source = HERE / f"cortex_m_{target.program}.c"
    flags = [f"-mcpu={target.cpu}", f"-DSEED={seed}", "-O1"]
    firmware = tools.build_cortex_m([source], tmp_path / "firmware.elf", *flags, script=script)
    done = tools.call(attacca_cortex_m, "--cycles", "100M", *target.options, firmware)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == LINES
    assert done.stdout == on_qemu(target.machine, firmware)
