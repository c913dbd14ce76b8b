"""Captures: a VCD file, from an instrument or from a real logic analyser, as arrays of (time, value) a channel.

Read here and not with pyvcd, which the tests compare it with: a body is nothing but stamps and values, and a loop
over its words is twelve times as fast (360,000 edges in 0.2 s instead of 2.3 s); and pyvcd refuses channel names with
spaces, which logic analysers write.

Times are whole ticks. A capture whose clock is known (the instruments state it in a comment, `--clock` states it for
a real capture) counts in processor cycles, exactly: a stamp is round(cycle * 1e12 / clock) picoseconds, so that
round(ps * clock / 1e12) is the cycle again for every clock below 500 GHz. Without a clock a tick is a picosecond.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from attacca_lab.errors import UserError

Ticks = npt.NDArray[np.int64]

PICOSECONDS = 10**12
UNKNOWN = -1  # the value of a channel that is x, z, or not yet stated
_UNITS = {"s": 12, "ms": 9, "us": 6, "ns": 3, "ps": 0, "fs": -3}


@dataclass(frozen=True)
class Channel:
    """One signal: its value changes to `values[i]` at `times[i]`; changes to the same value are left out."""

    name: str
    width: int
    times: Ticks
    values: Ticks

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
    """Everything that a VCD file says."""

    source: str
    channels: dict[str, Channel]
    clock_hz: int | None
    instrument: str = ""
    end: int = 0  # the last stamp of the file, in ticks
    comments: list[str] = field(default_factory=list)

    @property
    def unit(self) -> str:
        """What results of this capture are given in."""
        return "cycles" if self.clock_hz else "us"

    @property
    def ticks_per_unit(self) -> int:
        """How many ticks a cycle, or a microsecond, has."""
        return 1 if self.clock_hz else 10**6

    def channel(self, name: str, hint: str | None = None) -> Channel:
        """The channel of that name; a UserError that lists them when there is none."""
        if name not in self.channels:
            have = ", ".join(list(self.channels)[:12]) or "none"
            raise UserError(f"{self.source} has no channel {name}; it has: {have}", hint)
        return self.channels[name]


def to_cycles(picoseconds: Ticks, clock_hz: int) -> Ticks:
    """The cycle numbers of those times, exact (seconds and the rest apart, so that nothing overflows)."""
    seconds, rest = np.divmod(picoseconds, PICOSECONDS)
    return np.asarray(seconds * clock_hz + np.rint(rest * (clock_hz / PICOSECONDS)).astype(np.int64))


def to_picoseconds(cycles: Ticks, clock_hz: int) -> Ticks:
    """The stamps an instrument writes for those cycles: the contract's rounding, for tests and synthetic captures."""
    exact = [(2 * int(cycle) * PICOSECONDS + clock_hz) // (2 * clock_hz) for cycle in np.atleast_1d(cycles)]
    return np.array(exact, dtype=np.int64)


def read(path: Path, clock_hz: int | None = None) -> Capture:
    """Read a VCD file; `clock_hz` overrides the clock that the file states."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    return parse(data, str(path), clock_hz)


def parse(data: bytes, source: str, clock_hz: int | None = None) -> Capture:
    """The same for the bytes of a file; `source` names it in messages."""
    end = re.search(rb"\$enddefinitions\b[^$]*\$end", data)
    if end is None:
        raise UserError(
            f"{source} is not a VCD file: it has no $enddefinitions",
            "save the capture as VCD (sigrok-cli: -O vcd; PulseView: Export value change dump)",
        )
    header = _Header(data[: end.end()], source)
    words = data[end.end() :].split()
    per_id, last = _body(words, header.ids, source)
    return _assemble(header, per_id, last, source, clock_hz)


class _Header:
    """What stands before $enddefinitions."""

    def __init__(self, data: bytes, source: str) -> None:
        self.comments: list[str] = []
        self.picoseconds: tuple[int, int] | None = None  # a stamp is worth first / second picoseconds
        self.ids: dict[bytes, list[tuple[str, int]]] = {}
        scopes: list[str] = []
        for command, body in re.findall(r"\$(\w+)(.*?)\$end\b", data.decode("utf-8", "replace"), re.DOTALL):
            parts = body.split()
            if command in ("comment", "version"):
                self.comments.append(" ".join(parts))
            elif command == "timescale":
                self.picoseconds = _timescale("".join(parts), source)
            elif command == "scope":
                scopes.append(parts[1] if len(parts) > 1 else "")
            elif command == "upscope" and scopes:
                scopes.pop()
            elif command == "var":
                self._variable(parts, scopes, source)
        if self.picoseconds is None:
            raise UserError(f"{source} states no $timescale: its times mean nothing", "export it again, as VCD")
        if not self.ids:
            raise UserError(f"{source} defines no channel", "export it again, with at least the probe's channel")

    def _variable(self, parts: list[str], scopes: list[str], source: str) -> None:
        """`wire 1 ! probe_a`; a name may hold spaces, and end with the bits of a vector."""
        if len(parts) < 4 or not parts[1].isdigit():
            raise UserError(f"{source} is damaged: '$var {' '.join(parts)}' defines no channel")
        name = re.sub(r"\s*\[\d+(?::\d+)?\]$", "", " ".join(parts[3:]))
        name = name if len(scopes) <= 1 else ".".join([*scopes[1:], name])
        self.ids.setdefault(parts[2].encode(), []).append((name, int(parts[1])))


def _timescale(text: str, source: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)([munpf]?s)", text)
    if match is None or int(match.group(1)) == 0:
        raise UserError(f"{source}: its timescale '{text}' is none", "a VCD file says how long a tick is, as 1 ps")
    power = _UNITS[match.group(2)]
    return int(match.group(1)) * 10 ** max(power, 0), 10 ** max(-power, 0)


def _body(
    words: list[bytes], ids: dict[bytes, list[tuple[str, int]]], source: str
) -> tuple[dict[bytes, tuple[list[int], list[int]]], int]:
    """Stamps and values by identifier. One pass; the commonest words first."""
    lists: dict[bytes, tuple[list[int], list[int]]] = {code: ([], []) for code in ids}
    scalars: dict[bytes, tuple[list[int], list[int], int]] = {}
    for code, (times, values) in lists.items():
        for digit, value in ((b"0", 0), (b"1", 1), (b"x", -1), (b"X", -1), (b"z", -1), (b"Z", -1)):
            scalars[digit + code] = (times, values, value)
    now = 0
    stream = iter(words)
    try:
        for word in stream:
            if word in scalars:
                times, values, value = scalars[word]
                times.append(now)
                values.append(value)
            elif word[0] == 0x23:  # '#'
                stamp = int(word[1:])
                if stamp < now:
                    raise UserError(f"{source} is damaged: its time runs back at #{stamp}")
                now = stamp
            elif word[0] in b"bB":
                times, values = lists[next(stream)]
                times.append(now)
                values.append(int(word[1:], 2) if word[1:].isdigit() else UNKNOWN)
            elif word[0] in b"rRsS":
                next(stream)  # reals and strings mean nothing to an oscilloscope
            elif word == b"$comment":
                while next(stream) != b"$end":
                    pass
            elif word[0] != 0x24:  # $dumpvars, $dumpall, $end …
                raise ValueError(word)
    except (ValueError, KeyError) as error:
        what = error.args[0] if error.args else ""
        shown = what.decode("ascii", "replace") if isinstance(what, bytes) else str(what)
        raise UserError(f"{source} is damaged: '{shown[:40]}' is neither a time nor a value") from None
    except StopIteration:
        pass  # cut off in the middle of a word: what came before is good
    return lists, now


def _assemble(
    header: _Header,
    per_id: dict[bytes, tuple[list[int], list[int]]],
    last: int,
    source: str,
    clock_hz: int | None,
) -> Capture:
    assert header.picoseconds is not None
    multiply, divide = header.picoseconds
    stated = re.search(r"\bclock_hz=(\d+)", " ".join(header.comments))
    clock = clock_hz or (int(stated.group(1)) if stated else None)
    named = re.search(r"\binstrument=(.+?)(?=\s+\w+=|$)", " ".join(header.comments))

    def ticks(stamps: list[int]) -> Ticks:
        raw = np.array(stamps, dtype=np.int64)
        ps = raw * multiply if divide == 1 else np.asarray((raw + divide // 2) // divide)
        return to_cycles(ps, clock) if clock else ps

    channels: dict[str, Channel] = {}
    for code, (stamps, numbers) in per_id.items():
        times, values = ticks(stamps), np.array(numbers, dtype=np.int64)
        changed = np.ones(len(values), dtype=bool)
        changed[1:] = values[1:] != values[:-1]
        for name, width in header.ids[code]:
            channels[name] = Channel(name, width, times[changed], values[changed])
    return Capture(
        source=source,
        channels=channels,
        clock_hz=clock,
        instrument=named.group(1).strip().replace("/", " ") if named else "",
        end=int(ticks([last])[0]),
        comments=header.comments,
    )
