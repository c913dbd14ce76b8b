"""Images of the kernel's suite on the Cortex-M instrument and in QEMU: the same instructions in the same order.

Before each instruction program counter, stack pointer and xPSR are compared: flags, IT state, which handler runs. So
every branch, switch, exception, fault and return of the kernel, its port and its tests goes the same way on both. The
images are built for a board that both are (both/board.h); those are taken that never wait for time to pass.
"""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import instrument_tools as tools

IMAGES = ("sem", "lock", "mutex-loans", "sched-basepri", "fault-cortex-m")
State = tuple[int, int, int]  # pc, sp, xPSR
FLAGS = 0xF800_0000
FLASH_SIZE = 0x20000


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that they are built in."""
    if tools.arm_gcc() is None or shutil.which("qemu-system-arm") is None:
        pytest.skip("no arm-none-eabi-gcc or no qemu-system-arm: apt-get install gcc-arm-none-eabi qemu-system-arm")
    folder = tmp_path_factory.mktemp("both")
    board = {"BOARD": "both", "BOARD_DIR": "../test/instrument/both", "ARCH": "cortex-m", "CPU": "-mcpu=cortex-m3"}
    options = [f"-DATTACCA_{name}={value}" for name, value in (board | {"OPTIMIZE": "-O2"}).items()]
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    toolchain = ["--toolchain", tools.ROOT / "cmake" / "cortex-m.cmake"]
    for command in (
        ["cmake", "-S", tools.ROOT, "-B", folder, *generator, *toolchain, *options],
        ["cmake", "--build", folder, "-j", "2", "--target", *(f"test-{image}" for image in IMAGES)],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "firmware"


def on_instrument(executable: Path, firmware: Path, folder: Path) -> tuple[str, Path]:
    trace = folder / "instrument.txt"
    done = tools.call(executable, "--cycles", "100M", "--trace", trace, firmware)
    assert done.returncode == 0, done.stderr
    return done.stdout, trace


def on_qemu(firmware: Path, folder: Path) -> tuple[str, Path]:
    trace = folder / "qemu.txt"
    quiet = ["-display", "none", "-monitor", "none", "-serial", "none"]
    semihosting = ["-semihosting-config", "enable=on,target=native"]
    one_by_one = ["-singlestep", "-d", "exec,cpu,nochain", "-D", str(trace)]
    command = ["qemu-system-arm", "-M", "mps2-an385", *quiet, *semihosting, *one_by_one, "-kernel", str(firmware)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr, trace


def states_of_instrument(trace: Path) -> Iterator[State]:
    """It also has a line for what cannot be fetched."""
    with trace.open() as lines:
        for line in lines:
            words = line.split()
            if words[0] != "#" and int(words[1], 16) < FLASH_SIZE:
                yield int(words[1], 16), int(words[-2], 16), int(words[-1], 16)


def states_of_qemu(trace: Path) -> Iterator[State]:
    """A line `Trace` an instruction, its registers behind; `Stopped`: an exception came first, it was not executed."""
    pc = sp = xpsr = None
    with trace.open() as lines:
        for line in lines:
            if line.startswith("Trace"):
                if pc is not None and sp is not None and xpsr is not None:
                    yield pc, sp, xpsr
                pc = int(line.split("/")[1], 16)
            elif line.startswith("Stopped"):
                pc = None
            elif line.startswith("R12="):
                sp = int(line.split("R13=")[1][:8], 16)
            elif line.startswith("XPSR="):
                xpsr = int(line[5:13], 16)
    if pc is not None and sp is not None and xpsr is not None:
        yield pc, sp, xpsr


@pytest.mark.parametrize("image", IMAGES)
def test_the_same_instructions_in_the_same_order(
    attacca_cortex_m: Path, images: Path, tmp_path: Path, image: str
) -> None:
    firmware = images / f"test-{image}.elf"
    said, ours = on_instrument(attacca_cortex_m, firmware, tmp_path)
    said_there, theirs = on_qemu(firmware, tmp_path)
    assert said == said_there
    assert "not ok" not in said
    known = 0  # of the flags, which a reset leaves as they may be
    start = count = 0
    for one, other in itertools.zip_longest(states_of_instrument(ours), states_of_qemu(theirs)):
        assert one is not None and other is not None, f"one of them ends after {count} instructions"
        start = start or one[0]
        known = 0 if one[0] == start else FLAGS if one[2] == other[2] else known
        same = one[:2] == other[:2] and (one[2] ^ other[2]) & (~FLAGS | known) == 0
        assert same, f"instruction {count}: instrument {[hex(x) for x in one]}, QEMU {[hex(x) for x in other]}"
        count += 1
    assert count > 5000
    print(f"{image}: {count} instructions")
