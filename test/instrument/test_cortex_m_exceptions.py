"""Exceptions of the Cortex-M instrument, to the cycle: entry, exit, tail-chaining, late arrival, priorities, masks."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortex_m_marks import BX, ENTRY, EXIT, STORE, TAIL_CHAIN, TO_MARK, Asm, Marks, runner

# PendSV and SysTick by one store.
BOTH = "ldr r2, =0x14000000; "
LOW_PENDSV = "put SHPR3, 0x00f00000; "
EDGES_ON_PA0 = """
    put RCC_APB2ENR, 0x5; put EXTI_RTSR, 1; put EXTI_IMR, 1; put ISER0, 0x40
"""
ACKNOWLEDGE = "ldr r0, =EXTI_PR; movs r1, #1; str r1, [r0]"


@pytest.fixture
def asm(attacca_cortex_m: Path, tmp_path: Path) -> Asm:
    return runner(attacca_cortex_m, tmp_path)


def test_entry_and_return(asm: Asm) -> None:
    m = asm("strb r4, [r7]; nop; str r8, [r9]; strb r6, [r7]", {"PendSV": "strb r5, [r7]"})
    assert m.values() == [0x21, 0x22, 0x23]
    assert m.at(0x22) - m.at(0x21) == 1 + STORE + TO_MARK
    assert m.at(0x23) - m.at(0x22) == BX + EXIT + STORE
    assert m.run.report["interrupts"] == [{"vector": 14, "name": "PendSV", "count": 1, "injected": 0}]


def test_the_exit_can_be_ten(asm: Asm) -> None:
    m = asm("str r8, [r9]; strb r6, [r7]", {"PendSV": "strb r5, [r7]"}, "--timing", "main,exit=10")
    assert m.at(0x23) - m.at(0x22) == BX + 10 + STORE


def test_a_tail_chain(asm: Asm) -> None:
    m = asm(
        BOTH + "str r2, [r9]; strb r6, [r7]",
        {"PendSV": "strb r4, [r7]", "SysTick": "strb r5, [r7]"},
    )
    assert m.values() == [0x21, 0x22, 0x23]
    assert m.at(0x22) - m.at(0x21) == BX + TAIL_CHAIN + STORE
    assert m.at(0x23) - m.at(0x22) == BX + EXIT + STORE
    assert m.run.vcd is not None
    chain = m.at(0x21) + BX
    # The first has left where the chain begins; the second is entered there.
    assert (chain, 2) in m.run.vcd.edges("entries")


@pytest.mark.parametrize(("between", "waits"), [({}, 2), ({"NMI": "nop; nop; nop; nop"}, 2 + 2)])
def test_flash_with_wait_states_delays_a_tail_chain(asm: Asm, between: dict[str, str], waits: int) -> None:
    """Two cycles for the vector; and for the first instruction, unless its line was the next and is there already."""
    m = asm(
        BOTH + "str r2, [r9]; strb r6, [r7]",
        {"PendSV": "strb r4, [r7]", **between, "SysTick": "strb r5, [r7]"},
        "--timing",
        "main,wait-states=2",
    )
    assert m.at(0x22) - m.at(0x21) == BX + TAIL_CHAIN + waits + STORE


def test_a_handler_that_pends_itself_is_chained_to(asm: Asm) -> None:
    body = "subs r10, #1; it ne; strne r8, [r9]; strb r10, [r7]"
    m = asm("mov r10, #4; str r8, [r9]; nop; nop", {"PendSV": body})
    assert m.values() == [3, 2, 1, 0]
    # SUBS, IT, and two stores of which the second is pipelined; the last time STRNE is skipped.
    assert m.at(2) - m.at(3) == BX + TAIL_CHAIN + 1 + 1 + STORE + 1
    assert m.at(0) - m.at(1) == BX + TAIL_CHAIN + 1 + 1 + 1 + STORE


def arrival(asm: Asm, delay: int) -> tuple[Marks, int]:
    """PendSV is requested, and EXTI0, more urgent, `delay` cycles after it. The cycle of PendSV's request too."""
    main = LOW_PENDSV + EDGES_ON_PA0 + "strb r4, [r7]; nop; str r8, [r9]; nop; nop; nop"
    handlers = {"PendSV": "strb r5, [r7]", "EXTI0": "strb r6, [r7]; " + ACKNOWLEDGE}
    quiet = asm(main, {**handlers})
    request = quiet.at(0x21) + 1 + STORE
    return asm(main, handlers, stimulus=f"{request + delay} PA0 1\n"), request


@pytest.mark.parametrize("delay", range(ENTRY))
def test_late_arrival(asm: Asm, delay: int) -> None:
    m, request = arrival(asm, delay)
    # Without new stacking: at the end of PendSV's, or a tail-chain's time after the arrival.
    assert m.at(0x23) == request + max(ENTRY, delay + TAIL_CHAIN) + STORE
    # ldr 2, movs 1, str 2, then PendSV by tail-chain.
    assert m.at(0x22) - m.at(0x23) == 1 + 1 + STORE + BX + TAIL_CHAIN + STORE
    assert m.values() == [0x21, 0x23, 0x22]
    assert int(str(m.run.report["stack"]["lowest_sp"]), 0) == 0x20005000 - 32
    assert [each["name"] for each in m.run.report["interrupts"] if each["count"] == 1] == ["PendSV", "EXTI0"]


def test_too_late_is_preemption(asm: Asm) -> None:
    m, request = arrival(asm, ENTRY)
    assert m.at(0x23) == request + ENTRY + TO_MARK
    assert int(str(m.run.report["stack"]["lowest_sp"]), 0) == 0x20005000 - 64


@pytest.mark.parametrize("delay", range(1, EXIT))
def test_an_exit_is_stopped_by_what_arrives(asm: Asm, delay: int) -> None:
    main = EDGES_ON_PA0 + "str r8, [r9]; nop; nop; strb r4, [r7]"
    handlers = {"PendSV": "strb r5, [r7]", "EXTI0": "strb r6, [r7]; " + ACKNOWLEDGE}
    leaves = asm(main, handlers).at(0x22) + BX
    m = asm(main, handlers, stimulus=f"{leaves + delay} PA0 1\n")
    assert m.at(0x23) == leaves + delay + TAIL_CHAIN + STORE
    assert m.values() == [0x22, 0x23, 0x21]
    assert m.at(0x21) - m.at(0x23) == 1 + 1 + STORE + BX + EXIT + 1 + 1 + STORE


def test_the_frame_and_its_exc_return(asm: Asm) -> None:
    """r0 to r3, r12, lr, return address and xPSR, from the stack pointer up; the handler may change them."""
    m = asm(
        """
        ldr r0, =0x11; ldr r1, =0x12; ldr r2, =0x13; ldr r3, =0x14; ldr r12, =0x15; ldr lr, =0x16
        cmp r0, r0
        str r8, [r9]
        show r0
        """,
        {
            "PendSV": """
            mov r10, lr; mov r11, sp
            ldmia r11!, {r0-r3}; show r0; show r1; show r2; show r3
            ldmia r11!, {r0-r3}; show r0; show r1
            lsrs r3, r3, #24; show r3
            show r10
            movs r0, #0x55; str r0, [sp]
            mov lr, r10
            """,
        },
    )
    # Z and C of the comparison and T: 0x61; EXC_RETURN to thread mode on the main stack: 0x…F9, seven bits of it.
    assert m.values() == [0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x61, 0x79, 0x55]


def test_thread_mode_on_the_process_stack(asm: Asm) -> None:
    m = asm(
        """
        ldr r0, =0x20001000; msr psp, r0
        movs r0, #2; msr control, r0; isb
        str r8, [r9]
        mrs r2, control; show r2
        mov r2, sp; lsrs r2, r2, #8; show r2
        """,
        {
            "PendSV": """
            show lr
            mrs r2, psp; show r2; lsrs r2, r2, #8; show r2
            mrs r2, control; show r2
            mov r2, sp; lsrs r2, r2, #8; show r2
            """,
        },
    )
    # …FD; PSP 0x20000FE0 while the handler runs on the main stack, with CONTROL 0; 0x20001000 again afterwards.
    assert m.values() == [0x7D, 0x60, 0x0F, 0x00, 0x50, 0x02, 0x10]


@pytest.mark.parametrize("aligns", [True, False])
def test_alignment_of_the_frame(asm: Asm, aligns: bool) -> None:
    main = f"put CCR, {0x200 if aligns else 0}; sub sp, #4; str r8, [r9]; mov r2, sp; show r2"
    m = asm(main, {"PendSV": "mov r2, sp; show r2; ldr r2, [sp, #28]; lsrs r2, r2, #9; ands r2, #1; show r2"})
    frame = (0x5000 - 4 - 32) & 0x7F
    assert m.values() == [frame & ~4 if aligns else frame, int(aligns), -4 & 0x7F]


def test_a_nested_exception_returns_to_its_handler(asm: Asm) -> None:
    m = asm(
        LOW_PENDSV + "str r8, [r9]; mark 5",
        {
            "PendSV": "push {lr}; mark 1; ldr r2, =0x04000000; str r2, [r9]; mark 3; pop {lr}",
            "SysTick": "mark 2; show lr; get r2, ICSR; lsrs r2, r2, #11; ands r2, #1; show r2",
        },
    )
    # SysTick inside PendSV: EXC_RETURN …F1, and RETTOBASE is 0.
    assert m.values() == [1, 2, 0x71, 0, 3, 5]
    assert int(str(m.run.report["stack"]["lowest_sp"]), 0) == 0x20005000 - 32 - 8 - 32


# --- priorities ---


def nested(asm: Asm, prigroup: int, first: int, second: int) -> list[int]:
    """EXTI0 with priority `first` pends EXTI1 with `second`. Marks: 1 and 3 of EXTI0, 2 of EXTI1."""
    return asm(
        f"""
        put AIRCR, 0x05fa0000 | {prigroup} << 8
        ldr r0, =IPR; movs r1, #{first}; strb r1, [r0, #6]; movs r1, #{second}; strb r1, [r0, #7]
        put ISER0, 0xc0
        put STIR, 6
        """,
        {"EXTI0": "mark 1; put STIR, 7; nop; mark 3", "EXTI1": "mark 2"},
    ).values()


@pytest.mark.parametrize(
    ("prigroup", "first", "second", "preempts"),
    [
        (0, 0x50, 0x40, True),
        (0, 0x40, 0x50, False),
        (0, 0x40, 0x40, False),
        (5, 0x50, 0x40, False),  # two bits of group: 01.. both
        (5, 0x80, 0x70, True),
        (3, 0x50, 0x40, True),  # four bits of group
        (4, 0x50, 0x40, False),
        (4, 0x60, 0x40, True),
        (7, 0xF0, 0x00, False),  # no group bit at all
    ],
)
def test_preemption_is_by_group(asm: Asm, prigroup: int, first: int, second: int, preempts: bool) -> None:
    assert nested(asm, prigroup, first, second) == ([1, 2, 3] if preempts else [1, 3, 2])


def test_only_the_upper_four_bits_of_a_priority_exist(asm: Asm) -> None:
    m = asm("ldr r0, =IPR; movs r1, #0x5f; strb r1, [r0, #6]; ldrb r2, [r0, #6]; show r2")
    assert m.values() == [0x50]


def test_the_subpriority_orders_what_waits(asm: Asm) -> None:
    m = asm(
        """
        put AIRCR, 0x05fa0500
        ldr r0, =IPR; movs r1, #0x50; strb r1, [r0, #6]; movs r1, #0x40; strb r1, [r0, #7]
        put ISER0, 0xc0; cpsid i; put ISPR0, 0xc0; cpsie i; nop
        """,
        {"EXTI0": "mark 1", "EXTI1": "mark 2"},
    )
    assert m.values() == [2, 1]


def test_among_equals_the_lower_number_comes_first(asm: Asm) -> None:
    m = asm(
        "put ISER0, 0xc0; cpsid i; put ISPR0, 0xc0; cpsie i; nop",
        {"EXTI0": "mark 1", "EXTI1": "mark 2"},
    )
    assert m.values() == [1, 2]


def test_aircr_needs_its_key(asm: Asm) -> None:
    m = asm("put AIRCR, 0x12340700; get r2, AIRCR; lsrs r2, r2, #8; show r2")
    assert m.values() == [0]


def test_pending_and_enable_registers(asm: Asm) -> None:
    m = asm(
        """
        put ISPR0, 0x40; get r2, ISPR0; show r2
        put ICPR0, 0x40; get r2, ISPR0; show r2
        put ISER0, 0x40; get r2, ISER0; show r2
        put ISPR0, 0x40; nop
        get r2, IABR0; show r2
        """,
        {"EXTI0": "get r2, IABR0; show r2; get r2, ISPR0; show r2; get r2, ICSR; show r2"},
    )
    assert m.values() == [0x40, 0, 0x40, 0x40, 0, 22, 0]


# --- masks ---


def test_primask_holds_everything_but_nmi_and_hard_fault(asm: Asm) -> None:
    m = asm(
        "cpsid i; str r8, [r9]; nop; mark 1; put ICSR, 0x80000000; mark 3; cpsie i; mark 5",
        {"PendSV": "mark 4", "NMI": "mark 2"},
    )
    assert m.values() == [1, 2, 3, 4, 5]


def test_what_was_masked_comes_right_behind_the_unmasking(asm: Asm) -> None:
    m = asm("cpsid i; str r8, [r9]; strb r4, [r7]; cpsie i; nop", {"PendSV": "strb r5, [r7]"})
    assert m.at(0x22) - m.at(0x21) == 1 + TO_MARK


def test_faultmask_holds_hard_fault_too_and_ends_with_the_handler(asm: Asm) -> None:
    m = asm(
        LOW_PENDSV + "str r8, [r9]; mark 5",
        {
            "PendSV": """cpsid f; mrs r2, faultmask; show r2; ldr r2, =0x04000000; str r2, [r9]; mark 2
                         put ICSR, 0x80000000; mark 4""",
            "NMI": "mark 3",
            "SysTick": "mrs r2, faultmask; show r2",
        },
    )
    assert m.values() == [1, 2, 3, 4, 0, 5]


@pytest.mark.parametrize(("basepri", "comes"), [(0x40, False), (0x50, False), (0x60, True), (0, True), (0x5F, False)])
def test_basepri_holds_its_own_priority_and_less_urgent_ones(asm: Asm, basepri: int, comes: bool) -> None:
    m = asm(
        f"""
        put SHPR3, 0x00500000; movs r0, #{basepri}; msr basepri, r0
        str r8, [r9]; nop; mark 1
        movs r0, #0; msr basepri, r0; mark 3
        """,
        {"PendSV": "mark 2"},
    )
    assert m.values() == ([2, 1, 3] if comes else [1, 2, 3])


def test_basepri_is_compared_by_group(asm: Asm) -> None:
    m = asm(
        """
        put AIRCR, 0x05fa0500; put SHPR3, 0x00500000; movs r0, #0x70; msr basepri, r0
        str r8, [r9]; nop; mark 1; movs r0, #0; msr basepri, r0; nop
        """,
        {"PendSV": "mark 2"},
    )
    assert m.values() == [1, 2]  # 01.01 is not below 01.00


def test_basepri_max_only_raises(asm: Asm) -> None:
    m = asm(
        """
        movs r0, #0x40; msr basepri_max, r0; mrs r2, basepri; show r2
        movs r0, #0x60; msr basepri_max, r0; mrs r2, basepri; show r2
        movs r0, #0x20; msr basepri_max, r0; mrs r2, basepri; show r2
        movs r0, #0; msr basepri_max, r0; mrs r2, basepri; show r2
        """
    )
    assert m.values() == [0x40, 0x40, 0x20, 0x20]


def test_svc_returns_behind_itself(asm: Asm) -> None:
    m = asm("strb r4, [r7]; svc 0; strb r6, [r7]", {"SVCall": "strb r5, [r7]"})
    assert m.at(0x22) - m.at(0x21) == 1 + TO_MARK
    assert m.at(0x23) - m.at(0x22) == BX + EXIT + STORE
    assert m.values() == [0x21, 0x22, 0x23]
