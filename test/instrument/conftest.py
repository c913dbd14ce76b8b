from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))

import instrument_tools as tools

pytest_plugins = ["attacca_lab.hang_guard"]


@pytest.fixture(scope="session")
def attacca_avr() -> Path:
    if tools.avr_gcc() is None:
        pytest.skip("no avr-gcc: set ATTACCA_AVR_GCC to its folder or put it on PATH")
    return tools.avr_instrument()


@pytest.fixture(scope="session")
def attacca_vexriscv() -> Path:
    if tools.riscv_gcc() is None:
        pytest.skip("no riscv64-unknown-elf-gcc: apt-get install gcc-riscv64-unknown-elf")
    if not os.environ.get("ATTACCA_VEXRISCV_INSTRUMENT"):
        pytest.skip(
            "no attacca-vexriscv: ./attacca build --board vexriscv, then name it in ATTACCA_VEXRISCV_INSTRUMENT"
        )
    return tools.vexriscv_instrument()


@pytest.fixture(scope="session")
def attacca_cortex_m() -> Path:
    if tools.arm_gcc() is None:
        pytest.skip("no arm-none-eabi-gcc: apt-get install gcc-arm-none-eabi")
    return tools.cortex_m_instrument()


@pytest.fixture(scope="session")
def attacca_gba() -> Path:
    if why := tools.no_gba():
        pytest.skip(why)
    return tools.gba_instrument()
