"""Sequences on the instrument, through attacca-cortex-m-oracle: its processor and bus without chip, time or files."""

from __future__ import annotations

import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from cortex_m_layout import Sequence
from cortex_m_sequences import CODE, DATA, Batch

# What it reads and writes; instrument/cortex-m/oracle.cpp has the same in C++.
HEADER = struct.Struct("<5I")  # sequences, address of code, its bytes, address of data, its bytes; then both
RECORD = struct.Struct("<29I")  # r0-r12, MSP, LR, PSP, APSR, start, end, place, patches, four of (offset, word)
RESULT = struct.Struct("<26I")  # trap, r0-r15, xPSR, masks, MSP, PSP, came to (2), cycles, what changed: offset, size
PATCHES = 4


@dataclass(frozen=True)
class Outcome:
    trap: int  # the exception that ended it, or 0
    registers: tuple[int, ...]  # r0 to r15
    xpsr: int
    masks: tuple[int, ...]  # PRIMASK, FAULTMASK, BASEPRI, CONTROL
    stacks: tuple[int, ...]  # MSP, PSP
    memory: tuple[int, bytes]  # where what changed begins, and what it is now


@dataclass(frozen=True)
class Run:
    """What the instrument tells beyond the outcome."""

    outcome: Outcome
    came_to: int  # halfwords of its code, a bit each
    cycles: int


def changed(before: bytes, after: bytes) -> tuple[int, bytes]:
    """From the first changed byte to the last."""
    if before == after:
        return 0, b""
    different = int.from_bytes(before, "little") ^ int.from_bytes(after, "little")
    first = ((different & -different).bit_length() - 1) // 8
    last = (different.bit_length() + 7) // 8
    return first, after[first:last]


class Oracle:
    """The executable, for one core; it takes batches until its input ends."""

    def __init__(self, executable: Path, core: str) -> None:
        command = [str(executable), core]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> Oracle:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(timeout=60)

    def run(self, batch: Batch) -> list[Run]:
        assert self.process.stdin and self.process.stdout
        send = self.process.stdin.write
        send(HEADER.pack(len(batch.sequences), CODE, len(batch.code), DATA, len(batch.data)))
        send(batch.code)
        send(batch.data)
        for sequence in batch.sequences:
            send(self._record(sequence))
        self.process.stdin.flush()
        return [self._result() for _ in batch.sequences]

    def _record(self, one: Sequence) -> bytes:
        patches = [number for patch in one.memory.items() for number in patch]
        patches += [0] * (2 * PATCHES - len(patches))
        where = (one.psp, one.flags, one.start, one.end, one.place, len(one.memory))
        return RECORD.pack(*one.registers, *where, *patches)

    def _result(self) -> Run:
        assert self.process.stdout
        trap, *rest = RESULT.unpack(self._read(RESULT.size))
        registers, (xpsr, masks, msp, psp, low, high, cycles, at, size) = tuple(rest[:16]), rest[16:]
        memory = (at, self._read(size))
        split = tuple(masks >> shift & 255 for shift in (0, 8, 16, 24))
        return Run(Outcome(trap, registers, xpsr, split, (msp, psp), memory), high << 32 | low, cycles)

    def _read(self, size: int) -> bytes:
        assert self.process.stdout
        got = self.process.stdout.read(size)
        assert len(got) == size, "attacca-cortex-m-oracle ended"
        return got
