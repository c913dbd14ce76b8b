"""When an interrupt comes, to the cycle: entry, what runs before it, nesting, sleep, pins, software-pended levels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from avr_asm import ENTRY, JMP, OUT, TO_MARK, WAKE, Marks, run_asm

Asm = Callable[..., Marks]
MARK_A1 = "    out MARKER, r16"
MARK_A2 = "    out MARKER, r17"
PEND = "    put SPM_MEM, 0x80\n"
SPM_ONCE = MARK_A1 + "\n    sts SPM_MEM, r1"

INT0_FALLING = "    put EICRA, 2\n    sbi EIMSK, 0\n"


@pytest.fixture
def asm(attacca_avr: Path, tmp_path: Path) -> Asm:
    return lambda main, handlers=None, *arguments, **more: run_asm(
        attacca_avr, tmp_path, main, handlers, arguments, **more
    )


def test_entry_after_a_software_pended_level(asm: Asm) -> None:
    m = asm("    ldi r19, 0x80\n    sei\n    mark 1\n    sts SPM_MEM, r19\n    nop\n    nop", {"SPM_READY": SPM_ONCE})
    # The STS ends 2 cycles after the mark; the request stands from its end on.
    assert m.at(0x21) - m.at(1) == 2 + TO_MARK
    assert m.run.report["interrupts"] == [{"vector": 25, "name": "SPM_READY", "count": 1, "injected": 0}]


def test_entry_with_a_22_bit_program_counter(asm: Asm) -> None:
    m = asm(
        "    ldi r19, 0x80\n    sei\n    mark 1\n    sts SPM_MEM, r19\n    nop\n    mark 2",
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
        "    ldi r19, 0x80\n    sei\n    mark 1\n    sts SPM_MEM, r19\n    out MARKER, r18",
        {"SPM_READY": "    sts SPM_MEM, r1"},
    )
    assert m.at(0x23) - m.at(1) == 2 + (ENTRY + JMP + 2 + 4) + OUT
    irq, masked = m.run.vcd.edges("irq"), m.run.vcd.edges("masked")
    start = m.at(1) + 2
    assert irq == [(start, 1), (start + ENTRY + JMP + 2 + 4, 0)]
    assert masked[-2:] == irq
    assert m.run.report["masked"]["by_handler"][0]["cycles"] == ENTRY + JMP + 2 + 4


def test_the_level_is_withdrawn_by_writing_zero(asm: Asm) -> None:
    m = asm(PEND + "    sts SPM_MEM, r1\n    sei\n    nop\n    nop\n    mark 9", {"SPM_READY": SPM_ONCE})
    assert m.values() == [9]


def test_the_level_stays_requested_until_it_is_withdrawn(asm: Asm) -> None:
    m = asm(
        "    ldi r20, 3\n" + PEND + "    sei\n    nop\n    nop\n    nop\n    nop\n    mark 9",
        {"SPM_READY": "    dec r20\n    brne 1f\n    sts SPM_MEM, r1\n1:"},
    )
    assert m.run.report["interrupts"][0]["count"] == 3


def test_eeprom_ready_is_a_level_too(asm: Asm) -> None:
    m = asm(
        "    ldi r19, 0x08\n    sei\n    mark 1\n    out EECR, r19\n    nop",
        {"EE_READY": MARK_A1 + "\n    out EECR, r1"},
    )
    assert m.at(0x21) - m.at(1) == OUT + TO_MARK


@pytest.mark.parametrize("allow", ["sei", "out SREG, r19", "bset 7"])
def test_one_instruction_runs_after_interrupts_are_allowed(asm: Asm, allow: str) -> None:
    m = asm(
        "    ldi r19, 0x80\n" + PEND + f"    {allow}\n    out MARKER, r17\n    out MARKER, r18", {"SPM_READY": SPM_ONCE}
    )
    assert m.values() == [0x22, 0x21, 0x23]
    assert m.at(0x21) - m.at(0x22) == TO_MARK


def test_one_instruction_runs_after_reti(asm: Asm) -> None:
    both = {"SPM_READY": SPM_ONCE, "EE_READY": MARK_A2 + "\n    out EECR, r1"}
    m = asm(PEND + "    ldi r19, 8\n    out EECR, r19\n    sei\n    nop\n    out MARKER, r18\n    nop", both)
    # EE_READY has the lower number; one instruction of main (the third mark) comes between the two handlers.
    assert m.values() == [0x22, 0x23, 0x21]
    assert m.at(0x23) - m.at(0x22) == 1 + 4 + OUT
    assert m.at(0x21) - m.at(0x23) == TO_MARK


def test_nested_interrupts_are_counted_by_depth(asm: Asm) -> None:
    m = asm(
        PEND + "    sei\n    nop\n    mark 9",
        {
            "SPM_READY": "    sts SPM_MEM, r1\n    ldi r19, 8\n    out EECR, r19\n    sei\n    nop\n    out MARKER, r16",
            "EE_READY": "    out EECR, r1\n    out MARKER, r17",
        },
    )
    assert m.values() == [0x22, 0x21, 9]
    assert [value for _, value in m.run.vcd.edges("irq")] == [1, 0]  # active until the outer one returns
    assert m.run.vcd.falling("irq")[0] == m.at(0x21) + 4


def test_a_reti_outside_any_handler_changes_nothing(asm: Asm) -> None:
    m = asm("    rcall 1f\n    rjmp 2f\n1:  reti\n2:  mark 9\n    put SPM_MEM, 0x80\n    nop", {"SPM_READY": SPM_ONCE})
    assert [value for _, value in m.run.vcd.edges("irq")] == [1, 0]


def test_waking_from_idle_costs_four_more(asm: Asm) -> None:
    m = asm(
        INT0_FALLING + "    put SMCR_MEM, 1\n    sei\n    sleep\n    mark 9",
        {"INT0": MARK_A1},
        "--stimulus",
        stimulus := Path(__file__).parent / "data" / "one_edge.txt",
    )
    assert stimulus.read_text().split() == ["0", "D2", "1", "5000", "D2", "0"]
    assert m.at(0x21) == 5000 + 2 + WAKE + TO_MARK
    # After reti the instruction behind the sleep runs: ldi, out.
    assert m.at(9) == m.at(0x21) + 4 + 1 + OUT
    assert m.run.report["sleep_cycles"] > 4900


def test_sleep_does_nothing_unless_enabled(asm: Asm) -> None:
    m = asm("    sei\n    mark 1\n    sleep\n    mark 2")
    assert m.at(2) - m.at(1) == 1 + 1 + 1


def test_sei_sleep_loses_no_wake_up(asm: Asm) -> None:
    m = asm("    put SMCR_MEM, 1\n" + PEND + "    sei\n    sleep\n    mark 9", {"SPM_READY": SPM_ONCE})
    assert m.values() == [0x21, 9]
    assert m.run.status == 0


def test_int0_from_outside_while_busy(asm: Asm) -> None:
    data = Path(__file__).parent / "data" / "one_edge.txt"
    m = asm(INT0_FALLING + "    sei\n" + "    .rept 6000\n    nop\n    .endr\n", {"INT0": MARK_A1}, "--stimulus", data)
    assert m.at(0x21) == 5000 + 2 + TO_MARK
    assert m.run.vcd.falling("in_D2") == [5000]


def test_int0_from_the_firmware_s_own_pin(asm: Asm) -> None:
    m = asm(
        "    sbi DDRD, 2\n    sbi PORTD, 2\n    nop\n    nop\n    nop\n"
        + INT0_FALLING
        + "    sei\n    mark 1\n    cbi PORTD, 2\n    nop\n    nop\n    nop\n    mark 9",
        {"INT0": MARK_A1},
        "--watch",
        "D2",
    )
    edge = m.run.vcd.falling("pin_D2")[0]
    assert edge == m.at(1) + 2
    assert m.at(0x21) == edge + 2 + TO_MARK


@pytest.mark.parametrize(("sense", "count"), [(1, 2), (2, 1), (3, 1)])
def test_int0_senses_the_edges_it_was_told(asm: Asm, sense: int, count: int) -> None:
    m = asm(
        f"    sbi DDRD, 2\n    put EICRA, {sense}\n    sbi EIMSK, 0\n    sei\n    sbi PORTD, 2\n    .rept 30\n    nop\n    .endr\n    cbi PORTD, 2\n    .rept 30\n    nop\n    .endr\n    mark 9",
        {"INT0": "    nop"},
    )
    assert m.run.report["interrupts"][0]["count"] == count


def test_pin_change_from_the_firmware_s_own_pin(asm: Asm) -> None:
    m = asm(
        "    sbi DDRB, 0\n    put PCMSK0, 1\n    put PCICR, 1\n    sei\n    mark 1\n    sbi PORTB, 0\n    nop\n    nop\n    nop\n    nop\n    mark 9",
        {"PCINT0": MARK_A1},
    )
    assert m.at(0x21) == m.at(1) + 2 + 3 + TO_MARK


def test_the_input_synchroniser_shows_a_pin_one_cycle_late(asm: Asm) -> None:
    m = asm(
        "    sbi DDRB, 0\n    ldi r19, 1\n    out PORTB, r19\n    in r20, PINB\n    in r21, PINB\n    ori r20, 0x10\n    ori r21, 0x20\n    out MARKER, r20\n    out MARKER, r21"
    )
    assert m.values() == [0x10, 0x21]


def test_sbi_on_pin_toggles_one_bit_and_on_a_flag_clears_one(asm: Asm) -> None:
    m = asm(
        "    ldi r19, 0x0f\n    out DDRB, r19\n    out PORTB, r19\n    nop\n    sbi PINB, 1\n    in r20, PORTB\n    out MARKER, r20\n"
        # INT0 and INT1 flags both set, then one cleared.
        "    put EICRA, 15\n    ldi r19, 0x0c\n    out DDRD, r19\n    out PORTD, r19\n    nop\n    nop\n    nop\n    in r20, EIFR\n    ori r20, 0x40\n    out MARKER, r20\n    sbi EIFR, 0\n    in r20, EIFR\n    ori r20, 0x40\n    out MARKER, r20"
    )
    assert m.values() == [0x0D, 0x43, 0x42]


def test_gpior0_is_an_ordinary_register(asm: Asm) -> None:
    m = asm(
        "    ldi r19, 0x5a\n    out GPIOR0, r19\n    sbi GPIOR0, 0\n    cbi GPIOR0, 1\n    in r20, GPIOR0\n    out MARKER, r20"
    )
    assert m.values() == [(0x5A | 1) & ~2]
