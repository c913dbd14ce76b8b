"""A program in C that sets up and polls the STM32F1's devices as drivers do: every flag it waits for comes."""

from __future__ import annotations

from pathlib import Path

import pytest

import instrument_tools as tools
from cortex_m_marks import SCRIPT

SAYS = {
    "csr": [1],  # it was switched on
    "adc": [4095, 1775, 1489],  # PA1 is high; 25 °C; 1.20 V
    "adc-read": [0],
    "dma": [0x66666666],
    "dma-left": [0],
    "adc-half": [3],
    "adc-all": [6],  # round again
    "adc-dma": [4095, 1775, 1489] * 2,
    "adc-injected": [1775, 4095, 0x10000 + 1489 - 4000, 4095],  # the third one has an offset
    "text": [42],
    "text-left": [0],
    "i2c-master": [3],  # MSL, BUSY
    "i2c": [1],  # no answer
    "i2c-idle": [0],
    "spi": [4 * 0xFF],  # MISO is high
    "spi-dma": [3 * 0xFF],
    "watchdogs": [0],
    "rtc": [0x20000],  # a carry into CNTH
    "rtc-alarm": [0x20003],
    "exti": [1 << 17],
    "bkp": [0xBEEF],
    "tim1-compare": [1],
    "tim1": [3],
    "tim5": [1],
    "crc": [0xDF8A8A2B],
    "uid": [1],
    "unlocked": [0],
    "erased": [32],  # EOP
    "blank": [0xFFFFFFFF],
    "written": [32],
    "refused": [4],  # PGERR
    "locked": [1],
    "flash": [0x0000CAFE],
}


@pytest.mark.parametrize(("board", "kilobytes"), [("stm32f103", 128), ("stm32f107", 256)])
def test_every_driver_gets_through(attacca_cortex_m: Path, tmp_path: Path, board: str, kilobytes: int) -> None:
    connectivity = board == "stm32f107"
    source = Path(__file__).resolve().parent / "cortex_m_drivers.c"
    flag = f"-DCONNECTIVITY={int(connectivity)}"
    elf = tools.build_cortex_m([source], tmp_path / "drivers.elf", flag, "-Wl,--entry=run", script=SCRIPT)
    stimulus = tmp_path / "stimulus.txt"
    stimulus.write_text("0 PA1 1\n0 PA6 1\n")
    run = tools.run(attacca_cortex_m, elf, tmp_path, "--board", board, "--cycles", "1s", "--stimulus", stimulus)
    assert run.status == 0, run.stderr + run.stdout
    assert run.report["restarts"] == 0
    found: dict[str, list[int]] = {}
    for line in run.stdout.splitlines():
        name, value = line.split()
        found.setdefault(name, []).append(int(value, 16))
    wanted = {**SAYS, "size": [kilobytes]}
    if not connectivity:
        del wanted["tim5"]
    assert found == wanted
