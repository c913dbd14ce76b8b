"""The experiments: what each measures, which firmware runs for it, and how its figures are read off the capture.

One table, CASES. An experiment is all cases of one name; a case is one firmware's run and one figure from it. Cases
of the same firmware share its run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from attacca_lab import pulses
from attacca_lab.instrument import Run
from attacca_lab.pulses import Samples

# Growth, in step with attacca_growth() in bench/CMakeLists.txt: threads in all, as many as a board's RAM holds, and
# timers that are armed for later.
THREADS = {"uno": (4, 8, 16), "mega2560": (4, 8, 16, 32)}
TIMERS = (1, 4, 16, 64)
WINDOW_TIME = 2  # seconds that the clock's own cost is watched

# What each experiment measures, in one sentence; the order is that of tables and reports.
WHAT = {
    "switch-semaphore": "From right before a thread gives a semaphore to right after the more urgent thread that "
    "waits on it has it.",
    "switch-wake": "From right before a thread resumes a suspended, more urgent one by reference to right after that "
    "one runs.",
    "switch-event": "From right before a thread sets an event flag to right after the more urgent thread that waits "
    "for it has it.",
    "switch-mailbox": "From right before a thread posts one word into a mailbox to right after the more urgent thread "
    "that waits on it has fetched it.",
    "switch-message": "From right before a thread sends a synchronous message to right after the more urgent thread "
    "that waits for it has received it.",
    "switch-message-round-trip": "The same to right after the sender has the reply.",
    "switch-mutex": "From right before a thread unlocks a mutex to right after the more urgent thread that waits for "
    "it owns it; the priority lent for it is given back.",
    "switch-yield": "From right before a thread yields to another of its priority to right after that one runs.",
    "signal-wait-loop": "Half a round of one thread that signals for ever and a more urgent one that waits for ever: "
    "one call and one switch. A sample is half of one round, or of the mean of 100 rounds as on KRNL's page.",
    "context-switch": "A thread sets the pin and sleeps for a millisecond; the less urgent thread, next to run, clears "
    "it: arming the alarm is part of it.",
    "irq-to-handler": "From the entry of an interrupt to the end of the first instruction of its handler in C.",
    "irq-to-thread": "From the entry of an interrupt, whose handler gives a semaphore, to the waiting thread's first "
    "instruction.",
    "irq-jitter": "From an edge on an input pin, at random exact cycles, to the handler's and the waiting thread's "
    "first instruction: a distribution.",
    "semaphore-acquire": "A thread sets the pin, gives a semaphore and sleeps; the less urgent thread that waits on it "
    "has it and clears the pin.",
    "pin-response-loop": "From an edge on an input pin, of a 10 Hz square wave whose edges come at random exact "
    "cycles, to the edge on an output pin, to which a thread copies it in an endless loop.",
    "pin-response-loop-task": "The same while a more urgent thread wakes every millisecond and sleeps again.",
    "pin-response-loop-irq": "The same without that thread, but with a handler on both edges of the input, which "
    "acknowledges and copies the pin to a second one.",
    "pin-response-loop-task-irq": "The same with both.",
    "pin-response-irq": "From the edge on the input to the handler's edge on the second pin; the loop and the thread "
    "run beside it.",
    "pair-semaphore": "A give and a take with nobody waiting, together.",
    "priority-inversion": "A thread locks a mutex and sleeps inside; a more urgent one sets the pin, locks the same "
    "mutex and clears the pin: mostly that sleep.",
    "inversion-boost": "From right before a thread locks a mutex that a less urgent one holds to right after that one "
    "runs, with its priority.",
    "inversion-unlock": "From right before that one unlocks to right after the more urgent one owns the mutex.",
    "inversion-resolve": "Both together, without the sleep.",
    "pair-mutex": "A lock and an unlock with nobody waiting, together.",
    "pair-pool": "A block taken out of a pool and given back, together.",
    "pair-event": "An event flag set, and a wait for it that is satisfied at once, together.",
    "pair-mailbox": "A word posted and fetched with nobody waiting, together.",
    "queue-throughput": "A byte put into a byte stream and got out again, with nobody waiting: the share of one in "
    "four that are put and then got.",
    "pair-timer": "A timer started and stopped, together; all others that are armed come before it.",
    "wake-sleep": "Half of: a thread resumes a more urgent one by reference, which suspends itself again. One switch.",
    "thread-cycle": "A less urgent thread is started, runs, ends, and is joined.",
    "thread-create-exit": "A more urgent thread is started, runs and ends.",
    "mass-reschedule": "One reset of a semaphore sends five more urgent threads on their way, and each waits again.",
    "messages-1": "A message and its reply; the server is less urgent than the client.",
    "messages-2": "A message and its reply; the server is more urgent than the client.",
    "messages-3": "The same while four other threads are ready.",
    "round-robin": "A yield among five threads of one priority.",
    "timers-set-reset": "Half of: two timers are started and stopped, in one critical section.",
    "timer-interrupt": "What the clock costs: its wrap, an expiry that wakes a thread, and the processor's time per "
    "millisecond for one periodic millisecond.",
    "masked-by-code": "The longest stretch with interrupts masked that an instruction began.",
    "masked-by-handler": "The longest stretch with interrupts masked that an interrupt's entry began.",
    "flash": "Flash of the two-thread semaphore program, start-up code and vectors included.",
    "ram": "Static RAM of the two-thread semaphore program: data, bss and noinit.",
    "ram-without-stacks": "The same without the two stacks.",
    "stack": "The part of its stack that each of the two threads used, an interrupting timer included.",
    "size-thread": "Bytes of a thread, its stack apart.",
    "size-semaphore": "Bytes of a semaphore.",
    "size-mutex": "Bytes of a mutex.",
    "size-condition": "Bytes of a condition variable.",
    "size-reference": "Bytes of a reference.",
    "size-timer": "Bytes of a timer.",
    "size-pool": "Bytes of a pool, its blocks apart.",
    "size-guarded-pool": "Bytes of a guarded pool, its blocks apart.",
    "size-heap": "Bytes of a heap, its memory apart.",
    "size-arena": "Bytes of an arena, its memory apart.",
    "size-cache": "Bytes of an object cache, its objects and buckets apart.",
    "size-inbox": "Bytes of an inbox.",
    "size-message": "Bytes of a message received.",
    "size-choice": "Bytes of one of several things waited for.",
    "size-work": "Bytes of what jobs are posted to.",
    "size-job": "Bytes of a job.",
    "size-flags": "Bytes of a thread's event flags.",
    "size-group": "Bytes of an event group.",
    "size-source": "Bytes of an event source.",
    "size-listener": "Bytes of one that listens to a source.",
    "size-mailbox": "Bytes of a mailbox, its words apart.",
    "size-stream": "Bytes of a byte stream, its bytes apart.",
    "size-fifo": "Bytes of an object FIFO, its objects and their words apart.",
    "size-queue": "Bytes of a queue, its items and their words apart.",
    "size-created": "Bytes of the header of what is created at run time.",
    "size-recorder": "Bytes of a recorder, its records apart.",
    "size-record": "Bytes of a recorded event.",
}

# Firmware whose source has another name.
SOURCES = {
    "thread-create-exit": "thread-cycle",
    "timers-set-reset": "pair-timer",
    "switch-message-round-trip": "switch-message",
    "messages-1": "messages",
    "messages-2": "messages",
    "messages-3": "messages",
}

SOURCES |= {f"inversion-{part}": "inversion" for part in ("boost", "unlock", "resolve")}

# The runs whose longest masked stretch is told, and compared with the peers', by their name there.
MASKED = {
    "semaphore": "switch-semaphore",
    "event": "switch-event",
    "mailbox": "switch-mailbox",
    "inversion": "inversion-resolve",
}

PairsOf = Callable[[Run], Samples]


@dataclass(frozen=True)
class Case:
    """One timed figure: a firmware, and how its capture is read."""

    experiment: str
    firmware: str
    read: PairsOf
    variant: str | None = None
    threads: int | None = None
    timers: int | None = None
    boards: tuple[str, ...] = ()  # only there; none: everywhere
    edge: str | None = None  # "rising" or "falling"
    extra: tuple[str, ...] = ()  # further options of the instrument; {pin}, the board's edge pin, is filled in
    stimulus: str | None = None  # {seed} and {pin} are filled in
    seconds: float | None = None  # the firmware does not end itself, and is watched for so long
    run: str = ""  # what its run is called, where the same firmware has several
    notes: tuple[str, ...] = ()
    channels: tuple[str, ...] = ("irq", "masked")
    main: bool = False  # compared with the peers, shown in the short table

    @property
    def source(self) -> str:
        """The file in bench/ that holds what is measured."""
        name = self.firmware.split(".")[0]
        return SOURCES.get(name, name) + ".c"


def pairs(run: Run) -> Samples:
    """A-B, C-D on the first probe."""
    return pulses.measure(run.capture, method="pairs")


def pairs_with_irq(run: Run) -> Samples:
    """The same when one handler belongs to the operation."""
    return pulses.measure(run.capture, method="pairs", expected_irqs=1)


def share_of(count: int) -> PairsOf:
    """A-B, C-D over so many of the operation, for one of them."""

    def read(run: Run) -> Samples:
        whole = pairs(run)
        return replace(whole, values=whole.values / count)

    return read


def half_rounds(run: Run) -> Samples:
    """Toggles every 100 rounds of two switches."""
    return pulses.toggles(run.capture, per=200)


def single_half_rounds(run: Run) -> Samples:
    """A short pulse every round: from one to the next, without setting and clearing."""
    width = float(np.median(pulses.measure(run.capture, method="pulses").values))
    return pulses.toggles(run.capture, per=2, edge="rise", overhead=2 * width)


def edge_pin(run: Run) -> str:
    """The channel of the edge pin: watched, or driven by the stimulus."""
    return next(name for name in run.capture.channels if name.startswith(("pin_", "in_")))


def from_edge(effect: str, edge: str = "fall") -> PairsOf:
    """From a falling edge on that pin to a probe's edge."""
    return lambda run: pulses.delay(run.capture, edge_pin(run), effect, cause_edge="fall", effect_edge=edge)


def response(probe: str, edge: str, own_irqs: int) -> PairsOf:
    """From an edge on the input to the same edge on an output; so many handlers belong to it."""
    return lambda run: pulses.delay(
        run.capture, edge_pin(run), probe, cause_edge=edge, effect_edge=edge, expected_irqs=own_irqs
    )


def from_entry(effect: str) -> PairsOf:
    """The same from the interrupt's entry: the pin's synchroniser, which the peers' simulator had not, is taken off."""

    def read(run: Run) -> Samples:
        whole = from_edge(effect)(run)
        entry = pulses.delay(run.capture, edge_pin(run), "irq", cause_edge="fall", effect_edge="rise")
        late = float(np.median(entry.values))
        return replace(whole, values=whole.values - late, overhead=late)

    return read


def wraps(run: Run) -> Samples:
    """How long each handler was active."""
    return pulses.measure(run.capture, "irq", method="pulses")


def expiries(run: Run) -> Samples:
    """From each entry of the timer's handler to the woken thread's toggle."""
    return pulses.delay(run.capture, "irq", "probe_a", cause_edge="rise", effect_edge="any", expected_irqs=1)


_RANDOM = "random seed={seed} pin={pin} level=0 n=10050 from=20000 min=3000 max=9000 hold=500\n"
_ENTRY_NOTE = (
    "Counted from the interrupt's entry, as the peers were; the pin's synchroniser takes 2 cycles more "
    "(variant from-edge).",
)


def growth(name: str, read: PairsOf, firmware: str = "", **more: Any) -> list[Case]:
    """The same with more threads and with armed timers."""
    firmware = firmware or name
    counts = sorted({n for board in THREADS.values() for n in board})
    where = {n: tuple(board for board, some in THREADS.items() if n in some) for n in counts}
    threads = [Case(name, f"{firmware}.threads-{n}", read, threads=n, boards=where[n], **more) for n in counts]
    return threads + [Case(name, f"{firmware}.timers-{n}", read, timers=n, **more) for n in TIMERS]


def _switches() -> list[Case]:
    cases = []
    for name in ("switch-semaphore", "switch-wake", "switch-event", "switch-mailbox", "switch-yield", "pair-semaphore"):
        cases.append(Case(name, name, pairs, main=True))
        cases.append(Case(name, f"{name}.quiet", pairs, variant="no timer"))
        cases += growth(name, pairs)
    cases.append(Case("pair-semaphore", "pair-semaphore.inlined", pairs, variant="inlined"))
    for name, read in (("pair-event", pairs), ("pair-mailbox", pairs), ("pair-pool", pairs),
                       ("queue-throughput", share_of(4))):  # fmt: skip
        cases.append(Case(name, name, read, main=True))
        cases.append(Case(name, f"{name}.quiet", read, variant="no timer"))
    loop = "signal-wait-loop"
    note = ("The timer's interrupts, one a millisecond, are part of every sample of this variant.",)
    cases.append(Case(loop, f"{loop}.single", single_half_rounds, main=True))
    cases.append(Case(loop, loop, half_rounds, variant="mean of 100 rounds", notes=note))
    cases.append(Case(loop, f"{loop}.quiet", half_rounds, variant="mean of 100 rounds, no timer"))
    cases += growth(loop, single_half_rounds)
    return cases


CHIBIOS_ALONE = ("messages-1", "messages-2", "messages-3", "mass-reschedule", "round-robin")


def _messages() -> list[Case]:
    cases = []
    for name in ("switch-message", "switch-message-round-trip"):
        cases += [Case(name, name, pairs, main=True), Case(name, f"{name}.quiet", pairs, variant="no timer")]
        cases += growth(name, pairs)
    return cases


def _chibios() -> list[Case]:
    """ChibiOS's own benchmark list, as far as it is not among the others."""
    cases = []
    for name, read in (
        ("pair-timer", pairs),
        ("wake-sleep", share_of(2)),
        ("thread-cycle", pairs),
        ("thread-create-exit", pairs),
        ("timers-set-reset", share_of(2)),
    ):
        cases += [Case(name, name, read, main=True), *growth(name, read)]
    return cases + [Case(name, name, pairs, main=True) for name in CHIBIOS_ALONE]


def _lan_kannan() -> list[Case]:
    cases = []
    for variant in ("low-preempted", "low-voluntary"):
        firmware = f"context-switch.{variant}"
        cases.append(Case("context-switch", firmware, pairs, variant=variant, main=True))
        cases.append(Case("context-switch", f"{firmware}.digital-write", pairs, variant=f"{variant}, digitalWrite"))
    cases += growth("context-switch", pairs, "context-switch.low-voluntary", variant="low-voluntary")
    cases.append(Case("semaphore-acquire", "semaphore-acquire", pairs, main=True))
    cases.append(Case("semaphore-acquire", "semaphore-acquire.quiet", pairs, variant="no timer"))
    cases.append(Case("semaphore-acquire", "semaphore-acquire.digital-write", pairs, variant="digitalWrite"))
    return cases


def _interrupts() -> list[Case]:
    watch = ("--watch", "{pin}")
    cases = []
    for name, probe in (("irq-to-handler", "probe_a"), ("irq-to-thread", "probe_b")):
        show = {"extra": watch, "channels": ("probe_a", "probe_b", "irq", "masked")}
        cases += [
            Case(name, "irq", from_entry(probe), main=True, notes=_ENTRY_NOTE, **show),  # type: ignore[arg-type]
            Case(name, "irq", from_edge(probe), variant="from-edge", **show),  # type: ignore[arg-type]
            Case(name, "irq.quiet", from_entry(probe), variant="no timer", **show),  # type: ignore[arg-type]
        ]
        cases += growth(name, from_entry(probe), "irq", extra=watch)
    cases.append(Case("irq-to-handler", "irq.digital-write", from_entry("probe_a"), "digitalWrite", extra=watch))
    for load in ("busy", "idle"):
        for who, probe in (("handler", "probe_a"), ("thread", "probe_b")):
            cases.append(
                Case("irq-jitter", f"irq-jitter.{load}", from_edge(probe, "rise"), f"{load}, to {who}",
                     stimulus=_RANDOM,
                     channels=("probe_a", "probe_b", "irq", "masked"))
            )  # fmt: skip
    return cases


def _mutexes() -> list[Case]:
    cases = []
    parts = ("inversion-boost", "inversion-unlock", "inversion-resolve")
    for name, firmware in (
        ("pair-mutex", "pair-mutex"),
        ("switch-mutex", "inversion-unlock"),
        *zip(parts, parts, strict=True),
    ):
        cases.append(Case(name, firmware, pairs, main=True))
        cases.append(Case(name, f"{firmware}.quiet", pairs, variant="no timer"))
        cases += growth(name, pairs, firmware)
    return cases + [
        Case("priority-inversion", f"priority-inversion.{n}-ms", pairs, f"sleeps {n} ms", main=True) for n in (1, 5)
    ]


def _timers() -> list[Case]:
    return [
        Case("timer-interrupt", "timer.nothing-armed", wraps, "counter wrap", seconds=WINDOW_TIME),
        Case("timer-interrupt", "timer.callback", wraps, "expiry, callback", seconds=WINDOW_TIME),
        Case("timer-interrupt", "timer.periodic", expiries, "expiry to woken thread", seconds=WINDOW_TIME),
    ]


# Pavlas's wave, ten seconds of it; and one that is faster, since a hundred edges meet a rare interrupt by luck only.
# The last edge is answered before the end.
_WAVE = "square seed={seed} pin={pin} n=100 half=50ms jitter=20ms\n"
_WAVE_SECONDS = 10.1
_FAST = "square seed={seed} pin={pin} n=1000 half=1ms jitter=900us\n"
_FAST_SECONDS = 2.01
FAST_VARIANT = "500 Hz"


def _pin_responses() -> list[Case]:
    cases = []
    for part, firmware, probe, own_irqs in (
        ("loop", "loop", "probe_a", 0),
        ("loop-task", "loop-task", "probe_a", 0),
        ("loop-irq", "loop-irq", "probe_a", 1),
        ("loop-task-irq", "loop-task-irq", "probe_a", 1),
        ("irq", "loop-task-irq", "probe_b", 1),
    ):
        name, image = f"pin-response-{part}", f"pin-response.{firmware}"
        for edge in ("rise", "fall"):
            read = response(probe, edge, own_irqs)
            named = {"edge": "rising" if edge == "rise" else "falling", "channels": ("probe_a", "probe_b", "irq")}
            cases += [
                Case(name, image, read, stimulus=_WAVE, seconds=_WAVE_SECONDS, main=True, **named),  # type: ignore[arg-type]
                Case(name, image, read, FAST_VARIANT, stimulus=_FAST, seconds=_FAST_SECONDS, run=f"{image}.fast",
                     **named),  # type: ignore[arg-type]
            ]  # fmt: skip
    return cases


CASES: Sequence[Case] = (
    *_switches(),
    *_messages(),
    *_chibios(),
    *_lan_kannan(),
    *_interrupts(),
    *_pin_responses(),
    *_mutexes(),
    *_timers(),
)
