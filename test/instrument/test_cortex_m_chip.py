"""The STM32F1 around the Cortex-M instrument's processor: USARTs, clock control, and what is not modelled."""

from __future__ import annotations

from pathlib import Path

import pytest

from cortex_m_marks import LDR, TO_MARK, Asm, runner

PORTS = "put RCC_APB2ENR, 0x400d; "  # AFIO, A, B, USART1
TIMERS = "put RCC_APB1ENR, 7; "
BIT = 16  # cycles of USART1's bits below
FRAME = 10 * BIT
USART1 = PORTS + f"put GPIOA_CRH, 0x444444b4; put USART1_BRR, {BIT}; put USART1_CR1, {{bits}} | 0x200c; "


@pytest.fixture
def asm(attacca_cortex_m: Path, tmp_path: Path) -> Asm:
    return runner(attacca_cortex_m, tmp_path)


# --- USART ---


def test_bytes_take_their_frames(asm: Asm) -> None:
    m = asm(
        USART1.format(bits=0)
        + f"""
        movs r2, #{FRAME}; 1: subs r2, #1; bne 1b                @ the idle frame
        ldr r0, =USART1_DR; ldr r2, =USART1_SR; movs r1, #72; ldr r3, [r2]; nop; strb r1, [r0]; strb r4, [r7]
        movs r1, #105; strb r1, [r0]
        1: ldr r3, [r2]; lsls r3, r3, #24; bpl 1b; strb r5, [r7]
        1: ldr r3, [r2]; lsls r3, r3, #25; bpl 1b; strb r6, [r7]
        """
    )
    assert m.run.stdout == "Hi"
    written = m.at(0x21) - 1
    # TXE when the first has left the shift register, TC when the second has; the loops look every 6 cycles.
    assert 0 <= m.at(0x22) - (written + FRAME) <= 6 + LDR + 3
    assert 0 <= m.at(0x23) - (written + 2 * FRAME) <= 6 + LDR + 3


def test_the_interrupt_of_an_empty_register(asm: Asm) -> None:
    letters = "; ".join(f"cmp r11, #{i}; it eq; moveq r1, #{ord(c)}" for i, c in enumerate("abc"))
    send = "ldr r0, =USART1_DR; str r1, [r0]; adds r11, #1; cmp r11, #3; bne 1f; put USART1_CR1, 0x200c; 1:"
    main = USART1.format(bits=0x80) + "put ISER1, 0x20; 1: cmp r11, #3; bne 1b; mark 5"
    m = asm(main, {"USART1": f"{letters}; {send}"})
    assert m.run.stdout == "abc"
    assert m.values() == [5]


def test_a_received_byte_is_there_in_the_middle_of_its_stop_bit(asm: Asm) -> None:
    m = asm(
        USART1.format(bits=0x20) + "put ISER1, 0x20; wfi; wfi",
        {"USART1": "strb r4, [r7]; get r2, USART1_DR; show r2; strb r5, [r7]"},
        stimulus="4000 uart 65\n4000 uart 66\n",
    )
    assert m.at(0x21) == 4000 + 9 * BIT + BIT // 2 + TO_MARK
    assert m.at(0x21, 1) - m.at(0x21) == FRAME
    assert [v for v in m.values() if v not in (0x21, 0x22)] == [65, 66]


@pytest.mark.parametrize(
    ("control", "bits", "received"),
    [
        (0x0000, 8, 0x45),
        (0x1000, 9, 0x45),  # M: nine bits, the ninth one 0
        (0x0400, 8, 0xC5),  # PCE: seven and an even parity
        (0x0600, 8, 0x45),  # PS: an odd one
        (0x1400, 9, 0x145),
        (0x1600, 9, 0x045),
    ],
)
def test_a_word_has_eight_or_nine_bits_and_perhaps_a_parity(asm: Asm, control: int, bits: int, received: int) -> None:
    frame = (bits + 2) * BIT
    byte = 0xC8 if control & 0x1400 == 0x400 else 0x48  # the uppermost bit is the parity's place
    m = asm(
        USART1.format(bits=control)
        + f"""
        movs r2, #{FRAME}; 1: subs r2, #1; bne 1b
        ldr r0, =USART1_DR; ldr r2, =USART1_SR; movs r1, #{byte}; ldr r3, [r2]; nop; strb r1, [r0]; strb r4, [r7]
        1: ldr r3, [r2]; lsls r3, r3, #25; bpl 1b; strb r5, [r7]
        1: ldr r3, [r2]; lsls r3, r3, #26; bpl 1b; strb r6, [r7]
        ldr r1, [r0]; and r2, r1, #15; show r2; lsrs r1, r1, #4; and r2, r1, #15; show r2; lsrs r1, r1, #4; show r1
        """,
        stimulus="20000 uart 69\n",
    )
    assert m.run.stdout == "H"
    assert 0 <= m.at(0x22) - (m.at(0x21) - 1 + frame) <= 6 + LDR + 3
    assert 0 <= m.at(0x23) - (20000 + frame - BIT // 2) <= 6 + LDR + 3
    low, middle, high = m.values()[3:]
    assert low | middle << 4 | high << 8 == received


@pytest.mark.parametrize(("base", "clock", "bit"), [(0x40004400, 17, 6), (0x40004800, 18, 7)])
def test_the_other_ports_run_at_the_slower_bus(asm: Asm, base: int, clock: int, bit: int) -> None:
    """USART2 and 3 are on APB1, here at half the speed; their interrupt says when the register is empty again."""
    m = asm(
        f"""
        put RCC_CFGR, 0x400; put RCC_APB1ENR, {1 << clock}; put {base + 8:#x}, {BIT}; put {base + 12:#x}, 0x2008
        movs r2, #{2 * FRAME // 3}; 1: subs r2, #1; bne 1b; put ISER1, {1 << bit}
        ldr r0, ={base + 4:#x}; movs r1, #0x55; ldr r2, ={base + 12:#x}; ldr r3, =0x2088; nop
        str r1, [r0]; str r1, [r0]; strb r4, [r7]; str r3, [r2]; wfi
        """,
        {"USART2" if bit == 6 else "USART3": f"strb r5, [r7]; put {base + 12:#x}, 0x2008"},
    )
    assert m.at(0x22) == m.at(0x21) - 2 + 2 * FRAME + TO_MARK
    assert m.run.stdout == ""


def test_an_overrun(asm: Asm) -> None:
    m = asm(
        USART1.format(bits=0)
        + f"""
        ldr r2, =4000 + {3 * FRAME}; 1: subs r2, #1; bne 1b
        get r2, USART1_SR; show r2; get r2, USART1_DR; show r2; get r2, USART1_SR; show r2
        """,
        stimulus="4000 uart 65\n4000 uart 66\n",
    )
    # TXE, TC, RXNE, ORE and IDLE: the first byte is kept. Reading SR and DR clears the last three.
    assert m.values() == [0x78, 65, 0x40]


# --- RCC, and what is not modelled ---


def test_without_its_clock_a_peripheral_is_dead(asm: Asm) -> None:
    m = asm("put GPIOA_CRL, 3; get r2, GPIOA_CRL; show r2; put RCC_APB2ENR, 4; get r2, GPIOA_CRL; show r2")
    assert m.values() == [0, 0x44]


def test_start_up_code_gets_its_clocks(asm: Asm) -> None:
    m = asm(
        """
        get r2, RCC_CR; lsrs r2, r2, #1; ands r2, #1; show r2        @ HSIRDY
        put RCC_CFGR, 0x1d0402; get r2, RCC_CFGR; ands r2, #15; show r2 @ the PLL is off: SWS stays at HSI
        put RCC_CR, 0x10081; get r2, RCC_CR; lsrs r2, r2, #17; ands r2, #1; show r2
        put RCC_CR, 0x1010081; get r2, RCC_CR; lsrs r2, r2, #25; ands r2, #1; show r2
        get r2, RCC_CFGR; ands r2, #15; show r2
        put RCC_CR, 0; get r2, RCC_CR; lsrs r2, r2, #16; show r2     @ what clocks the system stays on
        """
    )
    assert m.values() == [1, 2, 1, 1, 0xA, (0x0303 & 0x7F)]


def test_the_f107_has_a_second_pll_in_front(asm: Asm) -> None:
    main = """
        put RCC_CR, 0x10081; put RCC_CFGR + 0x28, 0x10644; put RCC_CFGR, 0x1d0402; put RCC_CR, 0x1010081
        get r2, RCC_CR; lsrs r2, r2, #25; ands r2, #1; show r2       @ PLL2 is off: what it feeds is not ready
        put RCC_CR, 0x5010081; get r2, RCC_CR; lsrs r2, r2, #25; show r2; get r2, RCC_CFGR; ands r2, #15; show r2
    """
    assert asm(main, {}, "--board", "stm32f107").values() == [0, 7, 0xA]
    assert "RCC: the register at +0x2c is not modelled" in asm(main, {}, status=5).run.stderr


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("put USART1_CR3, 8", "USART1: half duplex (HDSEL) is not modelled"),
        ("put USART1_CR1, 0x2002", "USART1: mute mode (RWU) is not modelled"),
        ("put TIM2_CR1, 0x10", "TIM2: counting down or centre-aligned is not modelled"),
        ("put TIM2_CCMR1, 1", "TIM2: input capture (CCMR) is not modelled"),
        ("put TIM2_SMCR, 7", "TIM2: a slave mode or external clock (SMCR) is not modelled"),
        ("get r0, 0x40003c00", "SPI3 is not modelled"),
        ("get r0, 0x40000c00", "TIM5 is not modelled"),
        ("put SCR, 4", "SLEEPDEEP"),
        ("ldr r0, =0x1ffff000; ldr r0, [r0]", "the system memory is not modelled"),
        ("put USART1_BRR, 16; put USART1_CR1, 0x2008; put USART1_DR, 65", "PA9 is not its output"),
        ("put RCC_CR + 0x28, 1", "RCC: the register at +0x28 is not modelled"),
    ],
)
def test_what_is_not_modelled_ends_the_run(asm: Asm, code: str, reason: str) -> None:
    m = asm(PORTS + TIMERS + code + "; nop; mark 9", status=5)
    assert m.values() == []
    assert reason in m.run.stderr
