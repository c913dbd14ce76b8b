"""Where the kernel's tests find firmware and instrument.

Both are built when they are not there; ATTACCA_TEST_BUILDS names a folder with presets' build folders of its own, and
ATTACCA_AVR and ATTACCA_CORTEX_M an instrument.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lab"))

from attacca_lab import build  # noqa: E402

pytest_plugins = ["attacca_lab.hang_guard"]
TARGETS = ["kernel-suite", "kernel-scenarios"]
Firmware = Callable[[str, str], Path]


@pytest.fixture(scope="session")
def avr_gcc() -> Path:
    """The folder of avr-gcc and its friends."""
    folder = os.environ.get("ATTACCA_AVR_GCC") or str(Path(shutil.which("avr-gcc") or "").parent)
    if not (Path(folder) / "avr-gcc").exists():
        pytest.skip("no avr-gcc: set ATTACCA_AVR_GCC to its folder or put it on PATH")
    return Path(folder)


@pytest.fixture(scope="session")
def attacca_avr() -> Path:
    """The AVR instrument's executable."""
    given = os.environ.get("ATTACCA_AVR")
    return Path(given) if given else build.instrument("avr")


@pytest.fixture(scope="session")
def attacca_cortex_m() -> Path:
    """The Cortex-M instrument's executable."""
    given = os.environ.get("ATTACCA_CORTEX_M")
    return Path(given) if given else build.instrument("cortex-m")


@pytest.fixture(scope="session")
def firmware(avr_gcc: Path) -> Firmware:
    """`firmware("uno", "test-stress")`: the ELF file."""
    folders: dict[str, Path] = {}

    def find(preset: str, name: str) -> Path:
        if preset not in folders:
            builds = os.environ.get("ATTACCA_TEST_BUILDS")
            folders[preset] = Path(builds) / preset if builds else build.build(preset, TARGETS).directory
        return folders[preset] / "firmware" / f"{name}.elf"

    return find
