"""The Cortex-M instrument's clock and wait states: what the firmware sets in RCC and FLASH_ACR is what holds."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from cortex_m_marks import Asm, runner

HSI, FAST = 8_000_000, 72_000_000
LATENCY_2 = "put 0x40022000, 0x12; "
# From the crystal's 8 MHz, nine times.
PLL = "put RCC_CR, 0x10083; put RCC_CFGR, 0x1d0400; put RCC_CR, 0x1010083; put RCC_CFGR, 0x1d0402; "
NOPS = "; ".join(["nop.w"] * 60)


@pytest.fixture
def asm(attacca_cortex_m: Path, tmp_path: Path) -> Asm:
    return runner(attacca_cortex_m, tmp_path)


def stamps(folder: Path) -> list[int]:
    """When the marks are written, in picoseconds."""
    text = (folder / "run.vcd").read_text()
    [code] = [line.split()[3] for line in text.splitlines() if line.startswith("$var") and " marker " in line]
    found, now = [], 0
    for line in text.split("$enddefinitions $end")[1].splitlines():
        if line.startswith("#"):
            now = int(line[1:])
        elif line.endswith(f" {code}") and now:
            found.append(now)
    return found


def test_firmware_of_the_internal_oscillator_has_its_time(asm: Asm, tmp_path: Path) -> None:
    m = asm(f"mark 1; {NOPS}; mark 2; finish")
    cycles = m.at(2) - m.at(1)
    first, second, *_ = stamps(tmp_path)
    assert second - first == cycles * 10**12 // HSI
    assert m.run.report["clock_hz"] == HSI
    assert m.run.report["clocks"] == [{"hz": HSI, "cycles": m.run.report["cycles"]}]


def test_stamps_and_cycles_stay_exact_over_a_change_of_the_clock(asm: Asm, tmp_path: Path) -> None:
    body = (
        f"mark 1; {NOPS}; mark 2; {PLL}; mark 3; {NOPS}; mark 4; put RCC_CFGR, 0x1d0400; mark 5; {NOPS}; mark 6; finish"
    )
    m = asm(body)
    followed, forced = m.all, asm(body, {}, "--clock", str(FAST)).all
    assert followed == forced  # the reader gets the cycles back
    asm(body)
    at = stamps(tmp_path)
    span = m.at(2) - m.at(1)
    assert at[1] - at[0] == span * 10**12 // HSI
    assert abs(at[3] - at[2] - (m.at(4) - m.at(3)) * 10**12 / FAST) <= 1
    assert abs(at[5] - at[4] - span * 10**12 // HSI) <= 1
    report = m.run.report
    assert [clock["hz"] for clock in report["clocks"]] == [HSI, FAST]
    assert sum(clock["cycles"] for clock in report["clocks"]) == report["cycles"]
    assert report["clock_hz"] == HSI
    assert abs(sum(clock["cycles"] * 10**12 / clock["hz"] for clock in report["clocks"]) - report["picoseconds"]) <= 2


@pytest.mark.parametrize(
    ("board", "settings", "hz"),
    [
        ("stm32f103", "put RCC_CFGR, 0x80", 4_000_000),
        ("stm32f103", "put RCC_CFGR, 0xF0", 15_625),
        ("stm32f103", "put RCC_CR, 0x10083; put RCC_CFGR, 0x1", 8_000_000),
        ("stm32f103", "put RCC_CFGR, 0x3c0000; put RCC_CR, 0x1000083; put RCC_CFGR, 0x3c0002", 64_000_000),
        ("stm32f103", "put RCC_CR, 0x10083; put RCC_CFGR, 0x3f0000; put RCC_CR, 0x1010083; put RCC_CFGR, 0x3f0002",
         64_000_000),
        ("stm32f107", "put RCC_CR, 0x10083; put RCC_CFGR, 0x1", 25_000_000),
        ("stm32f107", "put RCC_CR, 0x10083; put RCC_CFGR + 0x28, 0x10644; put RCC_CR, 0x4010083; "
         "put RCC_CFGR, 0x1d0000; put RCC_CR, 0x5010083; put RCC_CFGR, 0x1d0002", 72_000_000),
    ],
)  # fmt: skip
def test_every_source_and_factor(asm: Asm, board: str, settings: str, hz: int) -> None:
    assert asm(f"{settings}; nop", {}, "--board", board).run.report["clock_hz"] == hz


def test_a_reset_goes_back_to_the_internal_oscillator(asm: Asm) -> None:
    m = asm(f"ldr r2, =RCC_CR + 0x24; ldr r1, [r2]; lsls r1, r1, #3; bmi 1f; {PLL}; put AIRCR, 0x05fa0004; b .; 1: nop")
    assert [value for _, value in m.run.vcd.changes["clock_hz"]] == [HSI, FAST, HSI]


def test_wait_states_follow_the_register(asm: Asm) -> None:
    body = f"{{}}b.w 1f; .balign 8; 1: mark 1; {NOPS}; mark 2; finish"

    def span(setting: str, *arguments: object) -> int:
        m = asm(body.format(setting), {}, *arguments)
        return m.at(2) - m.at(1)

    slow = span(LATENCY_2)
    assert slow > span("put 0x40022000, 0x10; ") + 20  # 32 lines of flash, a cycle more each
    assert slow == span(LATENCY_2, "--timing", "main,wait-states=2")
    assert slow == span(LATENCY_2, "--timing", "main,wait-states=register")
    assert span("put 0x40022000, 2; ") == span(LATENCY_2, "--timing", "main,wait-states=2,prefetch=0") > slow
    assert span(LATENCY_2, "--timing", "main") == span("put 0x40022000, 0x10; ")
    assert span(LATENCY_2, "--timing", "high,wait-states=register") >= slow


def test_a_budget_and_a_stimulus_in_time_are_time(asm: Asm) -> None:
    edge = f"put RCC_APB2ENR, 4; {PLL}; 1: get r1, GPIOA_IDR; lsls r1, r1, #31; bpl 1b; mark 5; b ."
    m = asm(edge, {}, "--cycles", "1ms", status=4, stimulus="500us PA0 1\n")
    assert abs(m.run.report["picoseconds"] - 10**9) < 10**12 // FAST * 20
    [(_, _), (rose, _)] = m.run.vcd.changes["in_PA0"]
    slow = m.run.report["clocks"][0]["cycles"]
    assert abs(rose - (slow + (500e-6 - slow / HSI) * FAST)) <= 1
    m = asm(edge, {}, "--cycles", "20000", status=4, stimulus="1000 PA0 1\n")
    assert m.run.report["cycles"] in range(20000, 20010)
    assert m.run.vcd.changes["in_PA0"][1] == (1000, 1)


def test_stamps_do_not_run_back(asm: Asm) -> None:
    m = asm("; ".join(f"put RCC_CFGR, {0x80 + 16 * (i % 8):#x}" for i in range(40)) + "; nop")
    times = [cycle for cycle, _ in m.run.vcd.changes["clock_hz"]]
    assert all(a < b for a, b in pairwise(times)) and len(times) == 41
