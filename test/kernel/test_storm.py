"""A storm of two interrupt sources on mailboxes, at the highest rates at which each build still does all of its work.

The image itself tells, in a TAP comment, how many interrupts a second it sustained.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from conftest import Firmware


@pytest.mark.parametrize("image", ["test-stress", "test-stress-basepri", "test-storm-mailbox"])
@pytest.mark.parametrize("seed", range(1, 4))
def test_a_storm_with_the_switch_in_it(attacca_cortex_m: Path, firmware: Firmware, image: str, seed: int) -> None:
    """A Cortex-M's handlers nest by priority; PendSV, pended for nothing, meets every place of a switch."""
    storm = ["TIM3:300:6000", "TIM4:400:7000", "I2C1_EV:500:9000", "PendSV:200:2000"]
    options = [word for one in storm for word in ("--random-irq", one)]
    elf = firmware("stm32f103", image)
    command = [str(attacca_cortex_m), "--seed", str(seed), "--cycles", "400M", *options, str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("vector", ["TIM3", "TIM4"])
def test_a_handler_at_any_instruction_of_a_storm(attacca_cortex_m: Path, firmware: Firmware, vector: str) -> None:
    """And a more urgent one soon after it: at a switch's and a trampoline's, in exceptions, windows, IT blocks and
    load-multiples. One place in six; `--fork-one-in 1` is all."""
    window = ["--mark", "machine_storm", "--until", "machine_calm", "--cycles", "300k"]
    handlers = ["--fork", vector, "--fork-enabled", "--fork-one-in", "6", "--fork-then", "I2C1_EV:1:60"]
    elf = firmware("stm32f103", "port-squall")
    command = [str(attacca_cortex_m), *window, *handlers, str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(runs) > 1000, done.stderr
    wrong = [run["taken_symbol"] for run in runs if run["exit"] != 0]
    assert not wrong, wrong[:5]


# Cycles between two interrupts of one source, and the rate that must be sustained with both.
RATES = {"uno": ("2000:4000", 12_000), "uno-check": ("5000:9000", 5_000)}
SUSTAINED = re.compile(r"^# (\d+) interrupts a second", re.MULTILINE)


@pytest.mark.parametrize("preset", RATES)
@pytest.mark.parametrize("seed", range(1, 4))
def test_mailboxes(attacca_avr: Path, firmware: Firmware, preset: str, seed: int) -> None:
    distance, least = RATES[preset]
    options = [word for vector in ("PCINT0", "PCINT1") for word in ("--random-irq", f"{vector}:{distance}")]
    elf = firmware(preset, "test-storm-mailbox")
    command = [str(attacca_avr), "--seed", str(seed), "--cycles", "60M", *options, str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    sustained = SUSTAINED.search(done.stdout)
    assert sustained is not None
    assert int(sustained[1]) >= least
