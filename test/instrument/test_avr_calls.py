"""Whose a masked stretch is (`--calls`): the calls under way on the running stack, and no others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from avr_asm import ENTRY, JMP, run_asm

Calls = Callable[..., dict[str, dict[str, Any]]]
TWO, THREE = "cli; nop; sei", "cli; nop; nop; sei"  # cycles from the end of CLI to the end of SEI
PEND = "put SPM_MEM, 0x80; nop; nop"


@pytest.fixture
def calls(attacca_avr: Path, tmp_path: Path) -> Calls:
    """The report's `calls` by function, of a firmware whose main ends before the functions."""

    def run(main: str, functions: str = "", handlers: dict[str, str] | None = None, root: str = "main",
            *more: str) -> dict[str, dict[str, Any]]:  # fmt: skip
        text = f"sei; {main}; finish; {functions}"
        found = run_asm(attacca_avr, tmp_path, text, handlers, ("--calls", root, *more)).run.report["calls"]
        return {one["function"]: one for one in found}

    return run


def code(found: dict[str, dict[str, Any]], name: str) -> int:
    return (found[name]["by_code"] or {"cycles": 0})["cycles"] if name in found else 0


def test_it_is_not_there_unless_asked_for(attacca_avr: Path, tmp_path: Path) -> None:
    assert "calls" not in run_asm(attacca_avr, tmp_path, "nop").run.report


def test_a_stretch_belongs_to_every_call_around_it(calls: Calls) -> None:
    found = calls(
        "rcall outer; rcall inner", f"outer:; rcall inner; rcall other; ret; inner:; {THREE}; ret; other:; ret"
    )
    assert {name: code(found, name) for name in ("outer", "inner", "other")} == {"outer": 3, "inner": 3, "other": 0}
    assert (found["outer"]["count"], found["inner"]["count"]) == (1, 2)
    assert found["other"]["by_code"] is None
    assert set(found["inner"]["by_code"]) == {"cycles", "at", "began_in", "ended_in"}


def test_it_ends_with_the_call(calls: Calls) -> None:
    found = calls(f"rcall before; {THREE}; rcall after", "before:; ret; after:; ret")
    assert code(found, "before") == code(found, "after") == 0 and code(found, "main") == 3


def test_a_jump_that_stands_for_a_call(calls: Calls) -> None:
    found = calls("rcall front", f"front:; rjmp body; body:; {TWO}; ret")
    assert code(found, "front") == code(found, "body") == 2
    assert found["body"]["count"] == 1


def test_the_longest_counts_and_the_window(calls: Calls) -> None:
    functions = f"first:; {THREE}; ret; second:; {TWO}; ret; both:; rcall first; rcall second; ret"
    assert code(calls("rcall both", functions), "both") == 3
    assert code(calls("rcall first; mark 1; rcall both", functions, None, "main", "--mark", "second"), "both") == 2


STACKS = f"""
caller:; rcall service; ret
service:; in r28, SPL; in r29, SPH; ldi r24, lo8(0x400); out SPL, r24; ldi r24, hi8(0x400); out SPH, r24; rjmp root
root:; rcall job; rjmp back
job:; {TWO}; ret
back:; out SPL, r28; out SPH, r29; {THREE}; ret
"""


def test_another_stack_is_none_of_its_business(calls: Calls) -> None:
    """Two calls wait on a stack that lies above the one where a job masks; then they go on."""
    found = calls("rcall caller", STACKS, None, "root")
    assert {name: code(found, name) for name in ("job", "caller", "service")} == {"job": 2, "caller": 3, "service": 3}


def test_a_thread_that_leaves_its_root_for_good(calls: Calls) -> None:
    """The root jumps away, and what it jumped to calls: from the very top of its stack."""
    stacks = STACKS.replace("rjmp back", "rjmp exit; exit:; rcall job; rcall job; rjmp back", 1)
    found = calls("rcall caller", stacks.replace(THREE, "nop"), None, "root")
    assert {name: code(found, name) for name in ("exit", "caller", "service")} == {"exit": 2, "caller": 0, "service": 0}


def test_a_handlers_stretch_belongs_to_what_it_calls(calls: Calls) -> None:
    found = calls(f"{PEND}; rcall later", "helper:; ret; later:; ret", {"SPM_READY": "sts SPM_MEM, r1; rcall helper"})
    handler = found["helper"]["by_handler"]
    assert (handler["cycles"], handler["vector"]) == (ENTRY + JMP + 2 + 3 + 4 + 4, "SPM_READY")
    assert found["helper"]["by_code"] is None and found["later"]["by_handler"] is None


def test_what_code_masks_in_a_handler_is_not_the_interrupted_calls(calls: Calls) -> None:
    found = calls(
        "rcall work",
        f"work:; {PEND}; ret; helper:; {THREE}; ret",
        {"SPM_READY": "sts SPM_MEM, r1; sei; nop; rcall helper"},
    )
    assert code(found, "helper") == 3 and code(found, "work") == 0
