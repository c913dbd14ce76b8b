"""The GBA instrument against the processor's manual: every snippet costs what its sum says, to the cycle; and what
interrupts, timers and sleep take."""

from __future__ import annotations

from pathlib import Path

import gba_snippets as snippets
import pytest

import instrument_tools as tools

KIT = Path(__file__).resolve().parent / "kits" / "gba"
BY_NAME = {snippet.name: number for number, snippet in enumerate(snippets.ALL)}
AROUND = 2  # the second mark's own store


def built(folder: Path, text: str, name: str = "main.S") -> Path:
    source = folder / name
    source.write_text(text)
    return tools.build_gba([source, KIT / "start.c"], folder / "main.elf", f"-I{KIT}", script=KIT / "kit.ld")


@pytest.fixture(scope="module")
def measured(attacca_gba: Path, tmp_path_factory: pytest.TempPathFactory) -> list[int]:
    folder = tmp_path_factory.mktemp("snippets")
    run = tools.run(attacca_gba, built(folder, snippets.source()), folder, "--board", "gba")
    assert run.status == 0, run.stderr
    stamps = [cycle for cycle, _ in run.markers()]
    assert len(stamps) == 2 * len(snippets.ALL)
    return [after - before - AROUND for before, after in zip(stamps[::2], stamps[1::2], strict=True)]


@pytest.mark.parametrize("name", BY_NAME)
def test_instruction(measured: list[int], name: str) -> None:
    snippet = snippets.ALL[BY_NAME[name]]
    assert measured[BY_NAME[name]] == snippets.cycles(snippet.count), f"{snippet.body}: {snippet.count}"


INTERRUPT = """
#include "kit.h"
void tick(void)
{
    MARK(3);
    TM0CNT = 0;
}
int main(void)
{
    sei();
    MARK(1);
    TM0CNT = (0x10000u - DISTANCE) | 0xC0u << 16;
    MARK(2);
    WAIT
    END(0);
}
"""


@pytest.mark.parametrize("distance", [100, 101, 1000, 20000])
@pytest.mark.parametrize("wait", ["sleep();", "for (volatile int i = 0; i < 5000; i++);"])
def test_a_timer_and_its_interrupt(attacca_gba: Path, tmp_path: Path, distance: int, wait: str) -> None:
    text = INTERRUPT.replace("DISTANCE", f"{distance}u").replace("WAIT", wait)
    run = tools.run(attacca_gba, built(tmp_path, text, "main.c"), tmp_path, "--board", "gba")
    assert run.status == 0 and run.vcd is not None
    begun = {value: cycle for cycle, value in run.markers()}[2]
    entry = run.vcd.rising("irq")[0]
    # From the second mark, which is up to 10 cycles after the timer's start. Seven cycles tell the processor, and an
    # instruction may be under way.
    assert distance - 10 <= entry - begun <= distance + 7 + 5
    if wait.startswith("sleep"):
        assert run.report["sleep_cycles"] > distance - 60


def test_a_request_waits_while_masked_and_comes_an_instruction_late(attacca_gba: Path, tmp_path: Path) -> None:
    text = r"""
#include "kit.h"
void tick(void)
{
    MARK(9);
}
int main(void)
{
    cli();
    TM0CNT = 0xFFF0u | 0xC0u << 16;
    for (volatile int i = 0; i < 20; i++)
        ;
    TM0CNT = 0;
    __asm__ volatile("ldr r1, =0x04fff7f0\n mov r2, #1\n mov r3, #2\n msr cpsr_c, #0x1F\n strb r2, [r1]\n strb r3, [r1]"
                     ::: "r1", "r2", "r3", "memory");
    END(0);
}
"""
    run = tools.run(attacca_gba, built(tmp_path, text, "main.c"), tmp_path, "--board", "gba")
    assert [value for _, value in run.markers()] == [1, 9, 2]
    assert run.vcd is not None and run.vcd.rising("irq") == [run.markers()[0][0]]
