"""Cycles of the soft core beside what its pipeline makes of them, counted by hand. The core is the hardware's own
description: this tries the system around it, and what its README says.

A snippet stands between two pairs of NOPs and two writes of a pin, in a loop; in the last round, which counts, all is
in the cache. Without it the pulse is 5 cycles wide.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

import instrument_tools as tools

BETWEEN = 5  # four NOPs and the second write

# Five stages: fetch, decode, execute, memory, write-back.
# - A loaded word is there for an instruction in decode two cycles after the next one could have had it.
# - A branch is known in the memory stage, and what came behind it is thrown away: 3 more.
# - A jump by JAL, and a branch backwards, are followed from decode: 1 more. What JAL links is forwarded a cycle late.
# - The shifter moves a bit a cycle.
# - A CSR waits in execute until memory and write-back are empty: 2 more behind a NOP.
# - The data bus holds each request for a cycle.
SNIPPETS = [
    ("nop", "nop", 1),
    ("add", "add t0, t1, t2", 1),
    ("two that depend", "add t0, t1, t2\nadd t0, t0, t0", 2),
    ("lui, addi", "lui t0, 0x12345\naddi t0, t0, 1", 2),
    ("compare", "sltu t0, t1, t2", 1),
    ("shift by 1", "slli t0, t1, 1", 1),
    ("shift by 4", "slli t0, t1, 4", 4),
    ("shift right by 31", "srai t0, t1, 31", 31),
    ("shift by a register", "li t1, 7\nsrl t0, t2, t1", 8),
    ("load", "lw t0, 0(s2)", 1),
    ("load, used at once", "lw t0, 0(s2)\nadd t0, t0, t0", 4),
    ("load, used one later", "lw t0, 0(s2)\nnop\nadd t0, t0, t0", 4),
    ("load, used two later", "lw t0, 0(s2)\nnop\nnop\nadd t0, t0, t0", 4),
    ("load of a byte, used at once", "lbu t0, 1(s2)\nadd t0, t0, t0", 4),
    ("store", "sw t0, 0(s2)", 1),
    ("two stores", "sw t0, 0(s2)\nsw t0, 4(s2)", 3),
    ("two loads", "lw t0, 0(s2)\nlw t1, 4(s2)", 3),
    ("stores with a NOP between", "sw t0, 0(s2)\nnop\nsw t0, 4(s2)", 3),
    ("branch not taken, forwards", "bne zero, zero, 1f\n1:", 1),
    ("branch taken, forwards", "beq zero, zero, 1f\nnop\n1:", 4),
    ("jump", "j 1f\nnop\n1:", 2),
    ("call and return", "jal ra, 2f\nj 1f\n2: nop\nret\n1:", 9),
    ("call and return at once", "jal ra, 2f\nj 1f\n2: ret\n1:", 9),
    ("read a CSR", "csrr t0, mstatus", 3),
    ("mask", "csrci mstatus, 8", 3),
    ("mask behind another", "csrci mstatus, 8\ncsrci mstatus, 8", 6),
]


@pytest.fixture(scope="module")
def pulse(attacca_vexriscv: Path, tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    folder, number = tmp_path_factory.mktemp("snippets"), count()

    def measure(snippet: str, rounds: int = 3) -> list[int]:
        source = folder / f"{next(number)}.S"
        source.write_text(
            f""".globl start
start:
    lui s0, 0xF0001
    li s1, 1
    lui s2, 0x90000
    sw s1, 16(s0)
    li s3, {rounds}
    .balign 32
again:
    sw s1, 4(s0)
    nop
    nop
    {snippet}
    nop
    nop
    sw s1, 8(s0)
    addi s3, s3, -1
    bnez s3, again
    lui s0, 0xF0004
    li s1, 0x80
    sb s1, 0(s0)
    j .
"""
        )
        elf = tools.build_riscv([source], source.with_suffix(".elf"))
        seen = tools.run(attacca_vexriscv, elf, folder).vcd
        assert seen is not None
        return [b - a for a, b in zip(seen.rising("probe_a"), seen.falling("probe_a"), strict=True)]

    return measure


@pytest.mark.parametrize(("snippet", "cycles"), [one[1:] for one in SNIPPETS], ids=[one[0] for one in SNIPPETS])
def test_a_snippet_takes_its_cycles(pulse, snippet: str, cycles: int) -> None:  # type: ignore[no-untyped-def]
    assert pulse(snippet)[-1] - BETWEEN == cycles


def test_nothing_between_takes_nothing(pulse) -> None:  # type: ignore[no-untyped-def]
    assert pulse("")[-1] == BETWEEN


def test_a_line_that_is_not_in_the_cache_is_fetched_once(pulse) -> None:  # type: ignore[no-untyped-def]
    first, *others = pulse(".balign 32\n.rept 8\nnop\n.endr\n.balign 32")
    assert len(set(others)) == 1 and first > others[0] + 8  # a word a cycle
