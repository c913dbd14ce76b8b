"""The GBA instrument's kit: the small firmwares that the conformance test runs, and the names it needs."""

from __future__ import annotations

from pathlib import Path

import instrument_tools as tools

HERE = Path(__file__).resolve().parent

BOARD = "gba"
CLOCK_HZ = 16_777_216
INPUT = "SI"  # the pin that `echo` copies to probe b
WATCH = "GP0"  # a pin that `hello` toggles and that is no probe
OTHER_PROBE = "GP0"  # the same pin
VECTOR = "TIMER0"  # the interrupt that `window` handles, by name …
VECTOR_NUMBER = 1 + 3  # … and by number
VECTOR_PERIOD = 16_384  # cycles between two of them in `ticks`
GUARD = "stack_guard"
FUNCTION = "work"  # the function between the two marks of `window`
PULSE_CYCLES = 2  # width of the shortest pulse that `hello` can make: a store
CHANNELS: dict[str, int] = {}  # of the capture, beyond those that every instrument has
STRAYS = "20:60"  # cycles between random interrupts, so that the program goes on between them
JITTER = 0  # cycles that an interrupt in sleep may come earlier or later
ENTRY_WITHIN = 0  # cycles from an instruction's end to the entry of an interrupt that comes behind it
MASKED_AT_RESET = True  # the master enable is 0


def available() -> str:
    """Why this kit cannot be used here; empty if it can."""
    return tools.no_gba()


def executable() -> Path:
    return tools.gba_instrument()


def build(name: str, folder: Path) -> Path:
    sources = [HERE / f"{name}.c", HERE / "start.c"]
    return tools.build_gba(sources, folder / f"{name}.elf", script=HERE / "kit.ld")


def build_hex(name: str, folder: Path) -> Path:
    return tools.write_hex(tools.segments(build(name, folder).read_bytes()), folder / f"{name}.hex")


def build_too_big(folder: Path) -> Path:
    return tools.write_hex(
        [*tools.segments(build("hello", folder).read_bytes()), (0x0A000000, b"\0")], folder / "big.hex"
    )
