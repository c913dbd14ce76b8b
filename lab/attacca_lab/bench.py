"""`./attacca bench`: run the experiments, read their figures, set them beside everybody's, write them down."""

from __future__ import annotations

import functools
import shlex
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from attacca_lab.prepare import ROOT

if TYPE_CHECKING:
    from attacca_lab.boards import Board
    from attacca_lab.build import Build
    from attacca_lab.experiments import Case
    from attacca_lab.instrument import Run
    from attacca_lab.interrupts_off import Calls
    from attacca_lab.options import BenchOptions
    from attacca_lab.pulses import Samples
    from attacca_lab.report import Entry
    from attacca_lab.stats import Origin

CYCLES = 400_000_000  # the most that one run may take: a firmware that never ends is found by it


def experiments() -> dict[str, str]:
    """Every experiment, and what it measures."""
    from attacca_lab.experiments import WHAT

    return dict(WHAT)


def run(board: Board, options: BenchOptions) -> int:
    """Measure, print, write; the exit status."""
    from attacca_lab import instrument, report, summary
    from attacca_lab.experiments import WHAT

    wanted = list(options.experiments or WHAT)
    with instrument.workspace() as directory:
        bench = Bench(board, options, directory)
        entries = [entry for name in WHAT if name in wanted for entry in bench.entries(name)]
    head = report.Head(
        title=f"Attacca on the {board.title}",
        board=board.title,
        processor=board.processor,
        clock_hz=board.clock_hz,
        instrument=bench.origin.instrument,
        compiler=bench.origin.compiler,
        flags=bench.origin.flags,
        commit=bench.origin.commit,
        command=_command(board, options),
    )
    options.output.extra[".html"] = lambda: report.render(head, entries)
    options.output.emit(*summary.tables(entries, board.clock_hz))
    return 0


def _command(board: Board, options: BenchOptions) -> str:
    """What to type to have the same again."""
    words = ["./attacca", "bench", *options.experiments]
    words += ["--board", board.name] if board.name != "uno" else []
    words += ["--seed", str(options.seed)] if options.seed != 1 else []
    words += [word for path in options.output.files for word in ("-o", path.name)]
    return shlex.join(words)


@dataclass
class Bench:
    """One session at the bench: what was built, and the runs made so far, each of which several figures may share."""

    board: Board
    options: BenchOptions
    directory: Path
    runs: dict[str, Run] = field(default_factory=dict)

    def __post_init__(self) -> None:
        from attacca_lab import build
        from attacca_lab.stats import Origin

        self.executable = build.instrument(self.board.instrument)
        self.build: Build = build.build(self.board.preset, ["bench-images"])
        facts = self.build.provenance()
        self.origin: Origin = Origin(
            self.board.name, "", facts["compiler"], facts["flags"], facts["commit"], self.options.seed
        )
        if self.options.vcd is not None:
            self.options.vcd.mkdir(parents=True, exist_ok=True)

    def run(self, firmware: str, *, cycles: int | None = None, extra: Iterable[str] = (), stimulus: str | None = None,
            ends: bool = True, name: str = "") -> Run:  # fmt: skip
        """The run of a firmware, made once; `ends` = False: it is watched for `cycles`, and does not end itself.

        `name` tells runs of one firmware apart that are not the same.
        """
        from attacca_lab import instrument, progress

        name = name or firmware
        if name not in self.runs:
            with progress.Step(name) as step:
                done = instrument.run(
                    self.executable, self.build.elf(firmware), self.directory, board=self.board.name,
                    stimulus=stimulus, cycles=cycles or CYCLES, seed=self.options.seed, extra=tuple(extra),
                    allow=(instrument.OK,) if ends else (instrument.BUDGET,), name=name, progress=step.update,
                )  # fmt: skip
            self.runs[name] = done
            self.origin = replace(self.origin, instrument=done.instrument)
            if self.options.vcd is not None and done.vcd is not None:
                shutil.copyfile(done.vcd, self.options.vcd / f"{name}.vcd")
        return self.runs[name]

    def entries(self, experiment: str) -> list[Entry]:
        """All figures of an experiment."""
        from attacca_lab import pin_response
        from attacca_lab.experiments import CASES

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
        here = (case for case in CASES if not case.boards or self.board.name in case.boards)
        found = [self.timed(case) for case in here if case.experiment == experiment]
        if found and (responses := pin_response.table(found, self.board.clock_hz)):
            found[0].tables = [responses]
        return found + (self.shares() if experiment == "timer-interrupt" else [])

    def timed(self, case: Case) -> Entry:
        """One figure off a capture."""
        from attacca_lab import stats
        from attacca_lab.compare import compare
        from attacca_lab.experiments import WHAT
        from attacca_lab.report import Entry
        from attacca_lab.source_lines import excerpts
        from attacca_lab.waveform import waveform

        pin = self.board.edge or ""
        done = self.run_of(case)
        samples = case.read(done)
        titles = {f"pin_{pin}": f"{pin} (input)", f"in_{pin}": f"{pin} (input)", **self.pin_titles()}
        if self.options.samples is not None:
            samples = first(samples, self.options.samples)
        result = stats.result(
            case.experiment, self.origin, stats.summarise(samples.values, samples.disturbed), samples.unit,
            overhead=samples.overhead, variant=case.variant, threads=case.threads, timers=case.timers, edge=case.edge,
        )  # fmt: skip
        beside = compare(
            case.experiment, self.board.processor, result.median, result.unit, compiler=result.compiler,
            flags=result.flags, variant=case.variant, edge=case.edge,
        ) if case.main else None  # fmt: skip
        source = ROOT / "bench" / case.source
        return Entry(
            result, WHAT[case.experiment], group=case.experiment, samples=samples,
            waveform=waveform(done.capture, samples, pin=self.board.probes[0], channels=case.channels,
                              titles=titles),
            excerpts=excerpts(source, case.experiment, ROOT) if case.main or case.variant else (),
            comparison=beside, notes=case.notes,
        )  # fmt: skip

    def run_of(self, case: Case) -> Run:
        """The run that a case reads its figure from."""
        seconds = case.seconds
        stimulus = case.stimulus.format(seed=self.options.seed, pin=self.board.edge) if case.stimulus else None
        return self.run(
            case.firmware, cycles=round(seconds * (self.board.clock_hz or 0)) if seconds else None, stimulus=stimulus,
            extra=[option.format(pin=self.board.edge) for option in case.extra], ends=seconds is None,
            name=case.run,
        )  # fmt: skip

    def pin_titles(self) -> dict[str, str]:
        """What people call the probes' channels."""
        return {f"probe_{letter}": pin for letter, pin in zip("abcd", self.board.probes, strict=False)}

    def single(self, experiment: str, value: float, unit: str, *, variant: str | None = None, call: str | None = None,
               compared: bool = False, source: str = "", notes: Iterable[str] = ()) -> Entry:  # fmt: skip
        """A figure that is one number."""
        from attacca_lab import stats
        from attacca_lab.compare import compare
        from attacca_lab.experiments import WHAT
        from attacca_lab.report import Entry
        from attacca_lab.source_lines import excerpts

        result = stats.single(experiment, self.origin, value, unit, variant=variant, call=call)
        beside = compare(
            experiment, self.board.processor, value, unit, compiler=result.compiler, flags=result.flags,
            variant=variant,
        ) if compared else None  # fmt: skip
        text = excerpts(ROOT / "bench" / source, experiment, ROOT) if source else ()
        return Entry(result, WHAT[experiment], group=experiment, comparison=beside, excerpts=text, notes=tuple(notes))

    def shares(self) -> list[Entry]:
        """The processor's time for one periodic millisecond, and the interrupts of an idle clock."""
        from attacca_lab.experiments import WINDOW_TIME

        per_ms = WINDOW_TIME * 1000
        found = []
        for firmware, variant, compared in (
            ("timer.callback", "1 ms timer, cycles per ms", True),
            ("timer.periodic", "1 ms thread, cycles per ms", False),
            ("timer.nothing-armed", "nothing armed, cycles per ms", False),
        ):
            report = self.run(firmware, cycles=WINDOW_TIME * (self.board.clock_hz or 0), ends=False).report
            awake = int(report["cycles"]) - int(report["sleep_cycles"])
            share = 100 * awake / int(report["cycles"])
            count = sum(int(one["count"]) for one in report["interrupts"])
            note = f"{share:.2f} % of the processor; {count / WINDOW_TIME:g} interrupts a second"
            found.append(
                self.single("timer-interrupt", round(awake / per_ms, 1), "cycles", variant=variant, compared=compared,
                            notes=[note])
            )  # fmt: skip
        return found

    def masked(self, experiment: str) -> list[Entry]:
        """The longest masked stretch of some runs; then of every call of the interface."""
        from attacca_lab import interrupts_off
        from attacca_lab.experiments import MASKED, SOURCES

        by = experiment.rsplit("-", 1)[1]
        found = [
            self.single(experiment, self.longest(self.run(firmware), by), "cycles", variant=variant, compared=True,
                        source=f"{SOURCES.get(firmware, firmware)}.c", notes=["After the threads have started."])
            for variant, firmware in MASKED.items()
        ]  # fmt: skip
        for name in (name for names in interrupts_off.public_calls().values() for name in names):
            call = self.calls.get(name)
            seen = call and (call.code if by == "code" else call.handler)
            if seen and seen.longest:
                note = [f"Each further one adds {seen.slope_text}."] if seen.slope_text else []
                found.append(self.single(experiment, seen.longest, "cycles", call=name, notes=note))
        return found

    @functools.cached_property
    def calls(self) -> Calls:
        """The longest masked stretches of every call, from the images calls-*."""
        from attacca_lab import interrupts_off, progress

        with progress.Step("calls"):
            return interrupts_off.measure(
                self.board, self.build, self.executable, self.directory, suite=False, seed=self.options.seed
            )

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
        from attacca_lab.firmware import sizes

        flash, ram = sizes(self.build.elf("memory"))
        empty = sizes(self.build.elf("memory.empty"))[0]
        stacks = self.symbols()["size_memory_stacks"]
        value = {"flash": flash, "ram": ram, "ram-without-stacks": ram - stacks}[experiment]
        notes = [f"The program that does nothing at all takes {empty} bytes."] if experiment == "flash" else []
        notes.append("8 priorities, several threads a priority, checks off: the kernel of the time figures.")
        source = "" if experiment == "ram-without-stacks" else "memory.c"
        return [self.single(experiment, value, "bytes", compared=True, source=source, notes=notes)]

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
        for line in self.run("stack").console.splitlines():
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
