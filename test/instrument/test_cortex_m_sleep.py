"""What else begins and ends with an exception: sleep, instructions stopped in their middle, a reset; and v6-M."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortex_m_marks import BX, EXIT, STORE, TO_MARK, Asm, Marks, run_asm, runner

EDGES_ON_PA0 = """
    put RCC_APB2ENR, 0x5; put EXTI_RTSR, 1; put EXTI_IMR, 1; put ISER0, 0x40
"""
ACKNOWLEDGE = "ldr r0, =EXTI_PR; movs r1, #1; str r1, [r0]"


@pytest.fixture
def asm(attacca_cortex_m: Path, tmp_path: Path) -> Asm:
    return runner(attacca_cortex_m, tmp_path)


# --- sleep ---


def test_wfi_wakes_and_enters(asm: Asm) -> None:
    m = asm(
        EDGES_ON_PA0 + "wfi; strb r5, [r7]",
        {"EXTI0": "strb r4, [r7]; " + ACKNOWLEDGE},
        stimulus="5000 PA0 1\n",
    )
    assert m.at(0x21) == 5000 + TO_MARK
    assert m.at(0x22) - m.at(0x21) == 1 + 1 + STORE + BX + EXIT + STORE
    assert m.run.report["sleep_cycles"] > 4000


def test_wfi_wakes_behind_primask_and_enters_nothing(asm: Asm) -> None:
    m = asm(
        EDGES_ON_PA0 + "cpsid i; wfi; strb r5, [r7]; nop; cpsie i; nop",
        {"EXTI0": "strb r4, [r7]; " + ACKNOWLEDGE},
        stimulus="5000 PA0 1\n",
    )
    assert m.at(0x22) == 5000 + STORE
    assert m.at(0x21) == 5000 + STORE + 1 + 1 + TO_MARK


def test_wfi_does_not_wake_for_what_basepri_holds(asm: Asm) -> None:
    m = asm(
        EDGES_ON_PA0
        + """ldr r0, =IPR; movs r1, #0x80; strb r1, [r0, #6]; movs r0, #0x40; msr basepri, r0
            put SYST_RVR, 20000; put SYST_CVR, 0; put SYST_CSR, 7; wfi; mark 3""",
        {"EXTI0": "mark 1; " + ACKNOWLEDGE, "SysTick": "mark 2; put SYST_CSR, 0"},
        stimulus="5000 PA0 1\n",
    )
    assert m.values() == [2, 3]
    assert m.at(2) > 20000


def test_wfe_returns_at_once_after_sev(asm: Asm) -> None:
    m = asm("sev; wfe; mark 1")
    assert m.values() == [1]
    assert m.run.report["sleep_cycles"] == 0


@pytest.mark.parametrize(("handler", "behind"), [("nop", "wfe; mark 1"), ("wfe; mark 1", "nop")])
def test_entry_and_exit_set_the_event_register(asm: Asm, handler: str, behind: str) -> None:
    m = asm("str r8, [r9]; nop; " + behind, {"PendSV": handler})
    assert m.values() == [1]
    assert m.run.report["sleep_cycles"] == 0


def test_wfe_wakes_by_an_event_of_a_pin(asm: Asm) -> None:
    m = asm(
        "put RCC_APB2ENR, 5; put EXTI_RTSR, 1; put EXTI_EMR, 1; wfe; strb r4, [r7]",
        stimulus="5000 PA0 1\n",
    )
    assert m.at(0x21) == 5000 + STORE
    assert m.run.report["interrupts"] == []


@pytest.mark.parametrize("sevonpend", [True, False])
def test_sevonpend(asm: Asm, sevonpend: bool) -> None:
    """A disabled interrupt that becomes pending wakes WFE, with SEVONPEND only; else SysTick must."""
    m = asm(
        f"""
        put RCC_APB2ENR, 5; put EXTI_RTSR, 1; put EXTI_IMR, 1; put SCR, {16 if sevonpend else 0}
        put SYST_RVR, 20000; put SYST_CVR, 0; put SYST_CSR, 7; wfe; strb r4, [r7]
        """,
        {"SysTick": "mark 2; put SYST_CSR, 0"},
        stimulus="5000 PA0 1\n",
    )
    if sevonpend:
        assert m.all[0] == (5000 + STORE, 0x21)
    else:
        assert m.values() == [2, 0x21]


def test_sleep_on_exit(asm: Asm) -> None:
    m = asm(
        EDGES_ON_PA0 + "put SCR, 2; str r8, [r9]; mark 3",
        {"PendSV": "strb r4, [r7]", "EXTI0": "strb r5, [r7]; put SCR, 0; " + ACKNOWLEDGE},
        stimulus="5000 PA0 1\n",
    )
    assert m.values() == [0x21, 0x22, 3]
    assert m.at(0x22) == 5000 + TO_MARK


# --- instructions that are interrupted in their middle ---


@pytest.mark.parametrize("delay", range(12))
@pytest.mark.parametrize("loads", [True, False])
def test_a_multiple_transfer_goes_on_where_it_stopped(asm: Asm, delay: int, loads: bool) -> None:
    """Eight registers, an edge in each cycle of the instruction: the handler begins at most 1 cycle + ENTRY later."""
    table = "; ".join(f"movs r0, #{0x40 + i}; str r0, [r1, #{4 * i}]" for i in range(8))
    begin = EDGES_ON_PA0 + f"ldr r1, =RAM + 0x100; {table}; ldr lr, =RAM + 0x100; strb r4, [r7]; nop; "
    moves = "ldmia lr!, {r0-r3, r8-r11}; " if loads else "stmia lr!, {r0-r3, r8-r11}; "
    shows = "mov r5, r0; show r5; " + "; ".join(f"show {r}" for r in ["r1", "r2", "r3", "r8", "r9", "r10", "r11"])
    handlers = {"EXTI0": "strb r6, [r7]; " + ACKNOWLEDGE}
    main = begin + moves + (shows + "; show lr" if loads else "show lr")
    start = asm(main, handlers).at(0x21) + 1
    m = asm(main, handlers, stimulus=f"{start + delay} PA0 1\n")
    assert start + delay + TO_MARK <= m.at(0x23) <= start + delay + TO_MARK + 1
    if loads:
        assert [v for v in m.values() if v not in (0x21, 0x23)] == [*range(0x40, 0x48), 0x20]
    else:
        assert [v for v in m.values() if v not in (0x21, 0x23)] == [0x20]


@pytest.mark.parametrize("delay", range(8))
def test_an_it_block_goes_on_where_it_stopped(asm: Asm, delay: int) -> None:
    main = (
        EDGES_ON_PA0
        + """movs r2, #0; movs r3, #0; cmp r2, r2; strb r4, [r7]; nop
             ittee eq; addeq r2, #1; addeq r2, #2; addne r3, #4; addne r3, #8; show r2; show r3"""
    )
    handlers = {"EXTI0": "strb r6, [r7]; " + ACKNOWLEDGE + "; movs r2, #1; cmp r2, #2"}
    start = asm(main, handlers).at(0x21) + 1
    m = asm(main, handlers, stimulus=f"{start + delay} PA0 1\n")
    assert m.at(0x23) <= start + delay + TO_MARK + 1
    assert [v for v in m.values() if v not in (0x21, 0x23)] == [3, 0]


# --- reset ---


def test_a_reset_by_software_starts_again(asm: Asm) -> None:
    m = asm(
        """
        ldr r2, =RAM + 0x200; ldr r1, [r2]; ldr r3, =0x12345678; cmp r1, r3; beq 1f
        str r3, [r2]; put ISER0, 0x40; put RCC_APB2ENR, 4; mark 1
        cpsid i; put AIRCR, 0x05fa0004; b .
        1: get r2, ISER0; show r2; get r2, RCC_APB2ENR; show r2; mrs r2, primask; show r2
        get r2, RCC_CR + 0x24; lsrs r2, r2, #28; show r2
        """
    )
    assert m.values() == [1, 0, 0, 0, 1]  # nothing is left of it but what the memory holds, and SFTRSTF
    assert m.run.report["restarts"] == 1


# --- v6-M ---


def run_m0(executable: Path, folder: Path, mcu: str, main: str, handlers: dict[str, str]) -> Marks:
    return run_asm(executable, folder, main, handlers, "--mcu", mcu, cpu="cortex-m0")


@pytest.mark.parametrize(("mcu", "entry"), [("m0", 16), ("m0plus", 15)])
def test_entry_on_v6m(attacca_cortex_m: Path, tmp_path: Path, mcu: str, entry: int) -> None:
    main = "mov r2, r8; mov r3, r9; strb r4, [r7]; nop; str r2, [r3]; nop"
    m = run_m0(attacca_cortex_m, tmp_path, mcu, main, {"PendSV": "strb r5, [r7]"})
    assert m.run.status == 0, m.run.stderr
    assert m.at(0x22) - m.at(0x21) == 1 + STORE + entry + STORE


def test_v6m_has_two_bits_of_priority(attacca_cortex_m: Path, tmp_path: Path) -> None:
    m = run_m0(attacca_cortex_m, tmp_path, "m0", "put IPR + 4, 0xffffff7f; get r2, IPR + 4; show r2", {})
    assert m.values() == [0x40]


def test_v6m_knows_hard_fault_only(attacca_cortex_m: Path, tmp_path: Path) -> None:
    main = "put SHCSR, 0x70000; ldr r0, =0x30000000; ldr r0, [r0]"
    m = run_m0(attacca_cortex_m, tmp_path, "m0", main, {"HardFault": "mark 1; finish"})
    assert m.values() == [1]
    m = run_m0(attacca_cortex_m, tmp_path, "m0", "ldr r0, =RAM + 1; ldr r0, [r0]", {"HardFault": "mark 2; finish"})
    assert m.values() == [2]  # unaligned


def test_v6m_locks_up_in_hard_fault(attacca_cortex_m: Path, tmp_path: Path) -> None:
    m = run_m0(attacca_cortex_m, tmp_path, "m0", "udf #0", {"HardFault": "mark 1; udf #0"})
    assert m.values() == [1]
    assert m.run.status == 5
    assert "lock-up" in m.run.stderr
