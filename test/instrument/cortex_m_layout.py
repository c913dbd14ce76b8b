"""Sequences in memory: each instruction gets its place, and what goes somewhere learns how far it is."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from cortex_m_encoding import Encoding, Kind, Test
from cortex_m_narrow import NARROW
from cortex_m_wide import WIDE

LONGEST = 128  # bytes of a sequence's code: the oracle tells in 64 bits which halfwords it came to
FORWARD = ("CBZ, CBNZ T1", "TBB T1", "TBH T1")


class TooFar(Exception):
    """A branch that does not reach: the sequence is made anew."""


class Form:
    """An encoding, with its expressions compiled."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.name = encoding.name
        self.kind = encoding.kind
        self.places = encoding.places
        self.variable, self.fixed, width = encoding.variable_and_fixed()
        self.length = width // 8
        self.refused = self._any(rule for rule, _ in encoding.rules)
        self.refused_in_it = self._any(rule for rule, _ in encoding.it_rules)
        written = [f"1 << ({register})" for register in encoding.writes]
        if encoding.load and encoding.registers:
            written.append(f"({encoding.registers})")
        self.writes = encoding.compiled(" | ".join(written) or "0")
        self.offset = encoding.compiled(encoding.offset)
        self.moves = encoding.compiled(encoding.moves)
        self.shift = encoding.compiled(encoding.shift)
        self.registers = encoding.compiled(encoding.registers or "0")

    def _any(self, rules: Iterable[str]) -> Test:
        return self.encoding.compiled(" or ".join(f"({rule})" for rule in rules) or "False")

    def put(self, word: int, name: str, value: int) -> int:
        shift, mask = self.places[name]
        return word & ~(mask << shift) | (value & mask) << shift

    def take(self, word: int, name: str) -> int:
        shift, mask = self.places[name]
        return word >> shift & mask


def forms(v6m: bool) -> list[Form]:
    return [Form(one) for one in (*NARROW, *WIDE) if (one.v6m if v6m else one.v7m)]


@dataclass
class Item:
    """One instruction, and where it goes if it goes somewhere."""

    form: Form
    word: int
    ahead: int = 0  # so many instructions on
    target: Item | None = None  # which is this one
    where: int = -1  # place in the data area that holds the target's address, or the register that does
    table: int | None = None  # which entry of the table that follows
    bound: bool = False  # nothing may go there: in an IT block, or one of a group
    glue: bool = False  # not of the sequence: leads from one half to the other, or to its end
    address: int = 0

    @property
    def size(self) -> int:
        return self.form.length + (0 if self.table is None else 16 * self.form.encoding.size)


@dataclass
class Sequence:
    registers: list[int]  # r0 to r12, MSP, LR
    psp: int
    flags: int  # of APSR
    place: int  # where its code lies
    code: bytes = b""
    start: int = 0
    end: int = 0
    memory: dict[int, int] = field(default_factory=dict)  # words of the data area, by their offset
    names: list[str] = field(default_factory=list)  # of each instruction
    starts: list[int] = field(default_factory=list)  # its address


def lay_out(items: list[Item], sequence: Sequence, dice: random.Random, named: dict[str, Form]) -> None:
    """Code for the items at sequence.place; registers and memory that hold addresses are filled in."""
    last = Item(named["B T2"], 0)  # a label only: where the sequence ends
    halves = _halves(items, last, dice, named)
    placed = [item for half in reversed(halves) for item in half]  # what is executed last lies first
    address = sequence.place
    for item in placed:
        item.address = address
        address += item.size
    last.address = address
    _aim(items, halves, last)
    final = halves[-1][-1]
    if final.glue and final.form.length == 4:
        last.address = _anywhere(final.address, dice)
    sequence.start = halves[0][0].address
    sequence.end = last.address
    sequence.code = b"".join(_code(item, sequence, dice) for item in placed)
    if len(sequence.code) > LONGEST:
        raise TooFar
    sequence.names = [item.form.name for item in placed]
    sequence.starts = [item.address for item in placed]


def _halves(items: list[Item], last: Item, dice: random.Random, named: dict[str, Form]) -> list[list[Item]]:
    """The sequence in one piece, or in two of which the second lies first in memory; or with a far way out."""
    links = not any(item.form.kind is Kind.JUMP and item.where == 14 for item in items)
    wide = [name for name in ("B T4", "BL T1") if name in named and (links or name != "BL T1")]
    halves = [list(items)]
    way_out: str | None = dice.choice(wide) if wide and dice.random() < 0.06 else None
    splits = [number for number, item in enumerate(items) if number and not item.bound]
    if splits and dice.random() < 0.33:
        at = dice.choice(splits)
        halves = [items[:at], items[at:]]
        halves[0].append(_glue(dice.choice(["B T2", *wide]), named, items[at]))
        way_out = way_out or "B T2"
    if way_out:
        halves[-1].append(_glue(way_out, named, last))
    return halves


def _glue(name: str, named: dict[str, Form], target: Item) -> Item:
    return Item(named[name], named[name].fixed, target=target, glue=True)


def _aim(items: list[Item], halves: list[list[Item]], last: Item) -> None:
    final = halves[-1][-1] if halves[-1][-1].glue else last
    for number, item in enumerate(items):
        if not item.ahead:
            continue
        to = number + item.ahead
        while to < len(items) and items[to].bound:
            to += 1
        item.target = items[to] if to < len(items) else final
        if item.form.name in FORWARD and item.target.address <= item.address:
            item.target = halves[0][-1]


def _anywhere(address: int, dice: random.Random) -> int:
    """A target that a 32-bit branch at the address reaches, at any distance from a few bytes to 16 MB."""
    distance = dice.getrandbits(dice.randrange(4, 25)) & ~1
    return address + 4 + (distance if dice.random() < 0.5 else -distance) % (1 << 25) - (0 if distance else 2)


def _code(item: Item, sequence: Sequence, dice: random.Random) -> bytes:
    word, form = item.word, item.form
    tail = b""
    if item.target:
        away = item.target.address - (item.address + 4)
        if form.kind is Kind.BRANCH:
            word = _branch(item, away)
        elif form.kind is Kind.JUMP:
            sequence.registers[item.where] = _address(form, item.target.address, away, dice)
        elif form.kind is Kind.TABLE:
            tail = _entry(item, away, sequence, dice)
        else:
            sequence.memory[item.where] = item.target.address | 1
    if form.length == 2:
        return word.to_bytes(2, "little") + tail
    return (word >> 16).to_bytes(2, "little") + (word & 0xFFFF).to_bytes(2, "little") + tail


def _address(form: Form, target: int, away: int, dice: random.Random) -> int:
    if form.name.startswith("ADD"):
        return (away | dice.getrandbits(1)) % (1 << 32)  # bit 0 of what is written to PC does not count
    return target | (dice.getrandbits(1) if form.name.startswith("MOV") else 1)


def _entry(item: Item, away: int, sequence: Sequence, dice: random.Random) -> bytes:
    size = item.form.encoding.size
    if not 0 <= away // 2 < 1 << 8 * size:
        raise TooFar
    if item.table is None:
        sequence.memory[item.where] = away // 2 | dice.getrandbits(32) << 8 * size & 0xFFFF_FFFF
        return b""
    table = bytearray(dice.randbytes(16 * size))
    table[item.table * size : (item.table + 1) * size] = (away // 2).to_bytes(size, "little")
    return bytes(table)


REACH = {"B T1": 9, "B T2": 12, "CBZ, CBNZ T1": 7, "B T3": 21, "B T4": 25, "BL T1": 25}


def _branch(item: Item, away: int) -> int:
    form, word = item.form, item.word
    bits = REACH[form.name]
    lowest, highest = (0, 1 << bits) if form.name in FORWARD else (-1 << (bits - 1), 1 << (bits - 1))
    if not lowest <= away < highest:
        raise TooFar
    away &= (1 << 25) - 1
    for name, value in {"imm8": away >> 1, "i": away >> 6, "imm5": away >> 1, "S": away >> 24}.items():
        if name in form.places:
            word = form.put(word, name, value)
    if "imm11" in form.places:
        word = form.put(word, "imm11", away >> 1)
    if "imm6" in form.places:
        word = form.put(form.put(form.put(word, "imm6", away >> 12), "J1", away >> 18), "J2", away >> 19)
    if "imm10" in form.places:
        negative = away >> 24
        word = form.put(word, "imm10", away >> 12)
        word = form.put(form.put(word, "J1", ~(away >> 23 ^ negative)), "J2", ~(away >> 22 ^ negative))
    return word
