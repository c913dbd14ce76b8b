"""docs/results.md: every row that the README is too short for, generated whole from the same files.

Results of a board at another optimisation level (`--optimize`) are one column of its table: ours, and the best peer's
at that level. Each board's last table has every shape of a call in every build of the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attacca_lab import headline, matrix
from attacca_lab.boards import Board, board, boards
from attacca_lab.build import levels
from attacca_lab.builds import FAST
from attacca_lab.compare import WAIT_STATES, WITHOUT_START_UP, Comparison, optimisation
from attacca_lab.errors import UserError
from attacca_lab.output import Column, Table, markdown
from attacca_lab.stats import Result, microseconds, number, ratio

HEAD = """# Results

Medians of the fastest build and shape, beside the other kernels; then every shape of a call in every build. Generated
by `./attacca readme` from the files of `./attacca bench` ([how](../CONTRIBUTING.md#generated)); how it is measured:
[measuring.md](measuring.md).
"""

# What the table shows: experiment, variant, and a title without our names.
TIMES = (
    ("switch-semaphore", None, "give a semaphore, more urgent thread has it"),
    ("switch-wake", None, "resume a suspended, more urgent thread"),
    ("switch-event", None, "set an event flag, more urgent thread has it"),
    ("switch-mailbox", None, "post a word, more urgent thread has it"),
    ("switch-message", None, "send a message, more urgent thread has it"),
    ("switch-message-round-trip", None, "and the sender has the reply"),
    ("switch-yield", None, "yield to a thread of the same priority"),
    ("signal-wait-loop", None, "signal and wait in a loop, a switch"),
    ("pair-semaphore", None, "give and take, no thread waiting"),
    ("pair-semaphore", "inlined", "the same, inlined where it is called"),
    ("pair-mutex", None, "lock and unlock, no thread waiting, with inheritance"),
    ("pair-mutex", "inlined", "the same, inlined"),
    ("inversion-resolve", None, "priority inversion: loan and handing over"),
    ("irq-to-handler", None, "interrupt to its handler"),
    ("irq-to-thread", None, "interrupt to the thread that waits for it"),
    ("inversion-boost", None, "a lock that lends its priority, the owner runs"),
    ("inversion-unlock", None, "the unlock, the waiter has the mutex"),
    ("pair-queue", None, "put an item of 16 bytes into a queue and get it, no thread waiting"),
    ("masked-by-code", "semaphore", "longest time with interrupts masked, semaphore run"),
    ("timer-interrupt", "1 ms timer, cycles per ms", "a periodic timer of 1 ms, all that it costs each time"),
    ("context-switch", "low-preempted", "sleep 1 ms, the next thread runs; arming the timer is part of it"),
    ("semaphore-acquire", None, "give a semaphore and sleep, the thread that waits for it runs"),
)
SIZES = (
    ("flash", None, "flash, program of two threads and a semaphore"),
    ("flash", WITHOUT_START_UP, "the same without start-up code"),
    ("ram-without-stacks", None, "its RAM, stacks apart"),
    ("size-thread", None, "a thread"),
    ("size-semaphore", None, "a semaphore"),
    ("size-mutex", None, "a mutex"),
)
Levels = dict[str, list[Result]]  # by their -O
BESIDE = ("ChibiOS/RT", "FreeRTOS")  # shown in columns of their own, whichever is the best


def page(found: Sequence[Result]) -> str:
    """The whole document."""
    return f"{HEAD}\n{tables(found)}"


def tables(found: Sequence[Result]) -> str:
    """The tables of each board, and where their figures come from."""
    names = [name for name in boards() if any(one.board == name for one in found)]
    by_board = {name: [one for one in found if one.board == name] for name in names}
    parts = []
    for name, some in by_board.items():
        if len(names) > 1:
            parts.append(f"## {board(name).title}\n")
        parts.append(_of_board(some))
    return "\n".join(parts)


def _of_board(results: Sequence[Result]) -> str:
    target = board(results[0].board)
    fast = [one for one in results if (one.build or FAST) == FAST] or list(results)
    found, others = _by_level(fast, next(iter(levels(target.preset))))
    times = [row for wanted in TIMES if (row := _row(found, others, *wanted))]
    sizes = [row for wanted in SIZES if (row := _row(found, others, *wanted)) and _is_told(row, target)]
    parts = []
    if times:
        parts.append(markdown(Table(_columns("median, in cycles", target, times, others, with_time=True), times)))
    if sizes:
        parts.append(markdown(Table(_columns("in bytes", target, sizes, others, with_time=False), sizes)))
    if not parts:
        raise UserError("the results hold nothing that the README shows", "run ./attacca bench without a name")
    parts.append("\n".join(_notes(found)) + "\n")
    level = optimisation(found[0].flags)
    if of_builds := matrix.table([one for one in results if optimisation(one.flags) == level]):
        parts.append(markdown(of_builds))
    return "\n".join(parts)


def _by_level(results: Sequence[Result], usual: str) -> tuple[list[Result], Levels]:
    """The results of the board's own optimisation level (failing those, of the first), and those of others."""
    found: Levels = {}
    for one in results:
        found.setdefault(optimisation(one.flags), []).append(one)
    own = found.pop(usual if usual in found else next(iter(found)))
    return own, found


def _is_told(row: dict[str, Any], target: Board) -> bool:
    """Flash with start-up code where that is the compiler's, without where it is the board's own."""
    return row["variant"] == (WITHOUT_START_UP if target.is_modelled else None) or not row["is_flash"]


def _columns(
    title: str, target: Board, rows: Sequence[dict[str, Any]], others: Levels, *, with_time: bool
) -> list[Column]:
    bounded = bool(target.bounds) and with_time
    with_time = with_time and not target.caution
    compared = any(row["best"] for row in rows)
    time = "µs, two wait states" if target.wait_states else "µs"
    return [
        Column("what", title),
        Column("ours", "Attacca", right=True),
        *([Column("bounds", "model's bounds", right=True)] if bounded else []),
        *([Column("us", time, right=True)] if with_time else []),
        *([Column("best", "best peer"), Column("ratio", "ratio", right=True)] if compared else []),
        *(Column(kernel, kernel, right=True) for kernel in BESIDE if compared),
        *(Column(level, f"with `{level}` (best peer)", right=True) for level in others),
    ]


def _find(found: Sequence[Result], experiment: str, variant: str | None, threads: int | None = None) -> Result | None:
    return headline.find(found, experiment, variant, FAST, threads)


def _beside(one: Result) -> Comparison:
    return headline.beside(one)


def _row(
    found: Sequence[Result], by_level: Levels, experiment: str, variant: str | None, title: str
) -> dict[str, Any] | None:
    one = _find(found, experiment, variant)
    if one is None:
        return None
    others = _beside(one)
    row: dict[str, Any] = {
        "what": f"{title} (`{experiment}`)",
        "ours": f"**{number(one.median)}**",
        "us": _time(found, one),
        "bounds": one.bounds,
        "variant": variant,
        "is_flash": experiment == "flash",
        "best": others.best_text or None,
        "ratio": ratio(others.ratio) if others.ratio else None,
    }
    for kernel in BESIDE:
        theirs = next((peer.value for peer in others.peers if peer.kernel == kernel), None)
        row[kernel] = number(theirs) if theirs is not None else None
    for level, results in by_level.items():
        if (two := _find(results, experiment, variant)) is not None:
            best = _beside(two).best
            row[level] = f"**{number(two.median)}**" + (f" ({number(best.value)})" if best else "")
    return row


def _time(found: Sequence[Result], one: Result) -> str | None:
    """Its time on a real chip, whose flash may be slower than the processor."""
    target = board(one.board)
    if target.wait_states:
        variant = ", ".join(filter(None, (one.variant, WAIT_STATES)))
        slower = _find(found, one.experiment, variant)
        return microseconds(slower.median, target.clock_hz) if slower else None
    timed = one.unit == "cycles" and target.cycles_are_time
    return microseconds(one.median, target.clock_hz) if timed else None


def _notes(found: Sequence[Result]) -> list[str]:
    one = found[0]
    target = board(one.board)
    clock = f"{(target.clock_hz or 0) / 1e6:g} MHz"
    lines: list[str] = []
    more = _more_threads(found)
    if more:
        lines += [more, ""]
    lines.append(
        f"{target.processor} at {clock}{_without(target)}, simulated by {one.instrument}; "
        f"{one.compiler} {optimisation(one.flags)}, checks off, a "
        f"timer of 1 ms running, waiting for ever, real calls but where it says otherwise; commit "
        f"{one.commit}. "
        + (
            target.caution
            or "Ratio: ours divided by the best peer's; *reduced* kernels offer clearly less in that program."
        )
    )
    return lines


def _without(target: Board) -> str:
    return ", cycles without wait states" if target.wait_states else ""


def _more_threads(found: Sequence[Result]) -> str:
    """`switch-semaphore` with 2, 4, 8 and 16 threads, as a sentence."""
    base = _find(found, "switch-semaphore", None)
    if base is None:
        return ""
    counts = sorted({one.threads for one in found if one.threads and one.experiment == "switch-semaphore"})
    more = [(n, one.median) for n in counts if (one := _find(found, "switch-semaphore", None, n))]
    if not more:
        return ""
    listed = ", ".join(str(n) for n, _ in [(2, base.median), *more[:-1]]) + f" and {more[-1][0]}"
    values = [number(median) for median in (base.median, *(median for _, median in more))]
    said = f"{values[0]} each time" if len(set(values)) == 1 else ", ".join(values)
    return f"`switch-semaphore` with {listed} threads: {said}."
