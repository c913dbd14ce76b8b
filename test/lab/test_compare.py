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
        ("timer-interrupt", "ChibiOS/RT", 146),
    ],
)
def test_the_best_peer_of_the_same_build(experiment: str, kernel: str, value: float) -> None:
    found = compare(experiment, UNO, value / 2, compiler="avr-gcc 7.3.0", flags="-mmcu=atmega328p -Os -std=c11")
    assert found.best is not None
    assert (found.best.kernel, found.best.value, found.build) == (kernel, value, "avr-gcc 7.3.0 -Os")
    assert found.ratio == 0.5
    assert [f.value for f in found.peers] == sorted(f.value for f in found.peers)


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
    found = compare("context-switch", UNO, 128, variant="low-voluntary")
    assert not found.peers and found.best is not None
    assert (found.best.kind, found.best.us, found.ratio) == ("published", 16, 0.5)
    assert found.best_text == "ChibiOS/RT 256 (published)"
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
    kernels = {row["kernel"] for row in _rows("peers_kernels.csv")}
    for name in ("peers_avr_time.csv", "peers_avr_memory.csv"):
        assert {row["kernel"] for row in _rows(name)} <= kernels
    for row in _rows("peers_avr_time.csv"):
        assert float(row["min"]) <= float(row["median"]) <= float(row["max"]), row
        assert row["kind"] in ("peer", "variant", "lower-bound")
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
