"""Synthetic captures for the laboratory's tests: VCD text with the instruments' header, from edges in cycles."""

from __future__ import annotations

from attacca_lab import vcd

UNO = 16_000_000
Changes = list[tuple[int, str, int]]  # cycle, channel, value
WIDE = ("marker", "entries", "software")
CHANNELS = ("probe_a", "probe_b", "irq", "masked", "marker", "in_d2")


def stamp(cycle: int, clock_hz: int = UNO) -> int:
    """The contract's rounding, in whole numbers."""
    return (2 * cycle * 10**12 + clock_hz) // (2 * clock_hz)


def text(changes: Changes, clock_hz: int = UNO, channels: tuple[str, ...] = CHANNELS) -> str:
    """The file that an instrument would write for these changes; every channel begins at 0."""
    codes = {name: chr(ord("!") + place) for place, name in enumerate(channels)}
    lines = [f"$comment clock_hz={clock_hz} instrument=attacca-test/1.2 $end", "$timescale 1 ps $end"]
    lines.append("$scope module attacca $end")
    for name, code in codes.items():
        lines.append(f"$var wire {8 if name in WIDE else 1} {code} {name}{' [7:0]' * (name in WIDE)} $end")
    lines += ["$upscope $end", "$enddefinitions $end", "#0", "$dumpvars"]
    lines += [f"b0 {code}" if name in WIDE else f"0{code}" for name, code in codes.items()]
    lines.append("$end")
    last = 0
    for cycle, name, value in sorted(changes, key=lambda change: change[0]):
        if cycle != last:
            lines.append(f"#{stamp(cycle, clock_hz)}")
            last = cycle
        lines.append(f"b{value:b} {codes[name]}" if name in WIDE else f"{value}{codes[name]}")
    return "\n".join(lines) + "\n"


def capture(changes: Changes, clock_hz: int = UNO, channels: tuple[str, ...] = CHANNELS) -> vcd.Capture:
    """The same, read."""
    return vcd.parse(text(changes, clock_hz, channels).encode(), "test.vcd")


def pulse(rise: int, width: int, channel: str = "probe_a") -> Changes:
    """One pulse."""
    return [(rise, channel, 1), (rise + width, channel, 0)]


def pairs(count: int, overhead: int, operation: int, start: int = 1_000, every: int = 1_000) -> Changes:
    """A-B and C-D pulses of a constant operation."""
    changes: Changes = []
    for number in range(count):
        begin = start + number * every
        changes += pulse(begin, overhead) + pulse(begin + overhead + 5, overhead + operation)
    return changes
