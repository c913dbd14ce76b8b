"""A Cortex-M4F's floating-point registers in the instrument: moves, frames, lazy stacking, as a kernel needs them.

ARMv7-M Architecture Reference Manual: B1.5.6 and B1.5.7 (frames, lazy), A6.4 to A6.7 (encodings). The time is the M3's
and says so; of these instructions the manual's: one cycle a register and one more.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cortex_m_marks import Asm, Marks, runner

M4F = ("--board", "m4f")
ON = "put 0xe000ed88, 0xf00000; dsb; isb; .fpu fpv4-sp-d16; "
CONTEXT = "; ".join(f"mov r2, #{16 + i}; vmov s{i}, r2" for i in range(32))
ALL = "mov r10, #0; " + "; ".join(f"vmov r2, s{i}; sub r2, #{16 + i}; orr r10, r2" for i in range(32)) + "; show r10"
DIRTY = "; ".join(f"vmov s{i}, r7" for i in range(16))


@pytest.fixture
def asm(attacca_cortex_m: Path, tmp_path: Path) -> Asm:
    run = runner(attacca_cortex_m, tmp_path)

    def on_m4f(main: str, handlers: dict[str, str] | None = None, *arguments: object, status: int = 0) -> Marks:
        return run(main, handlers, *M4F, *arguments, cpu="cortex-m4", status=status)

    return on_m4f


def test_without_permission_there_is_no_coprocessor(asm: Asm) -> None:
    m = asm(".fpu fpv4-sp-d16; vmov s0, r1; mark 9", {"HardFault": "get r2, CFSR; lsrs r2, r2, #16; show r2; finish"})
    assert m.values() == [8]  # NOCP


def test_moves_loads_and_stores(asm: Asm) -> None:
    m = asm(
        ON + CONTEXT + "; ldr r3, =RAM + 0x100; vstr s5, [r3, #4]; ldr r2, [r3, #4]; show r2; vldr d3, [r3]; "
            "vmov r2, s7; show r2"
        "; vmov s1, s9; vmov r2, s1; show r2; mov r2, #3; mov r1, #4; vmov d4, r2, r1; vmov r1, r2, d4; show r1; "
        "show r2"
        "; vstmia r3!, {s16-s19}; sub r2, r3, #0x100; show r2; vldmdb r3!, {s0-s1}; vmov r2, s1; show r2"
        "; ldr r2, =0x80000000; vmsr fpscr, r2; vmrs APSR_nzcv, fpscr; ite mi; movmi r2, #1; movpl r2, #2; show r2"
        "; vmrs r2, fpscr; lsrs r2, r2, #28; show r2"
    )  # fmt: skip
    assert m.values() == [21, 21, 25, 3, 4, 16, 35, 1, 8]


CYCLES = {
    "vpush {s16-s31}": 17,
    "vpop {d0-d1}": 5,
    "vmov s0, r1": 1,
    "vldr s0, [r3]": 2,
    "vmrs r1, fpscr": 1,
    "vmov d0, r1, r2": 2,
}


@pytest.mark.parametrize(("body", "cycles"), CYCLES.items())
def test_cycles(asm: Asm, body: str, cycles: int) -> None:
    m = asm(f"{ON}vmov s0, r1; ldr r3, =RAM + 0x100; sub sp, #64; nop; strb r4, [r7]; nop; {body}; nop; strb r5, [r7]")
    assert m.at(0x22) - m.at(0x21) == 1 + cycles + 1 + 2


@pytest.mark.parametrize("lazy", [True, False])
@pytest.mark.parametrize("uses", [True, False])
def test_a_handler_leaves_the_registers_as_they_were(asm: Asm, lazy: bool, uses: bool) -> None:
    setting = "" if lazy else "put 0xe000ef34, 0x80000000; "
    seen = "and r1, lr, #0x1f; show r1; mrs r1, control; show r1; mov r1, sp; sub r1, r11, r1; show r1; "
    m = asm(
        f"{ON}{setting}{CONTEXT}; mov r11, sp; str r8, [r9]; isb; {ALL}; mrs r2, control; show r2; mov r2, sp; "
        f"sub r2, r11, r2; show r2",
        {"PendSV": seen + (DIRTY if uses else "nop")},
    )
    # EXC_RETURN 0x…E9: a frame of 26 words, and no context of the handler's own yet.
    assert m.values() == [9, 0, 104, 0, 4, 0]


def test_lazy_means_that_an_entry_takes_no_longer(asm: Asm) -> None:
    def entry(setting: str, body: str = "strb r4, [r7]") -> int:
        m = asm(f"{ON}{setting}vmov s0, r1; strb r5, [r7]; str r8, [r9]; isb", {"PendSV": body})
        return m.at(0x21) - m.at(0x22)

    assert entry("") == entry("put 0xe000ef34, 0x80000000; ") - 17
    assert entry("", "vmov s1, r1; strb r4, [r7]") == entry("") + 17 + 1


def test_two_threads_switch_with_their_registers(asm: Asm) -> None:
    """As kernels do it: the upper half by hand, if EXC_RETURN says that there is one, the lower half by the frame."""
    switch = (
        "mrs r0, psp; tst lr, #16; it eq; vstmdbeq r0!, {s16-s31}; stmdb r0!, {r4-r11, lr}"
        "; ldr r1, =RAM; ldr r2, [r1]; str r0, [r1]; mov r0, r2"
        "; ldmia r0!, {r4-r11, lr}; tst lr, #16; it eq; vldmiaeq r0!, {s16-s31}; msr psp, r0"
    )
    # The other thread's first frame: of integers only. It dirties all registers, and gives the processor back.
    first = (
        "ldr r0, =RAM + 0x800 - 68; ldr r1, =RAM; str r0, [r1]; mvn r1, #2; str r1, [r0, #32]; ldr r1, =other + 1"
        "; str r1, [r0, #60]; mov r1, #0x1000000; str r1, [r0, #64]; str r7, [r0, #12]; str r8, [r0, #16]; "
        "str r9, [r0, #20]"
    )
    other = "other: vmov s0, r7; " + "; ".join(f"vmov s{i}, r7" for i in range(32)) + "; str r8, [r9]; isb; b ."
    main = (
        f"{ON}{first}; ldr r0, =RAM + 0xc00; msr psp, r0; movs r0, #2; msr control, r0; isb; {CONTEXT}; "
        f"str r8, [r9]; isb; {ALL}"
        f"; vmrs r2, fpscr; show r2; finish; .ltorg; {other}"
    )
    m = asm(main, {"PendSV": switch})
    assert m.values() == [0, 0]
    assert [one["count"] for one in m.run.report["interrupts"]] == [2]


def test_arithmetic_names_itself_and_the_timing_its_core(asm: Asm) -> None:
    m = asm(ON + "vadd.f32 s0, s1, s2; mark 9", status=5)
    assert m.values() == []
    assert "floating-point arithmetic is not modelled" in m.run.stderr
    assert m.run.report["mcu"] == "m4f" and m.run.report["timing_of"] == "Cortex-M3"
    assert asm("get r2, 0xe000ed00; lsrs r2, r2, #4; show r2").values() == [0x24]
