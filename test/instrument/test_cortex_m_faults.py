"""Faults of the Cortex-M instrument: what is a fault, what it escalates to, when the processor locks up; the MPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortex_m_marks import Asm, runner

ENABLE = {"MemManage": 16, "BusFault": 17, "UsageFault": 18}
NOWHERE = 0x30000000
ABSENT_PERIPHERAL_SPACE = 0x40030000

# snippet, exception, bits of CFSR, fault address or None
FAULTS = {
    "undefined": ("udf #0", "UsageFault", 1 << 16, None),
    "even jump": ("ldr r2, =on_target; bic r2, #1; bx r2; .thumb_func; on_target: nop", "UsageFault", 1 << 17, None),
    "coprocessor": ("mcr p1, 0, r0, c0, c0", "UsageFault", 1 << 19, None),
    "unaligned, trapped": ("put CCR, 0x208; ldr r2, =RAM + 1; ldr r3, [r2]", "UsageFault", 1 << 24, None),
    "unaligned multiple": ("ldr r2, =RAM + 1; ldmia r2, {r0, r1}", "UsageFault", 1 << 24, None),
    "division by 0": ("put CCR, 0x210; movs r2, #1; movs r3, #0; udiv r2, r2, r3", "UsageFault", 1 << 25, None),
    "load from nowhere": (f"ldr r2, ={NOWHERE}; ldr r3, [r2]", "BusFault", 0x8200, NOWHERE),
    "store to nowhere": (f"ldr r2, ={NOWHERE}; str r3, [r2]", "BusFault", 0x8200, NOWHERE),
    "above RAM": ("ldr r2, =RAM_END; ldrb r3, [r2]", "BusFault", 0x8200, 0x20005000),
    "store to flash": ("ldr r2, =0x08000200; str r3, [r2]", "BusFault", 0x8200, 0x08000200),
    "store to flash at 0": ("ldr r2, =0x200; str r3, [r2]", "BusFault", 0x8200, 0x200),
    "no peripheral there": (f"ldr r2, ={ABSENT_PERIPHERAL_SPACE}; ldr r3, [r2]", "BusFault", 0x8200, 0x40030000),
    "fetch from nowhere": (f"ldr r2, ={NOWHERE + 1}; bx r2", "BusFault", 1 << 8, None),
    "fetch from a peripheral": ("ldr r2, =0x40000001; bx r2", "MemManage", 1, None),
    "system register unprivileged": (
        "movs r0, #1; msr control, r0; isb; ldr r2, =SHCSR; ldr r3, [r2]",
        "BusFault",
        0x8200,
        0xE000ED24,
    ),
}


@pytest.fixture
def asm(attacca_cortex_m: Path, tmp_path: Path) -> Asm:
    return runner(attacca_cortex_m, tmp_path)


def word(asm_register: str) -> str:
    """A register's four bytes as marks, seven bits at a time, the lowest first."""
    return "; ".join(f"lsrs r1, {asm_register}, #{shift}; show r1" for shift in (0, 7, 14, 21, 28)).replace(
        f"lsrs r1, {asm_register}, #0", f"mov r1, {asm_register}"
    )


def words(values: list[int]) -> list[int]:
    return [
        sum(part << 7 * i for i, part in enumerate(values[at : at + 5])) & 0xFFFFFFFF for at in range(0, len(values), 5)
    ]


REPORT = f"get r2, CFSR; {word('r2')}; get r2, HFSR; {word('r2')}; get r2, BFAR; {word('r2')}; finish"


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_has_its_handler_and_its_bits(asm: Asm, name: str) -> None:
    code, exception, cfsr, address = FAULTS[name]
    m = asm(f"put SHCSR, {1 << ENABLE[exception]}; " + code, {exception: REPORT})
    found = words(m.values())
    assert found[:2] == [cfsr, 0]
    assert address is None or found[2] == address


@pytest.mark.parametrize("name", FAULTS)
def test_without_its_handler_it_is_a_hard_fault(asm: Asm, name: str) -> None:
    code, _, cfsr, _ = FAULTS[name]
    m = asm(code, {"HardFault": REPORT})
    assert words(m.values())[:2] == [cfsr, 1 << 30]


@pytest.mark.parametrize("name", ["undefined", "load from nowhere", "fetch from a peripheral"])
@pytest.mark.parametrize("mask", ["cpsid i", "movs r0, #0x10; msr basepri, r0"])
def test_what_a_mask_holds_off_escalates(asm: Asm, name: str, mask: str) -> None:
    code, _, cfsr, _ = FAULTS[name]
    main = f"put SHCSR, 0x70000; put SHPR1, 0x00202020; {mask}; " + code
    assert words(asm(main, {"HardFault": REPORT}).values())[:2] == [cfsr, 1 << 30]


def test_a_fault_of_its_own_handler_escalates(asm: Asm) -> None:
    m = asm("put SHCSR, 0x70000; udf #0", {"UsageFault": "mark 1; udf #0", "HardFault": "mark 2; finish"})
    assert m.values() == [1, 2]


def test_a_less_urgent_handler_escalates_too(asm: Asm) -> None:
    m = asm(
        "put SHCSR, 0x70000; put SHPR1, 0x00002000; udf #0",
        {"UsageFault": f"mark 1; ldr r2, ={NOWHERE}; ldr r2, [r2]", "HardFault": "mark 2; finish"},
    )
    assert m.values() == [1, 2]


def test_a_more_urgent_fault_nests(asm: Asm) -> None:
    m = asm(
        "put SHCSR, 0x70000; put SHPR1, 0x00800000; udf #0; .thumb; nop; mark 4",
        {
            "UsageFault": f"push {{lr}}; mark 1; ldr r2, ={NOWHERE}; ldr.w r2, [r2]; mark 3; "
            "ldr r2, [sp, #28]; adds r2, #2; str r2, [sp, #28]; pop {lr}",
            "BusFault": "mark 2; ldr r2, [sp, #24]; adds r2, #4; str r2, [sp, #24]",
        },
    )
    assert m.values() == [1, 2, 3, 4]


def test_the_return_address_is_the_faulting_instruction(asm: Asm) -> None:
    m = asm(
        "put SHCSR, 0x70000; .balign 4; nop; .thumb_func; here: udf #0; mark 1",
        {
            "UsageFault": """ldr r2, [sp, #24]; ldr r3, =here; bic r3, #1; subs r3, r2, r3; show r3
                             adds r2, #2; str r2, [sp, #24]"""
        },
    )
    assert m.values() == [0, 1]


@pytest.mark.parametrize("mask", ["cpsid i", "put SHPR2, 0x80000000; movs r0, #0x80; msr basepri, r0"])
def test_svc_that_cannot_come_is_a_hard_fault(asm: Asm, mask: str) -> None:
    m = asm(f"{mask}; svc 0", {"HardFault": REPORT})
    assert words(m.values())[:2] == [0, 1 << 30]


def test_a_breakpoint_without_debugger(asm: Asm) -> None:
    """BKPT 0xAB is semihosting's; any other is DebugMonitor's if that is enabled, else the end of the run."""
    assert asm("put DEMCR, 0x10000; bkpt 1", {"DebugMonitor": "mark 1; finish"}).values() == [1]
    held_off = asm("put DEMCR, 0x10000; cpsid i; bkpt 1", {"HardFault": REPORT})
    assert words(held_off.values())[:2] == [0, 1 << 31]
    assert "breakpoint" in asm("bkpt 1", {"HardFault": "mark 1"}, status=5).run.stderr


# --- faults of entry and exit ---

PROCESS_STACK = "ldr r0, ={at}; msr psp, r0; movs r0, #2; msr control, r0; isb; "


def test_stacking_that_faults_goes_to_bus_fault_first(asm: Asm) -> None:
    m = asm(
        "put SHCSR, 0x70000; put SHPR3, 0x00800000; " + PROCESS_STACK.format(at=NOWHERE) + "str r8, [r9]; nop",
        {"BusFault": REPORT, "PendSV": "mark 9"},
    )
    assert words(m.values())[:2] == [1 << 12, 0]


def test_stacking_that_faults_does_not_keep_a_more_urgent_handler_waiting(asm: Asm) -> None:
    m = asm(
        "put SHCSR, 0x70000; put SHPR1, 0x00008000; " + PROCESS_STACK.format(at=NOWHERE) + "str r8, [r9]; nop",
        {"BusFault": "mark 2; finish", "PendSV": "mark 1"},
    )
    assert m.values() == [1, 2]


def test_stacking_that_the_mpu_forbids(asm: Asm) -> None:
    m = asm(
        region(0, 0x20001000, 8, 0)
        + "put MPU_CTRL, 5; put SHCSR, 0x70000; "
        + PROCESS_STACK.format(at=0x20001010)
        + "str r8, [r9]; nop",
        {"MemManage": REPORT, "PendSV": "mark 9"},
    )
    assert words(m.values())[:2] == [1 << 4, 0]


def test_unstacking_that_faults(asm: Asm) -> None:
    m = asm(
        "put SHCSR, 0x70000; " + PROCESS_STACK.format(at=0x20001000) + "str r8, [r9]; nop",
        {"BusFault": REPORT, "PendSV": f"ldr r0, ={NOWHERE}; msr psp, r0"},
    )
    assert words(m.values())[:2] == [1 << 11, 0]


def test_unstacking_that_the_mpu_forbids(asm: Asm) -> None:
    m = asm(
        "put SHCSR, 0x70000; " + PROCESS_STACK.format(at=0x20001100) + "str r8, [r9]; nop",
        {"MemManage": REPORT, "PendSV": region(0, 0x20001000, 8, 0) + "put MPU_CTRL, 5"},
    )
    assert words(m.values())[:2] == [1 << 3, 0]


@pytest.mark.parametrize(
    "exit_code",
    [
        "ldr r2, =0xfffffff1; bx r2",  # to a handler, and there is none: the popped IPSR says 0
        "ldr r2, =0xfffffff5; bx r2",  # no such kind
        "ldr r2, =0xffffffd9; bx r2",  # reserved bits
    ],
)
def test_an_exit_that_fits_nothing(asm: Asm, exit_code: str) -> None:
    m = asm("put SHCSR, 0x70000; str r8, [r9]; nop", {"PendSV": exit_code, "UsageFault": REPORT})
    assert words(m.values())[:2] == [1 << 18, 0]


@pytest.mark.parametrize("allowed", [True, False])
def test_an_exit_to_thread_mode_from_a_nested_handler(asm: Asm, allowed: bool) -> None:
    """SysTick inside PendSV makes its frame one of thread mode and leaves. NONBASETHRDENA says whether it may."""
    nested = {
        "PendSV": "ldr r2, =0x04000000; str r2, [r9]; nop",
        "SysTick": """
            ldr r2, [sp, #28]; lsrs r2, r2, #9; lsls r2, r2, #9; str r2, [sp, #28]
            ldr r2, =on_thread; bic r2, #1; str r2, [sp, #24]; ldr r2, =0xfffffff9; bx r2
            .thumb_func; on_thread: mark 5; finish
            """,
        "UsageFault": REPORT,
    }
    m = asm(f"put SHCSR, 0x70000; put CCR, {0x200 | allowed}; put SHPR3, 0x00f00000; str r8, [r9]; nop", nested)
    assert m.values() == [5] if allowed else words(m.values())[:2] == [1 << 18, 0]


# --- lock-up: the run ends, and says why ---


@pytest.mark.parametrize(
    ("main", "handlers", "why"),
    [
        ("udf #0", {"HardFault": "mark 1; udf #0"}, "HardFault"),
        (f"ldr r2, ={NOWHERE}; ldr r2, [r2]", {"HardFault": "mark 1; ldr r3, [r2]; ldr r3, [r3]; udf #0"}, "HardFault"),
        ("put ICSR, 0x80000000; nop; nop", {"NMI": "mark 1; udf #0"}, "NMI"),
        ("mark 1; cpsid f; udf #0", {}, "FAULTMASK"),
        ("udf #0", {"HardFault": "mark 1; svc 0"}, "HardFault"),
        ("mark 1; ldr r0, =VTOR; ldr r1, =0x30000000; str r1, [r0]; svc 0", {}, "vector"),
    ],
)
def test_lock_up(asm: Asm, main: str, handlers: dict[str, str], why: str) -> None:
    m = asm(main, handlers, status=5)
    assert m.values() == [1]
    assert "lock-up" in m.run.stderr and why in m.run.stderr
    assert m.run.report["end"]["reason"] == "crash"


def test_faults_of_data_can_be_ignored_in_hard_fault(asm: Asm) -> None:
    m = asm("put CCR, 0x300; udf #0", {"HardFault": f"ldr r2, ={NOWHERE}; ldr r2, [r2]; mark 1; finish"})
    assert m.values() == [1]


# --- MPU ---


def region(number: int, at: int, size_bits: int, attributes: int, left_out: int = 0) -> str:
    """A region of 2**size_bits bytes; attributes: the highest byte of RASR, XN and AP; left_out: subregions."""
    rasr = attributes << 24 | left_out << 8 | (size_bits - 1) << 1 | 1
    return f"put MPU_RNR, {number}; put MPU_RBAR, {at:#x}; put MPU_RASR, {rasr:#x}; "


AT = 0x20001000
UNPRIVILEGED = "movs r0, #1; msr control, r0; isb; "


def touches(asm: Asm, regions: str, access: str, control: int = 5, before: str = "") -> bool:
    """Whether the access is made: else MemManage comes, with the address in MMFAR."""
    m = asm(
        f"{regions} put SHCSR, 0x10000; put MPU_CTRL, {control}; dsb; isb; ldr r2, ={AT}; {before} {access}; mark 1",
        {"MemManage": f"get r3, CFSR; show r3; get r3, MMFAR; mov r2, r3; {word('r2')}; finish"},
    )
    if m.values() == [1]:
        return True
    assert m.values()[0] == 0x82 & 0x7F
    assert words(m.values()[1:])[0] >> 8 == AT >> 8
    return False


@pytest.mark.parametrize(
    ("access", "privileged", "unprivileged"),
    [(0, "", ""), (1, "rw", ""), (2, "rw", "r"), (3, "rw", "rw"), (5, "r", ""), (6, "r", "r"), (7, "r", "r")],
)
@pytest.mark.parametrize("how", ["r", "w"])
def test_access_permissions(asm: Asm, access: int, privileged: str, unprivileged: str, how: str) -> None:
    code = "ldr r3, [r2]" if how == "r" else "str r3, [r2]"
    regions = region(1, 0, 32, 3) + region(2, AT, 8, access)
    assert touches(asm, regions, code) == (how in privileged)
    assert touches(asm, regions, code, before=UNPRIVILEGED) == (how in unprivileged)
    assert touches(asm, regions, code.replace("ldr ", "ldrt ").replace("str ", "strt ")) == (how in unprivileged)


@pytest.mark.parametrize(("offset", "allowed"), [(0, False), (254, False), (256, True), (-1, True)])
def test_a_region_has_its_size(asm: Asm, offset: int, allowed: bool) -> None:
    assert touches(asm, region(0, AT, 8, 0), f"ldrb r3, [r2, #{offset}]") == allowed


@pytest.mark.parametrize("subregion", range(8))
def test_a_subregion_can_be_left_out(asm: Asm, subregion: int) -> None:
    regions = region(0, AT, 8, 0, left_out=1 << subregion)
    for other in (subregion, (subregion + 1) % 8):
        assert touches(asm, regions, f"ldr r3, [r2, #{other * 32}]") == (other == subregion)


def test_the_highest_region_decides(asm: Asm) -> None:
    assert touches(asm, region(0, AT, 8, 0) + region(5, AT, 8, 3), "ldr r3, [r2]")
    assert not touches(asm, region(0, AT, 8, 3) + region(5, AT, 8, 0), "ldr r3, [r2]")


def test_the_background_is_for_privileged_code(asm: Asm) -> None:
    code = region(0, 0x08000000, 17, 6) + region(1, 0xE0000000, 12, 3)
    assert touches(asm, code, "ldr r3, [r2]")
    stack = region(2, 0x20004000, 12, 3)
    assert not touches(asm, code + stack, "ldr r3, [r2]", control=1)
    assert touches(asm, code + stack + region(3, AT, 8, 3), "ldr r3, [r2]", control=1)
    assert not touches(asm, code + stack, "ldr r3, [r2]", before=UNPRIVILEGED)


@pytest.mark.parametrize(("attributes", "runs"), [(0x03, True), (0x13, False), (0x00, False)])
def test_execute_never(asm: Asm, attributes: int, runs: bool) -> None:
    m = asm(
        f"""
        ldr r2, ={AT}; ldr r0, =0x4770; strh r0, [r2]; adds r2, #1
        {region(0, AT, 8, attributes)} put SHCSR, 0x10000; put MPU_CTRL, 5; blx r2; mark 9
        """,
        {"MemManage": "get r3, CFSR; show r3; finish"},
    )
    assert m.values() == ([9] if runs else [1])


def test_hard_fault_runs_without_the_mpu_unless_hfnmiena(asm: Asm) -> None:
    for control, reads in ((5, True), (7, False)):
        main = region(0, AT, 8, 0) + f"put MPU_CTRL, {control}; ldr r2, ={AT}; udf #0"
        m = asm(main, {"HardFault": "ldr r3, [r2]; mark 1; finish"}, status=0 if reads else 5)
        assert m.values() == ([1] if reads else [])


@pytest.mark.parametrize("allowed", [True, False])
def test_unprivileged_code_may_trigger_interrupts_with_usersetmpend(asm: Asm, allowed: bool) -> None:
    m = asm(
        f"put CCR, {0x200 | allowed << 1}; put SHCSR, 0x20000; put ISER0, 0x40; " + UNPRIVILEGED + "put STIR, 6; nop",
        {"EXTI0": "mark 1; finish", "BusFault": "mark 2; finish"},
    )
    assert m.values() == [1 if allowed else 2]


# --- bit bands ---


def test_bit_bands(asm: Asm) -> None:
    m = asm(
        """
        ldr r2, =RAM + 0x100; movs r0, #0x41; str r0, [r2]
        ldr r3, =0x22000000 + 0x100 * 32; ldr r1, [r3]; show r1; ldr r1, [r3, #4]; show r1
        movs r0, #1; str r0, [r3, #12]; movs r0, #2; str r0, [r3]; ldr r1, [r2]; show r1
        put RCC_APB2ENR, 4; put 0x42000000 + 0x21018 * 32 + 3 * 4, 1; get r1, RCC_APB2ENR; show r1
        """
    )
    assert m.values() == [1, 0, 0x48, 0x0C]
