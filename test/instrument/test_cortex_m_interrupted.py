"""An interrupt in the middle of an instruction: what moves several registers goes on with the next, or starts again."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

import instrument_tools as tools

ENTRY = EXIT = 12
HANDLER = ENTRY + (1 + 2 + 1) + 1 + EXIT  # mov, ldr, str; bx
MARK = 2  # the strb that ends the measured stretch

FIRMWARE = """
.syntax unified
.thumb
.text
.global start
.word 0x20005000, start + 1
.rept 57
.word handler + 1
.endr
.thumb_func
handler:
    mov r1, #0x20000000
    ldr r0, [sp, #28]
    str r0, [r1]
    bx lr
.thumb_func
start:
    mov r0, #100 @ the next request comes as late after this one as this one after the reset
1:  subs r0, #1
    bne 1b
    ldr r1, =0x20000100
    ldr r2, =0x01234567
    ldr r3, =0x89abcdef
    stmia r1, {{r1-r9}}
    mov r9, r1
    ldr r10, =0xE000007C
    movs r0, #2
    movs r11, #1
    mov r12, #0x80
    cmp r0, r0
    {before}
    strb r11, [r10]
    {body}
    strb r0, [r10]
    ldr r0, =0x20000010
    stmia r0!, {{r1-r9}}
    str sp, [r0]
    strb r12, [r10]
    b .
"""


class Case(NamedTuple):
    name: str
    body: str
    cycles: int
    continues: bool = False
    before: str = ""


CASES = [
    Case("load", "ldmia r9, {r1-r7}", 1 + 7, continues=True),
    Case("load-downwards", "ldmdb r9!, {r1-r7}", 1 + 7, continues=True),
    Case("store", "stmia r9!, {r1-r7}", 1 + 7, continues=True),
    Case("store-downwards", "stmdb r9, {r1-r7}", 1 + 7, continues=True),
    Case("pop", "pop {r1-r7}", 1 + 7, continues=True, before="sub sp, #28"),
    Case("push", "push {r1-r7}", 1 + 7),  # the frame lies where it has stored
    Case("load-of-the-base", "ldmia r9, {r1-r9}", 1 + 9),
    Case("long-product", "umull r4, r5, r3, r2", 4),
    Case("long-sum", "smlal r4, r5, r3, r2", 7),
    Case("quotient", "udiv r4, r3, r2", 5),
]


@dataclass
class Stopped:
    """What an interrupt did to the instruction, in cycles from its beginning."""

    cycles: int
    entry: int | None
    xpsr: int
    results: bytes

    @property
    def it_or_ici(self) -> int:
        """ITSTATE; or in its upper half the register to go on with, and 0 in the lower."""
        return self.xpsr >> 25 & 3 | self.xpsr >> 8 & 0xFC


Measure = Callable[[Case, int | None], Stopped]


@pytest.fixture
def measure(attacca_cortex_m: Path, tmp_path: Path) -> Measure:
    elf = tmp_path / "interrupted.elf"
    begins: list[int] = []

    def once(case: Case, at: int | None) -> Stopped:
        """With a request `at` cycles after the instruction's beginning; with None first, for that beginning."""
        options: list[object] = ["--memory", tmp_path / "ram", "--cycles", 2000]
        if at is None:
            source = tmp_path / "interrupted.S"
            source.write_text(FIRMWARE.format(body=case.body, before=case.before))
            tools.build_cortex_m([source], elf)
        else:
            options += ["--random-irq", f"TIM2:{begins[0] + at}:{begins[0] + at}"]
        run = tools.run(attacca_cortex_m, elf, tmp_path, *options)
        assert run.status == 0, run.stderr
        assert run.vcd is not None
        begin, end = (cycle for cycle, _ in run.markers()[:2])
        begins.append(begin)
        ram = (tmp_path / "ram").read_bytes()
        entry = run.vcd.rising("irq")[0] - begin if at is not None else None
        return Stopped(end - begin - MARK, entry, struct.unpack_from("<I", ram)[0], ram[16:56])

    return once


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_an_interrupt_in_each_cycle(measure: Measure, case: Case) -> None:
    whole = measure(case, None)
    assert whole.cycles == case.cycles
    for at in range(1, case.cycles + 1):
        stopped = measure(case, at)
        assert stopped.entry == at, "is taken at once"
        assert stopped.results == whole.results
        inside = at < case.cycles
        if case.continues and inside:
            # One cycle for the address, one for each register from r1 on; at 1 none is done.
            assert stopped.it_or_ici == (at << 4 if at > 1 else 0)
            assert stopped.cycles == case.cycles + HANDLER + 1
        else:
            assert stopped.it_or_ici == 0
            assert stopped.cycles == case.cycles + HANDLER + (at if inside else 0)


@pytest.mark.parametrize("body", ["ldmiaeq r9, {r1-r7}", "stmiaeq r9, {r1-r7}"])
def test_in_an_it_block_it_starts_again(measure: Measure, body: str) -> None:
    case = Case("it", f"it eq\n {body}", 1 + 8)
    whole = measure(case, None)
    for at in range(1, case.cycles):
        stopped = measure(case, at)
        assert stopped.entry == at
        assert stopped.results == whole.results
        assert stopped.it_or_ici == 0x08, "one instruction left, EQ"
        assert stopped.cycles == case.cycles + HANDLER + at - 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_storm(attacca_cortex_m: Path, tmp_path: Path, seed: int) -> None:
    source = Path(__file__).with_name("cortex_m_interrupted.S")
    elf = tools.build_cortex_m([source], tmp_path / "storm.elf")
    storm = ["--random-irq", "TIM2:31:97", "--random-irq", "TIM3:50:500", "--seed", seed, "--cycles", "20M"]
    run = tools.run(attacca_cortex_m, elf, tmp_path, "--memory", tmp_path / "ram", *storm, vcd=False)
    assert run.status == 0, run.stderr
    interrupts, continued, in_it = struct.unpack_from("<3I", (tmp_path / "ram").read_bytes())
    assert interrupts > 5000
    assert continued > interrupts // 20
    assert in_it > interrupts // 40
