"""An interrupt at every instruction of board/systick's clock: the image reads the clock beside the cycle counter.

TIM3's handler reads it and starts a timer; where the kernel locks by BASEPRI, I2C1_EV's is above the lock and takes
time in the middle of it.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from conftest import Firmware


@pytest.mark.parametrize(("image", "vector"), [("", "TIM3"), ("-basepri", "TIM3"), ("-basepri", "I2C1_EV")])
def test_an_interrupt_at_any_instruction(attacca_cortex_m: Path, firmware: Firmware, image: str, vector: str) -> None:
    window = ["--mark", "squall_begin", "--until", "squall_end", "--cycles", "3M"]
    elf = firmware("cortex-m-stm32f103", f"systick-squall{image}")
    command = [str(attacca_cortex_m), *window, "--fork", vector, "--fork-enabled", str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(runs) > 100, done.stderr
    taken = {run["taken_symbol"].partition("+")[0] for run in runs}
    assert {"att_timer_start", "read_it"} <= taken
    assert "restart" in taken or vector != "I2C1_EV"  # between its readings
    wrong = [run["taken_symbol"] for run in runs if run["exit"] != 0]
    assert not wrong, wrong[:5]
