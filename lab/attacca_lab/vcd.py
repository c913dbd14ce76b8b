"""Captures: a VCD file, from an instrument or from a real logic analyser, as arrays of (time, value) a channel.

Read here and not with pyvcd, which the tests compare it with: a body is nothing but stamps and values, which numpy
takes apart in pieces (vcd_body.py), a hundred times as fast; and pyvcd refuses channel names with spaces, which logic
analysers write.

Times are whole ticks. A capture whose clock is known (the instruments state it in a comment, `--clock` states it for
a real capture) counts in processor cycles, exactly: a stamp is round(cycle * 1e12 / clock) picoseconds, so that
round(ps * clock / 1e12) is the cycle again for every clock below 500 GHz. Without a clock a tick is a picosecond.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np

from attacca_lab.errors import UserError, candidates, printable
from attacca_lab.vcd_body import PICOSECONDS, UNKNOWN, Body, Levels, Ticks, Timeline, codes_of, to_cycles

__all__ = ["PICOSECONDS", "UNKNOWN", "Capture", "Channel", "Ticks", "parse", "read", "to_cycles", "to_picoseconds"]

CLOCK = "clock_hz"  # the channel on which an instrument says that the clock changes
HEADER_PIECE, MOST_HEADER = 1 << 16, 64 << 20
_UNITS = {"s": 12, "ms": 9, "us": 6, "ns": 3, "ps": 0, "fs": -3}


@dataclass(frozen=True)
class Channel:
    """One signal: its value changes to `values[i]` at `times[i]`; changes to the same value are left out."""

    name: str
    width: int
    times: Ticks
    values: Levels

    def edges(self, kind: str = "any") -> Ticks:
        """The times of the "rise", "fall" or "any" edges between known levels of a one-bit channel."""
        before, after = self.values[:-1], self.values[1:]
        if kind == "rise":
            wanted = (before == 0) & (after == 1)
        elif kind == "fall":
            wanted = (before == 1) & (after == 0)
        else:
            wanted = (before != UNKNOWN) & (after != UNKNOWN)
        return np.asarray(self.times[1:][wanted])

    def at(self, time: int) -> int:
        """The value at a time; UNKNOWN before the first."""
        index = int(np.searchsorted(self.times, time, side="right")) - 1
        return UNKNOWN if index < 0 else int(self.values[index])


@dataclass(frozen=True)
class Capture:
    """Everything that a capture says."""

    source: str
    channels: dict[str, Channel]
    clock_hz: int | None
    instrument: str = ""
    end: int = 0  # the last stamp of the file, in ticks
    comments: list[str] = field(default_factory=list)
    clocks: tuple[tuple[int, int], ...] = ()  # from which cycle on which clock holds; `clock_hz` is the last
    sampling_ps: float | None = None  # the time between two samples of a logic analyser; None: edges are exact
    counted: bool = False  # ticks are executed instructions: no time follows from them

    @property
    def unit(self) -> str:
        """What results of this capture are given in."""
        return "instructions" if self.counted else "cycles" if self.clock_hz else "us"

    @property
    def ticks_per_unit(self) -> int:
        """How many ticks a cycle, an instruction or a microsecond has."""
        return 1 if self.clock_hz or self.counted else 10**6

    def channel(self, name: str, hint: str | None = None) -> Channel:
        """The channel of that name; a UserError that lists them when there is none."""
        if name not in self.channels:
            have = candidates(name, list(self.channels)) or "none"
            raise UserError(f"{self.source} has no channel {name}; it has: {have}", hint)
        return self.channels[name]

    def clock_at(self, ticks: Ticks) -> int | None:
        """The one clock that holds at all these times; None if there is none, or more than one."""
        held = np.searchsorted([cycle for cycle, _ in self.clocks], ticks, side="right") - 1
        found = {self.clocks[place][1] for place in np.unique(held).tolist()} if self.clocks else set()
        return found.pop() if len(found) == 1 else None


def to_picoseconds(cycles: Ticks, clock_hz: int) -> Ticks:
    """The stamps an instrument writes for those cycles: the contract's rounding, for tests and synthetic captures."""
    exact = [(2 * int(cycle) * PICOSECONDS + clock_hz) // (2 * clock_hz) for cycle in np.atleast_1d(cycles)]
    return np.array(exact, dtype=np.int64)


def read(path: Path, clock_hz: int | None = None) -> Capture:
    """Read a VCD file; `clock_hz` overrides the clock that the file states."""
    try:
        with path.open("rb") as stream:
            return _read(stream, str(path), clock_hz)
    except OSError as error:
        raise UserError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None


def parse(data: bytes, source: str, clock_hz: int | None = None) -> Capture:
    """The same for the bytes of a file; `source` names it in messages."""
    return _read(io.BytesIO(data), source, clock_hz)


def _read(stream: BinaryIO, source: str, clock_hz: int | None) -> Capture:
    head = b""
    end = None
    while end is None and len(head) < MOST_HEADER:
        more = stream.read(HEADER_PIECE)
        head += more
        end = re.search(rb"\$enddefinitions\b[^$]*\$end", head)
        if not more:
            break
    if end is None:
        raise UserError(
            f"{source} is not a VCD file: it has no $enddefinitions",
            "save the capture as VCD (sigrok-cli: -O vcd; PulseView: Export value change dump)",
        )
    header = _Header(head[: end.end()], source)
    clock = clock_hz or header.clock_hz
    timeline = Timeline(*header.scale, clock)
    widths = {code: max(width for _, width in names) for code, names in header.ids.items()}
    says = [(code, [name for name, _ in names]) for code, names in header.ids.items()]
    body = Body(widths, timeline, source, codes_of(says, CLOCK) if clock and not clock_hz else None)
    body.read(stream, head[end.end() :])
    return _assemble(header, body, source)


class _Header:
    """What stands before $enddefinitions."""

    def __init__(self, data: bytes, source: str) -> None:
        self.comments: list[str] = []
        scale: tuple[int, int] | None = None  # a stamp is worth first / second picoseconds
        self.ids: dict[bytes, list[tuple[str, int]]] = {}
        scopes: list[str] = []
        for command, body in re.findall(r"\$(\w+)(.*?)\$end\b", data.decode("utf-8", "replace"), re.DOTALL):
            parts = body.split()
            if command in ("comment", "version"):
                self.comments.append(" ".join(parts))
            elif command == "timescale":
                scale = _timescale("".join(parts), source)
            elif command == "scope":
                scopes.append(parts[1] if len(parts) > 1 else "")
            elif command == "upscope" and scopes:
                scopes.pop()
            elif command == "var":
                self._variable(parts, scopes, source)
        if scale is None:
            raise UserError(f"{source} states no $timescale: its times mean nothing", "export it again, as VCD")
        if not self.ids:
            raise UserError(f"{source} defines no channel", "export it again, with at least the probe's channel")
        self.scale = scale

    @property
    def clock_hz(self) -> int | None:
        """The clock that an instrument states."""
        stated = re.search(r"\bclock_hz=(\d+)", " ".join(self.comments))
        return int(stated.group(1)) or None if stated else None

    @property
    def instrument(self) -> str:
        """The instrument that a comment names."""
        named = re.search(r"\binstrument=(.+?)(?=\s+\w+=|$)", " ".join(self.comments))
        return named.group(1).strip().replace("/", " ") if named else ""

    def _variable(self, parts: list[str], scopes: list[str], source: str) -> None:
        """`wire 1 ! probe_a`; a name may hold spaces, and end with the bits of a vector."""
        if len(parts) < 4 or not parts[1].isdigit():
            shown = printable(" ".join(parts)[:40])
            raise UserError(f"{source} is damaged: '$var {shown}' defines no channel")
        name = re.sub(r"\s*\[\d+(?::\d+)?\]$", "", " ".join(parts[3:]))
        name = name if len(scopes) <= 1 else ".".join([*scopes[1:], name])
        self.ids.setdefault(parts[2].encode(), []).append((name, int(parts[1])))


def _timescale(text: str, source: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)([munpf]?s)", text)
    if match is None or int(match.group(1)) == 0:
        raise UserError(
            f"{source}: its timescale '{printable(text[:40])}' is none", "a VCD file says how long a tick is, as 1 ps"
        )
    power = _UNITS[match.group(2)]
    return int(match.group(1)) * 10 ** max(power, 0), 10 ** max(-power, 0)


def _assemble(header: _Header, body: Body, source: str) -> Capture:
    channels: dict[str, Channel] = {}
    for code, signal in body.signals.items():
        times, values = signal.whole()
        for name, width in header.ids[code]:
            channels[name] = Channel(name, width, times, values)
    clocks = tuple((cycle, hz) for _, cycle, hz in body.timeline.changes)
    return Capture(
        source=source,
        channels=channels,
        clock_hz=clocks[-1][1] if clocks else None,
        instrument=header.instrument,
        end=int(body.timeline.ticks(np.array([body.now], dtype=np.int64))[0]),
        comments=header.comments,
        clocks=clocks,
    )


def text(capture: Capture) -> str:
    """A capture as a VCD file, for programs that read nothing else."""
    letters = [chr(number) for number in range(ord("!"), ord("~") + 1)]
    names = list(capture.channels)
    codes = {
        name: letters[place % 94] + (letters[place // 94] if place >= 94 else "") for place, name in enumerate(names)
    }
    clock = f"clock_hz={capture.clock_hz} " if capture.clock_hz else ""
    lines = [
        f"$comment {clock}of {printable(capture.source)} $end",
        "$timescale 1 ps $end",
        "$scope module capture $end",
    ]
    lines += [f"$var wire 1 {code} {name} $end" for name, code in codes.items()]
    lines += ["$upscope $end", "$enddefinitions $end"]
    changes = sorted(
        (time, codes[name], value)
        for name, channel in capture.channels.items()
        for time, value in zip(channel.times.tolist(), channel.values.tolist(), strict=True)
    )
    last = -1
    for time, code, value in changes:
        if time != last:
            lines.append(f"#{_stamp(time, capture.clock_hz)}")
            last = time
        lines.append(f"{'x' if value == UNKNOWN else value}{code}")
    if capture.end > last:
        lines.append(f"#{_stamp(capture.end, capture.clock_hz)}")
    return "\n".join(lines) + "\n"


def _stamp(time: int, clock_hz: int | None) -> int:
    return (2 * time * PICOSECONDS + clock_hz) // (2 * clock_hz) if clock_hz else time
