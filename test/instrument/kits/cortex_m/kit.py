"""The Cortex-M instrument's kit: the small firmwares that the conformance test runs, and the names it needs."""

from __future__ import annotations

from pathlib import Path

import instrument_tools as tools

HERE = Path(__file__).resolve().parent

BOARD = "stm32f103"
CLOCK_HZ = 8_000_000  # of the internal oscillator, which runs after a reset
INPUT = "PA0"  # the pin that `echo` copies to probe b
WATCH = "PB8"  # a pin that `hello` toggles and that is no probe
OTHER_PROBE = "PB8"  # the same pin, by the processor's name
VECTOR = "TIM2"  # the interrupt that `window` handles, by name …
VECTOR_NUMBER = 16 + 28  # … and by number
VECTOR_PERIOD = 72_000  # cycles between two of them in `ticks`
GUARD = "stack_guard"
FUNCTION = "work"  # the function between the two marks of `window`
PULSE_CYCLES = 1  # width of the shortest pulse that `hello` can make: a store behind another
STRAYS = "20:60"  # cycles between random interrupts, so that the program goes on between them
JITTER = 0  # cycles that an interrupt in sleep may come earlier or later
ENTRY_WITHIN = 0  # cycles from an instruction's end to the entry of an interrupt that comes behind it
CHANNELS = {"clock_hz": 32}  # of the capture, beyond those that every instrument has
MASKED_AT_RESET = False  # PRIMASK is 0


def available() -> str:
    """Why this kit cannot be used here; empty if it can."""
    return "" if tools.arm_gcc() else "no arm-none-eabi-gcc: apt-get install gcc-arm-none-eabi"


def executable() -> Path:
    return tools.cortex_m_instrument()


def build(name: str, folder: Path) -> Path:
    return tools.build_cortex_m([HERE / f"{name}.c", HERE / "start.c"], folder / f"{name}.elf", script=HERE / "kit.ld")


def build_hex(name: str, folder: Path) -> Path:
    return tools.write_hex(tools.segments(build(name, folder).read_bytes()), folder / f"{name}.hex")


def build_too_big(folder: Path) -> Path:
    return tools.write_hex(
        [*tools.segments(build("hello", folder).read_bytes()), (0x08020000, b"\0")], folder / "big.hex"
    )
