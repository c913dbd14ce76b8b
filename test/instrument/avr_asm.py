"""Small assembly firmwares for timing tests: a main, some handlers, and markers as the only instruments.

Costs that every expectation below is made of (ATmega328P datasheet; a 22-bit program counter adds one to ENTRY, WAKE
and to returns): an interrupt's entry, the `jmp` in the vector table, the `out` that marks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import instrument_tools as tools

ENTRY = 4  # "interrupt execution response … four clock cycles minimum"
WAKE = 4  # "when in sleep mode, … increased by four clock cycles"
JMP = 3
OUT = 1
TO_MARK = ENTRY + JMP + OUT  # from the flag to the end of a marker written first thing in the handler

PROLOGUE = """
#define __SFR_OFFSET 0
#include <avr/io.h>
MARKER = 0x31 ; below 0x80 a mark, from 0x80 the end
SPM_MEM = 0x57 ; SPMCSR and SMCR for LDS and STS
SMCR_MEM = 0x53
.text
.macro mark value
    ldi r24, \\value
    out MARKER, r24
.endm
.macro put address, value
    ldi r24, \\value
    sts \\address, r24
.endm
.macro put16 address, value
    ldi r24, hi8(\\value)
    sts \\address + 1, r24
    ldi r24, lo8(\\value)
    sts \\address, r24
.endm
.macro finish
    ldi r24, 0x80
    out MARKER, r24
.endm
.global main
main:
    clr r1
    ldi r16, 0x21
    ldi r17, 0x22
    ldi r18, 0x23
"""


@dataclass
class Marks:
    """Markers in order, and the whole run."""

    run: tools.Run
    all: list[tuple[int, int]]

    def at(self, value: int, which: int = 0) -> int:
        """The cycle of the which-th time that the marker became `value`."""
        return [cycle for cycle, v in self.all if v == value][which]

    def values(self) -> list[int]:
        return [value for _, value in self.all]


def lines(code: str) -> str:
    """Instructions separated by semicolons (a comment to the assembler) or newlines, one a line."""
    return "".join(f"    {part.strip()}\n" for part in re.split("[;\n]", code))


def run_asm(
    executable: Path,
    folder: Path,
    main: str,
    handlers: dict[str, str] | None = None,
    arguments: tuple[object, ...] = (),
    mcu: str = "atmega328p",
) -> Marks:
    text = [PROLOGUE, lines(main), "    finish\n"]
    for vector, body in (handlers or {}).items():
        text.append(f"\n.global {vector}_vect\n{vector}_vect:\n{lines(body)}    reti\n")
    source = folder / "firmware.S"
    source.write_text("".join(text))
    firmware = tools.build_avr([source], folder / "firmware.elf", mcu=mcu)
    run = tools.run(executable, firmware, folder, "--cycles", "10M", *arguments)
    assert run.vcd is not None, run.stderr
    return Marks(run, run.markers())
