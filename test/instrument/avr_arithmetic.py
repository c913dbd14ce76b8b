"""A firmware of random arithmetic: after each instruction results and SREG go through the marker, 4 bits at a time."""

from __future__ import annotations

import random

TWO = ["add", "adc", "sub", "sbc", "and", "or", "eor", "cp", "cpc", "mov", "mul"]
ONE = ["com", "neg", "inc", "dec", "lsr", "ror", "asr", "swap"]
IMMEDIATE = ["subi", "sbci", "andi", "ori", "cpi", "ldi"]
SIGNED = ["mulsu", "fmul", "fmuls", "fmulsu"]
EDGES = [0, 1, 0x7F, 0x80, 0xFF, 0x0F, 0x10]


def _instruction(dice: random.Random) -> tuple[str, int]:
    """An instruction and the register that it changes (besides r1:r0)."""
    low, other, high = dice.randrange(2, 26), dice.randrange(2, 26), dice.randrange(16, 26)
    match dice.choice("222111iiismwbv"):
        case "2":
            return f"{dice.choice(TWO)} r{low}, r{other}", low
        case "1":
            return f"{dice.choice(ONE)} r{low}", low
        case "i":
            return f"{dice.choice(IMMEDIATE)} r{high}, {dice.choice([*EDGES, dice.randrange(256)])}", high
        case "s":
            return f"muls r{high}, r{dice.randrange(16, 26)}", 0
        case "m":
            return f"{dice.choice(SIGNED)} r{dice.randrange(16, 24)}, r{dice.randrange(16, 24)}", 0
        case "w":
            return f"{dice.choice(['adiw', 'sbiw'])} r24, {dice.randrange(64)}", 25
        case "b":
            return f"bst r{low}, {dice.randrange(8)}\n bld r{other}, {dice.randrange(8)}", other
        case _:
            return f"movw r{low & ~1}, r{other & ~1}", low


def source(seed: int, marker: int, count: int = 300) -> str:
    dice = random.Random(seed)
    lines = [f"#define __SFR_OFFSET 0\n#include <avr/io.h>\nMARKER = {marker:#x}\n.text\n.global main\nmain:"]
    lines += [f" ldi r16, {dice.randrange(256)}\n mov r{register}, r16" for register in range(2, 32)]
    for _ in range(count):
        if dice.random() < 0.3:
            lines.append(f" ldi r{dice.randrange(16, 26)}, {dice.choice(EDGES)}")
        instruction, changed = _instruction(dice)
        lines.append(f" {instruction}\n in r26, SREG")
        for value in (changed, 26, 0, 1):
            lines.append(f" mov r27, r{value}\n swap r27\n andi r27, 15\n ori r27, 16\n out MARKER, r27")
            lines.append(f" mov r27, r{value}\n andi r27, 15\n ori r27, 32\n out MARKER, r27")
    lines.append(" ldi r16, 0x80\n out MARKER, r16\n")
    return "\n".join(lines)
