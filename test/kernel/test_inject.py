"""Interrupts where they hurt: at every instruction of the kernel's calls, and at random distances in a storm.

inject.c and inject_message.c make one call; their input pins say which, and what the handler does. The instrument forks
the run before each instruction of the call and raises an interrupt there; each of those runs must end with status 0.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from conftest import Firmware

CALLS = {
    "inject": ("give-urgent", "take", "suspend", "resume-urgent", "yield", "give-and-take", "take-timed", "give-equal"),
    "inject-message": ("send-urgent", "send-alone", "send-timed", "receive-wait", "receive-at-once", "reply-urgent",
                       "reply-less-urgent", "any"),
}  # fmt: skip
ACTIONS = {
    "inject": ("give", "resume", "reset", "wake", "yield", "lower-waiter", "lower-caller", "raise-helper"),
    "inject-message": ("give-both", "wake", "reset", "lower-caller", "raise-helper", "lower-urgent", "yield", "serve"),
}
PINS = ("D9", "D10", "D11", "D12", "D13", "A1")
HANDLERS = {"PCINT0": "known", "PCINT1": "foreign", "PCINT2": "nested"}


def _fork(instrument: Path, elf: Path, folder: Path, call: int, action: int, vector: str) -> Iterator[str]:
    """The runs that went wrong."""
    number = call | action << 3
    stimulus = folder / f"{elf.stem}-{elf.parents[1].name}-{number}-{vector}.stim"
    stimulus.write_text("".join(f"0 {pin} {number >> bit & 1}\n" for bit, pin in enumerate(PINS)), encoding="utf-8")
    window = ["--mark", "marker=1", "--until", "marker=2", "--cycles", "2M", "--console", os.devnull]
    command = [str(instrument), "--stimulus", str(stimulus), "--fork", vector, *window, str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    name = f"{CALLS[elf.stem][call]}, {HANDLERS[vector]} handler: {ACTIONS[elf.stem][action]}"
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode or len(runs) < 10:
        yield f"{name}: the run itself ended with {done.returncode} after {len(runs)} forks: {done.stderr.strip()}"
    for run in runs:
        if run["exit"]:
            yield f"{name}: at {run['symbol']} (index {run['index']}): {run['end']}"


@pytest.mark.parametrize(("preset", "vectors"), [("uno", tuple(HANDLERS)), ("uno-c", ("PCINT1",))])
@pytest.mark.parametrize(
    ("image", "call"),
    [pytest.param(image, call, id=name) for image, names in CALLS.items() for call, name in enumerate(names)],
)
def test_an_interrupt_at_each_instruction(
    attacca_avr: Path, firmware: Firmware, tmp_path: Path, preset: str, vectors: tuple[str, ...], image: str, call: int
) -> None:
    elf = firmware(preset, image)
    cases = [(action, vector) for action in range(len(ACTIONS[image])) for vector in vectors]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        wrong = list(pool.map(lambda case: list(_fork(attacca_avr, elf, tmp_path, call, *case)), cases))
    assert not [line for lines in wrong for line in lines]


@pytest.mark.parametrize("preset", ["uno", "uno-c", "uno-check"])
@pytest.mark.parametrize("seed", range(1, 5))
def test_a_storm(attacca_avr: Path, firmware: Firmware, preset: str, seed: int) -> None:
    storm = ["PCINT0:1400:6000", "PCINT1:1500:7000", "PCINT2:1600:9000"]
    options = [word for one in storm for word in ("--random-irq", one)]
    elf = firmware(preset, "test-stress")
    command = [str(attacca_avr), "--seed", str(seed), "--cycles", "300M", *options, str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
