"""A firmware for ARMv6-M in the instrument, with the M0+'s own timing: its manual's table 3-1, interrupts 15 cycles."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortex_m_marks import Asm, runner

M0PLUS = ("--board", "m0plus")
BRANCH, CALL, STORE, ENTRY, BX, EXIT = 2, 3, 2, 15, 1, 12


@pytest.fixture
def asm(attacca_cortex_m: Path, tmp_path: Path) -> Asm:
    run = runner(attacca_cortex_m, tmp_path)
    return lambda main, handlers=None, *arguments: run(main, handlers, *M0PLUS, *arguments, cpu="cortex-m0plus")


@pytest.mark.parametrize(
    ("body", "cycles"),
    [
        ("adds r1, r2", 1),
        ("ldr r1, [sp]; ldr r2, [sp]", 2 + 2),
        ("push {r0-r3}; pop {r0-r3}", 5 + 5),
        ("bl 9f; b 8f; 9: bx lr; 8:", CALL + BRANCH + BRANCH),
        ("muls r1, r2", 1),
        ("dsb; isb", 3 + 3),
        ("mrs r1, primask; msr primask, r1", 3 + 3),
        ("cpsid i; cpsie i", 1 + 1),
    ],
)
def test_the_table(asm: Asm, body: str, cycles: int) -> None:
    m = asm(f"sub sp, #32; strb r4, [r7]; {body}; strb r5, [r7]")
    assert m.at(0x22) - m.at(0x21) == cycles + STORE


def test_a_small_multiplier(asm: Asm) -> None:
    m = asm("strb r4, [r7]; muls r1, r2; strb r5, [r7]", None, "--timing", "main,multiply=32")
    assert m.at(0x22) - m.at(0x21) == 32 + STORE


def test_an_exceptions_way_in_and_out(asm: Asm) -> None:
    m = asm("mov r1, r9; mov r2, r8; nop; strb r5, [r7]; str r2, [r1]; strb r6, [r7]", {"PendSV": "strb r4, [r7]"})
    assert m.at(0x21) - m.at(0x22) == STORE + ENTRY + STORE
    assert m.at(0x23) - m.at(0x21) == BX + EXIT + STORE


def test_what_is_v7_only_faults_and_the_clock_follows(asm: Asm) -> None:
    m = asm("put RCC_CR, 0x10083; put RCC_CFGR, 0x1d0400; put RCC_CR, 0x1010083; put RCC_CFGR, 0x1d0402; "
        ".hword 0xfb90, 0xf0f1; mark 9",
            {"HardFault": "mark 3; finish"})  # fmt: skip
    assert m.values() == [3]
    assert m.run.report["clock_hz"] == 72_000_000 and m.run.report["mcu"] == "m0plus"
