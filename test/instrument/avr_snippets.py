"""Cycle counts of AVR instructions: the reference that the instrument is held against.

Source: Atmel/Microchip "AVR Instruction Set Manual" (0856), column AVRe of the instruction summary, and the
ATmega328P and ATmega640/1280/1281/2560/2561 datasheets, chapters "Instruction Set Summary" and "Interrupt Response
Time". A 16-bit program counter (PC16) is the ATmega328P's, a 22-bit one (PC22) the ATmega2560's.
"""

from __future__ import annotations

from typing import NamedTuple


class Snippet(NamedTuple):
    name: str
    body: str  # measured
    cycles: int  # PC16
    setup: str = ""
    cycles_pc22: int | None = None  # where the ATmega2560 differs
    source: str = "instruction set manual"


def _s(name: str, body: str, cycles: int, setup: str = "", pc22: int | None = None) -> Snippet:
    return Snippet(name, body, cycles, setup, pc22)


def _point(low: int) -> str:
    return f"ldi r{low}, lo8(scratch + 8)\n ldi r{low + 1}, hi8(scratch + 8)"


X, Y, Z = _point(26), _point(28), _point(30)
FLASH_Z = "ldi r30, lo8(constants)\n ldi r31, hi8(constants)"
CODE_Z = "ldi r30, pm_lo8(9f)\n ldi r31, pm_hi8(9f)"

SNIPPETS = [
    # Arithmetic and logic: one cycle, words two.
    _s("nop", "nop", 1),
    _s("add", "add r16, r17", 1),
    _s("adc", "adc r16, r17", 1),
    _s("sub", "sub r16, r17", 1),
    _s("subi", "subi r16, 3", 1),
    _s("sbc", "sbc r16, r17", 1),
    _s("and", "and r16, r17", 1),
    _s("ori", "ori r16, 1", 1),
    _s("eor", "eor r16, r16", 1),
    _s("com", "com r16", 1),
    _s("neg", "neg r16", 1),
    _s("inc", "inc r16", 1),
    _s("lsr", "lsr r16", 1),
    _s("swap", "swap r16", 1),
    _s("cp", "cp r16, r17", 1),
    _s("cpi", "cpi r16, 1", 1),
    _s("bst-bld", "bst r16, 3\n bld r17, 4", 2),
    _s("adiw", "adiw r24, 1", 2),
    _s("sbiw", "sbiw r24, 1", 2),
    _s("mul", "mul r16, r17", 2),
    _s("muls", "muls r16, r17", 2),
    _s("mulsu", "mulsu r16, r17", 2),
    _s("fmul", "fmul r16, r17", 2),
    # Moves, loads, stores.
    _s("mov", "mov r16, r17", 1),
    _s("movw", "movw r16, r18", 1),
    _s("ldi", "ldi r16, 5", 1),
    _s("lds", "lds r16, scratch", 2),
    _s("sts", "sts scratch, r16", 2),
    _s("ld-x", "ld r16, X", 2, X),
    _s("ld-x-post", "ld r16, X+", 2, X),
    _s("ld-x-pre", "ld r16, -X", 2, X),
    _s("ldd-y", "ldd r16, Y+3", 2, Y),
    _s("ldd-z", "ldd r16, Z+3", 2, Z),
    _s("st-x-post", "st X+, r16", 2, X),
    _s("st-z-pre", "st -Z, r16", 2, Z),
    _s("std-y", "std Y+3, r16", 2, Y),
    _s("lpm", "lpm", 3, FLASH_Z),
    _s("lpm-z", "lpm r16, Z", 3, FLASH_Z),
    _s("lpm-z-post", "lpm r16, Z+", 3, FLASH_Z),
    _s("push", "push r16", 2),
    _s("pop", "pop r16", 2, "push r16"),
    _s("in", "in r16, GPIOR0", 1),
    _s("out", "out GPIOR0, r16", 1),
    _s("sbi", "sbi GPIOR0, 3", 2),
    _s("cbi", "cbi GPIOR0, 3", 2),
    # Jumps, calls, returns.
    _s("rjmp", "rjmp 1f\n1:", 2),
    _s("jmp", "jmp 1f\n1:", 3),
    _s("ijmp", "ijmp\n9:", 2, CODE_Z),
    _s("rcall-ret", "rcall 1f\n rjmp 2f\n1: ret\n2:", 3 + 4 + 2, pc22=4 + 5 + 2),
    _s("call-ret", "call 1f\n rjmp 2f\n1: ret\n2:", 4 + 4 + 2, pc22=5 + 5 + 2),
    _s("icall-ret", "icall\n rjmp 2f\n9: ret\n2:", 3 + 4 + 2, CODE_Z, pc22=4 + 5 + 2),
    _s("rcall-reti", "rcall 1f\n rjmp 2f\n1: reti\n2: cli", 3 + 4 + 2 + 1, pc22=4 + 5 + 2 + 1),
    _s("breq-taken", "breq 1f\n1:", 2, "sez"),
    _s("breq-not", "breq 1f\n1:", 1, "clz"),
    _s("brcs-taken", "brcs 1f\n1:", 2, "sec"),
    _s("brne-not", "brne 1f\n1:", 1, "sez"),
    # Skips: 1 when not, 2 over one word, 3 over two words.
    _s("cpse-not", "cpse r16, r17\n nop", 2, "ldi r16, 1\n ldi r17, 2"),
    _s("cpse-1", "cpse r16, r16\n nop", 2),
    _s("cpse-2", "cpse r16, r16\n lds r16, scratch", 3),
    _s("sbrs-not", "sbrs r16, 0\n nop", 2, "clr r16"),
    _s("sbrs-1", "sbrs r16, 0\n nop", 2, "ldi r16, 1"),
    _s("sbrs-2", "sbrs r16, 0\n jmp 1f\n1:", 3, "ldi r16, 1"),
    _s("sbrc-1", "sbrc r16, 0\n nop", 2, "clr r16"),
    _s("sbis-not", "sbis GPIOR0, 0\n nop", 2, "cbi GPIOR0, 0"),
    _s("sbis-1", "sbis GPIOR0, 0\n nop", 2, "sbi GPIOR0, 0"),
    _s("sbis-2", "sbis GPIOR0, 0\n sts scratch, r16", 3, "sbi GPIOR0, 0"),
    _s("sbic-2", "sbic GPIOR0, 0\n call 1f\n1:", 3, "cbi GPIOR0, 0"),
    # Flags and control.
    _s("sec-clc", "sec\n clc", 2),
    _s("in-sreg", "in r16, SREG", 1),
    _s("out-sreg", "out SREG, r1", 1, "clr r1"),
    _s("cli", "cli", 1),
    _s("wdr", "wdr", 1),
]

PROLOGUE = """
#define __SFR_OFFSET 0
#include <avr/io.h>
MARKER = @
.lcomm scratch, 32
.section .progmem.data, "a"
constants: .byte 1, 2, 3, 4
.text
.global main
main:
    clr r1
"""

# The marker is written before and after the body; nothing but the body and the second write lies between.
FRAME = """
    {setup}
    ldi r20, {first}
    ldi r21, {second}
    out MARKER, r20
    {body}
    out MARKER, r21
"""


OCDR, GPIOR1 = 0x31, 0x2A


def source(marker: int = OCDR) -> str:
    """One firmware with every snippet; snippet i is between two changes of the marker, an I/O register."""
    parts = [PROLOGUE.replace("@", hex(marker))]
    for i, snippet in enumerate(SNIPPETS):
        first, second = (2, 1) if i % 2 else (4, 3)
        parts.append(FRAME.format(setup=snippet.setup, body=snippet.body, first=first, second=second))
    parts.append("    ldi r16, 0x80\n    out MARKER, r16\n")
    return "".join(parts)
