"""Runs a firmware on rp2040js, which emulates a Raspberry Pi Pico's RP2040: instructions and peripherals, not the time
that they take. rp2040.js says what it adds.
"""

from __future__ import annotations

from pathlib import Path

from attacca_lab import prepare
from attacca_lab.errors import UserError

INSTRUMENT = "rp2040js"
CYCLES = 63 * 125_000_000  # of one run, at most


def modules() -> dict[str, str] | None:
    """Where node and its packages are; None if rp2040js is not installed."""
    found = prepare.other_simulators()
    return found if found and (Path(found["NODE_PATH"]) / INSTRUMENT).is_dir() else None


def command(firmware: Path, cycles: int = CYCLES) -> list[str]:
    """What to type: the console is standard output; a UserError if rp2040js is not installed."""
    found = modules()
    if found is None:
        raise UserError(f"{INSTRUMENT} is not installed", "./attacca test --only pico installs it")
    script = Path(__file__).with_suffix(".js")
    return [found["ATTACCA_NODE"], str(script), found["NODE_PATH"], str(firmware), str(cycles)]
