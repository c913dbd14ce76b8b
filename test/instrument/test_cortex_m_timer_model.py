"""TIM2 against a timer that counts clock by clock: random settings, looked at and changed at random moments.

The instrument never counts: it jumps from overflow to overflow and over many at once. The model below is what it must
come to, in the plainest words.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from cortex_m_marks import run_asm

CR1, EGR, SR, CCMR1, CNT, PSC, ARR, CCR1 = 0x00, 0x14, 0x10, 0x18, 0x24, 0x28, 0x2C, 0x34
CEN, UDIS, URS, ARPE = 1, 2, 4, 0x80
STEPS = 60
RESULTS = 0x20000400


@dataclass
class Model:
    control: int
    preloads: list[bool]
    count: int = 0
    prescaled: int = 0
    prescaler: int = 0
    prescaler_buffer: int = 0
    reload: int = 0xFFFF
    reload_buffer: int = 0xFFFF
    compare: list[int] = field(default_factory=lambda: [0] * 4)
    compare_buffer: list[int] = field(default_factory=lambda: [0] * 4)
    flags: int = 0

    def clock(self) -> None:
        if self.reload == 0:
            return
        self.prescaled += 1
        if self.prescaled <= self.prescaler:
            return
        self.prescaled = 0
        overflow = self.count == self.reload
        self.count = 0 if overflow else (self.count + 1) & 0xFFFF
        if overflow and not self.control & UDIS:
            self.flags |= 1
            self.update()
        for channel, compare in enumerate(self.compare):
            if (compare == self.count and (compare or overflow)) or (overflow and compare > self.reload):
                self.flags |= 2 << channel

    def update(self) -> None:
        self.prescaler, self.reload, self.compare = self.prescaler_buffer, self.reload_buffer, [*self.compare_buffer]

    def write(self, offset: int, value: int) -> None:
        if offset == SR:
            self.flags &= value
        elif offset == CNT:
            self.count = value
        elif offset == PSC:
            self.prescaler_buffer = value
        elif offset == ARR:
            self.reload_buffer = value
            if not self.control & ARPE:
                self.reload = value
        elif offset == EGR:
            self.count = self.prescaled = 0
            if not self.control & UDIS:
                self.update()
                self.flags |= 0 if self.control & URS else 1
        else:
            channel = (offset - CCR1) // 4
            self.compare_buffer[channel] = value
            if not self.preloads[channel]:
                self.compare[channel] = value


def steps_of(rng: random.Random) -> list[tuple[int, int, int]]:
    """How many rounds of a loop of three cycles to wait, and then what to write where."""
    steps = []
    for _ in range(STEPS):
        offset = rng.choice([SR, SR, SR, SR, CNT, PSC, ARR, EGR, *range(CCR1, CCR1 + 16, 4)])
        small = {PSC: 4, EGR: 2, SR: 32}.get(offset, rng.choice([8, 100, 0x10000]))
        value = 1 if offset == EGR else rng.randrange(1 if offset == ARR else 0, small)
        if offset == CNT and rng.random() < 0.5:
            value = 0xFFFF - value % 64  # soon at the end of its bits, beyond ARR
        steps.append((rng.choice([1, 5, 40, 700]) + rng.randrange(20), offset, value))
    return steps


def firmware(steps: list[tuple[int, int, int]], control: int, modes: int) -> str:
    """Each step: the cycle counter, CNT and SR by three loads in a row, a write in the next cycle, and the results."""
    table = "; ".join(f".word {rounds}, TIM2_CR1 + {offset}, {value}" for rounds, offset, value in steps)
    return f"""
        put DEMCR, 1 << 24; put DWT_CTRL, 1; put RCC_APB1ENR, 1; put TIM2_CCMR1, {modes}; put TIM2_CCMR1 + 4, {modes}
        ldr r4, =DWT_CYCCNT; ldr r5, =TIM2_CR1; ldr r6, =table; ldr r8, ={RESULTS}; ldr r9, =table_end
        movs r0, #{control}; nop; str r0, [r5]; ldr r1, [r4]; str r1, [r8], #4
        next: ldmia r6!, {{r2, r3, r10}}
        1: subs r2, #1; bne 1b
        ldr r0, [r4]; ldr r1, [r5, #{CNT}]; ldr r2, [r5, #{SR}]; str r10, [r3]
        stmia r8!, {{r0-r2}}; cmp r6, r9; bne next
        b 2f; .ltorg; .balign 4; table: {table}; table_end:
        2: nop
    """


@pytest.mark.parametrize("seed", range(12))
def test_a_timer_that_jumps_comes_to_the_same(attacca_cortex_m: Path, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    control = CEN | rng.choice([0, UDIS, UDIS | ARPE, URS, ARPE, ARPE])
    preload = rng.random() < 0.5
    steps = steps_of(rng)
    memory = tmp_path / "memory"
    m = run_asm(
        attacca_cortex_m, tmp_path, firmware(steps, control, 0x0808 if preload else 0), {}, "--memory", str(memory)
    )
    assert m.run.status == 0, m.run.stderr
    at = RESULTS - 0x20000000
    words = [int.from_bytes(memory.read_bytes()[at + 4 * i :][:4], "little") for i in range(1 + 3 * STEPS)]
    model = Model(control, [preload] * 4)
    now = words[0] + 1  # it starts a clock after CEN

    def run_to(cycle: int) -> None:
        nonlocal now
        while now < cycle:
            now += 1
            model.clock()

    for index, (_, offset, value) in enumerate(steps):
        looked, count, flags = words[1 + 3 * index :][:3]
        run_to(looked + 1)
        assert count == model.count, f"step {index}"
        run_to(looked + 2)
        assert flags == model.flags, f"step {index}"
        # The store ends two cycles behind; a flag that rises then is not cleared by it.
        run_to(looked + 3 if offset == SR else looked + 4)
        model.write(offset, value)
        run_to(looked + 4)
