"""The method of measurement: from edges to samples.

Pairs, the oscilloscope's method: pulse A-B is a set and a clear with nothing between them and shows what the pin's
own instructions cost; pulse C-D spans the operation; a sample is tCD - tAB. Pulses are told apart by their width, not
by counting, so that a capture may begin anywhere (in the middle of a pulse too) and a lost pulse costs one sample
and not all that follow. An interrupt inside A-B would make the operation look shorter: where A-B is more than twice
its median, the median is subtracted instead, and the report says how often.

Also plain pulses (C-D alone), toggles (a loop that turns the pin every so many rounds) and delays (an edge on one
channel to the next edge on another). A sample is disturbed when a handler other than the expected ones began
between C and D; without an irq channel that is unknown, and said so. Disturbed samples are counted, never removed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from attacca_lab.errors import UserError
from attacca_lab.vcd import Capture, Channel, Ticks

Values = npt.NDArray[np.float64]
Window = tuple[int, int]

_FEWEST_PAIRS = 3  # below this many, alternating widths are not taken for the method unless the caller says so


@dataclass(frozen=True)
class Samples:
    """One sample an operation: `values[i]` (in `unit`) between `c[i]` and `d[i]` (in ticks)."""

    method: str  # "pairs", "pulses", "low", "toggles" or "delay"
    channel: str
    unit: str  # "cycles" or "us"
    clock_hz: int | None
    values: Values
    c: Ticks
    d: Ticks
    a: Ticks = field(default_factory=lambda: np.empty(0, np.int64))  # pairs only, like b
    b: Ticks = field(default_factory=lambda: np.empty(0, np.int64))
    disturbed: npt.NDArray[np.bool_] | None = None  # None: the capture has no irq channel
    overhead: float | None = None  # the median of what was subtracted, in `unit`
    overhead_hit: int = 0  # pairs whose A-B was interrupted
    lost: int = 0  # pulses, or edges, that belong to no sample
    per: int = 1  # toggles: operations between two edges, times what the caller divides by
    source_channel: str = ""  # delay: the channel of C

    def __len__(self) -> int:
        return len(self.values)

    @property
    def disturbed_count(self) -> int | None:
        """How many samples were disturbed; None where that is unknown."""
        return None if self.disturbed is None else int(np.count_nonzero(self.disturbed))

    def typical(self) -> int:
        """The index of a sample to show: as near the median as there is one, rather undisturbed, in the middle."""
        distance = np.abs(self.values - float(np.median(self.values)))
        best = np.flatnonzero(distance == distance.min())
        if self.disturbed is not None and not self.disturbed[best].all():
            best = best[~self.disturbed[best]]
        return int(best[len(best) // 2])


def measure(
    capture: Capture,
    probe: str = "probe_a",
    *,
    method: str = "auto",
    pin: str = "",
    expected_irqs: int = 0,
    overhead: float | None = None,
    window: Window | None = None,
) -> Samples:
    """Samples of the pulses on a channel. `method` is "pairs", "pulses", "low", or "auto", which looks.

    "low" is of pulses from a falling to a rising edge. "auto" decides between pairs and pulses.

    `pin` is what people call the channel (D13). `overhead` (in the capture's unit) is subtracted from plain pulses.
    `expected_irqs` is how many handlers belong to the operation. `window` keeps only pulses within those ticks.
    """
    channel = capture.channel(probe)
    rises, falls = _pulses(channel, window, low=method == "low")
    if not len(rises):
        raise no_pulses(capture, channel, pin, window)
    widths = falls - rises
    if method == "auto":
        method = "pairs" if _alternates(widths) else "pulses"
    unit = capture.ticks_per_unit
    if method in ("pulses", "low"):
        subtracted = overhead or 0.0
        return _finish(
            capture,
            Samples(method, probe, capture.unit, capture.clock_hz, widths / unit - subtracted, rises, falls,
                    overhead=overhead),
            expected_irqs,
        )  # fmt: skip
    ab, cd, lost = _pair(widths)
    if not len(cd):
        raise UserError(
            f"no pair of pulses on {_called(probe, pin)}: {len(rises)} pulse{'s' * (len(rises) > 1)}, "
            "but never a short one (A-B) before a long one (C-D)",
            "set and clear the pin once with nothing between, then set it, run the operation, clear it",
        )
    own = widths[ab].astype(np.float64)
    middle = float(np.median(own))
    hit = own > 2 * middle
    own[hit] = middle
    samples = Samples(
        "pairs", probe, capture.unit, capture.clock_hz, (widths[cd] - own) / unit,
        c=rises[cd], d=falls[cd], a=rises[ab], b=falls[ab],
        overhead=middle / unit, overhead_hit=int(np.count_nonzero(hit)), lost=lost,
    )  # fmt: skip
    return _finish(capture, samples, expected_irqs)


def toggles(
    capture: Capture,
    probe: str = "probe_a",
    *,
    per: int = 1,
    overhead: float = 0.0,
    edge: str = "any",
    pin: str = "",
    expected_irqs: int = 0,
    window: Window | None = None,
) -> Samples:
    """A loop that turns the pin: (time between two edges - overhead) / per.

    signal-wait-loop turns it every 100 rounds of two switches each: per=200 gives half a round. With `edge` "rise" it
    is a loop that makes a short pulse each time, whose own cost is the overhead.
    """
    channel = capture.channel(probe)
    edges = _within(channel.edges(edge), window)
    if len(edges) < 2:
        raise no_pulses(capture, channel, pin, window)
    values = (np.diff(edges) / capture.ticks_per_unit - overhead) / per
    samples = Samples(
        "toggles", probe, capture.unit, capture.clock_hz, values, edges[:-1], edges[1:],
        overhead=overhead / per if overhead else None, per=per,
    )  # fmt: skip
    return _finish(capture, samples, expected_irqs)


def delay(
    capture: Capture,
    cause: str,
    effect: str = "probe_a",
    *,
    cause_edge: str = "any",
    effect_edge: str = "any",
    pin: str = "",
    expected_irqs: int = 1,
    window: Window | None = None,
) -> Samples:
    """From each edge on one channel to the first edge on another before the next one; edges are rise, fall or any."""
    source, target = capture.channel(cause), capture.channel(effect)
    starts, answers = _within(source.edges(cause_edge), window), target.edges(effect_edge)
    if not len(starts):
        raise UserError(f"no edge on {cause}: nothing caused anything", "does the stimulus drive that pin?")
    limits = np.append(starts[1:], np.iinfo(np.int64).max)
    index = np.searchsorted(answers, starts, side="left")
    found = index < len(answers)
    found[found] = answers[index[found]] < limits[found]
    if not found.any():
        raise no_pulses(capture, target, pin, window)
    c, d = starts[found], answers[index[found]]
    samples = Samples(
        "delay", effect, capture.unit, capture.clock_hz, (d - c) / capture.ticks_per_unit, c, d,
        lost=int(np.count_nonzero(~found)), source_channel=cause,
    )  # fmt: skip
    return _finish(capture, samples, expected_irqs)


def marker_windows(capture: Capture, marker: str = "marker") -> list[tuple[int, int, int]]:
    """(value, from, to) for every stretch of the run that the firmware marked with a number."""
    channel = capture.channel(marker)
    ends = [*channel.times[1:].tolist(), capture.end + 1]
    return [
        (int(value), int(start), int(stop))
        for value, start, stop in zip(channel.values, channel.times, ends, strict=True)
        if value > 0
    ]


def no_pulses(capture: Capture, channel: Channel, pin: str = "", window: Window | None = None) -> UserError:
    """The error for a channel on which nothing happens: what it does instead, and what to look at."""
    start, stop = window or (0, capture.end)
    last = channel.at(stop)
    state = {0: "it stays low", 1: "it stays high"}.get(last, "its level is never known")
    edges = len(_within(channel.edges(), window))
    if edges == 1:
        state = f"it {'rises' if last == 1 else 'falls'} once and stays {'high' if last == 1 else 'low'}"
    seconds = (stop - start) / (capture.clock_hz or 10**12)
    others = [c.name for c in capture.channels.values()
              if c.width == 1 and c.name != channel.name and len(c.edges()) > 3
              and c.name not in ("irq", "masked")]  # fmt: skip
    hint = "the firmware must set and clear that pin around the operation; name another with --pin"
    if others:
        hint += f" (there are edges on {', '.join(others[:4])})"
    return UserError(f"no pulses on {_called(channel.name, pin)}: {state} for all {time_text(seconds)}", hint)


def _called(channel: str, pin: str) -> str:
    return f"{channel} ({pin})" if pin and pin != channel else channel


def time_text(seconds: float) -> str:
    """A length of time with the unit that suits it: 937.5 µs, 2 s."""
    for limit, factor, unit in ((1e-3, 1e6, "µs"), (1.0, 1e3, "ms")):
        if seconds < limit:
            return f"{seconds * factor:.4g} {unit}"
    return f"{seconds:.4g} s"


def _within(times: Ticks, window: Window | None) -> Ticks:
    if window is None:
        return times
    return times[(times >= window[0]) & (times < window[1])]


def _pulses(channel: Channel, window: Window | None, low: bool = False) -> tuple[Ticks, Ticks]:
    """Rise and fall of every whole pulse (fall and rise of every low one).

    One that had begun before, or has not ended, is left out.
    """
    rises, falls = channel.edges("rise"), channel.edges("fall")
    if low:
        rises, falls = falls, rises
    if len(falls) and len(rises):
        falls = falls[falls > rises[0]]
    count = min(len(rises), len(falls))
    rises, falls = rises[:count], falls[:count]
    if window is not None:
        inside = (rises >= window[0]) & (falls < window[1])
        rises, falls = rises[inside], falls[inside]
    return rises, falls


def _threshold(widths: Ticks) -> float | None:
    """The width between A-B and C-D pulses: the widest gap, as a ratio, near the middle of the sorted widths."""
    count = len(widths)
    if count < 2:
        return None
    ordered = np.sort(widths).astype(np.float64)
    low, high = max(0, int(count * 0.4) - 1), min(count - 1, int(np.ceil(count * 0.6)))
    ratios = ordered[low + 1 : high + 1] / np.maximum(ordered[low:high], 1.0)
    best = int(np.argmax(ratios))
    if ratios[best] < 1.02:
        return None
    return float(np.sqrt(max(ordered[low + best], 1.0) * ordered[low + best + 1]))


def _alternates(widths: Ticks) -> bool:
    """Whether these are A-B and C-D in turns: short, nearly constant pulses before longer ones."""
    threshold = _threshold(widths)
    if threshold is None or len(widths) < 2 * _FEWEST_PAIRS:
        return False
    short = widths <= threshold
    shorts = widths[short]
    middle = float(np.median(shorts))
    constant = np.mean(np.abs(shorts - middle) <= 0.25 * middle + 1)
    followed = np.count_nonzero(short[:-1] & ~short[1:]) * 2 / len(widths)
    return bool(constant >= 0.9 and followed >= 0.85)


def _pair(widths: Ticks) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], int]:
    """Indices of A-B and of C-D pulses, and how many pulses belong to no pair."""
    threshold = _threshold(widths)
    if threshold is None:  # an operation that costs nothing: only the order is left to go by
        count = len(widths) // 2
        first = np.arange(count, dtype=np.intp) * 2
        return first, first + 1, len(widths) - 2 * count
    short = widths <= threshold
    ab = np.flatnonzero(short[:-1] & ~short[1:])
    used = np.zeros(len(widths), dtype=bool)
    used[ab] = used[ab + 1] = True
    hit = _interrupted(~used & ~short)
    used[hit] = used[hit + 1] = True
    ab = np.sort(np.concatenate((ab, hit)))
    lost = int(np.count_nonzero(~used))
    lost -= int(not used[0] and not short[0])  # the capture began between A-B and C-D,
    lost -= int(not used[-1] and bool(short[-1]) and len(widths) > 1)  # or ended there: nothing is lost
    return ab, ab + 1, lost


def _interrupted(free: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """Long pulses that belong to no pair, an even number in a row: interrupts have made their A-Bs long.

    Returns where these A-Bs are. At the capture's ends a row may begin with a lone C-D or end with a lone A-B.
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([0], free.astype(np.int8), [0]))))
    found: list[int] = []
    for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        begin = start + 1 if (stop - start) % 2 and start == 0 else start
        if (stop - begin) % 2 == 0 or stop == len(free):
            found += range(begin, stop - 1, 2)
    return np.array(found, dtype=np.intp)


def _finish(capture: Capture, samples: Samples, expected_irqs: int) -> Samples:
    """Add which samples a handler disturbed: one that began in [C, D) beyond those expected.

    An exception that a kernel raises by an instruction, to switch, is part of the operation and disturbs nothing.
    """
    entries, irq = capture.channels.get("entries"), capture.channels.get("irq")
    if irq is None:
        return samples
    begins = entries.edges() if entries is not None else irq.edges("rise")  # a nested entry is no edge of irq
    inside = np.searchsorted(begins, samples.d, side="left") - np.searchsorted(begins, samples.c, side="left")
    if own := capture.channels.get("software"):
        raised = own.edges()
        inside = inside - (
            np.searchsorted(raised, samples.d, side="left") - np.searchsorted(raised, samples.c, side="left")
        )
    return replace(samples, disturbed=inside > expected_irqs)
