"""Whose a masked stretch is (`--calls`) on the Cortex-M instrument: the calls under way on the running stack alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cortex_m_asm import run_asm

Calls = Callable[..., dict[str, dict[str, Any]]]
TWO, THREE = "cpsid i; nop; cpsie i", "cpsid i; nop; nop; cpsie i"  # cycles from the end of CPSID to the end of CPSIE
ENTRY = 12
LATER = 0x20000C00  # another stack, above the one of main


@pytest.fixture
def calls(attacca_cortex_m: Path, tmp_path: Path) -> Calls:
    """The report's `calls` by function."""

    def run(main: str, functions: str = "", handlers: dict[str, str] | None = None, root: str = "main",
            *more: str) -> dict[str, dict[str, Any]]:  # fmt: skip
        done = run_asm(attacca_cortex_m, tmp_path, main, functions, handlers, "--calls", root, *more)
        assert done.status == 0, done.stderr
        return {one["function"]: one for one in done.report["calls"]}

    return run


def code(found: dict[str, dict[str, Any]], name: str) -> int:
    return (found[name]["by_code"] or {"cycles": 0})["cycles"] if name in found else 0


def codes(found: dict[str, dict[str, Any]], *names: str) -> list[int]:
    return [code(found, name) for name in names]


def test_it_is_not_there_unless_asked_for(attacca_cortex_m: Path, tmp_path: Path) -> None:
    assert "calls" not in run_asm(attacca_cortex_m, tmp_path, "nop").report


def test_a_stretch_belongs_to_every_call_around_it(calls: Calls) -> None:
    found = calls(
        "bl outer; bl inner",
        f"outer: push {{r4, lr}}; bl inner; bl other; pop {{r4, pc}}; inner: {THREE}; bx lr; other: bx lr",
    )
    assert codes(found, "outer", "inner", "other") == [3, 3, 0]
    assert (found["outer"]["count"], found["inner"]["count"]) == (1, 2)
    assert found["other"]["by_code"] is None
    assert set(found["inner"]["by_code"]) == {"cycles", "at", "began_in", "ended_in"}


RETURNS = [
    "push {r4, lr}; bl inner; pop {r4, pc}",
    "push {r4, lr}; bl inner; pop.w {r4, lr}; bx lr",
    "push {lr}; bl inner; ldr pc, [sp], #4",
    "sub sp, #8; str lr, [sp]; bl inner; ldr lr, [sp]; add sp, #8; bx lr",
    "mov r4, lr; bl inner; mov pc, r4",
    "mov r4, lr; bl inner; bx r4",
]


@pytest.mark.parametrize("back", RETURNS)
def test_it_ends_with_the_call_however_it_returns(calls: Calls, back: str) -> None:
    found = calls(f"bl outer; {THREE}; bl after", f"outer: {back}; inner: {TWO}; bx lr; after: bx lr")
    assert codes(found, "outer", "inner", "after", "main") == [2, 2, 0, 3]


def test_a_call_by_a_register(calls: Calls) -> None:
    found = calls("ldr r0, =outer; blx r0", f"outer: {TWO}; bx lr")
    assert code(found, "outer") == 2 and found["outer"]["count"] == 1


def test_a_jump_that_stands_for_a_call(calls: Calls) -> None:
    found = calls(f"bl front; {THREE}", f"front: b body; body: {TWO}; bx lr")
    assert codes(found, "front", "body") == [2, 2]
    assert found["body"]["count"] == 1


def test_the_longest_counts_and_the_window(calls: Calls) -> None:
    functions = (
        f"first: {THREE}; bx lr; second: {TWO}; bx lr; both: push {{r4, lr}}; bl first; bl second; pop {{r4, pc}}"
    )
    assert code(calls("bl both", functions), "both") == 3
    assert code(calls("bl first; mark 1; bl both", functions, None, "main", "--mark", "second"), "both") == 2


STACKS = f"""
caller: push {{r4, lr}}; bl service; pop {{r4, pc}}
service: mov r4, lr; mov r5, sp; ldr r0, ={LATER}; mov sp, r0; b root
root: bl job; b back
job: {TWO}; bx lr
back: mov sp, r5; {THREE}; bx r4
"""


@pytest.mark.parametrize("stack", [0x20000C00, 0x20002000])
def test_another_stack_is_none_of_its_business(calls: Calls, stack: int) -> None:
    """Two calls wait on a stack that lies above (below) the one where a job masks; then they go on."""
    found = calls("bl caller", STACKS.replace(str(LATER), str(stack)), None, "root")
    assert codes(found, "job", "caller", "service") == [2, 3, 3]


def test_a_thread_that_leaves_its_root_for_good(calls: Calls) -> None:
    """The root jumps away, and what it jumped to calls: from the very top of its stack."""
    stacks = STACKS.replace("b back", "b exit; exit: bl job; bl job; b back", 1)
    found = calls("bl caller", stacks.replace(THREE, "nop"), None, "root")
    assert codes(found, "exit", "caller", "service") == [2, 0, 0]


def test_a_new_thread_on_an_old_stack(calls: Calls) -> None:
    """The one before never came back from its first call; its stack's top is the new one's."""
    root = f"""
    root: cmp r9, #0; bne _again; mov r9, #1; bl first; nop
    _again: bl job; b back
    first: ldr r0, ={LATER}; mov sp, r0; b root
    """
    found = calls("mov r9, #0; bl caller", STACKS.replace("root: bl job; b back", root), None, "root")
    assert codes(found, "job", "first") == [2, 0] and found["first"]["count"] == 1


def test_what_a_stack_was_before_is_forgotten(calls: Calls) -> None:
    """Two calls are left for good, as by a longjmp, and the stack grows over them again."""
    functions = f"""
    deep: push {{r4, lr}}; sub sp, #64; bl deeper; nop
    deeper: push {{r4, lr}}; add sp, #80; b back
    back: bl grown; finish
    grown: push {{r4, lr}}; sub sp, #128; bl last; add sp, #128; pop {{r4, pc}}
    last: {TWO}; bx lr
    """
    found = calls("bl deep; nop", functions)
    assert codes(found, "grown", "last", "deeper") == [2, 2, 0] and found["deeper"]["count"] == 1


def test_a_handlers_stretch_belongs_to_what_it_calls(calls: Calls) -> None:
    found = calls("enable 28; pend 28; nop; bl later", "helper: bx lr; later: bx lr",
                  {"TIM2": "push {r4, lr}; bl helper; pop {r4, pc}"})  # fmt: skip
    assert found["helper"]["by_handler"]["vector"] == "TIM2"
    assert found["helper"]["by_handler"]["cycles"] == found["on_TIM2"]["by_handler"]["cycles"] > 2 * ENTRY
    assert found["helper"]["by_code"] is None and found["later"]["by_handler"] is None


def test_what_code_masks_in_a_handler_is_not_the_interrupted_calls(calls: Calls) -> None:
    found = calls("enable 28; bl work", f"work: pend 28; nop; bx lr; helper: {THREE}; bx lr",
                  {"TIM2": "push {r4, lr}; bl helper; pop {r4, pc}"})  # fmt: skip
    assert codes(found, "helper", "on_TIM2", "work") == [3, 3, 0]


def test_the_interrupted_call_goes_on(calls: Calls) -> None:
    around = "outer: push {r4, lr}; bl work; pop {r4, pc}"
    work = f"work: push {{r4, lr}}; pend 28; nop; bl helper; pop {{r4, pc}}; helper: {TWO}; bx lr"
    found = calls("enable 28; bl outer", f"{around}; {work}", {"TIM2": "nop"})
    assert codes(found, "helper", "work", "outer") == [2, 2, 2]


def test_a_tail_chain_is_one_entry_each(calls: Calls) -> None:
    both = "cpsid i; pend 28; pend 29; cpsie i; nop"
    work = f"work: push {{r4, lr}}; {both}; bl helper; pop {{r4, pc}}; helper: {TWO}; bx lr"
    found = calls("enable 28; enable 29; bl outer", f"outer: push {{r4, lr}}; bl work; pop {{r4, pc}}; {work}",
                  {"TIM3": "nop", "TIM2": "nop"}, "main", "--mark", "helper")  # fmt: skip
    assert [found[name]["count"] for name in ("on_TIM2", "on_TIM3")] == [1, 1]
    assert codes(found, "helper", "work", "outer") == [2, 2, 2]


def test_what_a_return_begins_anew_is_nobodys_call(calls: Calls) -> None:
    """A handler returns to a frame that it made: to `exit`, below what was interrupted; that goes on later."""
    made = "sub sp, #32; ldr r0, =exit; str r0, [sp, #24]; ldr r0, =0x01000000; str r0, [sp, #28]"
    exit_ = f"exit: {THREE}; add sp, #24; pop {{r0, r1}}; mov pc, r0"
    found = calls("enable 28; bl work", f"work: mov r4, lr; pend 28; nop; {TWO}; bx r4; {exit_}", {"TIM2": made})
    assert codes(found, "exit", "work") == [3, 2]


def test_a_nested_handlers_calls_are_its_own(calls: Calls) -> None:
    found = calls(
        "priority 28, 0x80; enable 28; enable 29; pend 28; nop",
        "helper: bx lr",
        {"TIM2": "pend 29; nop", "TIM3": "push {r4, lr}; bl helper; pop {r4, pc}"},
    )
    assert found["helper"]["by_handler"]["vector"] == "TIM3"
    assert found["on_TIM2"]["by_handler"]["cycles"] > found["helper"]["by_handler"]["cycles"]
