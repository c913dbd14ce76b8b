"""Pins that the AVR's peripherals drive or watch: the SPI's, compare outputs, input capture; and what is refused.

ATmega328P datasheet: "SPI", "Compare Match Output Unit", "Fast PWM Mode", "Phase Correct PWM Mode", "Input Capture
Unit".
OC1A is PB1, OC1B PB2, OC0A PD6; SS, MOSI, MISO and SCK are PB2 to PB5; ICP1 is PB0.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from avr_asm import TO_MARK, Marks, run_asm

Asm = Callable[..., Marks]
WATCH = ("--watch", "PB1", "--watch", "PB2", "--watch", "PB3", "--watch", "PB5", "--watch", "PD6")
OUTPUTS = "ldi r24, 0x2e; out DDRB, r24; ldi r24, 0x40; out DDRD, r24; "
POLL = "1: in r20, SPSR; sbrs r20, 7; rjmp 1b; "


@pytest.fixture
def asm(attacca_avr: Path, tmp_path: Path) -> Asm:
    def run(main: str, handlers: dict[str, str] | None = None, *arguments: object, status: int = 0, stimulus: str = "",
            **more: str) -> Marks:  # fmt: skip
        options = [*WATCH, *arguments] if "mcu" not in more else [*arguments]
        if stimulus:
            (tmp_path / "stimulus.txt").write_text(stimulus)
            options += ["--stimulus", tmp_path / "stimulus.txt"]
        m = run_asm(attacca_avr, tmp_path, main, handlers, tuple(options), **more)
        assert m.run.status == status, m.run.stderr
        return m

    return run


def edges(m: Marks, pin: str, after: int = 0) -> list[tuple[int, int]]:
    assert m.run.vcd is not None
    return [(cycle, level) for cycle, level in m.run.vcd.edges(f"pin_{pin}") if cycle > after]


def nops(count: int) -> str:
    return f".rept {count}; nop; .endr; "


# --- SPI ---


@pytest.mark.parametrize(("control", "double", "period"), [(0x50, 1, 2), (0x50, 0, 4), (0x51, 1, 8), (0x51, 0, 16),
                                                           (0x52, 0, 64), (0x53, 0, 128)])  # fmt: skip
@pytest.mark.parametrize("mode", [0, 4, 8, 12, 0x20])
def test_a_byte_takes_eight_periods_and_is_on_the_pins(
    asm: Asm, control: int, double: int, period: int, mode: int
) -> None:
    m = asm(
        OUTPUTS + f"ldi r24, {double}; out SPSR, r24; ldi r24, {control | mode}; out SPCR, r24; ldi r19, 0xa7; "
        f"out MARKER, r16; out SPDR, r19; " + POLL + "out MARKER, r17; in r20, SPDR; out MARKER, r20"
    )
    start = m.at(0x21) + 1
    assert 0 <= m.at(0x22) - (start + 8 * period) <= 6  # the loop looks every five cycles
    clock = edges(m, "PB5", start)
    assert len(clock) == 16 and all(b - a == period // 2 for (a, _), (b, _) in pairwise(clock))
    assert clock[0][0] == start + period // 2
    sampled = [cycle for cycle, _ in (clock[1::2] if mode & 4 else clock[::2])]
    data = [(0, 0), *edges(m, "PB3")]
    bits = [[level for cycle, level in data if cycle <= at][-1] for at in sampled]
    assert int("".join(map(str, bits[::-1] if mode & 0x20 else bits)), 2) == 0xA7
    assert m.values()[-1] == 0  # MISO is low


def test_a_byte_comes_in_bit_by_bit(asm: Asm) -> None:
    # 1,024 cycles a byte: MISO rises in the middle.
    m = asm(OUTPUTS + "ldi r24, 0x53; out SPCR, r24; out SPDR, r1; out MARKER, r16; " + POLL + "in r20, SPDR; "
        "out MARKER, r20",
            stimulus="650 PB4 1\n")  # fmt: skip
    since = 650 - (m.at(0x21) - 1)
    sampled = sum(since < 64 + 128 * bit for bit in range(8))
    assert m.values()[-1] == (1 << sampled) - 1


def test_the_interrupt_of_the_spi_and_a_collision(asm: Asm) -> None:
    m = asm(OUTPUTS + "ldi r24, 0xd0; out SPCR, r24; sei; ldi r19, 1; out SPDR, r19; out MARKER, r18; "
        "out SPDR, r19; in r20, SPSR; "
            "out MARKER, r20; " + nops(60), {"SPI_STC": "out MARKER, r16; in r20, SPSR; out MARKER, r20"})  # fmt: skip
    assert m.at(0x21) == m.at(0x23) - 1 + 32 + TO_MARK
    assert m.values()[:4] == [0x23, 0x40, 0x21, 0x40]  # WCOL stays until SPDR; SPIF went with the entry


def test_an_spi_that_would_be_a_slave_is_refused(asm: Asm) -> None:
    assert (
        "SPCR: the SPI as a slave (MSTR is 0) is not modelled"
        in asm("ldi r24, 0x40; out SPCR, r24; nop", status=5).run.stderr
    )
    refused = asm("ldi r24, 0x50; out SPCR, r24; out SPDR, r1; nop", status=5).run.stderr
    assert "SS (PB2) is an input and low" in refused
    asm("ldi r24, 0x50; out SPCR, r24; out SPDR, r1; nop", stimulus="0 PB2 1\n")


def test_the_megas_pins(asm: Asm) -> None:
    main = "ldi r24, 0x07; out DDRB, r24; ldi r24, 0x50; out SPCR, r24; ldi r19, 0xff; out SPDR, r19; " + nops(40)
    board = ("--board", "mega2560", "--watch", "PB1", "--watch", "PB2")
    m = asm(main, None, *board, mcu="atmega2560")
    assert len(edges(m, "PB1")) == 16 and edges(m, "PB2")[0][1] == 1


# --- TWI ---


def test_the_two_wire_interface_is_refused_by_name(asm: Asm) -> None:
    m = asm("put TWBR, 72; put TWCR, 0xa4; nop; out MARKER, r16", status=5)
    assert m.values() == []
    assert "TWCR: the two-wire interface (TWEN) is not modelled" in m.run.stderr
    asm("put TWCR, 0; nop")


# --- compare outputs ---


def timer1(a: int, b: int, compare: int, top: int = 0) -> str:
    return OUTPUTS + f"put16 ICR1L, {top}; put16 OCR1AL, {compare}; put TCCR1A, {a}; put TCCR1B, {b}; {nops(2000)}"


def widths(m: Marks, pin: str) -> tuple[list[int], list[int]]:
    """How long it is high, and low, in order, without what is cut off."""
    found = edges(m, pin)
    spans = [(level, end - start) for (start, level), (end, _) in pairwise(found)]
    return [span for level, span in spans if level], [span for level, span in spans if not level]


@pytest.mark.parametrize(
    ("com", "compare", "high", "low"), [(2, 29, 30, 70), (3, 29, 70, 30), (2, 0, 1, 99), (2, 98, 99, 1)]
)
def test_fast_pwm(asm: Asm, com: int, compare: int, high: int, low: int) -> None:
    ups, downs = widths(asm(timer1(com << 6 | 2, 0x19, compare, 99)), "PB1")
    assert len(ups) > 10 and set(ups[1:]) == {high} and set(downs[1:]) == {low}


def test_fast_pwm_at_the_top_is_constant(asm: Asm) -> None:
    assert [level for _, level in edges(asm(timer1(0x82, 0x19, 99, 99)), "PB1")] == [1]
    assert [level for _, level in edges(asm(timer1(0xC2, 0x19, 99, 99)), "PB1")] in ([], [1, 0])


@pytest.mark.parametrize(("com", "compare", "high", "low"), [(2, 30, 60, 140), (3, 30, 140, 60), (2, 1, 2, 198)])
def test_phase_correct_pwm(asm: Asm, com: int, compare: int, high: int, low: int) -> None:
    ups, downs = widths(asm(timer1(com << 6 | 2, 0x11, compare, 100)), "PB1")
    assert len(ups) > 5 and set(ups[1:]) == {high} and set(downs[1:]) == {low}


def test_phase_correct_pwm_at_its_ends_is_constant(asm: Asm) -> None:
    assert [level for _, level in edges(asm(timer1(0x82, 0x11, 100, 100)), "PB1")] == [1]
    assert edges(asm(timer1(0x82, 0x11, 0, 100)), "PB1") == []


def test_ctc_toggles_at_each_match(asm: Asm) -> None:
    ups, downs = widths(asm(timer1(0x40, 0x09, 24)), "PB1")
    assert set(ups) == set(downs) == {25} and len(ups) > 20


def test_the_clock_of_a_toggle_with_a_prescaler(asm: Asm) -> None:
    ups, downs = widths(asm(timer1(0x40, 0x0A, 9)), "PB1")
    assert set(ups) == set(downs) == {80}


def test_arduinos_pwm_on_timer_0(asm: Asm) -> None:
    """analogWrite(6, 64): fast PWM, clock / 64."""
    m = asm(OUTPUTS + "ldi r24, 63; out OCR0A, r24; ldi r24, 0x83; out TCCR0A, r24; ldi r24, 3; out TCCR0B, r24; "
        "ldi r20, 80\n"
            "2: ldi r21, 255\n1: dec r21; brne 1b; dec r20; brne 2b")  # fmt: skip
    ups, downs = widths(m, "PD6")
    assert set(ups[1:]) == {64 * 64} and set(downs) == {192 * 64}


def test_a_timers_pin_moves_though_the_program_has_nothing_to_do(asm: Asm) -> None:
    """An endless loop with interrupts disabled is an end only where no timer drives a pin."""
    pwm = timer1(0x82, 0x19, 29, 99).replace(nops(2000), "1: rjmp 1b; ")
    ups, downs = widths(asm(pwm, None, status=4), "PB1")
    assert len(ups) > 40 and set(ups[1:]) == {30} and set(downs[1:]) == {70}
    asm(pwm.replace("put TCCR1A, 130", "put TCCR1A, 2"), None, status=7)


def test_an_output_needs_its_direction_and_its_mode(asm: Asm) -> None:
    assert edges(asm(timer1(0x82, 0x19, 29, 99).replace(OUTPUTS, "")), "PB1") == []
    assert edges(asm(timer1(0x02, 0x19, 29, 99)), "PB1") == []
    off = asm(timer1(0x82, 0x19, 29, 99) + "put TCCR1A, 2; out MARKER, r16; " + nops(300))
    assert edges(off, "PB1", off.at(0x21)) == []


def test_a_forced_match(asm: Asm) -> None:
    m = asm(OUTPUTS + "put TCCR1A, 0x40; put TCCR1C, 0x80; nop; put TCCR1C, 0x80; nop")
    assert [level for _, level in edges(m, "PB1")] == [1, 0]


# --- input capture ---


@pytest.mark.parametrize(("control", "edge", "late"), [(0x41, 1, 2), (0x01, 0, 2), (0xC1, 1, 6)])
def test_an_edge_is_captured(asm: Asm, control: int, edge: int, late: int) -> None:
    m = asm(
        f"put TIMSK1, 0x20; sei; ldi r19, {control}; sts TCCR1B, r19; out MARKER, r16; " + nops(600),
        {
            "TIMER1_CAPT": "out MARKER, r17; lds r20, ICR1L; lds r21, ICR1H; out MARKER, r21; andi r20, 0x7f; "
            "out MARKER, r20"
        },
        stimulus=f"0 PB0 {1 - edge}\n500 PB0 {edge}\n",
    )
    count = 500 + late - (m.at(0x21) - 1)
    assert 0 <= m.at(0x22) - (500 + late + TO_MARK) <= 1
    assert m.values()[-2:] == [count >> 8, count & 0x7F]


def test_the_noise_canceler_drops_what_is_short(asm: Asm) -> None:
    main = "put TIMSK1, 0x20; sei; ldi r19, 0xc1; sts TCCR1B, r19; " + nops(600)
    handler = {"TIMER1_CAPT": "out MARKER, r17"}
    assert asm(main, handler, stimulus="0 PB0 0\n300 PB0 1\n302 PB0 0\n").values() == []
    assert asm(main, handler, stimulus="0 PB0 0\n300 PB0 1\n310 PB0 0\n").values() == [0x22]
