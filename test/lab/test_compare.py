"""Comparisons: the right peers, the right ratio, and the data files themselves."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from attacca_lab import compare as module
from attacca_lab.compare import compare

DATA = Path(module.__file__).parent / "data"
UNO = "ATmega328P"


@pytest.mark.parametrize(
    ("experiment", "kernel", "value"),
    [
        ("switch-semaphore", "ChibiOS/NIL", 218),
        ("signal-wait-loop", "ChibiOS/NIL", 203.5),
        ("switch-yield", "ChibiOS/RT", 227),
        ("switch-wake", "ChibiOS/NIL", 194),
        ("pair-semaphore", "ChibiOS/RT", 70),
        ("irq-to-thread", "ChibiOS/NIL", 269),
        ("irq-to-handler", "ChibiOS/NIL", 41),
        ("masked-by-code", "ChibiOS/NIL", 207),
    ],
)
def test_the_best_peer_of_the_same_build(experiment: str, kernel: str, value: float) -> None:
    found = compare(experiment, UNO, value / 2, compiler="avr-gcc 7.3.0", flags="-mmcu=atmega328p -Os -std=c11")
    assert found.best is not None
    assert (found.best.kernel, found.best.value, found.build) == (kernel, value, "avr-gcc 7.3.0 -Os")
    assert found.ratio == 0.5
    assert [f.value for f in found.peers] == sorted(f.value for f in found.peers)


M3 = {"compiler": "arm-none-eabi-gcc 12.2.1", "flags": "-mcpu=cortex-m3 -mthumb -O2"}


@pytest.mark.parametrize(
    ("experiment", "kernel", "value"),
    [
        ("switch-semaphore", "ChibiOS/RT-compact", 101),
        ("switch-event", "ChibiOS/RT-compact", 144),
        ("switch-mailbox", "scmRTOS", 199),
        ("switch-message-round-trip", "ChibiOS/RT-compact", 264),
        ("pair-mutex", "ChibiOS/RT-compact", 76),
        ("inversion-boost", "ChibiOS/RT-compact", 143),
        ("irq-to-handler", "TNeo", 13),
        ("irq-to-thread", "scmRTOS", 186),
    ],
)
def test_the_best_peer_on_a_cortex_m3(experiment: str, kernel: str, value: float) -> None:
    found = compare(experiment, "Cortex-M3", value / 2, **M3)
    assert found.best is not None and (found.best.kernel, found.best.value, found.ratio) == (kernel, value, 0.5)
    assert found.best.low is not None and found.best.high is not None and found.best.low <= value <= found.best.high
    assert {figure.processor for figure in found.peers} == {"Cortex-M3"}


def test_boards_do_not_mix() -> None:
    """Nor their builds: an unknown one is compared with the first of that processor."""
    assert compare("switch-semaphore", "Cortex-M3", 1, compiler="clang 14").build == "arm-none-eabi-gcc 12.2.1 -O2"
    assert compare("switch-semaphore", "Cortex-M3", 1, **M3 | {"flags": "-Os"}).peers[0].value != 101
    assert "software" in compare("irq-to-handler", "Cortex-M3", 1).caution
    assert module.configuration("Cortex-M3", "ThreadX") and not module.configuration("ATmega328P", "ThreadX")


def test_no_inheritance_is_less() -> None:
    found = compare("pair-mutex", "Cortex-M3", 40, **M3)
    assert {figure.kernel for figure in found.reduced} == {"RIOT", "scmRTOS"}
    assert found.best_text == "ChibiOS/RT-compact 76 (reduced: RIOT 64)"


def test_with_wait_states_only_what_was_published_is_alike() -> None:
    fast = compare("switch-semaphore", "Cortex-M3", 66, **M3)
    assert [figure.ratio for figure in fast.published] == [None]
    slow = compare("switch-semaphore", "Cortex-M3", 55, variant=module.WAIT_STATES, **M3)
    assert not slow.peers and slow.best is not None
    assert (slow.best.us, slow.best.value, slow.ratio) == (1.53, 110, 0.5)
    reports = compare("pair-semaphore", "Cortex-M3", 55, variant=module.WAIT_STATES, **M3).published
    assert [(one.source, one.ratio) for one in reports] == [("chibios-reports", None)], "24 MHz: no wait states"


def test_lower_bounds_and_variants_are_no_peers() -> None:
    found = compare("switch-semaphore", UNO, 118)
    assert len(found.peers) == 7 and all(figure.kind == "peer" for figure in found.peers)
    assert found.bounds[0].value == 57
    assert {figure.kernel for figure in found.variants} >= {
        "FreeRTOS-mincfg",
        "KRNL-as-shipped",
        "ChibiOS/NIL-8threads",
    }


def test_link_time_optimisation_and_speed_have_their_own_peers() -> None:
    assert compare("switch-semaphore", UNO, 1, flags="-Os -flto").peers[0].value == 193
    assert compare("switch-semaphore", UNO, 1, flags="-Os -O2").build == "avr-gcc 7.3.0 -O2"
    assert compare("switch-semaphore", UNO, 1, compiler="avr-gcc 14.1").build == "avr-gcc 7.3.0 -Os"


def test_variants_choose_among_the_peers() -> None:
    assert compare("irq-to-thread", UNO, 1, variant="wake").peers[0].value == 245
    assert compare("masked-by-code", UNO, 1, variant="mailbox").peers[0].kernel == "uC/OS-II"
    assert compare("switch-semaphore", UNO, 1, variant="digitalWrite").peers[0].value == 218
    assert compare("irq-to-handler", UNO, 1, variant="digitalWrite").peers[0].value == 41


def test_where_the_peers_were_measured_otherwise_it_is_said() -> None:
    assert "2 cycles" in compare("irq-to-thread", UNO, 1).caution
    assert not compare("switch-semaphore", UNO, 1).caution


def test_memory_keeps_kernels_with_less_apart() -> None:
    found = compare("flash", UNO, 1_180, "bytes")
    assert found.best is not None and (found.best.kernel, found.best.value) == ("ChibiOS/RT", 1_726)
    assert found.best_text == "ChibiOS/RT 1,726 (reduced: ChibiOS/NIL 1,162)"
    assert {figure.kernel for figure in found.reduced} == {"ChibiOS/NIL", "scmRTOS"}
    assert compare("ram-without-stacks", UNO, 80, "bytes").peers[0].value == 96


def test_published_figures() -> None:
    found = compare("signal-wait-loop", UNO, 175, variant="mean of 100 rounds")
    assert not found.peers and found.best is not None
    assert (found.best.kind, found.best.us, found.best.value) == ("published", 21, 336)
    assert found.best_text == "KRNL 336 (published)"
    found = compare("switch-semaphore", UNO, 118)
    assert not found.published and {figure.unit for figure in found.elsewhere} == {"cycles"}
    assert len(found.elsewhere) == 4 and all(figure.ratio is None for figure in found.elsewhere), "other processors"
    assert [f.value for f in compare("ram", UNO, 300, "bytes", variant="context-switch").published] == [325, 550]
    assert [f.value for f in compare("masked-by-code", UNO, 300).published] == [384]


def test_no_ratio_between_units_or_for_the_unknown() -> None:
    assert compare("switch-semaphore", UNO, 9, "us").ratio is None
    nothing = compare("no-such-experiment", UNO, 1)
    assert not nothing and nothing.best is None and nothing.best_text == "" and nothing.ratio is None
    assert not compare("switch-semaphore", "RV32", 1).peers


def test_the_data_is_consistent() -> None:
    kernels = {(row["processor"], row["kernel"]) for row in _rows("peers_kernels.csv")}
    for chip in ("avr", "cortex_m3"):
        for name in (f"peers_{chip}_time.csv", f"peers_{chip}_memory.csv"):
            assert {(row["processor"], row["kernel"]) for row in _rows(name)} <= kernels
        for row in _rows(f"peers_{chip}_time.csv"):
            assert float(row["min"]) <= float(row["median"]) <= float(row["max"]), row
            assert row["kind"] in ("peer", "variant", "lower-bound") + (("reduced",) if chip == "cortex_m3" else ())
    for row in _rows("published.csv"):
        assert row["source"] in module.SOURCES
        if row["unit"] == "us" and row["value_cycles"]:
            assert abs(float(row["value"]) * float(row["clock_mhz"]) - float(row["value_cycles"])) <= 3, row


def test_every_data_file_says_where_it_is_from() -> None:
    text = (DATA / "README.md").read_text(encoding="utf-8")
    for path in DATA.glob("*.csv"):
        assert path.name in text


def _rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("experiment", "variant", "best"),
    [
        ("context-switch", "low-preempted", "ChibiOS/RT-2.6 323"),
        ("semaphore-acquire", None, "ChibiOS/RT 457"),
        ("timer-interrupt", "1 ms timer, cycles per ms", "ChibiOS/RT 332"),
        ("timer-interrupt", "1 ms thread, cycles per ms", "ChibiOS/RT 851"),
        ("timer-interrupt", "nothing armed, cycles per ms", "ChibiOS/RT 146"),
        ("switch-semaphore", "timeout", "ChibiOS/RT 365"),
        ("switch-semaphore", "timeout, whole round", "ChibiOS/RT 739"),
        ("pair-semaphore", "timeout", "ChibiOS/RT 73"),
        ("pair-semaphore", "NOWAIT", "ChibiOS/RT 73"),
    ],
)
def test_sleeping_and_timeouts_are_compared_with_their_like(experiment: str, variant: str | None, best: str) -> None:
    assert compare(experiment, UNO, 100, variant=variant).best_text == best


@pytest.mark.parametrize(
    ("experiment", "variant"),
    [
        ("context-switch", "low-voluntary"),
        ("context-switch", "low-voluntary, digitalWrite"),
        ("timer-interrupt", "counter wrap"),
        ("timer-interrupt", None),
        ("switch-event", "timeout"),
        ("switch-semaphore", "whole round"),
    ],
)
def test_what_no_peer_was_measured_in_is_compared_with_none(experiment: str, variant: str | None) -> None:
    found = compare(experiment, UNO, 100, variant=variant)
    assert not found.peers and found.best is None and found.ratio is None


def test_another_processors_figures_are_not_repeated() -> None:
    """KRNL was measured on an Uno: that says nothing beside an STM32; the page on four boards does."""
    for experiment in ("signal-wait-loop", "masked-by-code", "context-switch", "priority-inversion"):
        assert not [one for one in compare(experiment, "Cortex-M3", 1, **M3).elsewhere if "ATmega" in one.processor]
    assert len(compare("switch-semaphore", "Cortex-M3", 1, **M3).elsewhere) == 3


@pytest.mark.parametrize("processor", [UNO, "Cortex-M3"])
def test_a_lower_bound_is_below(processor: str) -> None:
    found = compare("switch-semaphore", processor, 60)
    assert all(figure.value <= 60 for figure in found.bounds)
    assert compare("switch-semaphore", processor, 600).bounds
