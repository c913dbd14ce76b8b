"""Timer 1 and timer 0 to the clock, against the ATmega328P datasheet.

Rules and their places: compare and overflow flags rise with the timer clock that leaves the value behind
("Timer/Counter Timing Diagrams", setting of OCF1A and TOV1, with and without prescaler); the prescaler runs freely and
is shared ("Timer/Counter0 and Timer/Counter1 Prescalers"); a write to TCNT1 blocks the compare of the next timer clock
("Compare Match Blocking by TCNT1 Write"); flags are cleared by writing one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from avr_asm import ENTRY, JMP, OUT, TO_MARK, WAKE, Marks, run_asm

Asm = Callable[..., Marks]
MARK_21 = "out MARKER, r16"
MARK_22 = "out MARKER, r17"
SELECT = {1: 1, 8: 2, 64: 3, 256: 4, 1024: 5}
SHOW = "in r20, TIFR1; ori r20, 0x40; out MARKER, r20; out MARKER, r1; "


@pytest.fixture
def asm(attacca_avr: Path, tmp_path: Path) -> Asm:
    return lambda main, handlers=None, *arguments, **more: run_asm(
        attacca_avr, tmp_path, main, handlers, arguments, **more
    )


def start(divider: int) -> str:
    """Timer 1 in normal mode; the STS ends exactly at the mark 1 less one cycle."""
    return f"ldi r19, {SELECT[divider]}; ldi r24, 1; sts TCCR1B, r19; out MARKER, r24; "


def nops(count: int) -> str:
    return f".rept {count}; nop; .endr; "


def clock_after(started: int, divider: int, number: int) -> int:
    """The cycle of the number-th timer clock (from 1) after a start: the prescaler has run since reset."""
    return (started // divider + number) * divider


@pytest.mark.parametrize("divider", [1, 8, 64])
def test_compare_interrupt_comes_with_ocr_plus_one(asm: Asm, divider: int) -> None:
    m = asm("put16 OCR1AL, 20; put TIMSK1, 2; sei; " + start(divider) + nops(1500), {"TIMER1_COMPA": MARK_21})
    started = m.at(1) - 1
    assert m.at(0x21) == clock_after(started, divider, 21) + TO_MARK


@pytest.mark.parametrize("divider", [1, 8, 64])
def test_overflow_interrupt_comes_with_zero(asm: Asm, divider: int) -> None:
    m = asm("put16 TCNT1L, 0xfffd; put TIMSK1, 1; sei; " + start(divider) + nops(400), {"TIMER1_OVF": MARK_21})
    assert m.at(0x21) == clock_after(m.at(1) - 1, divider, 3) + TO_MARK


def test_both_channels_and_the_lower_vector_first(asm: Asm) -> None:
    m = asm(
        "put16 OCR1AL, 50; put16 OCR1BL, 50; put TIMSK1, 6; sei; " + start(1) + nops(100),
        {"TIMER1_COMPA": MARK_21, "TIMER1_COMPB": MARK_22},
    )
    flag = m.at(1) - 1 + 51
    assert m.at(0x21) == flag + TO_MARK
    assert m.at(0x22) == m.at(0x21) + 4 + 1 + TO_MARK  # reti, one instruction, entry


def test_the_prescaler_is_not_restarted_by_selecting_it(asm: Asm) -> None:
    for shift in (0, 3, 5):
        m = asm(
            nops(shift) + "put16 OCR1AL, 0; put16 TCNT1L, 0xffff; put TIMSK1, 1; sei; " + start(8) + nops(40),
            {"TIMER1_OVF": MARK_21},
        )
        assert (m.at(0x21) - TO_MARK) % 8 == 0


def test_the_prescaler_is_restarted_by_psrsync(asm: Asm) -> None:
    m = asm(
        "put16 TCNT1L, 0xffff; put TIMSK1, 1; ldi r19, 3; sts TCCR1B, r19; sei; ldi r19, 1; "
        "out GTCCR, r19; mark 1; " + nops(100),
        {"TIMER1_OVF": MARK_21},
    )
    restarted = m.at(1) - 2
    assert m.at(0x21) == restarted + 64 + TO_MARK


def test_tcnt_counts_between_two_reads(asm: Asm) -> None:
    read = "lds r20, TCNT1L; lds r21, TCNT1H; "
    m = asm(start(1) + read + nops(7) + "lds r22, TCNT1L; out MARKER, r20; out MARKER, r22")
    # Mark 1 (out) ends one cycle after the start; the read sees its second cycle: 2 clocks after the start.
    assert m.values() == [1, 2, 2 + 2 + 2 + 7]


def test_tcnt_s_high_byte_is_latched_by_reading_the_low_one(asm: Asm) -> None:
    m = asm(
        "put16 TCNT1L, 0x12fc; "
        + start(1)
        + "lds r20, TCNT1L; lds r21, TCNT1H; lsr r20; out MARKER, r20; out MARKER, r21; "
        + nops(20)
        + "lds r20, TCNT1L; lds r21, TCNT1H; out MARKER, r21"
    )
    assert m.values() == [1, 0xFE >> 1, 0x12, 0x13]


def test_ocr_set_to_the_present_count_matches_at_the_next_clock(asm: Asm) -> None:
    # The prescaler is restarted, so that everything happens between two clocks of 64 cycles; 5 clocks have been.
    m = asm(
        "put16 OCR1AL, 0xffff; put TIMSK1, 2; ldi r19, 1; ldi r20, 3; sei; sts TCCR1B, r20; "
        "sts TCNT1H, r1; out GTCCR, r19; sts TCNT1L, r1; mark 1; "
        + nops(5 * 64)
        + "lds r20, TCNT1L; lds r21, TCNT1H; sts OCR1AH, r21; sts OCR1AL, r20; mark 2; "
        + nops(200)
        + "out MARKER, r20",
        {"TIMER1_COMPA": MARK_21},
    )
    restarted = m.at(1) - 4
    assert m.values() == [1, 2, 0x21, 5]
    assert m.at(2) < restarted + 6 * 64
    assert m.at(0x21) == restarted + 6 * 64 + TO_MARK


def test_a_passed_ocr_does_not_match_before_the_wrap(asm: Asm) -> None:
    m = asm(
        "put TIMSK1, 2; put16 OCR1AL, 0xffff; "
        + start(1)
        + nops(50)
        + "put16 OCR1AL, 30; sei; put 0x53, 1; sleep; mark 9",
        {"TIMER1_COMPA": MARK_21},
    )
    assert m.values() == [1, 0x21, 9]
    assert m.at(0x21) == m.at(1) - 1 + 65536 + 31 + WAKE + TO_MARK


def test_flags_are_seen_and_cleared_while_masked(asm: Asm) -> None:
    m = asm(
        "put16 OCR1AL, 10; put16 OCR1BL, 12; "
        + start(1)
        + SHOW
        + nops(20)
        + SHOW
        + "ldi r20, 2; out TIFR1, r20; "
        + SHOW
        + "sbi TIFR1, 2; "
        + SHOW
    )
    assert [v for v in m.values() if v] == [1, 0x40, 0x46, 0x44, 0x40]


def test_sbi_clears_its_own_flag_only(asm: Asm) -> None:
    m = asm("put16 OCR1AL, 10; put16 OCR1BL, 12; " + start(1) + nops(20) + "sbi TIFR1, 1; " + SHOW)
    assert [v for v in m.values() if v] == [1, 0x44]


def test_the_flag_is_readable_in_the_cycle_after_ocr(asm: Asm) -> None:
    # `in` reads one cycle: with the flag rising at the 11th clock, the 10th cycle after the start does not see it yet.
    for wait, seen in ((8, 0x40), (9, 0x40), (10, 0x42)):
        m = asm("put16 OCR1AL, 10; put16 OCR1BL, 0x7fff; " + start(1) + nops(wait) + SHOW)
        assert [v for v in m.values() if v] == [1, seen], wait


def test_a_pending_compare_is_served_when_interrupts_are_allowed(asm: Asm) -> None:
    m = asm(
        "put16 OCR1AL, 10; put TIMSK1, 2; " + start(1) + nops(30) + "sei; out MARKER, r17; nop",
        {"TIMER1_COMPA": MARK_21},
    )
    assert m.values() == [1, 0x22, 0x21]
    assert m.at(0x21) == m.at(0x22) + TO_MARK


def test_a_write_to_tcnt_blocks_the_next_compare(asm: Asm) -> None:
    for value, expected in ((10, 0x40), (9, 0x42)):
        m = asm(f"put16 OCR1AL, 10; put16 OCR1BL, 0x7fff; put16 TCNT1L, {value}; " + start(1) + nops(30) + SHOW)
        assert [v for v in m.values() if v] == [1, expected]


def test_tcnt_may_be_changed_while_it_runs(asm: Asm) -> None:
    m = asm(
        "put16 OCR1AL, 0x200; put TIMSK1, 2; sei; "
        + start(1)
        + nops(10)
        + "ldi r24, 1; sts TCNT1H, r24; ldi r24, 0xf0; sts TCNT1L, r24; mark 2; "
        + nops(60),
        {"TIMER1_COMPA": MARK_21},
    )
    written = m.at(2) - 2
    assert m.at(0x21) == written + (0x200 - 0x1F0) + 1 + TO_MARK


def test_stopping_keeps_the_count(asm: Asm) -> None:
    m = asm(start(1) + nops(9) + "sts TCCR1B, r1; " + nops(50) + "lds r20, TCNT1L; out MARKER, r20")
    assert m.values() == [1, 1 + 9 + 2]


def test_timer0_ctc_is_an_exact_kilohertz(asm: Asm) -> None:
    m = asm(
        "ldi r20, 2; out TCCR0A, r20; ldi r20, 249; out OCR0A, r20; put TIMSK0, 2; ldi r20, 3; "
        "out TCCR0B, r20; mark 0x70; "
        "ldi r20, 1; out SMCR, r20; sei; 1: sleep; cpi r22, 20; brne 1b",
        {"TIMER0_COMPA": "inc r22; out MARKER, r22"},
    )
    ticks = [cycle for cycle, value in m.all if value != 0x70]
    assert len(ticks) == 20
    first = clock_after(m.at(0x70) - 2, 64, 250)
    assert ticks[0] == first + WAKE + ENTRY + JMP + 1 + OUT
    assert {b - a for a, b in pairwise(ticks)} == {250 * 64}


def test_timer0_fast_pwm_overflows_every_256(asm: Asm) -> None:
    m = asm(
        "ldi r20, 3; out TCCR0A, r20; put TIMSK0, 1; ldi r20, 3; out TCCR0B, r20; "
        "ldi r20, 1; out SMCR, r20; sei; 1: sleep; cpi r22, 5; brne 1b",
        {"TIMER0_OVF": "inc r22; out MARKER, r22"},
    )
    assert {b - a for (a, _), (b, _) in pairwise(m.all)} == {256 * 64}


def test_timer2_phase_correct_overflows_every_510(asm: Asm) -> None:
    m = asm(
        "put TCCR2A, 1; put TIMSK2, 1; put TCCR2B, 1; ldi r20, 1; out SMCR, r20; sei; 1: sleep; cpi r22, 5; brne 1b",
        {"TIMER2_OVF": "inc r22; out MARKER, r22"},
    )
    assert {b - a for (a, _), (b, _) in pairwise(m.all)} == {510}


def test_waking_by_a_timer_loses_no_cycle_in_sleep(asm: Asm) -> None:
    m = asm(
        "put16 OCR1AL, 9999; put TIMSK1, 2; ldi r20, 1; out SMCR, r20; " + start(8) + "sei; sleep; mark 9",
        {"TIMER1_COMPA": MARK_21},
    )
    assert m.at(0x21) == clock_after(m.at(1) - 1, 8, 10000) + WAKE + TO_MARK
    report = m.run.report
    assert report["cycles"] - report["sleep_cycles"] < 100


def test_the_console_takes_its_frame_time(asm: Asm) -> None:
    # 8N1 with UBRR=0: 16 cycles a bit, 160 a frame. The second byte waits in the buffer.
    m = asm(
        "put UCSR0B, 0x48; ldi r20, 'h'; ldi r21, 'i'; sei; sts UDR0, r20; mark 1; sts UDR0, r21; "
        "1: lds r22, UCSR0A; sbrs r22, 5; rjmp 1b; mark 2; " + nops(200),
        {"USART_TX": MARK_21},
    )
    first = m.at(1) - 2
    assert 160 <= m.at(2) - first <= 160 + 10
    assert m.at(0x21) == first + 2 * 160 + TO_MARK
    assert m.run.stdout == "hi"
