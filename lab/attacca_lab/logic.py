"""Captures of logic analysers that are no VCD files: sigrok's sessions (.sr), CSV, and raw samples (.bin).

A session is a zip file: `metadata` says channels and rate, `logic-1-1`, `logic-1-2` and so on hold the samples, a bit a
channel. CSV is a row a sample, as sigrok writes it, or a row a change with its time, as sigrok does with dedup and
Saleae's Logic always. Raw samples are what sigrok-cli -O binary writes: as many bytes a sample as the channels need.

Samples are looked at in pieces; only their changes are kept. A sample's place becomes a time, and a cycle where the
clock is known: rounded to it, as an edge may be anywhere in its sampling period anyway.
"""

from __future__ import annotations

import configparser
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from attacca_lab.errors import USAGE, UserError, printable
from attacca_lab.vcd import Capture, Channel
from attacca_lab.vcd_body import PICOSECONDS, Signal, Ticks, to_cycles

PIECE = 8 << 20
MOST_CHANNELS = 64
_EXPORT = "export it again; PulseView and sigrok-cli write .sr, .vcd and .csv"


def hertz(text: str) -> int | None:
    """The rate that a file states: "24 MHz", "500kHz", "24000000"."""
    match = re.fullmatch(r"([\d.]+)\s*([kKMG]?)(?:Hz)?", text.strip())
    try:
        rate = float(match[1]) * {"": 1, "K": 1e3, "M": 1e6, "G": 1e9}[match[2].upper()] if match else 0
    except ValueError:
        return None
    return round(rate) or None


class Recorder:
    """Samples in, changes out."""

    def __init__(self, names: Sequence[str], clock_hz: int | None) -> None:
        self.names = _unique(names)
        self.signals = [Signal(1) for _ in self.names]
        self.clock_hz = clock_hz
        self.end = 0

    def ticks(self, picoseconds: Ticks) -> Ticks:
        """Picoseconds, or cycles."""
        return to_cycles(picoseconds, self.clock_hz) if self.clock_hz else picoseconds

    def add(self, picoseconds: Ticks, levels: Sequence[npt.NDArray[np.int8]]) -> None:
        """Levels of all channels at these times."""
        times = self.ticks(picoseconds)
        for signal, level in zip(self.signals, levels, strict=True):
            signal.add(times, level)

    def capture(self, source: str, last: int, sampling_ps: float | None) -> Capture:
        """What was seen up to that picosecond."""
        channels = {}
        for name, signal in zip(self.names, self.signals, strict=True):
            times, values = signal.whole()
            channels[name] = Channel(name, 1, times, values)
        clocks = ((0, self.clock_hz),) if self.clock_hz else ()
        end = int(self.ticks(np.array([last], dtype=np.int64))[0])
        return Capture(source, channels, self.clock_hz, "", end, [], clocks, sampling_ps)


def _unique(names: Sequence[str]) -> list[str]:
    result: list[str] = []
    for name in names:
        name = printable(name.strip()) or "channel"
        count = 2
        wanted = name
        while wanted in result:
            wanted, count = f"{name} {count}", count + 1
        result.append(wanted)
    return result


def _times(samples: Ticks, rate: int) -> Ticks:
    """Picoseconds of samples' numbers."""
    seconds, rest = np.divmod(samples, rate)
    return np.asarray(seconds * PICOSECONDS + np.rint(rest * (PICOSECONDS / rate)).astype(np.int64))


# Raw samples, alone and in a session.


def _pieces(streams: Iterable[IO[bytes]], size: int) -> Iterator[bytes]:
    """Whole samples of streams that follow each other."""
    left = b""
    for stream in streams:
        while more := stream.read(PIECE - PIECE % size):
            more = left + more
            cut = len(more) - len(more) % size
            left = more[cut:]
            yield more[:cut]


def _raw(
    streams: Iterable[IO[bytes]], bits: Sequence[int], names: Sequence[str], size: int, rate: int,
    source: str, clock_hz: int | None,
) -> Capture:  # fmt: skip
    """Samples of so many bytes each, of which these bits are channels."""
    recorder = Recorder(names, clock_hz)
    count = 0
    before: npt.NDArray[np.uint8] | None = None
    for piece in _pieces(streams, size):
        rows = np.frombuffer(piece, dtype=np.uint8).reshape(-1, size)
        if not len(rows):
            continue
        changed = np.ones(len(rows), dtype=bool)
        changed[1:] = (rows[1:] != rows[:-1]).any(axis=1) if size > 1 else rows[1:, 0] != rows[:-1, 0]
        if before is not None:
            changed[0] = bool((rows[0] != before).any())
        before = rows[-1].copy()
        places = np.flatnonzero(changed)
        kept = rows[places]
        levels = [(kept[:, bit // 8] >> (bit % 8) & 1).astype(np.int8) for bit in bits]
        recorder.add(_times(places.astype(np.int64) + count, rate), levels)
        count += len(rows)
    if not count:
        raise UserError(f"{source} holds no sample")
    return recorder.capture(source, int(_times(np.array([count - 1]), rate)[0]), PICOSECONDS / rate)


def read_bin(path: Path, clock_hz: int | None, rate: int | None, channels: int | None) -> Capture:
    """Raw samples: channel D0 is the lowest bit of the first byte. sigrok-cli may write a line with the rate before."""
    with path.open("rb") as stream:
        said = re.match(rb"META samplerate: (\d{1,12})\n", stream.read(40))
        stream.seek(said.end() if said else 0)
        rate = rate or (int(said[1]) if said else None)
        if not rate or channels is None:
            raise UserError(
                f"{path} is taken for raw samples: it does not say how many channels it has, nor their rate",
                "--channels 8 --samplerate 24MHz; a firmware must be an ELF or Intel hex file",
                USAGE,
            )
        size = (channels + 7) // 8
        length = path.stat().st_size - (said.end() if said else 0)
        if length % size:
            raise UserError(f"{path} is no file of {channels} channels: {length:,} bytes of {size} a sample")
        names = [f"D{number}" for number in range(channels)]
        return _raw([stream], range(channels), names, size, rate, str(path), clock_hz)


def read_sr(path: Path, clock_hz: int | None, rate: int | None) -> Capture:
    """A session of sigrok's."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _session(archive, path, clock_hz, rate)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise UserError(f"{path} is a damaged session: {printable(str(error))}", _EXPORT) from None
    except Exception as error:
        if type(error).__module__ == "zlib":
            raise UserError(f"{path} is a damaged session: {error}", _EXPORT) from None
        raise


def _session(archive: zipfile.ZipFile, path: Path, clock_hz: int | None, rate: int | None) -> Capture:
    names = archive.namelist()
    if "metadata" not in names:
        raise UserError(f"{path} is no session of sigrok's: it has no metadata", _EXPORT)
    facts = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        facts.read_string(archive.read("metadata").decode("utf-8", "replace"))
    except configparser.Error:
        raise UserError(f"{path} is a damaged session: its metadata cannot be read", _EXPORT) from None
    device = next((facts[name] for name in facts.sections() if name.startswith("device") and
                   "capturefile" in facts[name]), None)  # fmt: skip
    if device is None:
        raise UserError(f"{path} has no logic channel", "capture with at least one")
    probes = {int(key[5:]): name for key, name in device.items() if re.fullmatch(r"probe\d+", key)}
    size = int(device["unitsize"]) if device.get("unitsize", "").isdigit() else 0
    if not probes or not 0 < size <= MOST_CHANNELS // 8 or not all(0 < number <= 8 * size for number in probes):
        raise UserError(f"{path} is a damaged session: its metadata names no channels that its samples hold", _EXPORT)
    rate = hertz(device.get("samplerate", "")) or rate
    if rate is None:
        raise UserError(f"{path} does not say its rate", "--samplerate 24MHz says it", USAGE)
    whole = device["capturefile"]
    parts = sorted((name for name in names if re.fullmatch(re.escape(whole) + r"-\d+", name)),
                   key=lambda name: int(name.rpartition("-")[2])) or [whole]  # fmt: skip
    if any(part not in names for part in parts):
        raise UserError(f"{path} is a damaged session: it has no {printable(whole)}", _EXPORT)
    bits = [number - 1 for number in sorted(probes)]
    return _raw((archive.open(part) for part in parts), bits, [probes[number] for number in sorted(probes)],
                size, rate, str(path), clock_hz)  # fmt: skip


# CSV.

_UNITS = {"s": 1.0, "seconds": 1.0, "ms": 1e-3, "milliseconds": 1e-3, "us": 1e-6, "µs": 1e-6, "microseconds": 1e-6,
          "ns": 1e-9, "nanoseconds": 1e-9, "ps": 1e-12, "picoseconds": 1e-12}  # fmt: skip
_ROWS = 1 << 17


class _Head:
    """What stands before the rows."""

    def __init__(self, stream: IO[str], path: Path, rate: int | None) -> None:
        self.names: list[str] = []
        self.rate = rate
        self.sigrok = False
        line = ""
        for line in stream:
            if line[0] not in ";#" and not line.startswith("META "):
                break
            if "libsigrok" in line:
                self.sigrok = True
            if found := re.match(r"[;#]\s*Channels\s*\([^)]*\)\s*:(.*)", line):
                self.names = [name.strip() for name in found[1].split(",")]
            if found := re.match(r"(?:[;#]|META)\s*samplerate\s*:(.*)", line, re.IGNORECASE):
                self.rate = hertz(found[1]) or rate
        cells = [cell.strip().strip('"') for cell in line.rstrip("\r\n").split(",")]
        if cells == [""]:
            raise UserError(f"{path} has no rows", "a CSV file of a logic analyser is wanted")
        self.first = line if all(_is_number(cell) for cell in cells) else ""
        labels = [] if self.first else cells
        self.unit = _unit(labels[0]) if labels else None
        # sigrok counts no time where its rate comes after the head: its column is 0 throughout
        self.idle = labels[:1] == ["samples"]
        self.timed = self.unit is not None or self.idle or len(cells) == len(self.names) + 1 != 1
        self.columns = len(cells) - self.timed
        if not labels and not self.names and not self.timed and not set(cells) <= {"0", "1"}:
            raise UserError(f"{path}: its first line names no column", "a header line is wanted, as Time [s],D0,D1")
        if not self.names or len(self.names) != self.columns:
            self.names = labels[self.timed :] or [f"D{number}" for number in range(self.columns)]
        if self.columns < 1 or self.columns > MOST_CHANNELS:
            raise UserError(f"{path} has {self.columns} columns of channels: 1 to {MOST_CHANNELS} are wanted")


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?", cell) is not None


def _unit(label: str) -> float | None:
    """Seconds that a unit of a time's column has; None: it is no time."""
    name = label.strip().lower()
    if name in _UNITS and name != "s":
        return _UNITS[name]
    found = re.fullmatch(r"(?:time|timestamp)\s*(?:[\[(]\s*(\w+)\s*[\])])?", name)
    if not found:
        return None
    return _UNITS.get(found[1] or "s")


def read_csv(path: Path, clock_hz: int | None, rate: int | None) -> Capture:
    """CSV as sigrok and Saleae's Logic write it."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as stream:
        head = _Head(stream, path, rate)
        recorder = Recorder(head.names, clock_hz)
        if not head.timed and head.rate is None:
            raise UserError(f"{path} says neither the times of its rows nor their rate", "--samplerate 24MHz", USAGE)
        clock = _Clock(head)
        last, number = 0, 0
        for rows in _blocks(stream, head.first):
            times, levels = _cells(rows, head, path, number)
            stamps = clock.picoseconds(times, number, len(rows), path)
            if (len(stamps) > 1 and (np.diff(stamps) < 0).any()) or stamps[0] < last:
                raise UserError(f"{path} is damaged: its time runs back")
            recorder.add(stamps, levels)
            last = int(stamps[-1])
            number += len(rows)
    if not number:
        raise UserError(f"{path} has no rows", "a CSV file of a logic analyser is wanted")
    if number > 1 and not last:
        raise UserError(f"{path}: all of its rows have the same time", "export it again, without dedup")
    return recorder.capture(str(path), last, PICOSECONDS / head.rate if head.rate else None)


def _blocks(stream: IO[str], first: str) -> Iterator[list[str]]:
    rows = [first] if first else []
    for line in stream:
        if line.strip():
            rows.append(line)
        if len(rows) >= _ROWS:
            yield rows
            rows = []
    if rows:
        yield rows


def _cells(
    rows: list[str], head: _Head, path: Path, before: int
) -> tuple[npt.NDArray[np.float64] | None, list[npt.NDArray[np.int8]]]:
    """Times as they stand there, and levels."""
    try:
        table = np.loadtxt(io.StringIO("".join(rows)), delimiter=",", dtype=np.float64, ndmin=2, comments=None)
    except ValueError:
        table = np.empty((0, 0))
    if table.shape[0] != len(rows) or table.shape[1] != head.columns + head.timed:
        raise _bad_row(rows, head, path, before)
    values = table[:, head.timed :]
    if not ((values == 0) | (values == 1)).all():
        raise _bad_row(rows, head, path, before)
    return (table[:, 0] if head.timed else None), [column.astype(np.int8) for column in values.T]


def _bad_row(rows: list[str], head: _Head, path: Path, before: int) -> UserError:
    for place, line in enumerate(rows, before + 1):
        cells = [cell.strip() for cell in line.rstrip("\r\n").split(",")]
        wanted = head.columns + head.timed
        if len(cells) != wanted:
            return UserError(f"{path}: row {place:,} has {len(cells)} cells instead of {wanted}", _EXPORT)
        for name, cell in zip(["time"] * head.timed + head.names, cells, strict=True):
            if name == "time" and head.timed and cell is cells[0]:
                if not _is_number(cell):
                    return UserError(f"{path}: row {place:,} begins with '{printable(cell[:40])}', which is no time")
            elif not _is_number(cell) or float(cell) not in (0, 1):
                return UserError(
                    f"{path}: row {place:,} has '{printable(cell[:40])}' for {name}, which is neither 0 nor 1",
                    "export the digital channels alone",
                )
    return UserError(f"{path} cannot be read as CSV", _EXPORT)


class _Clock:
    """Picoseconds of rows: by their number, or by their times."""

    def __init__(self, head: _Head) -> None:
        self.head = head
        self.zero: float | None = None

    def picoseconds(self, times: npt.NDArray[np.float64] | None, number: int, count: int, path: Path) -> Ticks:
        if times is None or (self.head.idle and self.head.rate and not times.any()):
            assert self.head.rate
            return _times(np.arange(number, number + count, dtype=np.int64), self.head.rate)
        if not np.isfinite(times).all():
            raise UserError(f"{path} is damaged: a time is no number")
        if self.zero is None:
            self.zero = float(times[0])
        if self.head.sigrok and self.head.rate:
            # its times are a sum of periods that were cut to whole units: the sample's number is exact
            period = self._period(times, self.head.rate)
            return _times(np.rint((times - self.zero) / period).astype(np.int64), self.head.rate)
        seconds = (times - self.zero) * (self.head.unit or 1.0)
        if seconds.max() > 1e6:
            raise UserError(f"{path}: its times are not seconds", "name the column's unit, as Time [ns]")
        return np.asarray(np.rint(seconds * PICOSECONDS).astype(np.int64))

    def _period(self, times: npt.NDArray[np.float64], rate: int) -> int:
        """A sample's length in the column's unit, whose name only some of sigrok's headers have."""
        if self.head.unit is not None and self.head.unit < 1:
            return max(int(round(1 / self.head.unit) // rate), 1)
        units = [unit for unit in (10**3, 10**6, 10**9, 10**12) if unit // rate]
        return next((unit // rate for unit in units if unit >= 1000 * rate or not (times % (unit // rate)).any()), 1)
