"""Wrong firmware on the Cortex-M instrument: the run ends with the reason, the place and a status that is not 0."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import instrument_tools as tools
from cortex_m_asm import run_asm

Runner = Callable[..., tools.Run]

CRASH, BUDGET, HALT = 5, 4, 7
NOWHERE = 0x60000000  # no memory there, and none at the beginning of it
LOOP = "b ."


@pytest.fixture
def run(attacca_cortex_m: Path, tmp_path: Path) -> Runner:
    def go(*what: Any, **more: dict[str, str]) -> tools.Run:
        return run_asm(attacca_cortex_m, tmp_path, *what, **more)

    return go


def says(done: tools.Run, status: int, place: str, *words: str) -> None:
    end = done.report["end"]
    assert done.status == status, done.stderr
    assert end["symbol"] == place, end
    for word in words:
        assert word in end["detail"], end
    assert done.stderr.count("\n") == 1 and end["detail"] in done.stderr and end["symbol"] in done.stderr


JUMPS = {
    "nowhere": (NOWHERE + 1, "0x60000000", "nothing answers"),
    "erased": (0x0801F001, None, "erased flash"),
    "even": (0x08000100, None, "even address"),
    "device": (0x40010801, "0x40010800", "memory map"),
}


@pytest.mark.parametrize("name", JUMPS)
def test_a_jump_to_nowhere_says_from_where(run: Runner, name: str) -> None:
    target, place, word = JUMPS[name]
    done = run("bl wrong", f"wrong: ldr r0, ={target}; here: bx r0")
    assert done.status == CRASH
    says(done, CRASH, place or done.report["end"]["symbol"], word, "from here")
    assert done.report["end"]["pc"] == target & ~1


def test_an_access_outside_memory(run: Runner) -> None:
    done = run("bl wrong", f"wrong: ldr r0, ={NOWHERE}; here: ldr r1, [r0, #4]; bx lr")
    says(done, CRASH, "here", "0x60000004", "lock-up")


def test_a_write_to_flash(run: Runner) -> None:
    says(run("ldr r0, =0x08000000; here: str r0, [r0]"), CRASH, "here", "0x08000000")


def test_an_opcode_that_does_not_exist(run: Runner) -> None:
    says(run(".inst.n 0xde00"), CRASH, "main", "invalid opcode")


def test_a_breakpoint_without_a_debugger(run: Runner) -> None:
    says(run("bkpt 1"), CRASH, "main", "breakpoint")


def test_a_default_handler_that_loops(run: Runner) -> None:
    done = run(f"bl wrong; b .; wrong: ldr r0, ={NOWHERE}; here: ldr r1, [r0]", handlers={"HardFault": LOOP})
    says(done, HALT, "on_HardFault", "HardFault", "0x60000000", "at here")


def test_a_fault_in_a_faults_handler(run: Runner) -> None:
    """Lock-up: the first fault is the reason."""
    done = run(".inst.n 0xde00", handlers={"HardFault": f"ldr r0, ={NOWHERE}; ldr r1, [r0]"})
    says(done, CRASH, "main", "invalid opcode", "lock-up: in HardFault", "0x60000000")


def test_a_fault_that_is_handled_is_no_end(run: Runner) -> None:
    """The handler steps over the instruction that failed; a later fault is the reason of the end, not the first."""
    skip = "ldr r0, [sp, #24]; adds r0, #2; str r0, [sp, #24]"
    done = run(f"ldr r0, ={NOWHERE}; ldr r1, [r0]", handlers={"HardFault": skip})
    assert done.status == 0
    once = "ldr r2, =stack_top - 0x100; ldr r3, [r2]; cmp r3, #0; bne again; adds r3, #1; str r3, [r2]"
    again = f"; bx lr; again: ldr r0, ={NOWHERE}; ldr r1, [r0, #8]"
    code = f"ldr r0, ={NOWHERE}; ldr r1, [r0]; here: .inst.n 0xde00"
    done = run(code, handlers={"HardFault": f"{once}; {skip}{again}"})
    says(done, CRASH, "here", "invalid opcode")


def test_a_stack_pointer_outside_ram(run: Runner) -> None:
    says(run("ldr r0, =0x1fff0000; here: mov sp, r0"), CRASH, "here", "stack pointer outside RAM")
    says(run("ldr r0, =0x20005004; here: mov sp, r0"), CRASH, "here", "stack pointer outside RAM")
    assert run("ldr r0, =0x20005000; mov sp, r0; push {r0}").status == 0


def test_a_recursion_that_leaves_ram(run: Runner) -> None:
    says(run("bl down", "down: push {r4, lr}; bl down"), CRASH, "down", "stack pointer outside RAM")


def test_no_stack_for_an_interrupt(run: Runner) -> None:
    done = run("enable 28; ldr r0, =0x20000010; mov sp, r0; pend 28; nop", handlers={"TIM2": "nop"})
    assert done.status == CRASH and "stacking" in done.report["end"]["detail"]
    assert done.report["end"]["symbol"].startswith("main")


def test_an_interrupt_without_a_handler(run: Runner) -> None:
    done = run("enable 28; pend 28; nop")
    assert done.status == CRASH and "even address" in done.report["end"]["detail"]


def test_a_loop_that_nothing_can_interrupt(run: Runner) -> None:
    says(run(f"cpsid i; {LOOP}"), HALT, "main+0x2", "interrupts disabled")
    says(run(f"cpsid i; {LOOP[0]}.w ."), HALT, "main+0x2", "interrupts disabled")
    assert run(LOOP).status == BUDGET


def test_a_loop_in_a_handler(run: Runner) -> None:
    """It is the end, unless something more urgent is enabled."""
    start = "priority 28, 0x80; priority 29, 0x40; priority 7, 0x90; enable 7; enable 28"
    system = "put 0xe000ed1c, 0xa0000000; put 0xe000ed20, 0xa0a00000"  # SVCall, PendSV and SysTick: less urgent
    done = run(f"{system}; {start}; pend 28", handlers={"TIM2": LOOP})
    says(done, HALT, "on_TIM2", "TIM2", "nothing can interrupt")
    assert run(f"{system}; {start}; enable 29; pend 28", handlers={"TIM2": LOOP}).status == BUDGET


def test_a_loop_that_a_handler_makes_endless(run: Runner) -> None:
    says(run(LOOP, "", {"TIM2": "cpsid i"}, "--inject", "TIM2@20"), HALT, "main", "interrupts disabled")


def test_sleep_that_nothing_ends(run: Runner) -> None:
    says(run("wfi"), HALT, "main+0x2", "asleep")
    says(run("cpsid i; wfi"), HALT, "main+0x4", "asleep")
    assert run("cpsid i; enable 28; put 0xe000e200, 0x10000000; wfi").status == 0  # a masked request ends it


def test_what_is_not_modelled_is_no_quiet_zero(run: Runner) -> None:
    done = run("ldr r0, =0x40007400; movs r1, #1; str r1, [r0]")  # DAC
    assert done.status == CRASH and "DAC" in done.report["end"]["detail"]


@pytest.mark.parametrize(
    ("word", "text"), [("0x08000101", "stack pointer"), ("0x20000800; .word 0x08000100", "no Thumb code")]
)
def test_a_file_without_a_vector_table(attacca_cortex_m: Path, tmp_path: Path, word: str, text: str) -> None:
    file = tmp_path / "wrong.S"
    file.write_text(f".thumb\n.text\n.word {word}\n.word 0x08000101\nnop\n")
    done = tools.call(attacca_cortex_m, tools.build_cortex_m([file], tmp_path / "wrong.elf", "-Wl,--entry=0x08000000"))
    assert done.returncode == 3 and text in done.stderr


def test_data_that_is_loaded_to_ram(attacca_cortex_m: Path, tmp_path: Path) -> None:
    """A loader could put it there, a reset can not."""
    firmware = tools.write_hex([(0x08000000, bytes.fromhex("0008002009000008feefe7fe")), (0x20000000, b"data")],
                               tmp_path / "ram.hex")  # fmt: skip
    done = tools.call(attacca_cortex_m, firmware)
    assert done.returncode == 3 and "RAM" in done.stderr
