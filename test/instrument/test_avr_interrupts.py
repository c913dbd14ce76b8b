"""When an interrupt comes, to the cycle: entry, what runs before it, nesting, sleep, pins, software-pended levels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from avr_asm import ENTRY, JMP, OUT, TO_MARK, WAKE, Marks, run_asm

Asm = Callable[..., Marks]
MARK_21 = "out MARKER, r16"
MARK_22 = "out MARKER, r17"
PEND = "put SPM_MEM, 0x80; "
SPM_ONCE = MARK_21 + "; sts SPM_MEM, r1"

INT0_FALLING = "put EICRA, 2; sbi EIMSK, 0; "


@pytest.fixture
def asm(attacca_avr: Path, tmp_path: Path) -> Asm:
    return lambda main, handlers=None, *arguments, **more: run_asm(
        attacca_avr, tmp_path, main, handlers, arguments, **more
    )


def test_entry_after_a_software_pended_level(asm: Asm) -> None:
    m = asm("ldi r19, 0x80; sei; mark 1; sts SPM_MEM, r19; nop; nop", {"SPM_READY": SPM_ONCE})
    # The STS ends 2 cycles after the mark; the request stands from its end on.
    assert m.at(0x21) - m.at(1) == 2 + TO_MARK
    assert m.run.report["interrupts"] == [{"vector": 25, "name": "SPM_READY", "count": 1, "injected": 0}]


def test_entry_with_a_22_bit_program_counter(asm: Asm) -> None:
    m = asm(
        "ldi r19, 0x80; sei; mark 1; sts SPM_MEM, r19; nop; mark 2",
        {"SPM_READY": SPM_ONCE},
        "--board",
        "mega2560",
        mcu="atmega2560",
    )
    assert m.at(0x21) - m.at(1) == 2 + (ENTRY + 1) + JMP + OUT
    # sts (2) and reti (5), then nop, ldi, out.
    assert m.at(2) - m.at(0x21) == 2 + 5 + 1 + 1 + 1


def test_entry_and_return_cost_what_the_datasheet_says(asm: Asm) -> None:
    m = asm(
        "ldi r19, 0x80; sei; mark 1; sts SPM_MEM, r19; out MARKER, r18",
        {"SPM_READY": "sts SPM_MEM, r1"},
    )
    assert m.at(0x23) - m.at(1) == 2 + (ENTRY + JMP + 2 + 4) + OUT
    irq, masked = m.run.vcd.edges("irq"), m.run.vcd.edges("masked")
    start = m.at(1) + 2
    assert irq == [(start, 1), (start + ENTRY + JMP + 2 + 4, 0)]
    assert masked[-2:] == irq
    assert m.run.report["masked"]["by_handler"][0]["cycles"] == ENTRY + JMP + 2 + 4


def test_the_level_is_withdrawn_by_writing_zero(asm: Asm) -> None:
    m = asm(PEND + "sts SPM_MEM, r1; sei; nop; nop; mark 9", {"SPM_READY": SPM_ONCE})
    assert m.values() == [9]


def test_the_level_stays_requested_until_it_is_withdrawn(asm: Asm) -> None:
    m = asm(
        "ldi r20, 3; " + PEND + "sei; nop; nop; nop; nop; mark 9",
        {"SPM_READY": "dec r20; brne 1f; sts SPM_MEM, r1; 1:"},
    )
    assert m.run.report["interrupts"][0]["count"] == 3


def test_eeprom_ready_is_a_level_too(asm: Asm) -> None:
    m = asm(
        "ldi r19, 0x08; sei; mark 1; out EECR, r19; nop",
        {"EE_READY": MARK_21 + "; out EECR, r1"},
    )
    assert m.at(0x21) - m.at(1) == OUT + TO_MARK


@pytest.mark.parametrize("allow", ["sei", "out SREG, r19", "bset 7"])
def test_one_instruction_runs_after_interrupts_are_allowed(asm: Asm, allow: str) -> None:
    m = asm("ldi r19, 0x80; " + PEND + f"{allow}; out MARKER, r17; out MARKER, r18", {"SPM_READY": SPM_ONCE})
    assert m.values() == [0x22, 0x21, 0x23]
    assert m.at(0x21) - m.at(0x22) == TO_MARK


def test_one_instruction_runs_after_reti(asm: Asm) -> None:
    both = {"SPM_READY": SPM_ONCE, "EE_READY": MARK_22 + "; out EECR, r1"}
    m = asm(PEND + "ldi r19, 8; out EECR, r19; sei; nop; out MARKER, r18; nop", both)
    # EE_READY has the lower number; one instruction of main (the third mark) comes between the two handlers.
    assert m.values() == [0x22, 0x23, 0x21]
    assert m.at(0x23) - m.at(0x22) == 1 + 4 + OUT
    assert m.at(0x21) - m.at(0x23) == TO_MARK


def test_nested_interrupts_are_counted_by_depth(asm: Asm) -> None:
    m = asm(
        PEND + "sei; nop; mark 9",
        {
            "SPM_READY": "sts SPM_MEM, r1; ldi r19, 8; out EECR, r19; sei; nop; out MARKER, r16",
            "EE_READY": "out EECR, r1; out MARKER, r17",
        },
    )
    assert m.values() == [0x22, 0x21, 9]
    assert [value for _, value in m.run.vcd.edges("irq")] == [1, 0]  # active until the outer one returns
    assert [value for _, value in m.run.vcd.edges("entries")] == [1, 2]
    assert m.run.vcd.falling("irq")[0] == m.at(0x21) + 4


def test_a_reti_outside_any_handler_changes_nothing(asm: Asm) -> None:
    m = asm("rcall 1f; rjmp 2f; 1: reti\n2: mark 9; put SPM_MEM, 0x80; nop", {"SPM_READY": SPM_ONCE})
    assert [value for _, value in m.run.vcd.edges("irq")] == [1, 0]


def test_waking_from_idle_costs_four_more(asm: Asm) -> None:
    m = asm(
        INT0_FALLING + "put SMCR_MEM, 1; sei; sleep; mark 9",
        {"INT0": MARK_21},
        "--stimulus",
        stimulus := Path(__file__).parent / "data" / "one_edge.txt",
    )
    assert stimulus.read_text().split() == ["0", "D2", "1", "5000", "D2", "0"]
    assert m.at(0x21) == 5000 + 2 + WAKE + TO_MARK
    # After reti the instruction behind the sleep runs: ldi, out.
    assert m.at(9) == m.at(0x21) + 4 + 1 + OUT
    assert m.run.report["sleep_cycles"] > 4900


def test_sleep_does_nothing_unless_enabled(asm: Asm) -> None:
    m = asm("sei; mark 1; sleep; mark 2")
    assert m.at(2) - m.at(1) == 1 + 1 + 1


def test_sei_sleep_loses_no_wake_up(asm: Asm) -> None:
    m = asm("put SMCR_MEM, 1; " + PEND + "sei; sleep; mark 9", {"SPM_READY": SPM_ONCE})
    assert m.values() == [0x21, 9]
    assert m.run.status == 0


def test_int0_from_outside_while_busy(asm: Asm) -> None:
    data = Path(__file__).parent / "data" / "one_edge.txt"
    m = asm(INT0_FALLING + "sei; " + ".rept 6000; nop; .endr; ", {"INT0": MARK_21}, "--stimulus", data)
    assert m.at(0x21) == 5000 + 2 + TO_MARK
    assert m.run.vcd.falling("in_D2") == [5000]


def test_int0_from_the_firmware_s_own_pin(asm: Asm) -> None:
    m = asm(
        "sbi DDRD, 2; sbi PORTD, 2; nop; nop; nop; "
        + INT0_FALLING
        + "sei; mark 1; cbi PORTD, 2; nop; nop; nop; mark 9",
        {"INT0": MARK_21},
        "--watch",
        "D2",
    )
    edge = m.run.vcd.falling("pin_D2")[0]
    assert edge == m.at(1) + 2
    assert m.at(0x21) == edge + 2 + TO_MARK


@pytest.mark.parametrize(("sense", "count"), [(1, 2), (2, 1), (3, 1)])
def test_int0_senses_the_edges_it_was_told(asm: Asm, sense: int, count: int) -> None:
    m = asm(
        f"sbi DDRD, 2; put EICRA, {sense}; sbi EIMSK, 0; sei; sbi PORTD, 2; .rept 30; nop; .endr; "
        "cbi PORTD, 2; .rept 30; nop; .endr; mark 9",
        {"INT0": "nop"},
    )
    assert m.run.report["interrupts"][0]["count"] == count


def test_pin_change_from_the_firmware_s_own_pin(asm: Asm) -> None:
    m = asm(
        "sbi DDRB, 0; put PCMSK0, 1; put PCICR, 1; sei; mark 1; sbi PORTB, 0; nop; nop; nop; nop; mark 9",
        {"PCINT0": MARK_21},
    )
    assert m.at(0x21) == m.at(1) + 2 + 3 + TO_MARK


def test_the_input_synchroniser_shows_a_pin_one_cycle_late(asm: Asm) -> None:
    m = asm(
        "sbi DDRB, 0; ldi r19, 1; out PORTB, r19; in r20, PINB; in r21, PINB; ori r20, 0x10; "
        "ori r21, 0x20; out MARKER, r20; out MARKER, r21"
    )
    assert m.values() == [0x10, 0x21]


def test_sbi_on_pin_toggles_one_bit_and_on_a_flag_clears_one(asm: Asm) -> None:
    m = asm(
        "ldi r19, 0x0f; out DDRB, r19; out PORTB, r19; nop; sbi PINB, 1; in r20, PORTB; out MARKER, r20; "
        # INT0 and INT1 flags both set, then one cleared.
        "put EICRA, 15; ldi r19, 0x0c; out DDRD, r19; out PORTD, r19; nop; nop; nop; "
        "in r20, EIFR; ori r20, 0x40; out MARKER, r20; sbi EIFR, 0; in r20, EIFR; ori r20, 0x40; "
        "out MARKER, r20"
    )
    assert m.values() == [0x0D, 0x43, 0x42]


def test_gpior0_is_an_ordinary_register(asm: Asm) -> None:
    m = asm("ldi r19, 0x5a; out GPIOR0, r19; sbi GPIOR0, 0; cbi GPIOR0, 1; in r20, GPIOR0; out MARKER, r20")
    assert m.values() == [(0x5A | 1) & ~2]


def test_eeprom_write_keeps_it_busy_and_halts_the_processor(asm: Asm) -> None:
    # Datasheet, EECR: the processor is halted 2 cycles by a write, 4 by a read; a write takes 3.4 ms.
    m = asm(
        "ldi r19, 77; out EEDR, r19; out EEARL, r1; out EEARH, r1; mark 1; sbi EECR, EEMPE; sbi EECR, EEPE; mark 2; "
        "1: sbic EECR, EEPE; rjmp 1b; mark 3; out EEDR, r1; sbi EECR, EERE; in r20, EEDR; out MARKER, r20"
    )
    assert m.values() == [1, 2, 3, 77]
    assert m.at(2) - m.at(1) == 2 + 2 + 2 + 1 + OUT
    assert 0 <= m.at(3) - (m.at(1) + 4 + 54400) < 8
    assert m.at(77) - m.at(3) == 1 + 2 + 4 + 1 + OUT
