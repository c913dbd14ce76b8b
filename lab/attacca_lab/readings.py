"""How an experiment's figures are read off the capture of its run: from edges on pins to samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from attacca_lab import pulses
from attacca_lab.instrument import Run
from attacca_lab.pulses import Samples

Reading = Callable[[Run], Samples]
OWN_IRQS = 4  # handlers that an operation may consist of: a device's, and those by which a kernel switches


def pairs(run: Run) -> Samples:
    """A-B, C-D on the first probe."""
    return pulses.measure(run.capture, method="pairs")


def pairs_with_irq(run: Run) -> Samples:
    """The same when one handler belongs to the operation."""
    return pulses.measure(run.capture, method="pairs", expected_irqs=1)


def share_of(count: int) -> Reading:
    """A-B, C-D over so many of the operation, for one of them."""

    def read(run: Run) -> Samples:
        whole = pairs(run)
        return replace(whole, values=whole.values / count)

    return read


def half_rounds(run: Run) -> Samples:
    """Toggles every 100 rounds of two switches."""
    return pulses.toggles(run.capture, per=200)


def single_half_rounds(run: Run) -> Samples:
    """A short pulse every round: from one to the next, without setting and clearing."""
    width = float(np.median(pulses.measure(run.capture, method="pulses").values))
    return pulses.toggles(run.capture, per=2, edge="rise", overhead=2 * width)


def edge_pin(run: Run) -> str:
    """The channel of the edge pin: watched, or driven by the stimulus."""
    return next(name for name in run.capture.channels if name.startswith(("pin_", "in_")))


def from_edge(effect: str, edge: str = "fall") -> Reading:
    """From a falling edge on that pin to a probe's edge."""

    def read(run: Run) -> Samples:
        return least_disturbed(
            lambda count: pulses.delay(
                run.capture, edge_pin(run), effect, cause_edge="fall", effect_edge=edge, expected_irqs=count
            )
        )

    return read


def least_disturbed(measure: Callable[[int], Samples]) -> Samples:
    """With as many handlers taken for the operation's own as some sample has: a switch may be one too."""
    counts = iter(range(1, OWN_IRQS + 1))
    samples = measure(next(counts))
    while samples.disturbed is not None and samples.disturbed.all() and (count := next(counts, 0)):
        samples = measure(count)
    return samples


def response(probe: str, edge: str, own_irqs: int) -> Reading:
    """From an edge on the input to the same edge on an output; so many handlers belong to it."""
    return lambda run: pulses.delay(
        run.capture, edge_pin(run), probe, cause_edge=edge, effect_edge=edge, expected_irqs=own_irqs
    )


def from_entry(effect: str) -> Reading:
    """The same from the interrupt's entry: the pin's synchroniser, which the peers' simulator had not, is taken off."""

    def read(run: Run) -> Samples:
        whole = from_edge(effect)(run)
        entry = pulses.delay(run.capture, edge_pin(run), "irq", cause_edge="fall", effect_edge="rise")
        late = (
            entry.d - entry.c if len(entry) == len(whole) else np.full(len(whole), round(np.median(entry.d - entry.c)))
        )
        begun = whole.c + late
        values = (whole.d - begun) / run.capture.ticks_per_unit
        return replace(whole, values=values, c=begun, source_channel="irq")

    return read


def from_request(effect: str) -> Reading:
    """From the entry of an interrupt that a thread requests right after C to a probe's D, a pin's own cost taken off.

    On a processor where writing a pin takes several instructions, which would be most of an entry.
    """

    def read(run: Run) -> Samples:
        own = pulses.measure(run.capture, method="pairs").overhead or 0.0
        method = "pairs" if effect == "probe_a" else "pulses"
        whole = least_disturbed(lambda count: pulses.measure(run.capture, effect, method=method, expected_irqs=count))
        entries = run.capture.channel("irq").edges("rise")
        place = np.searchsorted(entries, whole.c, side="left")
        found = place < len(entries)
        found[found] = entries[place[found]] < whole.d[found]
        c, d = entries[place[found]], whole.d[found]
        disturbed = None if whole.disturbed is None else whole.disturbed[found]
        values = (d - c) / run.capture.ticks_per_unit - own
        return Samples(
            "delay", effect, whole.unit, whole.clock_hz, values, c, d, disturbed=disturbed, overhead=own,
            lost=int(np.count_nonzero(~found)), source_channel="irq",
        )  # fmt: skip

    return read


def wraps(run: Run) -> Samples:
    """How long each handler was active."""
    return pulses.measure(run.capture, "irq", method="pulses")


def expiries(run: Run) -> Samples:
    """From each entry of the timer's handler to the woken thread's toggle."""
    return pulses.delay(run.capture, "irq", "probe_a", cause_edge="rise", effect_edge="any", expected_irqs=1)
