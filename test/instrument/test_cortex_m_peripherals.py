"""The STM32F1 around the Cortex-M instrument's processor: SysTick, ports, EXTI, timers, to the cycle."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from cortex_m_marks import ENTRY, LDR, STORE, TO_MARK, Asm, Marks, runner

PORTS = "put RCC_APB2ENR, 0x400d; "  # AFIO, A, B, USART1
OUTPUT_PA0 = "put GPIOA_CRL, 0x44444443; "
TIMERS = "put RCC_APB1ENR, 7; "
ACKNOWLEDGE = "ldr r0, =EXTI_PR; ldr r1, [r0]; str r1, [r0]"
COUNT_UPDATES = "strb r10, [r7]; add r10, #1; ldr r0, =TIM2_SR; movs r1, #0; str r1, [r0]"


@pytest.fixture
def asm(attacca_cortex_m: Path, tmp_path: Path) -> Asm:
    return runner(attacca_cortex_m, tmp_path)


# --- SysTick and the cycle counter ---


def test_the_cycle_counter(asm: Asm) -> None:
    m = asm(
        """
        put DEMCR, 1 << 24; ldr r10, =DWT_CTRL; ldr r2, =DWT_CYCCNT
        ldr r3, [r2]; nop; nop; nop; ldr r1, [r2]; subs r3, r1, r3; show r3   @ does not run yet
        movs r1, #1; str r1, [r10]
        ldr r3, [r2]; nop; nop; nop; ldr r1, [r2]; subs r3, r1, r3; show r3
        movs r1, #50; str r1, [r2]; nop; ldr r1, [r2]; show r1
        """
    )
    assert m.values() == [0, 3 + LDR, 50 + 1 + LDR - 1]


@pytest.mark.parametrize(("control", "period"), [(7, 100), (3, 800)])
def test_systick_requests_every_reload_plus_one(asm: Asm, control: int, period: int) -> None:
    handler = "adds r11, #1; strb r11, [r7]; cmp r11, #4; bne 1f; finish; 1:"
    m = asm(
        f"""
        mov r11, #0; put SYST_RVR, 99; put SYST_CVR, 0; nop; nop; ldr r0, =SYST_CSR; movs r1, #{control}
        str r1, [r0]; strb r4, [r7]
        1: b 1b
        """,
        {"SysTick": handler},
        "--timing",
        "main,refill=1",  # so that the loop is 2 cycles
    )
    ticks = [m.at(value) for value in (1, 2, 3, 4)]
    if control == 7:
        # The first clock after CSR is written loads 99. Behind the request, at most one cycle of the loop is left.
        enabled = m.at(0x21) - 1
        request = enabled + 100
        assert 0 <= ticks[0] - (request + ENTRY + 1 + STORE) <= 1
    assert all(abs(b - a - period) <= 1 for a, b in itertools.pairwise(ticks))


def test_systick_is_exact_where_nothing_can_delay_it(asm: Asm) -> None:
    m = asm(
        """
        put SYST_RVR, 999; put SYST_CVR, 0; nop; ldr r0, =SYST_CSR; movs r1, #7; nop
        str r1, [r0]; strb r4, [r7]; wfi; wfi
        """,
        {"SysTick": "strb r10, [r7]; add r10, #1"},
    )
    enabled = m.at(0x21) - 1
    assert [m.at(0), m.at(1)] == [enabled + 1000 + TO_MARK, enabled + 2000 + TO_MARK]


def test_systick_counts_down_to_the_cycle(asm: Asm) -> None:
    m = asm(
        """
        put SYST_RVR, 99; put SYST_CVR, 0; ldr r0, =SYST_CSR; ldr r2, =SYST_CVR; movs r1, #5; nop
        str r1, [r0]; nop; nop; nop; ldr r3, [r2]; show r3
        """
    )
    # NOPs 3, then the value when the load's last cycle begins: four clocks, the first of which loads 99.
    assert m.values() == [99 - 3]


def test_countflag_is_cleared_by_its_read(asm: Asm) -> None:
    m = asm(
        """
        put SYST_RVR, 9; put SYST_CVR, 0; put SYST_CSR, 5; ldr r2, =SYST_CSR
        nop; nop; nop; nop; nop; nop; nop; nop; nop; nop
        movs r1, #4; ldr r3, [r2]; str r1, [r2]; lsrs r3, r3, #16; show r3; ldr r3, [r2]; lsrs r3, r3, #16; show r3
        """
    )
    assert m.values() == [1, 0]


# --- ports and EXTI ---


def test_an_output_has_its_edges_at_the_end_of_the_store(asm: Asm) -> None:
    m = asm(
        PORTS
        + OUTPUT_PA0
        + """ldr r0, =GPIOA_BSRR; movs r1, #1; ldr r2, =0x10000; strb r4, [r7]; nop
             str r1, [r0]; str r2, [r0]; nop; str r1, [r0]; ldr r3, =0x10001; str r3, [r0]""",
        {},
        "--watch",
        "PA0",
    )
    start = m.at(0x21) + 1
    # Set, reset; set; both at once is set.
    assert m.edges("PA0") == [(start + 2, 1), (start + 3, 0), (start + 3 + 1 + 2, 1)]


def test_the_input_shows_what_drives_the_pin(asm: Asm) -> None:
    m = asm(
        PORTS
        + """
        ldr r2, =GPIOA_IDR; ldr r1, [r2]; show r1                      @ floating, and driven high from cycle 0
        put GPIOA_CRL, 0x44444448; ldr r1, [r2]; show r1               @ pulled down: the driver wins
        put GPIOA_CRL, 0x44444480; put GPIOA_ODR, 2; ldr r1, [r2]; show r1  @ PA0 analogue, PA1 pulled up
        put GPIOA_CRL, 0x44444434; put GPIOA_ODR, 2; ldr r1, [r2]; show r1  @ PA1 an output
        put GPIOA_CRL, 0x44444477; ldr r1, [r2]; show r1               @ open drains: PA0's 0 beats the outside
        put GPIOA_CRL, 0x44444444; ldr r1, [r2]; show r1
        """,
        stimulus="0 PA0 1\n",
    )
    assert m.values() == [1, 1, 2, 3, 0, 1]


def test_a_level_is_seen_in_its_cycle(asm: Asm) -> None:
    main = PORTS + "ldr r2, =GPIOA_IDR; strb r4, [r7]; nop; nop; ldr r1, [r2]; show r1"
    read = asm(main, stimulus="0 PA0 0\n").at(0x21) + 2 + LDR  # the end of the load
    assert asm(main, stimulus=f"{read - 1} PA0 1\n").values()[-1] == 1
    assert asm(main, stimulus=f"{read} PA0 1\n").values()[-1] == 0


def test_a_program_interrupts_itself_by_its_own_pin(asm: Asm) -> None:
    m = asm(
        PORTS
        + OUTPUT_PA0
        + """put EXTI_RTSR, 1; put EXTI_FTSR, 1; put EXTI_IMR, 1; put ISER0, 0x40
             ldr r2, =GPIOA_BSRR; movs r3, #1; nop; str r3, [r2]; strb r6, [r7]; lsls r3, r3, #16; str r3, [r2]; nop""",
        {"EXTI0": "strb r4, [r7]; strb r5, [r7]; " + ACKNOWLEDGE},
        "--watch",
        "PA0",
    )
    assert m.values() == [0x21, 0x22, 0x23, 0x21, 0x22]
    (rise, _), (fall, _) = m.edges("PA0")
    assert (m.at(0x21) - rise, m.at(0x21, 1) - fall) == (TO_MARK, TO_MARK)


def test_without_acknowledging_it_comes_again(asm: Asm) -> None:
    m = asm(
        PORTS + "put EXTI_IMR, 1; put ISER0, 0x40; put EXTI_SWIER, 1; nop; mark 9",
        {"EXTI0": f"adds r11, #1; show r11; cmp r11, #3; bne 1f; {ACKNOWLEDGE}; 1:"},
    )
    assert m.values() == [1, 2, 3, 9]


@pytest.mark.parametrize(
    ("pin", "vector", "word", "bit"), [("PB5", "EXTI9_5", 0, 23), ("PC13", "EXTI15_10", 1, 8), ("PB1", "EXTI1", 0, 7)]
)
def test_lines_their_ports_and_vectors(asm: Asm, pin: str, vector: str, word: int, bit: int) -> None:
    line = int(pin[2:])
    select = "ABC".index(pin[1]) << line % 4 * 4
    m = asm(
        f"""
        put RCC_APB2ENR, 0x1d; put AFIO_EXTICR1 + {line // 4 * 4}, {select}; put EXTI_FTSR, {1 << line}
        put EXTI_IMR, {1 << line}; put ISER{word}, {1 << bit}; wfi; mark 2
        """,
        {vector: "mark 1; get r2, EXTI_PR; lsrs r2, r2, #" + f"{line}; show r2; " + ACKNOWLEDGE},
        stimulus=f"0 {pin} 1\n4000 {pin} 0\n",
    )
    assert m.values() == [1, 1, 2]


def test_a_locked_pin_keeps_its_mode(asm: Asm) -> None:
    m = asm(
        PORTS
        + """put GPIOA_LCKR, 0x10001; put GPIOA_LCKR, 1; put GPIOA_LCKR, 0x10001
             put GPIOA_CRL, 0x33; get r2, GPIOA_CRL; show r2"""
    )
    assert m.values() == [0x34]


# --- timers ---


def started(m: Marks) -> int:
    """The cycle at whose end CR1 was written: the mark follows it by one cycle."""
    return m.at(0x21) - 1


def timer(setting: str, control: int = 1) -> str:
    return (
        TIMERS
        + setting
        + f"put ISER0, 1 << 28; ldr r0, =TIM2_CR1; movs r1, #{control}; nop; str r1, [r0]; strb r4, [r7]; "
    )


@pytest.mark.parametrize(("prescaler", "reload"), [(0, 999), (9, 99), (2, 400)])
def test_an_overflow_comes_to_the_cycle(asm: Asm, prescaler: int, reload: int) -> None:
    setting = f"put TIM2_PSC, {prescaler}; put TIM2_ARR, {reload}; put TIM2_EGR, 1; put TIM2_SR, 0; put TIM2_DIER, 1; "
    m = asm(
        timer(setting) + "wfi; wfi",
        {"TIM2": "strb r10, [r7]; add r10, #1; ldr r0, =TIM2_SR; movs r1, #0; str r1, [r0]"},
    )
    period = (prescaler + 1) * (reload + 1)
    # The counter starts one clock after CEN.
    assert m.at(0) == started(m) + 1 + period + TO_MARK
    assert m.at(1) == m.at(0) + period


@pytest.mark.parametrize("compare", [1, 500, 999])
def test_a_compare_comes_to_the_cycle(asm: Asm, compare: int) -> None:
    setting = f"put TIM2_ARR, 999; put TIM2_CCR1, {compare}; put TIM2_DIER, 2; "
    m = asm(timer(setting) + "wfi", {"TIM2": "strb r5, [r7]; get r2, TIM2_SR; put TIM2_SR, 0; show r2"})
    assert m.at(0x22) == started(m) + 1 + compare + TO_MARK
    assert m.values()[-1] & 2


def test_the_count_can_be_read_to_the_cycle(asm: Asm) -> None:
    m = asm(timer("put TIM2_ARR, 99; ldr r2, =TIM2_CNT; ") + "nop; nop; ldr r3, [r2]; show r3")
    # STRB 1, NOP 2, then a load whose last cycle begins one cycle in; the first count takes two.
    assert m.values()[-1] == 1 + 2 + 1 - 1


def test_flags_rise_without_interrupts_too(asm: Asm) -> None:
    wait = "movs r2, #100; 1: subs r2, #1; bne 1b; "
    m = asm(
        TIMERS
        + "put TIM2_ARR, 99; put TIM2_CCR1, 50; put TIM2_CCR2, 200; put TIM2_CR1, 1; "
        + wait
        + "get r2, TIM2_SR; show r2; put TIM2_SR, 0xfffd; get r2, TIM2_SR; show r2"
    )
    # CC1, CC2 (beyond ARR: at the overflow), CC3 and CC4 (0) and the update; then all but CC1.
    assert m.values() == [0x1F, 0x1D]


def test_one_pulse(asm: Asm) -> None:
    m = asm(
        timer("put TIM2_ARR, 99; put TIM2_DIER, 1; ", control=9)
        + "wfi; get r2, TIM2_CR1; show r2; get r2, TIM2_CNT; show r2",
        {"TIM2": "strb r5, [r7]; put TIM2_SR, 0"},
    )
    assert m.at(0x22) == started(m) + 1 + 100 + TO_MARK
    assert m.values()[-2:] == [8, 0]


def test_the_update_is_asked_for(asm: Asm) -> None:
    m = asm(
        TIMERS
        + """put TIM2_PSC, 7; put TIM2_CNT, 5; put TIM2_EGR, 1; get r2, TIM2_SR; show r2; get r2, TIM2_CNT; show r2
             put TIM2_SR, 0; put TIM2_CR1, 4; put TIM2_EGR, 1; get r2, TIM2_SR; show r2
             put TIM2_EGR, 2; get r2, TIM2_SR; show r2"""
    )
    assert m.values() == [1, 0, 0, 2]  # UG sets UIF, but not with URS; CC1G sets CC1IF


def test_a_preloaded_reload_waits_for_the_update(asm: Asm) -> None:
    setting = "put TIM2_ARR, 199; put TIM2_CR1, 0x80; put TIM2_ARR, 99; put TIM2_DIER, 1; "
    m = asm(timer(setting, control=0x81) + "wfi; wfi; wfi", {"TIM2": COUNT_UPDATES})
    assert (m.at(1) - m.at(0), m.at(2) - m.at(1)) == (100, 100)
    assert m.at(0) == started(m) + 1 + 200 + TO_MARK


@pytest.mark.parametrize(("mode", "edges"), [(6, [(0, 1), (30, 0), (100, 1), (130, 0)]), (3, [(30, 1), (130, 0)])])
def test_a_channel_drives_its_pin(asm: Asm, mode: int, edges: list[tuple[int, int]]) -> None:
    """PWM 1 and toggling on PA0."""
    setting = f"put GPIOA_CRL, 0x4444444b; put TIM2_ARR, 99; put TIM2_CCR1, 30; put TIM2_CCMR1, {mode << 4}; "
    wait = "movs r2, #50; 1: subs r2, #1; bne 1b; "
    m = asm(PORTS + timer(setting + "put TIM2_CCER, 1; ") + wait, {}, "--watch", "PA0")
    first = started(m) + 1
    found = [(cycle - first, level) for cycle, level in m.edges("PA0") if cycle - first < 150]
    # PWM's level is there from the moment CCER lets it out.
    assert [edge for edge in found if edge[0] > 0] == [edge for edge in edges if edge[0] > 0]
    assert (mode == 6) == (found[0][0] < 0)


def test_a_timers_pin_moves_though_the_program_has_nothing_to_do(asm: Asm) -> None:
    """An endless loop with interrupts disabled is an end only where nothing goes on without the program."""
    pwm = timer(
        "put GPIOA_CRL, 0x4444444b; put TIM2_ARR, 99; put TIM2_CCR1, 30; put TIM2_CCMR1, 0x60; put TIM2_CCER, {}; "
    )
    m = asm(PORTS + pwm.format(1) + "cpsid i; 1: b 1b", {}, "--watch", "PA0", "--cycles", "5000", status=4)
    assert len(m.edges("PA0")) > 60
    asm(PORTS + pwm.format(0) + "cpsid i; 1: b 1b", {}, "--cycles", "5000", status=7)


def test_a_divided_bus_has_a_doubled_timer_clock(asm: Asm) -> None:
    """APB1 at HCLK/2: the timers run at HCLK. At HCLK/4 they run at half of it."""
    for setting, divider in ((0x400, 1), (0x500, 2), (0x700, 8)):
        m = asm(
            f"put RCC_CFGR, {setting}; " + timer("put TIM2_ARR, 99; put TIM2_DIER, 1; ") + "wfi",
            {"TIM2": "strb r5, [r7]; put TIM2_SR, 0"},
        )
        after = m.at(0x22) - TO_MARK - started(m)
        assert 101 * divider - divider < after <= 101 * divider
