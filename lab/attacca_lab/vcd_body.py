"""The body of a VCD file, stamps and values, read in pieces of a few megabytes and taken apart by numpy.

A body is words: stamps (#125), scalars (1!), vectors and reals (b101 ", r1.5 ") whose identifier is the next word, and
a few that begin with a dollar. A piece ends where a word ends that needs no other; what is left of it comes before the
next one. Pieces with a $comment in them, which may hold any word, are rare and read word by word.

Stamps become ticks at once, so that no more is kept than a channel's changes. Where the clock changes in the middle of
a capture (an instrument says so on the channel `clock_hz`), cycles go on being counted by the new one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from attacca_lab.errors import UserError, printable

Ticks = npt.NDArray[np.int64]
Levels = npt.NDArray[np.signedinteger[Any]]
Places = npt.NDArray[np.intp]

PICOSECONDS = 10**12
UNKNOWN = -1  # the value of a channel that is x, z, or not yet stated
PIECE = 4 << 20
_LONGEST = 8  # bytes of an identifier that fit into a number
_SCALARS = np.full(256, -2, dtype=np.int8)
for _letters, _value in ((b"0", 0), (b"1", 1), (b"xXzZ", UNKNOWN)):
    _SCALARS[list(_letters)] = _value
_WITH_NAME = np.zeros(256, dtype=bool)
_WITH_NAME[list(b"bBrRsS")] = True


def to_cycles(picoseconds: Ticks, clock_hz: int) -> Ticks:
    """The cycle numbers of those times, exact (seconds and the rest apart, so that nothing overflows)."""
    seconds, rest = np.divmod(picoseconds, PICOSECONDS)
    return np.asarray(seconds * clock_hz + np.rint(rest * (clock_hz / PICOSECONDS)).astype(np.int64))


class Timeline:
    """From a file's stamps to ticks: cycles of a clock that may change, or picoseconds where there is none."""

    def __init__(self, multiply: int, divide: int, clock_hz: int | None) -> None:
        self.multiply, self.divide = multiply, divide
        self.changes: list[tuple[int, int, int]] = [(0, 0, clock_hz)] if clock_hz else []  # from ps, cycle, Hz

    def picoseconds(self, stamps: Ticks) -> Ticks:
        """What the timescale makes of them."""
        if self.divide == 1:
            return stamps * self.multiply
        return np.asarray((stamps + self.divide // 2) // self.divide)

    def change(self, stamp: int, clock_hz: int) -> None:
        """Another clock from that stamp on."""
        begin, cycle, before = self.changes[-1]
        if clock_hz == before:
            return
        now = int(self.picoseconds(np.array([stamp], dtype=np.int64))[0])
        cycle += int(to_cycles(np.array([now - begin], dtype=np.int64), before)[0])
        self.changes.append((now, cycle, clock_hz))

    def ticks(self, stamps: Ticks) -> Ticks:
        """Ticks of those stamps."""
        times = self.picoseconds(stamps)
        if not self.changes:
            return times
        if len(self.changes) == 1:
            return to_cycles(times, self.changes[0][2])
        result = np.empty_like(times)
        which = np.searchsorted([begin for begin, _, _ in self.changes], times, side="right") - 1
        for place in np.unique(which).tolist():
            begin, cycle, clock_hz = self.changes[place]
            mine = which == place
            result[mine] = cycle + to_cycles(times[mine] - begin, clock_hz)
        return result


@dataclass
class Signal:
    """What is known so far of the channels that share an identifier."""

    width: int
    times: list[Ticks] = field(default_factory=list)
    values: list[Levels] = field(default_factory=list)
    last: int | None = None

    @property
    def _kind(self) -> type[np.signedinteger[Any]]:
        return np.int8 if self.width == 1 else np.int64

    def add(self, times: Ticks, values: Levels) -> None:
        """Further changes; those to the value that was are left out."""
        if not len(values):
            return
        kept = np.empty(len(values), dtype=bool)
        kept[0] = self.last is None or int(values[0]) != self.last
        kept[1:] = values[1:] != values[:-1]
        self.last = int(values[-1])
        self.times.append(times[kept])
        self.values.append(values[kept].astype(self._kind))

    def whole(self) -> tuple[Ticks, Levels]:
        """All of them; the parts are given up."""
        times = np.concatenate(self.times) if self.times else np.empty(0, np.int64)
        self.times.clear()
        values = np.concatenate(self.values) if self.values else np.empty(0, self._kind)
        self.values.clear()
        return times, values


class Body:
    """Reads one body."""

    def __init__(self, widths: dict[bytes, int], timeline: Timeline, source: str, clock: bytes | None = None) -> None:
        self.signals = {code: Signal(width) for code, width in widths.items()}
        self.timeline = timeline
        self.source = source
        self.now = 0  # the last stamp
        self._clock = clock  # the identifier of the channel that says what the clock is
        self._short = {code: _number(code) for code in widths if len(code) <= _LONGEST}
        order = sorted(self._short, key=lambda code: self._short[code])
        self._codes = order
        self._numbers = np.array([self._short[code] for code in order], dtype=np.uint64)

    def read(self, stream: BinaryIO, begin: bytes = b"") -> None:
        """All of a stream, after what was read of it already."""
        left = begin
        while True:
            more = stream.read(PIECE)
            piece = left + more
            if not more:
                return self._end(piece)
            left = piece[self._piece(piece, False) :]

    def _end(self, piece: bytes) -> None:
        """The last piece. A file that was cut off may end in the midst of a word, which is left out then."""
        try:
            self._piece(piece, True)
        except UserError:
            cut = re.search(rb"\s(?:#\d*|[01xXzZ])\Z", piece)
            if cut is None:
                raise
            self._piece(piece[: cut.start()], True)

    def _piece(self, piece: bytes, last: bool) -> int:
        """Take in all of a piece but what needs more of the file; how many bytes that was."""
        if b"$comment" in piece or len(self._short) < len(self.signals):
            return self._words(piece, last)
        text = np.frombuffer(piece, dtype=np.uint8)
        inside = np.empty(len(text) + 2, dtype=np.int8)
        inside[0] = inside[-1] = 0
        np.greater(text, 32, out=inside[1:-1], casting="unsafe")
        steps = np.diff(inside)
        starts, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
        if len(starts) and not last and ends[-1] == len(text):  # the last word may go on
            starts, ends = starts[:-1], ends[:-1]
        if not len(starts):
            return len(piece) if last or not inside.any() else int(np.argmax(inside)) - 1
        first = text[starts]
        named = _alternate(_WITH_NAME[first])
        if named[-1]:  # its identifier is still to come
            starts, ends, first, named = starts[:-1], ends[:-1], first[:-1], named[:-1]
        if not self._take(piece, text, starts, ends, first, named):
            return self._words(piece, last)
        return int(ends[-1]) if len(ends) else 0

    def _take(
        self, piece: bytes, text: npt.NDArray[np.uint8], starts: Places, ends: Places,
        first: npt.NDArray[np.uint8], named: npt.NDArray[np.bool_],
    ) -> bool:  # fmt: skip
        """Take in words; False, and nothing done, where an identifier has values of both forms, mixed."""
        free = np.ones(len(starts), dtype=bool)  # no identifier of the word before
        free[1:] = ~named[:-1]
        stamp = free & (first == 0x23)
        level = _SCALARS[first]
        scalar = free & (level != -2)
        strange = np.flatnonzero(free & ~stamp & ~scalar & ~named & (first != 0x24))
        if len(strange):
            raise self._damaged(piece[starts[strange[0]] : ends[strange[0]]])
        stamps = self._stamps(piece, text, starts[stamp], ends[stamp])
        index = np.cumsum(stamp)  # which stamp holds: 0 is the one before this piece
        raw = np.concatenate((np.array([self.now], dtype=np.int64), stamps))
        vectors = self._vectors(piece, starts, ends, first, named)
        which = self._which(piece, text, starts[scalar], ends[scalar])
        counts = np.bincount(which, minlength=len(self._codes))
        with_scalars = {self._codes[place] for place in np.flatnonzero(counts).tolist()}
        if any(code in with_scalars for _, code, _ in vectors):
            return False
        for place, code, value in vectors:
            if code == self._clock and value > 0:
                self.timeline.change(int(raw[index[place]]), value)
        ticks = self.timeline.ticks(raw)
        self.now = int(raw[-1])
        self._scalars(which, counts, level[scalar], ticks[index[scalar]])
        of: dict[bytes, tuple[list[int], list[int]]] = {}
        for place, code, value in vectors:
            times, values = of.setdefault(code, ([], []))
            times.append(int(ticks[index[place]]))
            values.append(value)
        for code, (times, values) in of.items():
            self.signals[code].add(np.array(times, dtype=np.int64), np.array(values, dtype=np.int64))
        return True

    def _stamps(self, piece: bytes, text: npt.NDArray[np.uint8], starts: Places, ends: Places) -> Ticks:
        """The numbers behind the crosses."""
        values = np.zeros(len(starts), dtype=np.int64)
        if not len(starts):
            return values
        lengths = ends - starts
        most = int(lengths.max())
        wrong = (lengths < 2) | (lengths > 19)
        for place in range(1, min(most, 19)):
            here = lengths > place
            digits = text[np.where(here, starts + place, starts)].astype(np.int64) - 48
            wrong |= here & ((digits < 0) | (digits > 9))
            values = np.where(here, values * 10 + digits, values)
        if wrong.any():
            bad = int(np.argmax(wrong))
            raise self._damaged(piece[starts[bad] : ends[bad]])
        before = np.concatenate((np.array([self.now], dtype=np.int64), values[:-1]))
        if (values < before).any():
            raise self._back(int(values[np.argmax(values < before)]))
        return values

    def _which(self, piece: bytes, text: npt.NDArray[np.uint8], starts: Places, ends: Places) -> Places:
        """The channel of each scalar, as a place in the list of identifiers."""
        if not len(starts):
            return np.empty(0, dtype=np.intp)
        lengths = ends - starts - 1
        codes = np.zeros(len(starts), dtype=np.uint64)
        for place in range(min(int(lengths.max()), _LONGEST)):
            letters = np.where(lengths > place, text[np.minimum(starts + 1 + place, len(text) - 1)], 0)
            codes |= letters.astype(np.uint64) << np.uint64(8 * place)
        which = np.minimum(np.searchsorted(self._numbers, codes), len(self._numbers) - 1)
        wrong = (self._numbers[which] != codes) | (lengths > _LONGEST)
        if wrong.any():
            bad = int(np.argmax(wrong))
            raise self._damaged(piece[starts[bad] : ends[bad]])
        return which

    def _scalars(self, which: Places, counts: Places, levels: npt.NDArray[np.int8], times: Ticks) -> None:
        """Give each channel its changes."""
        narrow = which.astype(np.uint16) if len(self._codes) < 1 << 16 else which  # sorted by its digits
        order = np.argsort(narrow, kind="stable")
        stops = np.cumsum(counts)
        times, levels = times[order], levels[order]
        for place in np.flatnonzero(counts).tolist():
            mine = slice(int(stops[place] - counts[place]), int(stops[place]))
            self.signals[self._codes[place]].add(times[mine], levels[mine])

    def _vectors(
        self, piece: bytes, starts: Places, ends: Places, first: npt.NDArray[np.uint8], named: npt.NDArray[np.bool_]
    ) -> list[tuple[int, bytes, int]]:
        """Place, identifier and value; reals and strings mean nothing to an oscilloscope."""
        found = []
        for place in np.flatnonzero(named & ((first == 0x62) | (first == 0x42))).tolist():
            code = piece[starts[place + 1] : ends[place + 1]]
            word = piece[starts[place] : ends[place]]
            if code not in self.signals:
                raise self._damaged(code)
            found.append((place, code, self._value(word)))
        return found

    def _value(self, word: bytes) -> int:
        digits = word[1:]
        if not digits.isdigit():
            return UNKNOWN
        try:
            value = int(digits, 2)
        except ValueError:
            raise self._damaged(word) from None
        return value if value < 1 << 63 else UNKNOWN

    def _words(self, piece: bytes, last: bool) -> int:
        """The same word by word, for what is rare: comments, and identifiers that are long."""
        done = len(piece) if last else max(piece.rfind(b"\n"), piece.rfind(b" "), 0)
        words = piece[:done].split()
        place = 0
        while place < len(words):
            taken = self._word(words, place)
            if taken == 0:  # it goes on in the next piece
                return len(piece) if last else _length(piece, words[:place])
            place += taken
        return done

    def _word(self, words: Sequence[bytes], place: int) -> int:
        """Take one in; how many words it was, 0 if its end is not there."""
        word = words[place]
        letter = word[0]
        if letter == 0x23:
            stamp = int(word[1:]) if word[1:].isdigit() and len(word) <= 19 else -1
            if stamp < 0:
                raise self._damaged(word)
            if stamp < self.now:
                raise self._back(stamp)
            self.now = stamp
        elif _SCALARS[letter] != -2:
            self._one(word[1:], int(_SCALARS[letter]), word)
        elif _WITH_NAME[letter]:
            if place + 1 == len(words):
                return 0
            if letter in b"bB":
                self._one(words[place + 1], self._value(word), words[place + 1])
            return 2
        elif word == b"$comment":
            for count, other in enumerate(words[place:], 1):
                if other == b"$end":
                    return count
            return 0
        elif letter != 0x24:
            raise self._damaged(word)
        return 1

    def _one(self, code: bytes, value: int, word: bytes) -> None:
        if code not in self.signals:
            raise self._damaged(word)
        if code == self._clock and value > 0:
            self.timeline.change(self.now, value)
        times = self.timeline.ticks(np.array([self.now], dtype=np.int64))
        self.signals[code].add(times, np.array([value], dtype=np.int64))

    def _damaged(self, word: bytes) -> UserError:
        shown = printable(word[:40].decode("ascii", "replace"))
        return UserError(f"{self.source} is damaged: '{shown}' is neither a time nor a value")

    def _back(self, stamp: int) -> UserError:
        return UserError(f"{self.source} is damaged: its time runs back at #{stamp}")


def _length(piece: bytes, words: Sequence[bytes]) -> int:
    """How many bytes of a piece these words are, its first ones."""
    at = 0
    for word in words:
        at = piece.index(word, at) + len(word)
    return at


def _number(code: bytes) -> int:
    return int.from_bytes(code, "little")


def _alternate(candidates: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Of words in a row that look as if an identifier followed: the first, the third and so on; the others are one."""
    place = np.arange(len(candidates))
    begins = np.where(~candidates, place, -1)
    since = place - np.maximum.accumulate(begins)  # 1 for the first of a row
    return np.asarray(candidates & (since % 2 == 1))


def codes_of(names: Iterable[tuple[bytes, Sequence[str]]], wanted: str) -> bytes | None:
    """The identifier of a channel's name."""
    return next((code for code, known in names if wanted in known), None)
