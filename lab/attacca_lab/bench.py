"""The bench: runs the experiments of a plan, reads their figures, sets them beside the other kernels'."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attacca_lab.builds import FAST
from attacca_lab.errors import USAGE, UserError
from attacca_lab.experiments import AVR
from attacca_lab.plan import Plan
from attacca_lab.prepare import ROOT

if TYPE_CHECKING:
    from attacca_lab.boards import Board
    from attacca_lab.experiments import Case
    from attacca_lab.instrument import Run
    from attacca_lab.interrupts_off import Calls, Seen
    from attacca_lab.options import BenchOptions
    from attacca_lab.pulses import Samples
    from attacca_lab.report import Entry
    from attacca_lab.stats import Origin


def experiments() -> dict[str, str]:
    """Every experiment, and what it measures."""
    from attacca_lab.what import WHAT

    return dict(WHAT)


@dataclass
class Bench:
    """One session at the bench: what is read off its runs."""

    board: Board
    options: BenchOptions
    directory: Path
    plan: Plan = field(default_factory=lambda: Plan(FAST))
    calls: dict[str, Calls] = field(default_factory=dict)  # by timing

    def __post_init__(self) -> None:
        from attacca_lab.runs import Runs

        self.directory.mkdir(exist_ok=True)
        self.runs = Runs(self.board, self.options, self.directory, self.plan.build, self.plan.images)
        self.build = self.runs.build

    @property
    def origin(self) -> Origin:
        """What every result carries."""
        return self.runs.origin

    def cases(self, experiment: str) -> list[Case]:
        """The timed figures of an experiment on this board."""
        return [case for case in self.plan.cases(self.board) if case.experiment == experiment]

    def wanted(self) -> list[tuple[Case, str]]:
        """The runs of the plan's cases, with each timing."""
        wanted = []
        for case in self.plan.cases(self.board):
            wanted += [(case, timing) for timing in ("", *self.timings())]
            if self.is_slow_too(case):
                slow = self.board.wait_states
                wanted += [(case, timing) for timing in (slow, *self.timings(slow))]
        return wanted

    def is_slow_too(self, case: Case) -> bool:
        """Whether a case is measured with wait states as well."""
        return case.main and self.plan.slow and bool(self.board.wait_states)

    def entries(self, experiment: str) -> list[Entry]:
        """All figures of an experiment."""
        from attacca_lab import pin_response

        special: dict[str, Callable[[str], list[Entry]]] = {
            "masked-by-code": self.masked,
            "masked-by-handler": self.masked,
            "flash": self.memory,
            "ram": self.memory,
            "ram-without-stacks": self.memory,
            "stack": self.stacks,
        }
        if experiment in special:
            return special[experiment](experiment)
        if experiment.startswith("size-"):
            return self.sizes(experiment)
        found = []
        for case in self.cases(experiment):
            found.append(self.timed(case))
            if self.is_slow_too(case):
                found.append(self.timed(case, self.board.wait_states))
        if found and not self.plan.brief and (responses := pin_response.table(found, self.board.clock_hz)):
            found[0].tables = [responses]
        return found + (self.shares() if experiment == "timer-interrupt" else [])

    def timed(self, case: Case, wait_states: str = "") -> Entry:
        """One figure off a capture."""
        from attacca_lab import stats
        from attacca_lab.compare import WAIT_STATES, compare
        from attacca_lab.report import Entry
        from attacca_lab.source_lines import excerpts
        from attacca_lab.waveform import waveform
        from attacca_lab.what import WHAT

        pin = self.board.edge or ""
        done = self.runs.of(case, wait_states)
        samples = self.samples(case, done)
        variant = ", ".join(filter(None, (case.variant, WAIT_STATES if wait_states else None))) or None
        titles = {f"pin_{pin}": f"{pin} (input)", f"in_{pin}": f"{pin} (input)", **self.pin_titles()}
        result = stats.result(
            case.experiment, self.origin, stats.summarise(samples.values, samples.disturbed), samples.unit,
            overhead=samples.overhead, variant=variant, threads=case.threads, timers=case.timers, edge=case.edge,
            **self.bounds(lambda timing: self.median(case, timing), wait_states),
        )  # fmt: skip
        beside = compare(
            case.experiment, self.board.processor, result.median, result.unit, compiler=result.compiler,
            flags=result.flags, variant=variant, edge=case.edge, build=self.plan.build,
        ) if case.main or case.shape else None  # fmt: skip
        if self.plan.brief:
            return Entry(result, WHAT[case.experiment], group=case.experiment, comparison=beside, brief=True)
        source = ROOT / "bench" / case.source
        has_time = self.has_time(wait_states)
        return Entry(
            result, WHAT[case.experiment], group=case.experiment, samples=samples,
            waveform=waveform(done.capture, samples, pin=self.board.probes[0], channels=case.channels, titles=titles,
                              has_time=has_time),
            excerpts=excerpts(source, case.experiment, ROOT) if case.main or case.variant else (),
            comparison=beside, notes=case.notes, has_time=has_time,
        )  # fmt: skip

    def has_time(self, wait_states: str = "") -> bool:
        """Whether cycles are µs: with the wait states of a real chip at that clock, or where it needs none."""
        return bool(wait_states) or self.board.cycles_are_time

    def samples(self, case: Case, run: Run) -> Samples:
        """What a case reads off a run, or as much of it as was asked for."""
        samples = case.read(run)
        if self.options.samples is not None and len(samples) < self.options.samples:
            raise UserError(f"--samples {self.options.samples}: {case.experiment} makes {len(samples):,}", status=USAGE)
        return samples if self.options.samples is None else first(samples, self.options.samples)

    def median(self, case: Case, timing: str) -> float:
        """A case's figure with another timing."""
        import numpy as np

        return float(np.median(self.samples(case, self.runs.of(case, timing)).values))

    def timings(self, wait_states: str = "") -> list[str]:
        """The lower and the upper timing of an instrument that is a model; none where it is not."""
        bounds = self.board.bounds if self.plan.bounds else ()
        return [",".join(filter(None, (bound, wait_states))) for bound in bounds]

    def bounds(self, of: Callable[[str], float], wait_states: str = "") -> dict[str, float]:
        """What a figure is with these two."""
        return dict(zip(("low", "high"), map(of, self.timings(wait_states)), strict=False))

    def pin_titles(self) -> dict[str, str]:
        """What people call the probes' channels."""
        return {f"probe_{letter}": pin for letter, pin in zip("abcd", self.board.probes, strict=False)}

    def single(self, experiment: str, value: float, unit: str, *, variant: str | None = None, call: str | None = None,
               compared: bool = False, source: str = "", notes: Iterable[str] = (),
               bounds: dict[str, float] | None = None) -> Entry:  # fmt: skip
        """A figure that is one number."""
        from attacca_lab import stats
        from attacca_lab.compare import compare
        from attacca_lab.report import Entry
        from attacca_lab.source_lines import excerpts
        from attacca_lab.what import WHAT

        result = stats.single(experiment, self.origin, value, unit, variant=variant, call=call, **(bounds or {}))
        beside = compare(
            experiment, self.board.processor, value, unit, compiler=result.compiler, flags=result.flags,
            variant=variant, build=self.plan.build,
        ) if compared else None  # fmt: skip
        text = excerpts(ROOT / "bench" / source, experiment, ROOT) if source and not self.plan.brief else ()
        return Entry(result, WHAT[experiment], group=experiment, comparison=beside, excerpts=text, notes=tuple(notes),
                     brief=self.plan.brief, has_time=self.has_time())  # fmt: skip

    def shares(self) -> list[Entry]:
        """The processor's time for one periodic millisecond, and the interrupts of an idle clock."""
        from attacca_lab.experiments import WINDOW_TIME

        def watch(firmware: str, timing: str = "") -> dict[str, Any]:
            cycles = WINDOW_TIME * (self.board.clock_hz or 0)
            return self.runs.run(firmware, cycles=cycles, ends=False, timing=timing).report

        found = []
        for firmware, variant, compared in (
            ("timer.callback", "1 ms timer, cycles per ms", True),
            ("timer.periodic", "1 ms thread, cycles per ms", True),
            ("timer.nothing-armed", "nothing armed, cycles per ms", True),
        ):
            if not self.plan.wants("timer-interrupt", variant):
                continue

            def per_ms(timing: str, firmware: str = firmware) -> float:
                report = watch(firmware, timing)
                return round((int(report["cycles"]) - int(report["sleep_cycles"])) / (WINDOW_TIME * 1000), 1)

            report = watch(firmware)
            share = 100 * (int(report["cycles"]) - int(report["sleep_cycles"])) / int(report["cycles"])
            count = sum(int(one["count"]) for one in report["interrupts"])
            note = f"{share:.2f} % of the processor; {count / WINDOW_TIME:g} interrupts a second"
            found.append(
                self.single("timer-interrupt", per_ms(""), "cycles", variant=variant, compared=compared, notes=[note],
                            bounds=self.bounds(per_ms))
            )  # fmt: skip
        return found

    def masked(self, experiment: str) -> list[Entry]:
        """The longest masked stretch of some runs; then of every call of the interface."""
        from attacca_lab import interrupts_off
        from attacca_lab.what import MASKED, SOURCES

        by = experiment.rsplit("-", 1)[1]
        found = []
        for variant, firmware in MASKED.items():
            if not self.plan.wants(experiment, variant):
                continue

            def longest(timing: str, firmware: str = firmware) -> float:
                return self.longest(self.runs.run(firmware, timing=timing), by)

            source = f"{SOURCES.get(firmware, firmware)}.c"
            found.append(
                self.single(experiment, longest(""), "cycles", variant=variant, compared=True, source=source,
                            notes=["After the threads have started."], bounds=self.bounds(longest))
            )  # fmt: skip
        if self.plan.rows is not None:
            return found
        for name in (name for names in interrupts_off.public_calls().values() for name in names):
            seen = self.call(name, by)
            if seen and seen.longest:
                note = [f"Each further one adds {seen.slope_text}."] if seen.slope_text else []

                def of_call(timing: str, name: str = name) -> float:
                    other = self.call(name, by, timing)
                    return other.longest if other else 0

                found.append(
                    self.single(experiment, seen.longest, "cycles", call=name, notes=note, bounds=self.bounds(of_call))
                )
        return found

    def call(self, name: str, by: str, timing: str = "") -> Seen | None:
        """The longest masked stretches of a call that code or a handler began, from the images calls-*."""
        from attacca_lab import interrupts_off, progress
        from attacca_lab.runs import timing_options

        if timing not in self.calls:
            with progress.Step(f"running calls{timing and f', {timing}'}"):
                self.calls[timing] = interrupts_off.measure(
                    self.board, self.build, self.runs.executable, self.directory, suite=False, seed=self.options.seed,
                    extra=timing_options(timing),
                )  # fmt: skip
        found = self.calls[timing].get(name)
        return None if found is None else found.code if by == "code" else found.handler

    @staticmethod
    def longest(run: Run, by: str) -> int:
        """The longest masked stretch after the first mark, of those that code or a handler began.

        A stretch that an interrupt's entry began starts at the same cycle as the interrupt.
        """
        import numpy as np

        capture = run.capture
        channel = capture.channel("masked")
        begins, ends = channel.edges("rise"), channel.edges("fall")
        ends = ends[np.searchsorted(ends, begins, side="right").clip(max=len(ends) - 1)]
        marks = capture.channel("marker")
        at = np.searchsorted(marks.times, begins, side="right") - 1
        entered = np.isin(begins, capture.channel("irq").edges("rise"))
        counted = (entered == (by == "handler")) & (ends > begins) & (marks.values[at].astype(np.int64) != 0)
        return int((ends - begins)[counted].max(initial=0))

    def memory(self, experiment: str) -> list[Entry]:
        """Flash and RAM of the two-thread program."""
        from attacca_lab.compare import WITHOUT_START_UP
        from attacca_lab.firmware import sizes, stack_bytes, start_up_bytes

        flash, ram = sizes(self.build.elf("memory"))
        empty = sizes(self.build.elf("memory.empty"))[0]
        linked = stack_bytes(self.build.elf("memory"))  # peers count theirs, of other sizes, or not
        stacks = self.symbols()["size_memory_stacks"] + linked
        value = {"flash": flash, "ram": ram, "ram-without-stacks": ram - stacks}[experiment]
        notes = [f"The program that does nothing at all takes {empty} bytes."] if experiment == "flash" else []
        notes.append("8 priorities, several threads a priority, checks off: the kernel of the time figures.")
        source = "" if experiment == "ram-without-stacks" else "memory.c"
        compared = experiment != "ram" or linked == 0
        found = []
        if self.plan.wants(experiment, None):
            found.append(self.single(experiment, value, "bytes", compared=compared, source=source, notes=notes))
        if experiment == "ram":
            found += self.programs()
        start_up = start_up_bytes(self.build.elf("memory"))
        if experiment == "flash" and start_up and self.plan.wants(experiment, WITHOUT_START_UP):
            note = "Less the vectors, what those without a handler lead to, what runs before main. Handlers are in it."
            less = flash - start_up
            found.append(self.single("flash", less, "bytes", variant=WITHOUT_START_UP, compared=True, notes=[note]))
        return found

    def programs(self) -> list[Entry]:
        """RAM of Lan and Kannan's four programs, their threads' stacks included, as they counted it."""
        from attacca_lab.firmware import sizes
        from attacca_lab.paper import PROGRAMS

        note = ["Lan and Kannan's program, its pins written as by digitalWrite; stacks included."]
        wanted = [name for name in PROGRAMS if self.board.name in AVR and self.plan.wants("ram", name)]
        return [
            self.single("ram", sizes(self.build.elf(f"lan-kannan.{name}"))[1], "bytes", variant=name, compared=True,
                        notes=note)
            for name in wanted
        ]  # fmt: skip

    def sizes(self, experiment: str) -> list[Entry]:
        """The size of an object."""
        return [self.single(experiment, self.symbols()[experiment.replace("-", "_")], "bytes", compared=True)]

    def symbols(self) -> dict[str, int]:
        """Sizes of the symbols of sizes.c."""
        from attacca_lab.firmware import symbol_sizes

        return symbol_sizes(self.build.elf("sizes"), "size_")

    def stacks(self, experiment: str) -> list[Entry]:
        """Stack used by each thread, as the firmware prints it."""
        found = []
        for line in self.runs.run("stack").console.splitlines():
            words = line.split()
            if len(words) == 4 and words[0] == "stack":
                note = f"of {words[3]} bytes"
                found.append(self.single(experiment, int(words[2]), "bytes", variant=words[1], notes=[note]))
        return found


def first(samples: Samples, count: int) -> Samples:
    """The first `count` samples."""
    parts = {name: getattr(samples, name)[:count] for name in ("values", "c", "d", "a", "b")}
    disturbed = None if samples.disturbed is None else samples.disturbed[:count]
    return replace(samples, disturbed=disturbed, **parts)
