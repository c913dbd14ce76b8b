"""When an exception comes on the Cortex-M instrument: entry, late arrival, nesting, chains, sleep, timers.

To the cycle, and made of the manual's three figures ("Cortex-M3 Technical Reference Manual" r2p1, 3.9.1, and Arm's
support article on the interrupt latency): 12 cycles from the request to the handler's first instruction, 12 (by the
article 10) from the end of the return to the instruction that was interrupted, 6 from one handler to the next. The M0's
entry is 16, the M0+'s 15.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

import cortex_m_asm
import instrument_tools as tools
from cortex_m_snippets import M3_SETS

ENTRY, CHAIN = 12, 6
EDGE = 2000  # cycle at which EXTI1 is requested; main does nothing but nops then
NOPS = "b 5f; .ltorg\n5: .rept 2500; nop; .endr"
# r8: EXTI's pending register. r4, r5: what the handlers mark with, so that their first instruction is the mark.
SETUP = """
    put 0x40021018, 0x1fd; put 0x40010408, 3; put 0x40010400, 3
    priority 7, 0x80; enable 6; enable 7; ldr r8, =0x40010414; movs r4, #0x20; movs r5, #0x21
"""
HANDLERS = {
    "EXTI0": "strb r4, [r7, #0x7c]; movs r1, #1; str r1, [r8]",
    "EXTI1": "strb r5, [r7, #0x7c]; movs r1, #2; str r1, [r8]",
}
Run = Callable[..., tools.Run]


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Most tests run the same firmware at another edge."""
    folder = tmp_path_factory.mktemp("firmware")

    @functools.cache
    def built(text: str) -> Path:
        source = folder / f"{len(list(folder.iterdir()))}.S"
        source.write_text(text)
        return tools.build_cortex_m([source], source.with_suffix(".elf"))

    return built


@pytest.fixture
def run(attacca_cortex_m: Path, firmware: Callable[[str], Path], tmp_path: Path) -> Run:
    def with_edges(main: str, edges: dict[str, int], *arguments: object, **more: str) -> tools.Run:
        elf = firmware(cortex_m_asm.source(SETUP + main, "", HANDLERS | more))
        stimulus = tmp_path / "edges.txt"
        stimulus.write_text("".join(f"{cycle} {pin} 1\n" for pin, cycle in edges.items()))
        done = tools.run(attacca_cortex_m, elf, tmp_path, "--cycles", "10M", "--stimulus", stimulus, *arguments)
        assert done.vcd is not None, done.stderr
        return done

    return with_edges


def at(run: tools.Run, value: int) -> int:
    """The one time at which the marker became this value."""
    times = [cycle for cycle, marked in run.markers() if marked == value]
    assert len(times) == 1, run.markers()
    return times[0]


@pytest.mark.parametrize("chosen", M3_SETS)
def test_an_edge_s_way_to_the_handler_and_back(run: Run, chosen: str) -> None:
    p = M3_SETS[chosen]
    done = run(NOPS.replace("nop", "adds r3, #1") + "; nop; mark 9", {"PA0": EDGE}, "--timing", chosen)
    other = run(NOPS.replace("nop", "adds r3, #1") + "; nop; mark 9", {"PA1": 1_000_000}, "--timing", chosen)
    assert at(done, 0x20) == EDGE + ENTRY + p["S"]
    # strb, movs, str, bx: what the handler costs between its way in and its way out.
    handler = p["S"] + 1 + p["S"] + 1
    assert at(done, 9) - at(other, 9) == ENTRY + handler + p["X"]
    irq = done.vcd.edges("irq")
    assert irq == [(EDGE, 1), (EDGE + ENTRY + handler + p["X"], 0)]


def late(distance: int) -> tuple[int, int]:
    """When EXTI1's handler and EXTI0's have marked, if EXTI0, more urgent, is requested so many cycles after EXTI1.

    A handler's four instructions end 2, 3, 5 and 6 cycles after its beginning; the mark is the first. All in cycles
    after EXTI1's request.
    """
    mark, ends, leave = 2, (0, 2, 3, 5, 6), 12
    if distance < ENTRY:
        # EXTI0 gets EXTI1's stacking, but its vector is fetched anew, 6 cycles at least; EXTI1 follows as a chain.
        first = ENTRY if distance < 0 else max(ENTRY, distance + CHAIN)
        urgent = (first if distance >= 0 else distance + ENTRY) + mark
        return urgent - mark + ends[-1] + CHAIN + mark, urgent
    if distance < ENTRY + ends[-1]:
        # It preempts EXTI1's handler before the next instruction, with a stacking of its own.
        boundary = ENTRY + min(end for end in ends if ENTRY + end >= distance)
        first = boundary + ENTRY
        begun = boundary > ENTRY
        return ENTRY + mark if begun else first + ends[-1] + leave + mark, first + mark
    if distance < ENTRY + ends[-1] + leave:
        # It stops EXTI1's return: nothing is unstacked and stacked again.
        return ENTRY + mark, distance + CHAIN + mark
    return ENTRY + mark, distance + ENTRY + mark


@pytest.mark.parametrize("distance", range(-14, 36))
def test_a_more_urgent_exception_at_every_cycle(run: Run, distance: int) -> None:
    done = run(NOPS, {"PA1": EDGE, "PA0": EDGE + distance})
    assert (at(done, 0x21) - EDGE, at(done, 0x20) - EDGE) == late(distance)
    assert [value for _, value in done.vcd.edges("entries")] == [1, 2]


@pytest.mark.parametrize("distance", range(36))
def test_a_less_urgent_exception_at_every_cycle(run: Run, distance: int) -> None:
    done = run(NOPS, {"PA0": EDGE, "PA1": EDGE + distance})
    assert at(done, 0x20) - EDGE == ENTRY + 2
    end = ENTRY + 6  # of EXTI0's BX
    expected = end + CHAIN if distance <= end else distance + (CHAIN if distance < end + 12 else ENTRY)
    assert at(done, 0x21) - EDGE == expected + 2


def test_a_request_is_taken_between_two_instructions(run: Run) -> None:
    """Whatever ends before it: loads take 2 cycles, so at every second cycle a request waits for one more."""
    loads = "b 5f; .ltorg\n5: .rept 800; ldr r0, [sp]; nop; .endr"  # 3 cycles a pair
    entries = [at(run(loads, {"PA0": EDGE + i}), 0x20) - 2 - ENTRY - EDGE for i in range(6)]
    assert sorted(i - entry for i, entry in enumerate(entries)) == [-1, -1, 0, 0, 0, 0]


def test_sleep_ends_with_the_entry(run: Run) -> None:
    done = run("wfi; mark 9", {"PA0": EDGE})
    assert at(done, 0x20) == EDGE + ENTRY + 2
    # movs, str, bx, the way out; movs and strb of the mark.
    assert at(done, 9) - at(done, 0x20) == 1 + 2 + 1 + 12 + 1 + 2


def test_sleep_ends_with_interrupts_masked_too(run: Run) -> None:
    done = run("cpsid i; wfi; strb r4, [r7, #0x7c]; movs r4, #0x22; cpsie i; mark 9", {"PA0": EDGE})
    assert at(done, 0x20) == EDGE + 2
    # movs; CPSIE lets it in at once.
    assert at(done, 0x22) - at(done, 0x20) == 1 + 1 + ENTRY + 2


def test_systick_s_period_and_what_it_has_counted_when_its_handler_runs(run: Run) -> None:
    start = "ldr r9, =0xe000e018; put 0xe000e014, 999; put 0xe000e018, 0; put 0xe000e010, 7; "
    first = "ldr r0, [r9]; movw r2, #999; subs r0, r2, r0; adds r5, #1; strb r5, [r7, #0x7c]; strb r0, [r7, #0x7c]"
    done = run(start + NOPS + "; cpsid i", {"PA2": 1}, SysTick=first)
    counted = [value for _, value in done.markers() if value < 0x20]
    times = [cycle for cycle, value in done.markers() if value >= 0x20]
    # At the request the counter is 0, a cycle later 999. The load, of two cycles, sees it as it is in its second.
    assert counted == [ENTRY] * len(counted)
    assert len(times) >= 2
    assert {after - before for before, after in itertools.pairwise(times)} == {1000}


def test_a_timer_s_overflow(run: Run) -> None:
    clock, count = "put 0x4002101c, 1; ", "ldr r9, =0x40000000; put 0x4000002c, 999; put 0x4000000c, 1; "
    first = (
        "ldr r0, [r9, #0x24]; strb r0, [r7, #0x7c]; adds r5, #1; strb r5, [r7, #0x7c]; movs r1, #0; str r1, [r9, #0x10]"
    )
    done = run(clock + count + "enable 28; put 0x40000000, 1; " + NOPS + "; cpsid i", {"PA2": 1}, TIM2=first)
    counted = [value for _, value in done.markers() if value < 0x20]
    times = [cycle for cycle, value in done.markers() if value >= 0x20]
    assert counted == [ENTRY + 1] * len(counted)  # 0 at the request; the load sees it in its second cycle
    assert len(times) >= 2
    assert {after - before for before, after in itertools.pairwise(times)} == {1000}


SMALL = """
.syntax unified
.thumb
.text
.word 0x20000400, start
.rept 9; .word 0; .endr
.word handler
.thumb_func
handler: strb r5, [r7]
    bx lr
.global start
.thumb_func
start: ldr r7, =0xe000007c
    movs r4, #1
    movs r5, #2
    strb r4, [r7]
    svc #0
    movs r6, #0x80
    strb r6, [r7]
    b .
"""


@pytest.mark.parametrize(("mcu", "entry"), [("m0", 16), ("m0plus", 15)])
def test_the_small_cores_entries(
    attacca_cortex_m: Path, firmware: Callable[[str], Path], tmp_path: Path, mcu: str, entry: int
) -> None:
    done = tools.run(attacca_cortex_m, firmware(SMALL), tmp_path, "--mcu", mcu, "--cycles", "1k")
    assert done.vcd is not None, done.stderr
    assert at(done, 2) - at(done, 1) == 1 + entry + 2
