"""What an encoding of a Thumb instruction is, as data: bits, what it writes and touches, when it is UNPREDICTABLE.

The encodings themselves: cortex_m_narrow.py (16 bits), cortex_m_wide.py (32 bits).

Source: "ARMv7-M Architecture Reference Manual" (DDI 0403E), chapters A5 (encodings) and A7.7 (one description an
instruction: its decode pseudocode says what is UNPREDICTABLE), and DDI 0419 for what ARMv6-M has of it (`v6m`).
A rule is an expression over the encoding's fields and the reason why an instruction for which it holds is not tried: it
is UNPREDICTABLE, or it belongs to another encoding. Bits in parentheses in the manual are what they should be.
Not there: coprocessor instructions (these processors have none), WFI and WFE (they sleep until something comes).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Kind(Enum):
    DATA = "registers and flags alone"
    MEMORY = "one load or store, or two words"
    MULTIPLE = "a list of registers"
    LITERAL = "a load relative to the program counter"
    BRANCH = "to an offset"
    JUMP = "to an address in a register"
    TABLE = "by a table of offsets"
    EXCLUSIVE = "LDREX, STREX, CLREX"
    SPECIAL = "special registers and masks"
    TRAP = "raises an exception"
    IT = "IT"


Rule = tuple[str, str]
Test = Callable[[int], int]


@dataclass(frozen=True)
class Encoding:
    name: str
    bits: str
    rules: tuple[Rule, ...] = ()
    kind: Kind = Kind.DATA
    writes: tuple[str, ...] = ()  # expressions: numbers of the registers that it writes
    v6m: bool = False  # ARMv6-M has it
    v7m: bool = True
    in_it: str = "any"  # "any", "last" (of an IT block), "never"
    it_rules: tuple[Rule, ...] = ()  # that hold inside an IT block only
    base: str = ""  # expression: the register that an address comes from
    index: str = ""  # expression: the register that is added to it
    shift: str = "0"  # by how much it is shifted
    offset: str = "0"  # expression: what else is added
    moves: str = "0"  # expression: what is added to the base for good
    size: int = 0  # bytes of one access
    aligned: bool = False  # it must be
    load: bool = False
    registers: str = ""  # expression: the list
    tie: tuple[str, str] = ("", "")  # two fields that hold the same register
    places: dict[str, tuple[int, int]] = field(default_factory=dict, compare=False)  # field: shift, mask

    def variable_and_fixed(self) -> tuple[int, int, int]:
        """Mask of the bits that vary, value of those that do not, and how many there are."""
        variable = fixed = width = 0
        for part in self.bits.split():
            name, _, size = part.partition(":")
            count = int(size) if size else len(name)
            fixed = fixed << count | (0 if size else int(name, 2))
            variable = variable << count | ((1 << count) - 1 if size else 0)
            width += count
        assert width in (16, 32), self.name
        return variable, fixed, width

    def find_places(self) -> None:
        at = 0
        for part in reversed(self.bits.split()):
            name, _, size = part.partition(":")
            if size:
                self.places[name] = (at, (1 << int(size)) - 1)
            at += int(size) if size else len(name)

    def expression(self, text: str) -> str:
        """The text in Python, with fields taken out of `w`."""

        def take(match: re.Match[str]) -> str:
            if match[0] not in self.places:
                return match[0]
            shift, mask = self.places[match[0]]
            return f"(w >> {shift} & {mask})"

        return re.sub(r"[A-Za-z_]\w*", take, text)

    def compiled(self, text: str) -> Test:
        test: Test = eval(f"lambda w: {self.expression(text)}")
        return test


def sp_pc(*names: str) -> tuple[Rule, ...]:
    """The commonest line of the decode pseudocode."""
    return tuple((f"{name} in (13, 15)", f"{name} is SP or PC: UNPREDICTABLE") for name in names)


def pc(*names: str) -> tuple[Rule, ...]:
    return tuple((f"{name} == 15", f"{name} is PC: UNPREDICTABLE") for name in names)


def sp(*names: str) -> tuple[Rule, ...]:
    return tuple((f"{name} == 13", f"{name} is SP: UNPREDICTABLE") for name in names)


def other(when: str, what: str) -> tuple[Rule, ...]:
    return ((when, f"is {what}, which has its own line"),)


def encoding(name: str, bits: str, *rules: Rule, writes: str = "", **more: Any) -> Encoding:
    """One line of the tables; `writes` is separated by commas."""
    made = Encoding(name, bits, tuple(rules), writes=tuple(filter(None, writes.split(", "))), **more)
    made.find_places()
    return made
