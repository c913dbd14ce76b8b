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


def available() -> str:
    """Why this kit cannot be used here; empty if it can."""
    return "" if tools.avr_gcc() else "no avr-gcc: set ATTACCA_AVR_GCC to its folder or put it on PATH"


def executable() -> Path:
    return tools.avr_instrument()


def build(name: str, folder: Path) -> Path:
    return tools.build_avr([HERE / f"{name}.c"], folder / f"{name}.elf")


def build_hex(name: str, folder: Path) -> Path:
    """The same firmware as Intel hex, converted by hand so that no further tool is needed."""
    image = _flash(build(name, folder).read_bytes())
    lines = []
    for at in range(0, len(image), 16):
        part = image[at : at + 16]
        record = bytes([len(part), at >> 8, at & 0xFF, 0]) + part
        lines.append(":" + record.hex().upper() + f"{-sum(record) & 0xFF:02X}")
    target = folder / f"{name}.hex"
    target.write_text("\n".join([*lines, ":00000001FF", ""]))
    return target


def build_too_big(folder: Path) -> Path:
    record = bytes([1, 0, 0, 0, 0])
    upper = bytes([2, 0, 0, 4, 0, 0x10])
    lines = [":" + r.hex() + f"{-sum(r) & 0xFF:02x}" for r in (upper, record)]
    target = folder / "big.hex"
    target.write_text("\n".join([*lines, ":00000001ff", ""]))
    return target


def _flash(elf: bytes) -> bytes:
    offset = int.from_bytes(elf[28:32], "little")
    size, count = (int.from_bytes(elf[i : i + 2], "little") for i in (42, 44))
    image = bytearray()
    for i in range(count):
        words = [int.from_bytes(elf[offset + i * size + 4 * k :][:4], "little") for k in range(8)]
        kind, start, _, physical, filled = words[:5]
        if kind == 1 and filled:
            image.extend(b"\xff" * (physical + filled - len(image)))
            image[physical : physical + filled] = elf[start : start + filled]
    return bytes(image)
