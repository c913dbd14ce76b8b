"""The AVR instrument's kit: the small firmwares that the conformance test runs, and the names it needs."""

from __future__ import annotations

from pathlib import Path

import instrument_tools as tools

HERE = Path(__file__).resolve().parent

BOARD = "uno"
CLOCK_HZ = 16_000_000
INPUT = "D2"  # the pin that `echo` copies to probe b
WATCH = "D8"  # a pin that `hello` toggles and that is no probe
OTHER_PROBE = "PB0"  # the same pin, by the processor's name
VECTOR = "TIMER0_COMPA"  # the interrupt that `window` handles, by name …
VECTOR_NUMBER = 14  # … and by number
VECTOR_PERIOD = 16000  # cycles between two of them in `ticks`
GUARD = "stack_guard"
FUNCTION = "work"  # the function between the two marks of `window`
PULSE_CYCLES = 2  # width of the shortest pulse that `hello` can make
STRAYS = "20:60"  # cycles between random interrupts, so that the program goes on between them
JITTER = 0  # cycles that an interrupt in sleep may come earlier or later
ENTRY_WITHIN = 0  # cycles from an instruction's end to the entry of an interrupt that comes behind it
CHANNELS: dict[str, int] = {}  # of the capture, beyond those that every instrument has
MASKED_AT_RESET = True


def available() -> str:
    """Why this kit cannot be used here; empty if it can."""
    return "" if tools.avr_gcc() else "no avr-gcc: set ATTACCA_AVR_GCC to its folder or put it on PATH"


def executable() -> Path:
    return tools.avr_instrument()


def build(name: str, folder: Path) -> Path:
    return tools.build_avr([HERE / f"{name}.c"], folder / f"{name}.elf")


def build_hex(name: str, folder: Path) -> Path:
    return tools.write_hex(tools.segments(build(name, folder).read_bytes()), folder / f"{name}.hex")


def build_too_big(folder: Path) -> Path:
    return tools.write_hex([(0x100000, b"\0")], folder / "big.hex")
