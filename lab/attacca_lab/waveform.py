"""The stretch of a capture that a picture shows: one sample, with what happened around it.

Between B and C a program may do much that is not measured: a long gap is cut out of the picture, and marked.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from attacca_lab.pulses import Samples
from attacca_lab.rounding import fixed
from attacca_lab.stats import microseconds, number
from attacca_lab.vcd import UNKNOWN, Capture, Channel

SHOWN = ("irq", "masked")
TITLES = {"irq": "in handler", "masked": "irqs masked"}


@dataclass(frozen=True)
class Trace:
    """One channel within the picture: its level from each time on, the first time being the picture's start."""

    name: str
    title: str
    steps: list[tuple[int, int]]
    band: bool = False  # drawn as a filled state, not as a signal


@dataclass(frozen=True)
class Cursor:
    """A measured distance between two marks."""

    start: int
    stop: int
    name: str
    text: str


@dataclass(frozen=True)
class Waveform:
    """What is drawn. Times are ticks; `zero` is where the axis begins to count."""

    traces: list[Trace]
    parts: list[tuple[int, int]]  # what is shown; a cut lies between two parts
    marks: list[tuple[str, int]]
    cursors: list[Cursor]
    zero: int
    clock_hz: int | None
    caption: str = ""
    edges: list[int] = field(default_factory=list)
    has_time: bool = True  # cycles are µs too
    counted: bool = False  # ticks are instructions

    @property
    def unit(self) -> str:
        """What the axis counts in."""
        return "instructions" if self.counted else "cycles" if self.clock_hz else "µs"

    @property
    def ticks(self) -> int:
        """Ticks shown, cuts apart."""
        return sum(stop - start for start, stop in self.parts)

    def length(self, ticks: float) -> str:
        """A duration for people: `119 cycles · 7.438 µs`, or µs alone without a clock."""
        if self.clock_hz:
            text = f"{number(ticks)} cycle{'' if ticks == 1 else 's'}"
            return f"{text} · {microseconds(ticks, self.clock_hz)} µs" if self.has_time else text
        if self.counted:
            return f"{number(ticks)} instruction{'' if ticks == 1 else 's'}"
        return f"{fixed(ticks / 1e6, 3)} µs"


def waveform(
    capture: Capture,
    samples: Samples,
    index: int | None = None,
    *,
    pin: str = "",
    channels: tuple[str, ...] = SHOWN,
    titles: dict[str, str] | None = None,
    has_time: bool = True,
) -> Waveform:
    """The picture of one sample; of a typical one (the median, undisturbed) when no index is given."""
    chosen = samples.typical() if index is None else index
    c, d = int(samples.c[chosen]), int(samples.d[chosen])
    marks: list[tuple[str, int]] = []
    first = c
    if len(samples.a):
        a, b = int(samples.a[chosen]), int(samples.b[chosen])
        marks = [("A", a), ("B", b)]
        first = a
    marks += [("C", c), ("D", d)]
    margin = max((d - c) // 8, 6 if capture.clock_hz else 10**5)
    if len(samples.a) and c - b > 2 * margin + (d - c) // 2:
        margin = max(margin, (b - a) // 2)
        parts = [(a - margin, b + margin // 2), (c - margin // 2, d + margin)]
    else:
        parts = [(first - margin, d + margin)]
    parts[0] = (max(parts[0][0], 0), parts[0][1])
    names = {**TITLES, **(titles or {})}
    shown = [samples.channel, *channels]
    if samples.source_channel:
        shown.insert(0, samples.source_channel)
    traces = [
        _trace(capture.channels[name], parts, names.get(name, pin if name == samples.channel and pin else name), name)
        for name in dict.fromkeys(shown)
        if name in capture.channels
    ]
    return Waveform(
        traces, parts, marks, _cursors(capture, samples, chosen), zero=c, clock_hz=capture.clock_hz,
        caption=_caption(samples, chosen, index is None, has_time), has_time=has_time,
        counted=capture.counted,
    )  # fmt: skip


def _trace(channel: Channel, parts: list[tuple[int, int]], title: str, name: str) -> Trace:
    start, stop = parts[0][0], parts[-1][1]
    low = int(np.searchsorted(channel.times, start, side="right"))
    high = int(np.searchsorted(channel.times, stop, side="right"))
    level = channel.at(start)
    steps = [(start, max(level, 0) if level != UNKNOWN else 0)]
    steps += [(int(t), int(max(v, 0))) for t, v in zip(channel.times[low:high], channel.values[low:high], strict=True)]
    return Trace(name, title, steps, band=name in SHOWN)


def _cursors(capture: Capture, samples: Samples, index: int) -> list[Cursor]:
    c, d = int(samples.c[index]), int(samples.d[index])
    cycles = bool(capture.clock_hz) or capture.counted

    def text(ticks: int) -> str:
        return number(ticks) if cycles else f"{fixed(ticks / 1e6, 3)} µs"

    cursors = [Cursor(c, d, "tCD", text(d - c))]
    if len(samples.a):
        a, b = int(samples.a[index]), int(samples.b[index])
        cursors.insert(0, Cursor(a, b, "tAB", text(b - a)))
    return cursors


def _caption(samples: Samples, index: int, typical: bool, has_time: bool) -> str:
    value = samples.values[index]
    if samples.unit == "cycles":
        figure = f"{number(float(value))} cycles"
        if samples.clock_hz and has_time:
            figure += f" = {microseconds(float(value), samples.clock_hz)} µs"
    elif samples.unit == "instructions":
        figure = f"{number(float(value))} instructions"
    else:
        figure = f"{fixed(float(value), 3)} µs"
    near = typical and len(samples) > 1 and value == float(np.median(samples.values))
    kind = "the median" if near else "nearest to the median" if typical else "sample"
    which = f"{kind}, number {index + 1:,} of {len(samples):,}"
    rule = {
        "pairs": "tCS = tCD - tAB",
        "pulses": "tCD",
        "low": "tCD",
        "toggles": f"tCD / {samples.per}" if samples.per != 1 else "tCD",
        "delay": "tCD",
    }[samples.method]
    own = samples.overhead or 0.0
    if samples.method in ("pulses", "delay") and own:
        rule = f"tCD - {number(own)}"
    if samples.method == "toggles" and own:
        rule = f"(tCD - {number(own * samples.per)}) / {samples.per}"
    return f"{rule} = {figure}; {which}"
