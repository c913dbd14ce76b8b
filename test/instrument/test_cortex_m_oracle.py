"""The Cortex-M instrument against unicorn: random sequences end with the same registers, flags, memory and exception.

Every encoding of the tables is run many times (the last test says how often the rarest was). The seed is fixed;
ATTACCA_ORACLE_SEED and ATTACCA_ORACLE_SEQUENCES name others.
"""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import cortex_m_sequences as sequences
import instrument_tools as tools
from cortex_m_layout import Sequence, forms
from cortex_m_oracle import Oracle, Outcome

unicorn_side = pytest.importorskip("cortex_m_unicorn", reason="no unicorn (PyPI)")

SEED = int(os.environ.get("ATTACCA_ORACLE_SEED", "1"))
COUNT = int(os.environ.get("ATTACCA_ORACLE_SEQUENCES", "100000"))
CORES = {"m3": COUNT, "m0plus": COUNT // 5}  # the M0 has no unprivileged mode, unicorn's has
RAREST = COUNT // 1000  # times that each encoding must have been come to
Q = 1 << 27
SHOWN = 5  # differences


@dataclass
class Comparison:
    tried: int = 0
    different: list[tuple[Sequence, Outcome, Outcome]] = field(default_factory=list)
    came_to: Counter[str] = field(default_factory=Counter)
    trapped: Counter[int] = field(default_factory=Counter)


def comparable(outcome: Outcome, v6m: bool) -> Outcome:
    """Without what the two need not agree on.

    After an exception the program counter is where either of them thinks it is best. ARMv6-M has one fault only, and
    no Q.
    """
    trap, registers = outcome.trap, outcome.registers
    if trap:
        registers = registers[:15]
        trap = 3 if v6m and trap in (6, 12) else trap
    xpsr = outcome.xpsr & (~Q if v6m else ~0)
    return dataclasses.replace(outcome, trap=trap, registers=registers, xpsr=xpsr)


def compare(executable: Path, core: str, count: int) -> Comparison:
    found = Comparison()
    v6m = core != "m3"
    with Oracle(executable, core) as oracle:
        for batch in sequences.batches(SEED, count, v6m):
            other = unicorn_side.Unicorn(batch, v6m)
            for sequence, run in zip(batch.sequences, oracle.run(batch), strict=True):
                ours, theirs = run.outcome, other.run(sequence)
                found.tried += 1
                found.trapped[ours.trap] += 1
                if comparable(ours, v6m) != comparable(theirs, v6m):
                    found.different.append((sequence, ours, theirs))
                for name, at in zip(sequence.names, sequence.starts, strict=True):
                    found.came_to[name] += run.came_to >> (at - sequence.place) // 2 & 1
    return found


def words(sequence: Sequence) -> Iterator[str]:
    at = sequence.starts
    ends = [*at[1:], sequence.place + len(sequence.code)]
    for name, start, end in zip(sequence.names, at, ends, strict=True):
        yield f"  {start:08x}: {sequence.code[start - sequence.place : end - sequence.place].hex()}  {name}"


def told(sequence: Sequence, ours: Outcome, theirs: Outcome) -> str:
    """A difference, as a text that is enough to repeat it by hand."""
    before = " ".join(f"{value:08x}" for value in sequence.registers)
    memory = " ".join(f"[{at:x}]={word:08x}" for at, word in sequence.memory.items())
    lines = [f"{before} flags {sequence.flags >> 27:05b} start {sequence.start:08x} {memory}", *words(sequence)]
    for name, ours_, theirs_ in zip(
        [f"r{number}" for number in range(16)], ours.registers, theirs.registers, strict=True
    ):
        if ours_ != theirs_:
            lines.append(f"  {name}: instrument {ours_:08x}, unicorn {theirs_:08x}")
    for name in ("trap", "xpsr", "masks", "stacks", "memory"):
        if getattr(ours, name) != getattr(theirs, name):
            lines.append(f"  {name}: instrument {getattr(ours, name)}, unicorn {getattr(theirs, name)}")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def oracle() -> Path:
    return tools.cortex_m_instrument("attacca-cortex-m-oracle")


@pytest.fixture(scope="module", params=CORES)
def found(request: pytest.FixtureRequest, oracle: Path) -> tuple[str, Comparison]:
    return request.param, compare(oracle, request.param, CORES[request.param])


def test_no_difference(found: tuple[str, Comparison]) -> None:
    core, comparison = found
    assert comparison.tried == CORES[core]
    shortest = sorted(comparison.different, key=lambda one: len(one[0].names))[:SHOWN]
    text = "\n\n".join(told(*one) for one in shortest)
    assert not comparison.different, f"{len(comparison.different)} of {comparison.tried} differ:\n{text}"


def test_every_encoding_was_come_to(found: tuple[str, Comparison]) -> None:
    core, comparison = found
    known = [form.name for form in forms(core != "m3")]
    rarest = min(known, key=lambda name: comparison.came_to[name])
    print(f"{core}: {comparison.tried} sequences, {sum(comparison.came_to.values())} instructions,")
    print(f"{len(known)} encodings, the rarest {comparison.came_to[rarest]} times: {rarest}")
    assert comparison.came_to[rarest] >= RAREST, rarest


def test_traps_were_among_them_and_nothing_ran_wild(found: tuple[str, Comparison]) -> None:
    _, comparison = found
    assert set(comparison.trapped) <= {0, 3, 6, 11, 12}, comparison.trapped
    assert comparison.trapped[0] > 0.5 * comparison.tried
