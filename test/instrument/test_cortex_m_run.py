"""What the Cortex-M instrument makes of masks, nested handlers, tail-chains, sleep, resets and semihosting.

Costs that the expectations are made of (--timing main): an instruction of data processing and CPS 1, MSR 2, an
exception's entry and return 12 each, a tail-chain 6.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import instrument_tools as tools
from cortex_m_asm import NUMBERS, run_asm

Runner = Callable[..., tools.Run]

ENTRY = EXIT = 12
TAIL_CHAIN = 6
BX = 1  # of a `bx lr` that returns, besides EXIT


@pytest.fixture
def run(attacca_cortex_m: Path, tmp_path: Path) -> Runner:
    def go(main: str, more: str = "", handlers: dict[str, str] | None = None, *arguments: object) -> tools.Run:
        done = run_asm(attacca_cortex_m, tmp_path, main, more, handlers, *arguments)
        assert done.status == 0, done.stderr
        return done

    return go


def by_code(done: tools.Run, key: str = "by_code") -> dict[str, int]:
    return {one["function"]: one["cycles"] for one in done.report["masked"][key]}


def by_handler(done: tools.Run) -> dict[str, int]:
    return {one["name"]: one["cycles"] for one in done.report["masked"]["by_handler"]}


# Masks.


def test_primask_masks_everything(run: Runner) -> None:
    done = run("cpsid i; nop; nop; cpsie i")
    assert by_code(done) == by_code(done, "all_by_code") == {"main": 3}
    assert [value for _, value in done.vcd.edges("masked")] == [1, 0]
    (began, _), (ended, _) = done.vcd.edges("masked")
    assert ended - began == 3
    assert done.report["masked"]["by_reset"] is None


BASEPRI = "movs r0, #0x40; movs r1, #0; msr basepri, r0; nop; msr basepri, r1"


def test_basepri_masks_what_is_not_above(run: Runner) -> None:
    done = run(f"priority 28, 0x40; enable 28; {BASEPRI}")
    assert by_code(done) == {"main": 3} and by_code(done, "all_by_code") == {}
    assert len(done.vcd.edges("masked")) == 2


@pytest.mark.parametrize(
    "before",
    [
        "nop",  # nothing is enabled
        "priority 28, 0x30; enable 28",  # what is enabled is above
        "priority 28, 0x40",  # what is not above is not enabled
        "put 0xe000ed20, 0xf0f00000",  # PendSV and SysTick are not above, and SysTick's interrupt is off
    ],
)
def test_basepri_masks_nothing_where_all_is_above(run: Runner, before: str) -> None:
    done = run(f"{before}; {BASEPRI}")
    assert by_code(done) == {} and done.vcd.edges("masked") == []


def test_basepri_masks_systick(run: Runner) -> None:
    assert by_code(run(f"put 0xe000ed20, 0xf0000000; put 0xe000e010, 2; {BASEPRI}")) == {"main": 3}


def test_primask_within_basepri_is_one_stretch_and_one_of_all(run: Runner) -> None:
    both = "movs r0, #0x40; movs r1, #0; msr basepri, r0; cpsid i; nop; cpsie i; msr basepri, r1"
    done = run(f"priority 28, 0x40; enable 28; {both}")
    assert by_code(done) == {"main": 5} and by_code(done, "all_by_code") == {"main": 2}
    assert len(done.vcd.edges("masked")) == 2


def test_faultmask_ends_with_the_handler(run: Runner) -> None:
    done = run("enable 28; pend 28; nop", handlers={"TIM2": "cpsid f; nop"})
    assert by_code(done) == by_code(done, "all_by_code") == {"on_TIM2": 1 + BX + EXIT}


def test_a_handlers_stretch_is_entry_to_return(run: Runner) -> None:
    done = run("enable 28; pend 28; nop", handlers={"TIM2": "nop; nop"})
    assert by_handler(done) == {"TIM2": ENTRY + 2 + BX + EXIT}
    assert done.report["masked"]["by_handler"][0]["ended_in"] == "on_TIM2"
    (rise,), (fall,) = done.vcd.rising("irq"), done.vcd.falling("irq")
    assert fall - rise == ENTRY + 2 + BX + EXIT
    assert done.vcd.edges("masked") == []  # PRIMASK, FAULTMASK and BASEPRI are 0 throughout


def test_sleep_is_no_part_of_a_masked_stretch(run: Runner) -> None:
    """PRIMASK or not, a request ends WFI at once; the program has the processor masked from then on."""
    tick = "put 0xe000e014, 200; put 0xe000e018, 0; put 0xe000e010, 7"
    done = run(f"{tick}; cpsid i; nop; here: wfi; nop; nop; cpsie i; nop", "", {"SysTick": "put 0xe000e010, 0"})
    first, second = done.report["masked"]["by_code"]
    assert (first["function"], first["cycles"], first["ended_in"]) == ("main", 2, "here")
    assert (second["function"], second["cycles"]) == ("here", 3)
    assert [one["cycles"] for one in done.report["masked"]["all_by_code"]] == [2, 3]
    assert [value for _, value in done.vcd.edges("masked")] == [1, 0, 1, 0]
    assert done.report["sleep_cycles"] > 100


def test_sleep_under_basepri_is(run: Runner) -> None:
    """What BASEPRI masks does not end WFI; what it lets through does."""
    masked = "movs r0, #0x40; movs r1, #0; msr basepri, r0; wfi; msr basepri, r1"
    done = run(f"priority 28, 0x40; enable 28; priority 29, 0x30; enable 29; {masked}", "", {"TIM3": "nop"},
               "--random-irq", "TIM3:300:300")  # fmt: skip
    assert by_code(done)["main"] > 200


# Handlers.

NESTED = "priority 28, 0x80; priority 29, 0x40; enable 28; enable 29; pend 28; nop"


def test_a_nested_handler_has_its_own_stretch_and_is_in_the_outer_one(run: Runner) -> None:
    done = run(NESTED, handlers={"TIM2": "pend 29; nop", "TIM3": "nop"})
    times = by_handler(done)
    assert times["TIM3"] == ENTRY + 1 + BX + EXIT
    assert times["TIM2"] > 2 * times["TIM3"] - EXIT
    assert len(done.vcd.rising("irq")) == 1
    assert [value for _, value in done.vcd.edges("entries")] == [1, 2]
    assert {one["name"]: one["count"] for one in done.report["interrupts"]} == {"TIM2": 1, "TIM3": 1}


def test_a_tail_chain_is_no_edge_of_irq(run: Runner) -> None:
    """The less urgent of the two waits and follows without a return in between; the first one's stretch ends there."""
    done = run("cpsid i; enable 28; enable 29; pend 28; pend 29; cpsie i; nop", handlers={"TIM2": "nop", "TIM3": "nop"})
    assert by_handler(done) == {"TIM2": ENTRY + 1 + BX, "TIM3": TAIL_CHAIN + 1 + BX + EXIT}
    assert len(done.vcd.rising("irq")) == len(done.vcd.falling("irq")) == 1
    assert [value for _, value in done.vcd.edges("entries")] == [1, 2]


def test_faults_are_counted_and_no_interrupts(run: Runner) -> None:
    skip = "ldr r0, [sp, #24]; adds r0, #2; str r0, [sp, #24]"
    done = run(".inst.n 0xde00", handlers={"HardFault": skip})
    assert [(one["name"], one["count"]) for one in done.report["interrupts"]] == [("HardFault", 1)]
    assert done.vcd.edges("irq") == done.vcd.edges("entries") == []


def test_svc_is_an_interrupt(run: Runner) -> None:
    done = run("svc 0", handlers={"SVCall": "nop"})
    assert len(done.vcd.rising("irq")) == 1 and by_handler(done) == {"SVCall": ENTRY + 1 + BX + EXIT}
    assert done.vcd.edges("software") == done.vcd.edges("entries"), "raised by an instruction"


def test_an_interrupt_is_nothing_that_the_program_raises_for_itself(run: Runner) -> None:
    done = run("enable 28; pend 28; nop; svc 0", handlers={"TIM2": "nop", "SVCall": "nop"})
    assert [value for _, value in done.vcd.edges("entries")] == [1, 2]
    assert done.vcd.edges("software") == [(done.vcd.edges("entries")[1][0], 1)]


def test_entries_that_are_nested_or_chained_are_told_apart(run: Runner) -> None:
    pend = "put 0xe000ed04, 0x10000000; dsb; isb"
    handlers = {"PendSV": "push {lr}; svc 0; pop {lr}", "SVCall": "nop", "TIM2": pend}
    done = run(f"put 0xe000ed20, 0x00f00000; {pend}; enable 28; pend 28", handlers=handlers)
    assert [(one["name"], one["count"]) for one in done.report["interrupts"]] == [
        ("SVCall", 2), ("PendSV", 2), ("TIM2", 1)]  # fmt: skip
    entries, software = (done.vcd.edges(name) for name in ("entries", "software"))
    assert len(done.vcd.rising("irq")) == 2 and len(entries) == 5
    assert [at for at, _ in software] == [at for place, (at, _) in enumerate(entries) if place != 2]


def test_a_reset_by_the_program(run: Runner) -> None:
    once = "ldr r2, =stack_top - 0x100; ldr r3, [r2]; cmp r3, #0; bne again; adds r3, #1; str r3, [r2]"
    reset = "cpsid i; put 0xe000ed0c, 0x05fa0004; dsb; b ."
    done = run(f"{once}; {reset}; again: nop")
    assert done.report["restarts"] == 1
    assert [value for _, value in done.vcd.edges("masked")] == [1, 0]


def test_a_reset_in_a_handler(run: Runner) -> None:
    once = "ldr r2, =stack_top - 0x100; ldr r3, [r2]; cmp r3, #0; bne again; adds r3, #1; str r3, [r2]"
    reset = "cmp r3, #1; bne _on; put 0xe000ed0c, 0x05fa0004; dsb; b .; _on: nop"
    done = run(f"{once}; svc 0; again: movs r3, #2; svc 0", "", {"SVCall": reset})
    assert done.report["restarts"] == 1
    assert [value for _, value in done.vcd.edges("irq")] == [1, 0, 1, 0]
    assert by_handler(done) == {"SVCall": ENTRY + 1 + 3 + 1 + BX + EXIT}


# Injection.


def children(done: tools.Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_request_while_masked_ends_sleep(run: Runner) -> None:
    """So of the requests that wait, the one behind WFI is no repetition: without it the run would sleep on."""
    tick = "put 0xe000e014, 200; put 0xe000e018, 0; put 0xe000e010, 7"
    what = (f"{tick}; enable 28; sleepy: cpsid i; nop; nop; wfi; nop; cpsie i; nop", "",
            {"TIM2": "nop", "SysTick": "put 0xe000e010, 0"}, "--mark", "sleepy", "--fork", "TIM2")  # fmt: skip
    done, every = run(*what, "--fork-enabled"), run(*what)
    some, all_of_them = children(done), children(every)
    assert len(some) < len(all_of_them)

    def ends(many: list[dict[str, Any]]) -> set[tuple[Any, ...]]:
        return {(one["taken_pc"], one["taken_cycle"], one["cycles"], one["exit"]) for one in many}

    assert ends(some) == ends(all_of_them)


def test_priorities_hold_a_request_off(run: Runner) -> None:
    """A request for what is not more urgent than the handler waits for its end, and --fork-enabled knows."""
    parts = (NESTED, "", {"TIM2": "nop; nop; nop", "TIM3": "nop; nop"}, "--mark", "on_TIM2", "--until", "marker=0")
    equal = children(run(*parts, "--fork", "TIM2"))
    more = children(run(*parts, "--fork", "TIM3"))
    assert {one["taken_pc"] == one["pc"] for one in equal[:4]} == {False}
    assert {one["taken_pc"] == one["pc"] for one in more[:4]} == {True}
    assert not {one["index"] for one in children(run(*parts, "--fork", "TIM2", "--fork-enabled"))} & {0, 1, 2, 3}


@pytest.mark.parametrize("name", ["TIM2", "TIM2_IRQHandler", str(NUMBERS["TIM2"])])
def test_vectors_by_name_and_number(run: Runner, name: str) -> None:
    done = run("nop; nop", "", {"TIM2": "nop"}, "--inject", f"{name}@3")
    assert [(one["name"], one["injected"]) for one in done.report["interrupts"]] == [("TIM2", 1)]


# Semihosting.


def test_semihosting_prints(run: Runner) -> None:
    write0 = "movs r0, #4; ldr r1, =_hello; bkpt 0xab"
    writec = "movs r0, #3; ldr r1, =_bang; bkpt 0xab"
    write = "movs r0, #5; ldr r1, =_block; bkpt 0xab"
    data = '_hello: .asciz "hello"; _bang: .ascii "!"; .balign 4; _block: .word 1, _more, 3; _more: .ascii " ok"'
    assert run(f"{write0}; {writec}; {write}", data).stdout == "hello! ok"


@pytest.mark.parametrize(("reason", "status", "expected"), [(0x20026, 0, 0), (0x20026, 7, 7), (0x20023, 0, 1)])
def test_semihosting_ends(attacca_cortex_m: Path, tmp_path: Path, reason: int, status: int, expected: int) -> None:
    """By SYS_EXIT_EXTENDED, and a status of 0 by SYS_EXIT too."""
    ways = [("movs r0, #0x20; ldr r1, =_block", f"_block: .word {reason}, {status}")]
    if status == 0:
        ways.append((f"movs r0, #0x18; ldr r1, ={reason}", ""))
    for code, data in ways:
        done = run_asm(attacca_cortex_m, tmp_path, f"{code}; bkpt 0xab; b .", data)
        assert (done.status, done.report["end"]["status"]) == (int(expected != 0), expected)
        assert done.report["end"]["reason"] == "mark"


# Options.


def test_timing_sets(run: Runner, attacca_cortex_m: Path) -> None:
    loop = "movs r0, #200; again: subs r0, #1; bne again"
    cycles = {name: run(loop, "", None, "--timing", name).report["cycles"] for name in ("low", "main", "high")}
    assert cycles["low"] < cycles["main"] < cycles["high"]
    assert run(loop, "", None, "--timing", "low,refill=2").report["cycles"] > cycles["low"]
    assert run(loop).report["timing"] == "main,wait-states=register"
    assert "--timing" in tools.call(attacca_cortex_m, "--help").stdout
    wrong = tools.call(attacca_cortex_m, "--timing", "fast", "x.elf")
    assert wrong.returncode == 2 and wrong.stderr.count("\n") == 1


def test_memory_is_ram_from_its_base(run: Runner, tmp_path: Path) -> None:
    image = tmp_path / "ram.bin"
    done = run("put 0x20000ffc, 0x11223344", "", None, "--memory", image)
    assert done.report["memory"] == {"base": 0x20000000, "bytes": 20 * 1024}
    assert image.read_bytes()[0xFFC:0x1000] == bytes.fromhex("44332211") and image.stat().st_size == 20 * 1024
