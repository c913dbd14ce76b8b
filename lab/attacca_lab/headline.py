"""The rows that stand first everywhere: on the first screen, in the README, at the head of the report.

A row leads with what a program gets that states no option and waits with a timeout; the fastest build and shape
stands beside it. The peers were measured without checks and waiting for ever, so it is the fastest that they are
compared with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attacca_lab.builds import DEFAULT, FAST
from attacca_lab.compare import WITHOUT_START_UP, Comparison, compare
from attacca_lab.stats import Result, number, ratio

if TYPE_CHECKING:
    from attacca_lab.boards import Board

TIMEOUT = "timeout"


@dataclass(frozen=True)
class Row:
    """An experiment, and a title without our names."""

    experiment: str
    title: str
    variant: str | None = None  # of the fastest shape
    lead: str | None = None  # the default build's: with a timeout where the call has one
    name: str = ""  # if the experiment's is not enough

    @property
    def label(self) -> str:
        return self.name or self.experiment


TIMES = (
    Row("switch-semaphore", "give a semaphore, more urgent thread has it", lead=TIMEOUT),
    Row("switch-wake", "resume a suspended, more urgent thread", lead=TIMEOUT),
    Row("switch-event", "set an event flag, more urgent thread has it", lead=TIMEOUT),
    Row("switch-mailbox", "post a word, more urgent thread has it", lead=TIMEOUT),
    Row("switch-message", "send a message, more urgent thread has it", lead=TIMEOUT),
    Row("switch-message-round-trip", "and the sender has the reply", lead=TIMEOUT),
    Row("switch-yield", "yield to a thread of the same priority"),
    Row("pair-semaphore", "give and take, no thread waiting", lead=TIMEOUT),
    Row("pair-mutex", "lock and unlock, no thread waiting, with inheritance", lead=TIMEOUT),
    Row("pair-queue", "put 16 bytes into a queue and get them, no thread waiting", lead=TIMEOUT),
    Row("inversion-resolve", "priority inversion: loan and handing over"),
    Row("irq-to-thread", "interrupt to the thread that waits for it", lead=TIMEOUT),
    Row("context-switch", "sleep 1 ms, the next thread runs", "low-preempted", "low-preempted"),
    Row("timer-interrupt", "a periodic timer of 1 ms, all that it costs each time", "1 ms timer, cycles per ms",
        "1 ms timer, cycles per ms", "timer of 1 ms, each time"),
    Row("masked-by-code", "longest time with interrupts masked, semaphore run", "semaphore", "semaphore",
        "interrupts masked"),
)  # fmt: skip
SIZES = (
    Row("flash", "flash, program of two threads and a semaphore"),
    Row("flash", "flash of two threads and a semaphore, start-up code apart", WITHOUT_START_UP, WITHOUT_START_UP,
        "flash without start-up"),
    Row("ram-without-stacks", "its RAM, stacks apart"),
    Row("size-thread", "a thread"),
    Row("size-semaphore", "a semaphore"),
    Row("size-mutex", "a mutex"),
)  # fmt: skip


def is_shown(row: Row, target: Board) -> bool:
    """Flash with start-up code where that is the compiler's, without where it is the board's own."""
    return row.experiment != "flash" or row.variant == (WITHOUT_START_UP if target.is_modelled else None)


def firmware(target: Board, build: str) -> list[str]:
    """The images of these rows in a build."""
    from attacca_lab.experiments import CASES
    from attacca_lab.what import MASKED

    wanted = {(row.experiment, row.lead if build == DEFAULT else row.variant) for row in TIMES}
    here = [case for case in CASES if case.is_on(target)]
    images = [case.firmware for case in here if (case.experiment, case.variant) in wanted and not case.is_growth]
    return list(dict.fromkeys([*images, MASKED["semaphore"], "timer.callback", "sizes", "memory", "memory.empty"]))


def find(found: Sequence[Result], experiment: str, variant: str | None, build: str | None,
         threads: int | None = None) -> Result | None:  # fmt: skip
    """The result of that name; those of a file without builds are of the fastest."""
    for one in found:
        key = (one.experiment, one.variant, one.threads, one.timers, one.edge, one.call)
        if key == (experiment, variant, threads, None, None, None) and (one.build or FAST) == build:
            return one
    return None


def beside(one: Result) -> Comparison:
    """What stands beside a result."""
    from attacca_lab.boards import board

    return compare(
        one.experiment, board(one.board).processor, one.median, one.unit,
        compiler=one.compiler, flags=one.flags, variant=one.variant, build=one.build,
    )  # fmt: skip


def rows(found: Sequence[Result], wanted: Sequence[Row], target: Board) -> list[dict[str, Any]]:
    """The rows that there are results for, as text; keys as the tables' columns."""
    shown = []
    for row in wanted:
        lead, fastest = find(found, row.experiment, row.lead, DEFAULT), find(found, row.experiment, row.variant, FAST)
        if (lead is None and fastest is None) or not is_shown(row, target):
            continue
        others = beside(fastest) if fastest else None
        shown.append(
            {
                "row": row,
                "name": row.label,
                "title": row.title,
                "lead": number(lead.median) if lead else None,
                "fastest": number(fastest.median) if fastest else None,
                "result": fastest or lead,
                "others": others,
                "best": others.best_text or None if others else None,
                "best_short": others.best_short or None if others else None,
                "ratio": ratio(others.ratio) if others and others.ratio is not None else None,
            }
        )
    return shown
