"""The experiments: what each measures, which firmware runs for it, and how its figures are read off the capture.

One table, CASES. An experiment is all cases of one name; a case is one firmware's run and one figure from it. Cases
of the same firmware share its run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attacca_lab.boards import Board

from attacca_lab.readings import (
    Reading,
    expiries,
    from_edge,
    from_entry,
    from_request,
    half_rounds,
    pairs,
    response,
    share_of,
    single_half_rounds,
    wraps,
)  # fmt: skip
from attacca_lab.what import SOURCES

# Growth, in step with attacca_growth() in bench/CMakeLists.txt: threads in all, as many as a board's RAM holds, and
# timers that are armed for later.
THREADS = {
    "uno": (4, 8, 16),
    "mega2560": (4, 8, 16, 32),
    "stm32f103": (4, 8, 16, 32),
    "stm32f107": (4, 8, 16, 32),
    "m0plus": (4, 8, 16, 32),
    "m4f": (4, 8, 16, 32),
    "cortex-m-stm32f103": (4, 8, 16, 32),
    "vexriscv": (4, 8, 16, 32),
    "gba": (4, 8, 16),
    "gba-thumb": (4, 8, 16),
}
MOST_THREADS = {"uno": 8}  # in every build but the fastest, which needs less stack
AVR, CORTEX_M = ("uno", "mega2560"), ("stm32f103", "stm32f107", "m0plus", "m4f", "cortex-m-stm32f103")
PENDED = (*CORTEX_M, "gba", "gba-thumb", "vexriscv")  # software can request an interrupt
EDGES = (*AVR, *CORTEX_M)  # both edges of a pin interrupt, of one that the program drives, too; and the clock's wraps
TIMERS = (1, 4, 16, 64)
FLOOR = "hand-written floor"  # a variant
PULSES, JITTER_PULSES = 1_000, 10_000  # as in bench/
WINDOW_TIME = 2  # seconds that the clock's own cost is watched


@dataclass(frozen=True)
class Case:
    """One timed figure: a firmware, and how its capture is read."""

    experiment: str
    firmware: str
    read: Reading
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
    main: bool = False  # compared with the peers, and measured with wait states where flash is slow
    shape: bool = False  # another shape of a call: waiting with a timeout, not waiting, a whole round

    def is_on(self, board: Board) -> bool:
        """Whether it is measured there.

        Where instructions are counted: what ends itself, and needs no edge from outside; an interrupt is requested by
        software there, as on the Cortex-M.
        """
        if not board.counts or self.variant == FLOOR:
            return not self.boards or board.name in self.boards
        like = "m4f" if board.floats else "m0plus"
        watched = self.stimulus is not None or self.seconds is not None or bool(self.extra)
        return (not self.boards or like in self.boards) and not watched and self.variant != "inlined"

    @property
    def is_growth(self) -> bool:
        """Whether it is a point of a curve."""
        return self.threads is not None or self.timers is not None

    @property
    def pulses(self) -> int | None:
        """How many samples its run makes, where that is known before."""
        plain = self.read is pairs and self.seconds is None
        return JITTER_PULSES if self.experiment == "irq-jitter" else PULSES if plain else None

    @property
    def is_shape(self) -> bool:
        """Whether it is measured in every build: a shape, or what shapes are of."""
        return self.shape or (self.experiment in SHAPED and self.main and not self.is_growth and self.edge is None)

    @property
    def source(self) -> str:
        """The file in bench/ that holds what is measured."""
        name = self.firmware.split(".")[0]
        return SOURCES.get(name, name) + ".c"


_RANDOM = "random seed={seed} pin={pin} level=0 n=10050 from=20000 min=3000 max=9000 hold=500\n"
_REQUEST_NOTE = (
    "Requested by software, with nothing to acknowledge, as the peers were; counted from the interrupt's entry.",
)
_ENTRY_NOTE = (
    "Counted from the interrupt's entry, as the peers were; the pin's synchroniser takes 2 cycles more "
    "(variant from-edge).",
)

_THREE_WAITERS_NOTE = (
    "The owner holds two mutexes. One thread waits for each already when the most urgent one locks the first; both "
    "still lend their priority when that one has it: to the owner, by the other mutex, and to itself.",
)


def growth(name: str, read: Reading, firmware: str = "", boards: tuple[str, ...] = (), **more: Any) -> list[Case]:
    """The same with more threads and with armed timers."""
    firmware = firmware or name
    counts = sorted({n for board in THREADS.values() for n in board})
    where = {n: tuple(board for board in boards or THREADS if n in THREADS[board]) for n in counts}
    threads = [Case(name, f"{firmware}.threads-{n}", read, threads=n, boards=where[n], **more) for n in counts]
    return threads + [Case(name, f"{firmware}.timers-{n}", read, timers=n, boards=boards, **more) for n in TIMERS]


def _switches() -> list[Case]:
    cases = []
    for name in ("switch-semaphore", "switch-wake", "switch-event", "switch-mailbox", "switch-yield", "pair-semaphore"):
        cases.append(Case(name, name, pairs, main=True))
        cases.append(Case(name, f"{name}.quiet", pairs, variant="no timer"))
        cases += growth(name, pairs)
    cases.append(Case("pair-semaphore", "pair-semaphore.inlined", pairs, variant="inlined", main=True))
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


# Calls that may wait, and their shapes: in step with attacca_shapes_of_...() in bench/CMakeLists.txt.
PAIRS = tuple(f"pair-{what}" for what in ("semaphore", "mutex", "event", "mailbox", "queue", "stream", "group"))
SWITCHES = tuple(f"switch-{what}" for what in ("semaphore", "wake", "event", "mailbox", "queue", "stream", "group"))
SHAPED = (*SWITCHES, "switch-message", "switch-message-round-trip", *PAIRS, "timed-wait", "switch-yield",
          "irq-to-thread", "context-switch", "inversion-resolve")  # fmt: skip
_TIMEOUT_NOTE = ("Waits with a timeout of 100 ms, which is not reached.",)
_ROUND_NOTE = ("To the end of the round: the woken thread waits again, and the one that woke it goes on.",)


def _shapes() -> list[Case]:
    cases = [
        Case(name, name, pairs, main=True)
        for name in (
            "pair-queue",
            "pair-stream",
            "pair-group",
            "switch-queue",
            "switch-stream",
            "switch-group",
            "timed-wait",
        )
    ]
    for name, firmware, size in (
        ("pair-queue", "word", "4 bytes"),
        ("pair-queue", "two", "8 bytes"),
        ("pair-stream", "byte", "1 byte"),
    ):
        cases.append(Case(name, f"{name}.{firmware}", pairs, variant=size, shape=True))
    for name in (*SWITCHES, "switch-message", "switch-message-round-trip", *PAIRS):
        cases.append(Case(name, f"{name}.timeout", pairs, variant="timeout", shape=True, notes=_TIMEOUT_NOTE))
    for name in PAIRS:
        cases.append(Case(name, f"{name}.nowait", pairs, variant="NOWAIT", shape=True))
    for name in SWITCHES:
        cases += [
            Case(name, f"{name}.round", pairs, variant="whole round", shape=True, notes=_ROUND_NOTE),
            Case(name, f"{name}.timeout-round", pairs, variant="timeout, whole round", shape=True,
                 notes=(*_TIMEOUT_NOTE, *_ROUND_NOTE)),
        ]  # fmt: skip
    return cases


# On a processor with a floating-point unit: which threads keep registers of it.
FLOATS = {1: "floating point in the thread that is left", 2: "floating point in both threads"}
_WITH_FLOAT = ("m4f",)
_SAME = (("switch-yield", 1), ("switch-message-round-trip", 2))  # one function for both threads; C and D in one


def _floats() -> list[Case]:
    cases = []
    for uses, variant in FLOATS.items():
        for name in (*SWITCHES[:4], "switch-message", "switch-message-round-trip", "switch-yield"):
            if (name, uses) not in _SAME:
                cases.append(Case(name, f"{name}.float-{uses}", pairs, variant, boards=_WITH_FLOAT, shape=True))
        cases.append(Case("irq-to-thread", f"irq.pended.float-{uses}", from_request("probe_b"), variant, shape=True,
                          boards=_WITH_FLOAT, channels=("probe_a", "probe_b", "irq", "masked")))  # fmt: skip
    return cases


# The same pulses without the kernel: in step with bench/CMakeLists.txt.
FLOORS = {"switch-semaphore": ("vexriscv", "gba", "virt", "virt-e", "realview-pb-a8", "realview-pb-a8-arm", "10m50"),
          "switch-event": ("vexriscv",), "switch-mailbox": ("vexriscv",)}  # fmt: skip


def _floors() -> list[Case]:
    return [Case(name, f"{name}.floor", pairs, variant=FLOOR, boards=boards) for name, boards in FLOORS.items()]


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


def _placed() -> list[Case]:
    """A wait whose timeout ends behind all armed timers; that, and a timer, in their middle."""
    behind, among = "timeout behind the timers", "among the timers"
    cases = [Case("timed-wait", "timed-wait.behind", pairs, variant=behind)]
    cases += [Case("timed-wait", f"timed-wait.behind.timers-{n}", pairs, variant=behind, timers=n) for n in TIMERS]
    for name in ("timed-wait", "pair-timer"):
        cases += [Case(name, f"{name}.among.timers-{n}", pairs, variant=among, timers=n) for n in TIMERS if n > 1]
    return cases


def _lan_kannan() -> list[Case]:
    cases = []
    for variant in ("low-preempted", "low-voluntary"):
        firmware = f"context-switch.{variant}"
        cases.append(Case("context-switch", firmware, pairs, variant=variant, main=True))
        written = f"{variant}, digitalWrite"
        cases.append(Case("context-switch", f"{firmware}.digital-write", pairs, variant=written, boards=AVR))
    cases += growth("context-switch", pairs, "context-switch.low-voluntary", variant="low-voluntary")
    cases.append(Case("semaphore-acquire", "semaphore-acquire", pairs, main=True))
    cases.append(Case("semaphore-acquire", "semaphore-acquire.quiet", pairs, variant="no timer"))
    cases.append(Case("semaphore-acquire", "semaphore-acquire.digital-write", pairs, "digitalWrite", boards=AVR))
    return cases


def _interrupts() -> list[Case]:
    watch = ("--watch", "{pin}")
    cases = []
    for name, probe in (("irq-to-handler", "probe_a"), ("irq-to-thread", "probe_b")):
        show = {"extra": watch, "channels": ("probe_a", "probe_b", "irq", "masked")}
        avr = {**show, "boards": AVR}
        cases += [
            Case(name, "irq", from_entry(probe), main=True, notes=_ENTRY_NOTE, **avr),  # type: ignore[arg-type]
            Case(name, "irq.pended", from_request(probe), main=True, notes=_REQUEST_NOTE, boards=PENDED,
                 channels=("probe_a", "probe_b", "irq", "masked")),
            Case(name, "irq", from_edge(probe), variant="from-edge", **{**show, "boards": EDGES}),  # type: ignore[arg-type]
            Case(name, "irq.quiet", from_entry(probe), variant="no timer", **avr),  # type: ignore[arg-type]
            Case(name, "irq.pended.quiet", from_request(probe), variant="no timer", boards=PENDED),
        ]  # fmt: skip
        if name == "irq-to-thread":
            cases += [
                Case(name, "irq.timeout", from_entry(probe), variant="timeout", shape=True, notes=_TIMEOUT_NOTE, **avr),  # type: ignore[arg-type]
                Case(name, "irq.pended.timeout", from_request(probe), variant="timeout", shape=True,
                     notes=_TIMEOUT_NOTE, boards=PENDED),
            ]  # fmt: skip
        cases += growth(name, from_entry(probe), "irq", AVR, extra=watch)
        cases += growth(name, from_request(probe), "irq.pended", PENDED)
    cases.append(
        Case("irq-to-handler", "irq.digital-write", from_entry("probe_a"), "digitalWrite", extra=watch, boards=AVR)
    )
    for load in ("busy", "idle"):
        for to, probe in (("handler", "probe_a"), ("thread", "probe_b")):
            cases.append(
                Case("irq-jitter", f"irq-jitter.{load}", from_edge(probe, "rise"), f"{load}, to {to}",
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
    cases += [
        Case(name, f"{name}.three-waiters", pairs, variant="three waiters on two mutexes", notes=_THREE_WAITERS_NOTE)
        for name in parts
    ]
    cases.append(Case("pair-mutex", "pair-mutex.inlined", pairs, variant="inlined", boards=CORTEX_M, main=True))
    return cases + [
        Case("priority-inversion", f"priority-inversion.{n}-ms", pairs, f"sleeps {n} ms", main=True) for n in (1, 5)
    ]


def _timers() -> list[Case]:
    return [
        Case("timer-interrupt", "timer.nothing-armed", wraps, "counter wrap", seconds=WINDOW_TIME, boards=EDGES),
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
    *_placed(),
    *_lan_kannan(),
    *_interrupts(),
    *_pin_responses(),
    *_mutexes(),
    *_timers(),
    *_shapes(),  # behind what they are shapes of
    *_floats(),
    *_floors(),
)
