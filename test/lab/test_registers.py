"""An STM32 under ./attacca scope and ./attacca run: clock and wait states are what the firmware's registers say."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import Typed

pytestmark = pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="no arm-none-eabi-gcc")

# Pairs of pulses on PB12, of which the second is 60 instructions longer, for ever; first the registers, if any.
PAIRS = """
.syntax unified
.cpu cortex-m3
.thumb
.word 0x20001000, start
.thumb_func
start:  ldr r0, =0x40021018     @ RCC_APB2ENR: port B
        movs r1, #8
        str r1, [r0]
        {registers}
        ldr r0, =0x40010c00
        ldr r1, =0x44434444     @ CRH: PB12 drives
        str r1, [r0, #4]
        ldr r2, =0x1000         @ BSRR: up
        ldr r3, =0x10000000     @ BSRR: down
1:      movs r4, #50
2:      subs r4, #1
        bne 2b
        str r2, [r0, #16]
        nop.w
        str r3, [r0, #16]
        nop.w
        str r2, [r0, #16]
        .rept 61
        nop.w
        .endr
        str r3, [r0, #16]
        b 1b
.ltorg
"""
LATENCY_2 = "ldr r0, =0x40022000; movs r1, #0x12; str r1, [r0]"
CRYSTAL = """
        ldr r0, =0x40021000     @ RCC: the crystal's 8 MHz, nine times
        ldr r1, =0x10083
        str r1, [r0]
        ldr r1, =0x1d0400
        str r1, [r0, #4]
        ldr r1, =0x1010083
        str r1, [r0]
        ldr r1, =0x1d0402
        str r1, [r0, #4]
"""


def firmware(directory: Path, registers: str = "") -> Path:
    source, elf = directory / "pairs.S", directory / "pairs.elf"
    source.write_text(PAIRS.format(registers=registers))
    subprocess.run(["arm-none-eabi-gcc", "-nostdlib", "-Wl,-Ttext=0x08000000", "-Wl,--entry=start", "-o", elf, source],
                   check=True, capture_output=True)  # fmt: skip
    return elf


def seen(attacca: Typed, elf: Path, *options: str) -> tuple[float, str]:
    """The second pulse's cycles beyond the first's, and the table."""
    words = ("scope", elf, "--board", "stm32f103", "--cycles", "2ms", *options)
    done, table = attacca(*words, "--json"), attacca(*words)
    assert done.returncode == table.returncode == 0, done.stderr + table.stderr
    return json.loads(done.stdout)[0]["median"], table.stdout


def test_firmware_on_the_internal_oscillator_has_its_time(attacca: Typed, tmp_path: Path) -> None:
    elf = firmware(tmp_path)
    cycles, table = seen(attacca, elf)
    assert cycles == 60 and "tCD - tAB = 60 cycles = 7.500 µs" in table
    assert "clock: 8 MHz for 16,000 cycles" in table and "(2 ms)" in table
    forced, table = seen(attacca, elf, "--clock", "72MHz")
    assert forced == 60 and "0.833" in table and "seen for 144,00" in table


def test_the_pll_has_its_time_and_flash_its_wait_states(attacca: Typed, tmp_path: Path) -> None:
    cycles, table = seen(attacca, firmware(tmp_path, CRYSTAL))
    assert cycles == 60 and "0.833" in table and ", then 72 MHz for" in table
    slow, table = seen(attacca, firmware(tmp_path, LATENCY_2 + CRYSTAL))
    assert slow > 60 and "main,wait-states=register" in table
    forced, table = seen(attacca, tmp_path / "pairs.elf", "--timing", "main")
    assert forced == 60 and ", then 72 MHz for" in table


def test_run_tells_the_time_of_the_registers(attacca: Typed, tmp_path: Path) -> None:
    elf = firmware(tmp_path)
    for options, cycles in ((), "16,000"), (("--clock", "72MHz"), "144,00"):
        done = attacca("run", elf, "--board", "stm32f103", "--cycles", "2ms", *options)
        assert done.returncode == 4 and f"had not ended after {cycles}" in done.stderr and "cycles, 2 ms" in done.stderr
