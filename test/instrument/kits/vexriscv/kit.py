"""The VexRiscv instrument's kit: the small firmwares that the conformance test runs, and the names it needs."""

from __future__ import annotations

from pathlib import Path

import instrument_tools as tools

HERE = Path(__file__).resolve().parent

BOARD = "vexriscv"
CLOCK_HZ = 100_000_000
INPUT = "P8"  # the pin that `echo` copies to probe b
WATCH = "P4"  # a pin that `hello` toggles and that is no probe
OTHER_PROBE = "P4"  # the same pin, by the processor's name
VECTOR = "MachineTimer"  # the interrupt that `window` handles, by name …
VECTOR_NUMBER = 7  # … and by number
VECTOR_PERIOD = 100_000  # cycles between two of them in `ticks`
GUARD = "stack_guard"
FUNCTION = "work"  # the function between the two marks of `window`
PULSE_CYCLES = 2  # width of the shortest pulse that `hello` can make: a store behind another
STRAYS = "250:350"  # cycles between random interrupts, so that the program goes on between them
JITTER = 2  # cycles that an interrupt in sleep may come earlier or later: it meets a loop
ENTRY_WITHIN = 40  # cycles from a mark to where the next instruction stands: a line of the cache is missing
CHANNELS: dict[str, int] = {}  # of the capture, beyond those that every instrument has
MASKED_AT_RESET = True  # mstatus.MIE is 0


def available() -> str:
    """Why this kit cannot be used here; empty if it can."""
    return "" if tools.riscv_gcc() else "no riscv64-unknown-elf-gcc: apt-get install gcc-riscv64-unknown-elf"


def executable() -> Path:
    return tools.vexriscv_instrument()


def build(name: str, folder: Path) -> Path:
    return tools.build_riscv([HERE / f"{name}.c", HERE / "start.c"], folder / f"{name}.elf", script=HERE / "kit.ld")


def build_hex(name: str, folder: Path) -> Path:
    return tools.write_hex(tools.segments(build(name, folder).read_bytes()), folder / f"{name}.hex")


def build_too_big(folder: Path) -> Path:
    return tools.write_hex(
        [*tools.segments(build("hello", folder).read_bytes()), (0x80080000, b"\0")], folder / "big.hex"
    )
