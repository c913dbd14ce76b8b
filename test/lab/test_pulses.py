"""The method: pairs of pulses, plain pulses, toggles, delays; wherever a capture begins, whatever disturbs it."""

from __future__ import annotations

import numpy as np
import pytest
from captures import Changes, capture, pairs, pulse

from attacca_lab import pulses
from attacca_lab.errors import UserError


def test_pairs_give_the_operation_alone() -> None:
    samples = pulses.measure(capture(pairs(20, 2, 118)))
    assert samples.method == "pairs"
    assert samples.values.tolist() == [118.0] * 20
    assert (samples.overhead, samples.lost, samples.overhead_hit, samples.disturbed_count) == (2.0, 0, 0, 0)
    assert (samples.b - samples.a).tolist() == [2] * 20
    assert (samples.d - samples.c).tolist() == [120] * 20


@pytest.mark.parametrize("skip", range(1, 8))
def test_a_capture_may_begin_anywhere(skip: int) -> None:
    changes = sorted(pairs(20, 2, 118))
    late = changes[skip:]
    if skip % 2:  # in the middle of a pulse: the pin is high when the capture begins
        late = [(0, "probe_a", 1), *late]
    samples = pulses.measure(capture(late))
    assert samples.values.tolist() == [118.0] * len(samples)
    assert len(samples) >= 18


def test_a_lost_pulse_costs_one_sample() -> None:
    changes = pairs(20, 2, 118)
    del changes[4 * 10 + 2 : 4 * 10 + 4]  # the C-D of the 11th pair
    samples = pulses.measure(capture(changes))
    assert len(samples) == 19 and set(samples.values.tolist()) == {118.0}
    assert samples.lost == 1


def test_an_interrupt_between_c_and_d_is_counted_not_removed() -> None:
    changes = pairs(20, 2, 118)
    begin = 1_000 + 5 * 1_000
    changes = [c for c in changes if not begin <= c[0] < begin + 500]
    changes += pulse(begin, 2) + pulse(begin + 7, 120 + 90)
    changes += [(begin + 40, "irq", 1), (begin + 125, "irq", 0)]
    samples = pulses.measure(capture(changes))
    assert samples.disturbed is not None
    assert np.flatnonzero(samples.disturbed).tolist() == [5]
    assert samples.values[5] == 208.0 and len(samples) == 20
    assert not samples.disturbed[samples.typical()]


@pytest.mark.parametrize("cost", [30, 90, 400])
def test_an_interrupt_between_a_and_b_does_not_shorten_the_operation(cost: int) -> None:
    changes = pairs(20, 2, 118)
    begin = 1_000 + 5 * 1_000
    changes = [c for c in changes if not begin <= c[0] < begin + 500]
    changes += pulse(begin, 2 + cost) + pulse(begin + cost + 7, 120)
    samples = pulses.measure(capture(changes))
    assert samples.values.tolist() == [118.0] * 20
    assert samples.overhead_hit == 1 and samples.lost == 0


@pytest.mark.parametrize("seed", range(20))
def test_under_a_storm_of_interrupts_every_calm_sample_is_right(seed: int) -> None:
    generator = np.random.default_rng(seed)
    cost, operation = int(generator.integers(20, 400)), int(generator.integers(20, 300))
    changes: Changes = []
    calm, now = [], 1_000
    for _ in range(300):
        first, second = (generator.random(2) < 0.1).tolist()
        for width, hit in ((2, first), (2 + operation, second)):
            if hit:
                changes += [(now + 1, "irq", 1), (now + cost, "irq", 0)]
            changes += pulse(now, width + cost * hit)
            now += width + cost * hit + 9
        calm.append(not second)
        now += 500
    samples = pulses.measure(capture(changes))
    assert len(samples) == 300 and samples.lost == 0
    assert (~samples.disturbed).tolist() == calm
    assert set(samples.values.tolist()) <= {operation, operation + cost}
    assert [value == operation for value in samples.values.tolist()] == calm


@pytest.mark.parametrize(("at", "expected"), [(-1, 0), (0, 1), (119, 1), (120, 0)])
def test_an_interrupt_counts_from_c_until_before_d(at: int, expected: int) -> None:
    changes = pairs(4, 2, 118)
    c = 1_000 + 7 + 1_000
    samples = pulses.measure(capture([*changes, (c + at, "irq", 1), (c + at + 1, "irq", 0)]))
    assert samples.disturbed_count == expected


def test_expected_handlers_do_not_disturb() -> None:
    changes = pairs(6, 2, 118)
    for number in range(6):
        changes += [(1_020 + number * 1_000, "irq", 1), (1_060 + number * 1_000, "irq", 0)]
    changes += [(1_070, "irq", 1), (1_075, "irq", 0)]
    seen = capture(changes)
    assert pulses.measure(seen).disturbed_count == 6
    assert pulses.measure(seen, expected_irqs=1).disturbed_count == 1


def test_without_an_irq_channel_disturbance_is_unknown() -> None:
    samples = pulses.measure(capture(pairs(5, 2, 10), channels=("probe_a",)))
    assert samples.disturbed is None and samples.disturbed_count is None


def test_plain_pulses_are_told_from_pairs() -> None:
    plain: Changes = []
    for number in range(50):
        plain += pulse(1_000 + number * 1_000, 100 + number % 3)
    samples = pulses.measure(capture(plain))
    assert samples.method == "pulses" and samples.values[:3].tolist() == [100.0, 101.0, 102.0]
    assert pulses.measure(capture(plain), overhead=4).values[:3].tolist() == [96.0, 97.0, 98.0]


def test_two_lengths_without_order_are_no_pairs() -> None:
    generator = np.random.default_rng(5)
    changes: Changes = []
    for number in range(200):
        changes += pulse(1_000 + number * 1_000, int(generator.choice([20, 200])))
    assert pulses.measure(capture(changes)).method == "pulses"


def test_a_slow_pin_and_a_varying_operation_are_still_pairs() -> None:
    generator = np.random.default_rng(6)
    changes: Changes = []
    wanted = generator.integers(60, 900, 300)
    for number, operation in enumerate(wanted.tolist()):
        changes += pulse(1_000 + number * 3_000, 80) + pulse(1_200 + number * 3_000, 80 + operation)
    samples = pulses.measure(capture(changes))
    assert samples.method == "pairs" and samples.values.tolist() == wanted.tolist()


def test_an_operation_that_costs_nothing() -> None:
    samples = pulses.measure(capture(pairs(10, 2, 0)), method="pairs")
    assert samples.values.tolist() == [0.0] * 10


def test_toggles_of_the_signal_wait_loop() -> None:
    changes = [(1_000 + 100 * 2 * 133 * n, "probe_a", (n + 1) % 2) for n in range(11)]
    samples = pulses.toggles(capture(changes), per=200)
    assert samples.values.tolist() == [133.0] * 10
    assert pulses.toggles(capture(changes), per=200, overhead=2).values.tolist() == [132.99] * 10


def test_delays_from_an_edge_to_the_answer() -> None:
    changes: Changes = []
    for number in range(10):
        begin = 1_000 + 1_000 * number
        changes += [(begin, "in_d2", 1), (begin + 500, "in_d2", 0)]
        if number != 4:
            changes += [(begin + 520, "irq", 1), (begin + 590, "irq", 0), *pulse(begin + 541 + number, 20)]
    seen = capture(changes)
    samples = pulses.delay(seen, "in_d2", "probe_a", cause_edge="fall", effect_edge="rise")
    assert samples.values.tolist() == [41.0 + n for n in range(10) if n != 4]
    assert samples.lost == 1 and samples.disturbed_count == 0
    with pytest.raises(UserError, match="no edge on probe_b"):
        pulses.delay(seen, "probe_b")


def test_windows_between_marks() -> None:
    changes = pairs(4, 2, 118) + pairs(4, 2, 50, start=20_000)
    changes += [(900, "marker", 1), (10_000, "marker", 0), (19_000, "marker", 2)]
    seen = capture(changes)
    windows = pulses.marker_windows(seen)
    assert [value for value, _, _ in windows] == [1, 2]
    values = [set(pulses.measure(seen, window=(a, b), method="pairs").values.tolist()) for _, a, b in windows]
    assert values == [{118.0}, {50.0}]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([(32_000_000, "irq", 1)], "stays low for all 2 s"),
        ([(100, "probe_a", 1), (16_000, "irq", 1)], "rises once and stays high for all 1 ms"),
        (pairs(5, 2, 9)[:0] + pulse(10, 5, "probe_b") * 1, "stays low"),
    ],
)
def test_no_pulses_says_what_the_pin_does(changes: Changes, words: str) -> None:
    with pytest.raises(UserError, match=r"no pulses on probe_a \(D13\): ") as caught:
        pulses.measure(capture(changes), pin="D13")
    assert words in caught.value.message and "--pin" in str(caught.value.hint)


def test_pulses_elsewhere_are_pointed_at() -> None:
    changes = pulse(10, 5, "probe_b") + pulse(30, 5, "probe_b")
    with pytest.raises(UserError) as caught:
        pulses.measure(capture(changes))
    assert "edges on probe_b" in str(caught.value.hint)


def test_pairs_that_are_none() -> None:
    with pytest.raises(UserError, match="no pair of pulses"):
        pulses.measure(capture(pulse(10, 5)), method="pairs")


WITH_ENTRIES = ("probe_a", "irq", "entries", "software", "masked")


def test_what_a_kernel_raises_to_switch_disturbs_nothing() -> None:
    """Two samples with an exception of the kernel's own, one with an interrupt besides, one with two of its own."""
    changes = pairs(10, 2, 118)
    entries = software = 0
    for place, kinds in ((2, "k"), (3, "k"), (5, "ki"), (7, "kk")):
        for number, kind in enumerate(kinds):
            at = 1_000 + place * 1_000 + 20 + 30 * number
            entries += 1
            changes += [(at, "irq", 1), (at, "entries", entries), (at + 20, "irq", 0)]
            if kind == "k":
                software += 1
                changes.append((at, "software", software))
    samples = pulses.measure(capture(changes, channels=WITH_ENTRIES))
    assert samples.disturbed is not None and np.flatnonzero(samples.disturbed).tolist() == [5]


def test_the_picture_is_of_the_median_even_if_most_samples_are_disturbed() -> None:
    """One undisturbed sample of many is not what they are like."""
    changes = []
    for number in range(11):
        begin = 1_000 + number * 1_000
        width = 80 if number == 4 else 120
        changes += pulse(begin, 2) + pulse(begin + 7, 2 + width)
        if number != 4:
            changes += [(begin + 20, "irq", 1), (begin + 60, "irq", 0)]
    samples = pulses.measure(capture(changes))
    assert samples.disturbed is not None and np.count_nonzero(~samples.disturbed) == 1
    assert samples.values[samples.typical()] == 120 == np.median(samples.values)
