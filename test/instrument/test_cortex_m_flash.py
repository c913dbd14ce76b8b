"""Flash with wait states, counted by hand, and code in RAM that changes.

A line is 8 bytes: 4 instructions, or 2 wide ones. With W wait states it takes W + 1 cycles, and the next one begins to
be read when this one is there. Each stretch begins with a jump to a line that starts with the store of the first mark:
when that line is there, at cycle 0, the next begins; it is there at W + 1.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cortex_m_asm import run_asm

Waits = Callable[[str, int, int], int]

# To be put behind `strb` (2 cycles) and `movs` (1), half a line.
NARROW = "; ".join(["nop"] * 18)
WIDE = "; ".join(["nop.w"] * 9)
LOOP = "movs r0, #10; nop; _again: subs r0, #1; bne _again"
JUMP = "b.w _far; .balign 8; .space 64; _far:"
CONSTANT = "nop.w; ldr r0, =0x12345678; nop; nop; nop"
CONSTANTS = "nop.w; ldr r0, =0x12345678; ldr r1, =0x87654321; nop.w"
RAM_LOADS = "mov r0, #0x20000000; " + "; ".join(["ldr r1, [r0]"] * 8)


@pytest.fixture
def waits(attacca_cortex_m: Path, tmp_path: Path) -> Waits:
    def measure(body: str, states: int, prefetch: int) -> int:
        """Cycles more than without wait states."""

        def cycles(timing: str) -> int:
            to_here = "add r5, r7, #0x7c; movs r6, #1; b.w _here; .balign 8"
            main = f"{to_here}; _here: strb r6, [r5]; movs r6, #2; {body}; strb r6, [r5]"
            run = run_asm(attacca_cortex_m, tmp_path, main, "", None, "--timing", timing)
            assert run.status == 0, run.stderr
            first, second = (cycle for cycle, _ in run.markers()[:2])
            return second - first

        return cycles(f"main,wait-states={states},prefetch={prefetch}") - cycles("main")

    return measure


@pytest.mark.parametrize(
    ("body", "states", "prefetch", "expected"),
    [
        (NARROW, 1, 1, 0),  # four cycles a line, two to read the next
        (NARROW, 2, 1, 0),
        (NARROW, 2, 0, 5 * 2),  # five lines more, each read when it is needed
        (WIDE, 1, 1, 0),  # two cycles a line, two to read the next
        (WIDE, 2, 1, 4),  # three to read it: one missing for each line but the second, which had four
        (WIDE, 2, 0, 5 * 2),
        (LOOP, 2, 1, 0),  # all in one line
        (LOOP, 2, 0, 2),
        (JUMP, 1, 1, 1),
        (JUMP, 2, 1, 2),
        (JUMP, 2, 0, 2),
        (CONSTANT, 2, 1, 2),  # the three instructions behind it give the held up line its time
        # Its line begins at 4, so the next would be there at 7. Each constant waits 2: the first is read at 6 and
        # ends at 8, and the next line comes at 10; the second is read at 9 and ends at 11, and the next line comes
        # at 13. The fourth instruction has ended at 12.
        (CONSTANTS, 2, 1, 2 + 2 + 1),
        (CONSTANTS, 1, 1, 1 + 1),
        (RAM_LOADS, 2, 1, 0),
    ],
)
def test_wait_states(waits: Waits, body: str, states: int, prefetch: int, expected: int) -> None:
    assert waits(body, states, prefetch) == expected


def test_code_in_ram_has_no_waits(waits: Waits) -> None:
    nops = "ldr r0, =0x20000100; ldr r1, =0xbf00bf00; mov r2, r1; mov r3, r1; mov r4, r1" + "; stmia r0!, {r1-r4}" * 4
    body = nops + "; ldr r1, =0x4770bf00; str r1, [r0]; ldr r0, =0x20000101; blx r0"
    # Nine lines of it, if it were flash. Back there, at most one line is read.
    assert waits(body, 2, 0) - waits(body.replace("blx r0", "nop"), 2, 0) <= 2


def test_code_that_changes_is_decoded_again(attacca_cortex_m: Path, tmp_path: Path) -> None:
    call = "ldr r0, =0x20000101; blx r0; mov r6, r0; strb r6, [r7, #0x7c]"
    whole = "put 0x20000100, 0x47702000 + {}; " + call
    a_byte = "ldr r1, =0x20000100; movs r2, #7; strb r2, [r1]; " + call
    run = run_asm(attacca_cortex_m, tmp_path, f"{whole.format(5)}; {whole.format(6)}; {a_byte}")
    assert [value for _, value in run.markers()][:3] == [5, 6, 7]
