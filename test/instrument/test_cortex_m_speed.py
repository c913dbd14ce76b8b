"""Simulated cycles a second of processor time, which other load on the machine does not change much."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

import instrument_tools as tools

LEAST = 50e6
CYCLES = 100_000_000

# Loads, stores, branches, calls, divisions, and a timer's interrupt every 1000 cycles.
FIRMWARE = """
#include "kit.h"
static uint32_t values[64];
static volatile uint32_t ticks;

void tick(void)
{
    TIM2_SR = 0;
    ++ticks;
}

__attribute__((noinline)) static void sort(uint32_t *of, int n)
{
    for (int i = 1; i < n; ++i) {
        const uint32_t value = of[i];
        int at = i;
        for (; at > 0 && of[at - 1] > value; --at)
            of[at] = of[at - 1];
        of[at] = value;
    }
}

int main(void)
{
    RCC_APB1ENR |= 1;
    TIM2_ARR = 999;
    TIM2_DIER = 1;
    TIM2_CR1 = 1;
    NVIC_ISER0 = 1u << 28;
    for (uint32_t seed = 1;;) {
        for (int i = 0; i < 64; ++i) {
            seed = seed * 1664525 + 1013904223;
            values[i] = seed / (uint32_t)(i + 1);
        }
        sort(values, 64);
    }
}
"""


@pytest.mark.parametrize("timing", ["main", "main,wait-states=2"])
def test_speed(attacca_cortex_m: Path, tmp_path: Path, timing: str) -> None:
    kit = Path(__file__).resolve().parent / "kits" / "cortex_m"
    source = tmp_path / "speed.c"
    source.write_text(FIRMWARE)
    flags = (f"-I{kit}", "-O2")
    firmware = tools.build_cortex_m([source, kit / "start.c"], tmp_path / "speed.elf", *flags, script=kit / "kit.ld")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = tools.run(attacca_cortex_m, firmware, tmp_path, "--timing", timing, "--cycles", CYCLES)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    assert run.report["end"]["reason"] == "budget"
    [timer] = [one for one in run.report["interrupts"] if one["name"] == "TIM2"]
    assert timer["count"] >= CYCLES // 1000 - 2
    print(f"{run.report['cycles'] / seconds / 1e6:.0f} million cycles a second")
    assert run.report["cycles"] / seconds > LEAST
