"""Random sequences of 1 to 16 Thumb instructions that two processors must execute alike.

A sequence takes its encodings from the tables, each with the same chance. What an address is made of is steered: a few
registers point into the data area and are written by nothing but write-backs, whose bounds are known; registers that
are jumped to get their values when the code is laid out. Everything else is left to chance, with boundary values as
operands. Branches go forward in what is executed, so that every sequence ends; one in three lies in memory in two
halves, the second first, so that their offsets are negative too.

The tables' rules keep UNPREDICTABLE instructions out. What is kept out here, and why:
- STREX after a store between it and its LDREX, to another address or of another size: IMPLEMENTATION DEFINED (A3.4);
- loads and stores outside the data area, and unaligned ones that fault: an exception, which the tests of those have;
- anything after a stack pointer has got any value: unicorn keeps its two lowest bits, which are always zero (B1.4.1;
  QEMU made them so later), and goes on with another address;
- anything after MSR has written the flags, on ARMv6-M: unicorn gives it the flag Q, and a later MRS reads it;
- MRS of CONTROL after it was written: unicorn has its bits 2 and 3 too, the floating-point extension's;
- a load into PC, or a table, from where the sequence has stored before: it would go nowhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from cortex_m_encoding import Kind
from cortex_m_layout import FORWARD, Form, Item, Sequence, TooFar, forms, lay_out

CODE = 0x0800_0000
CODE_SIZE = 0x4_0000
MARGIN = 0x1100  # what a load relative to PC may reach on either side
DATA = 0x2000_0000
DATA_SIZE = 0x2000
LOWEST, HIGHEST = 0x300, 0xB00  # where pointers are, in the data area: offsets reach -0x400 to 0x1000
EDGES = (0, 1, 2, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFF, 0xFFFF_FFFE, 31, 32, 33, 0xFF, 0xFFFF, 0x8000)
# Special registers by their number; what decides over others, CONTROL and the stack pointers, more often.
SPECIAL = (0, 1, 2, 3, 5, 6, 7, 16, 17, 18, 19, *(8, 9, 20) * 3)
NUMBERS = ("imm", "msb", "sat", "widthm1", "rotate")


def ends(form: Form, word: int) -> bool:
    """Whether nothing may follow it, see the head of this file."""
    if form.name.startswith("MSR"):
        return form.take(word, "SYSm") in ((8, 9) if form.encoding.v7m else (0, 1, 2, 3, 8, 9))
    return form.writes(word) >> 13 & 1 == 1


@dataclass
class Pointer:
    """Where a register may point to by now, in the data area."""

    low: int
    high: int
    loose: bool = False  # and its alignment is unknown

    def move(self, by: int, perhaps: bool) -> None:
        if perhaps and by % 4:
            self.loose = True
        low, high = self.low + by, self.high + by
        self.low = min(self.low, low) if perhaps else low
        self.high = max(self.high, high) if perhaps else high

    def aligned(self, offset: int, to: int) -> bool:
        return to <= 1 or not (self.loose or (self.low + offset) % to or (self.high + offset) % to)

    @property
    def exact(self) -> bool:
        return self.low == self.high


class Maker:
    def __init__(self, seed: int, v6m: bool = False) -> None:
        self.dice = random.Random(seed)
        self.v6m = v6m
        self.forms = forms(v6m)
        self.it = [form for form in self.forms if form.kind is Kind.IT]
        self.straight = [form for form in self.forms if form.kind is not Kind.IT]
        self.plain = [form for form in self.forms if form.kind is Kind.DATA]
        special = [form for form in self.forms if form.kind is Kind.SPECIAL]
        self.modes = [*special * (len(self.plain) // len(special)), *self.plain]
        self.named = {form.name: form for form in self.forms}

    # --- one sequence --------------------------------------------------------------------------------------------

    def sequence(self, place: int) -> Sequence:
        """A sequence whose code lies at `place`."""
        while True:
            try:
                return self._sequence(place)
            except TooFar:
                pass

    def _sequence(self, place: int) -> Sequence:
        dice = self.dice
        self.items: list[Item] = []
        self.memory: dict[int, int] = {}
        self.finished = self.controlled = False
        self.written = self.skipped = 0  # registers; the instruction up to which some may be jumped over
        self.stored_low, self.stored_high = DATA_SIZE, 0
        self.exact: dict[int, int] = {}  # registers that hold a small number for good: indices
        self.pointers: dict[int, Pointer] = {}
        self.held = 0  # registers that nothing may write
        registers = [self.operand() for _ in range(15)]
        registers[13] = DATA + (LOWEST + HIGHEST) // 2 + 4 * dice.randrange(-64, 64)
        # One in twenty is about modes and masks, most of the others have somewhere to load from and store to.
        chosen = dice.random()
        self.pool = self.modes if chosen < 0.05 else self.straight
        if chosen > 0.15:
            self._steer(registers)
        flags = dice.getrandbits(5) & (0x1E if self.v6m else 0x1F)  # ARMv6-M has no Q
        sequence = Sequence(registers, DATA + 0x700 + 4 * dice.randrange(64), flags << 27, place=place)
        count = dice.choice((1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16))
        while len(self.items) < count and not self.finished:
            if self.it and len(self.items) + 2 <= count and dice.random() < 0.12:
                self._block(count - len(self.items))
            else:
                self._next(in_it=False, last=True)
        sequence.memory = self.memory
        lay_out(self.items, sequence, self.dice, self.named)
        return sequence

    def operand(self) -> int:
        dice = self.dice.random()
        if dice < 0.45:
            return self.dice.choice(EDGES)
        return self.dice.getrandbits(32) if dice < 0.85 else self.dice.randrange(40)

    def _steer(self, registers: list[int]) -> None:
        """Two pointers, one of them possibly unaligned, the stack pointer, and two indices."""
        dice = self.dice
        low = dice.sample(range(8), 2)
        high = dice.sample(range(8, 13), 2)
        dice.shuffle(low)
        for number, register in enumerate((low[0], high[0])):
            at = dice.randrange(LOWEST + 256, HIGHEST - 256)
            at = at if number == 1 and not self.v6m else at & ~3
            self.pointers[register] = Pointer(at, at)
            registers[register] = DATA + at
        self.pointers[13] = Pointer(registers[13] - DATA, registers[13] - DATA)
        for number, register in enumerate((low[1], high[1])):
            self.exact[register] = registers[register] = dice.randrange(16) & (~0 if number else ~3)
        for register in (*self.pointers, *self.exact):
            self.held |= 1 << register

    def _block(self, room: int) -> None:
        form = self.dice.choice(self.it)
        while True:
            word = form.fixed | self.dice.getrandbits(8)
            mask = word & 15
            if form.refused(word) or 4 - (mask & -mask).bit_length() + 1 >= room:
                continue
            break
        self.items.append(Item(form, word))
        count = 5 - (mask & -mask).bit_length()
        for number in range(count):
            self._next(in_it=True, last=number == count - 1)

    def _next(self, in_it: bool, last: bool) -> None:
        """One more instruction (or a few that belong together), of a form that can stand here."""
        while True:
            form = self.dice.choice(self.pool)
            where = form.encoding.in_it
            if in_it and (where == "never" or (where == "last" and not last) or form.kind is Kind.EXCLUSIVE):
                continue
            if form.kind is Kind.EXCLUSIVE:
                if self._exclusive(form):
                    return
                continue
            item = self._item(form, in_it, last)
            if item is not None:
                self.items.append(item)
                return

    # --- one instruction -----------------------------------------------------------------------------------------

    def _item(self, form: Form, in_it: bool, last: bool) -> Item | None:
        for _ in range(20):
            word = form.fixed | self.dice.getrandbits(32) & form.variable
            if form.encoding.tie[0]:
                word = form.put(word, form.encoding.tie[0], form.take(word, form.encoding.tie[1]))
            if "SYSm" in form.places:
                word = form.put(word, "SYSm", self.dice.choice(SPECIAL))
            elif self.dice.random() < 0.1:
                word = self._at_the_edge(form, word)
            item = Item(form, word, bound=in_it)
            if (last or not ends(form, word)) and self._steered(item):
                return item
        return None

    def _at_the_edge(self, form: Form, word: int) -> int:
        """The least or the most in each field that holds a number."""
        for name in form.places:
            if name.startswith(NUMBERS):
                word = form.put(word, name, self.dice.choice((0, -1)))
        return word

    def _steered(self, item: Item) -> bool:
        """Makes the instruction's addresses what they should be; False: it cannot stand here."""
        form = item.form
        if form.kind is Kind.MULTIPLE and form.encoding.load and self.dice.random() < 0.8:
            item.word &= ~(self.held & form.places["list"][1])
        pointer = index = -1
        if form.kind is Kind.JUMP:
            pointer = self._for_jump()
        elif form.encoding.base == "13":
            pointer = 13
        elif form.encoding.base:
            pointer = self._choose(list(self.pointers), form, "Rn")
        if form.encoding.base and pointer < 0:
            return False
        if form.encoding.index:
            index = self._choose(list(self.exact), form, "Rm")
            if index < 0:
                return False
            item.word = form.put(item.word, "Rm", index)
        if form.kind is Kind.JUMP:
            item.word = form.put(item.word, "Rm", pointer)
        elif form.encoding.base == "Rn":
            item.word = form.put(item.word, "Rn", pointer)
        if form.refused(item.word) or (item.bound and form.refused_in_it(item.word)):
            return False
        return self._placed(item, pointer, index)

    def _placed(self, item: Item, pointer: int, index: int) -> bool:
        form = item.form
        written = form.writes(item.word)
        if written & self.held and not self._let_go(written & self.held, pointer, form):
            return False
        if form.kind is Kind.TABLE and not self._table(item, pointer, index):
            return False
        if form.kind in (Kind.MEMORY, Kind.MULTIPLE) and not self._access(item, pointer, index, written):
            return False
        if form.kind is Kind.JUMP:
            item.where = pointer
            self.held |= 1 << pointer
        if form.kind in (Kind.BRANCH, Kind.JUMP):
            self._aim(item)
        if form.name.startswith("MSR") and form.take(item.word, "SYSm") in (8, 9, 20):
            self._drop(1 << 13)
            self.controlled = self.controlled or form.take(item.word, "SYSm") == 20
        if form.name.startswith("MRS") and form.take(item.word, "SYSm") == 20 and self.controlled:
            return False
        self.finished = ends(form, item.word)
        self._drop(written & self.held)
        self.written |= written
        return True

    def _choose(self, among: list[int], form: Form, name: str) -> int:
        """One of these registers that the field can name."""
        limit = form.places[name][1] if name in form.places else 15
        fit = [register for register in among if register <= limit]
        return self.dice.choice(fit) if fit else -1

    def _for_jump(self) -> int:
        free = [register for register in (*range(13), 14) if not (self.written | self.held) >> register & 1]
        return self.dice.choice(free) if free else -1

    def _let_go(self, wanted: int, pointer: int, form: Form) -> bool:
        """Whether these held registers may be written: pointers that something else can take the place of."""
        mine = sum(1 << register for register in self.pointers)
        if wanted & ~mine or len(self.pointers) - wanted.bit_count() < 1:
            return False
        return (pointer >= 0 and wanted == 1 << pointer) or self.dice.random() < 0.2

    def _drop(self, registers: int) -> None:
        for register in [one for one in self.pointers if registers >> one & 1]:
            del self.pointers[register]
            self.held &= ~(1 << register)

    def _access(self, item: Item, pointer: int, index: int, written: int) -> bool:
        """A load or store: inside the data area, aligned where it must be; its write-back noted."""
        form, word = item.form, item.word
        if pointer not in self.pointers:
            return False
        place = self.pointers[pointer]
        low, high = place.low, place.high
        offset = form.offset(word) + (self.exact[index] << form.shift(word) if index >= 0 else 0)
        size = form.encoding.size
        bytes_ = 4 * form.registers(word).bit_count() if form.kind is Kind.MULTIPLE else size
        align = 4 if form.encoding.aligned else size if self.v6m else 1
        moves = form.moves(word)
        if size and not place.aligned(offset, align):
            return False
        if low + offset < 0 or high + offset + bytes_ > DATA_SIZE:
            return False
        if low + moves < LOWEST or high + moves > HIGHEST or (moves % 4 and pointer == 13):
            return False
        if written >> 15 & 1 and not (place.exact and self._from_memory(item, low + offset + bytes_ - 4)):
            return False
        if not form.encoding.load and bytes_:
            self.stored_low = min(self.stored_low, low + offset)
            self.stored_high = max(self.stored_high, high + offset + bytes_)
        place.move(moves, item.bound or len(self.items) < self.skipped)
        return True

    # --- where instructions go -----------------------------------------------------------------------------------

    def _aim(self, item: Item) -> None:
        # CBZ reaches nothing nearer than the instruction after the next.
        item.ahead = self.dice.choice((2, 3) if item.form.name in FORWARD else (1, 1, 2, 3))
        self.skipped = max(self.skipped, len(self.items) + item.ahead)

    def _from_memory(self, item: Item, at: int) -> bool:
        if not self._free(at, 4):
            return False
        item.where = at
        self.memory[at] = 0
        self._aim(item)
        return True

    def _free(self, at: int, size: int) -> bool:
        """Whether memory can be given a value there: not stored to, given none yet."""
        if at < self.stored_high and at + size > self.stored_low:
            return False
        return len(self.memory) < 4 and all(abs(at - known) >= 8 for known in self.memory)

    def _table(self, item: Item, pointer: int, index: int) -> bool:
        form = item.form
        if not item.bound and self.dice.random() < 0.5:
            item.word = form.put(item.word, "Rn", 15)
            item.table = self.exact[index]
            self._aim(item)
            return not form.refused(item.word)
        if pointer not in self.pointers:
            return False
        place = self.pointers[pointer]
        away = self.exact[index] << form.shift(item.word)
        fits = place.exact and place.aligned(away, form.encoding.size)
        return fits and self._from_memory(item, place.low + away)

    def _exclusive(self, form: Form) -> bool:
        """A load exclusive and its store, which succeeds; or a store alone after CLREX, or a second one: they fail."""
        if form.name.startswith("CLREX"):
            self.items.append(Item(form, form.fixed))
            return True
        size = form.encoding.size
        suffix = {1: "B", 2: "H", 4: ""}[size]
        pair = [self.named[f"{name}{suffix} T1"] for name in ("LDREX", "STREX")]
        clear = self.named["CLREX T1"]
        fit = [register for register, one in self.pointers.items() if one.exact and one.aligned(0, 4)]
        if not fit:
            return False
        pointer = self.dice.choice(fit)
        away = self.dice.randrange(256)
        made: list[Item] = []
        for one in self.dice.choice(((0, 1), (0, 1), (0, 0, 1), (0, 1, 1), (2, 1), (0, 2, 1))):
            if one == 2:
                made.append(Item(clear, clear.fixed))
                continue
            item = self._exclusive_item(pair[one], pointer, away)
            if item is None:
                return False
            made.append(item)
        for item in made[1:]:
            item.bound = True
        self.items += made
        return True

    def _exclusive_item(self, form: Form, pointer: int, away: int) -> Item | None:
        for _ in range(20):
            word = form.put(form.fixed | self.dice.getrandbits(32) & form.variable, "Rn", pointer)
            word = form.put(word, "imm8", away) if "imm8" in form.places else word
            written = form.writes(word)
            if form.refused(word) or written & self.held:
                continue
            self.written |= written
            if not form.encoding.load:
                at = self.pointers[pointer].low + form.offset(word)
                self.stored_low = min(self.stored_low, at)
                self.stored_high = max(self.stored_high, at + 4)
            return Item(form, word)
        return None


@dataclass
class Batch:
    """Many sequences in one piece of code, which start from the same data."""

    code: bytes
    data: bytes
    sequences: list[Sequence]


def batches(seed: int, count: int, v6m: bool = False, at_once: int = 2000) -> Iterator[Batch]:
    maker = Maker(seed, v6m)
    for first in range(0, count, at_once):
        yield _batch(maker, min(at_once, count - first))


def _batch(maker: Maker, count: int) -> Batch:
    code = bytearray(maker.dice.randbytes(CODE_SIZE))
    sequences: list[Sequence] = []
    place = CODE + MARGIN
    for _ in range(count):
        sequence = maker.sequence(place)
        code[place - CODE : place - CODE + len(sequence.code)] = sequence.code
        place += len(sequence.code) + maker.dice.choice((0, 2))
        sequences.append(sequence)
    assert place + MARGIN < CODE + CODE_SIZE
    words = [maker.operand() for _ in range(DATA_SIZE // 4)]
    return Batch(bytes(code), b"".join(word.to_bytes(4, "little") for word in words), sequences)
