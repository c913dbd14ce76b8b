"""The runs that a session at the bench makes: each once, several at a time, and shared by all figures read from it."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from attacca_lab import build, builds, instrument, progress
from attacca_lab.stats import Origin

if TYPE_CHECKING:
    from attacca_lab.boards import Board
    from attacca_lab.build import Build
    from attacca_lab.experiments import Case
    from attacca_lab.instrument import Run
    from attacca_lab.options import BenchOptions

SECONDS = 25  # the most that one run may take, of its own time: a firmware that never ends is found by it


@dataclass
class Runs:
    """What was built for a board, and the runs made so far."""

    board: Board
    options: BenchOptions
    directory: Path
    kernel: str = "fast"  # which build of it
    images: tuple[str, ...] = ()  # those that are needed; none: all
    done: dict[str, Run] = field(default_factory=dict)

    def __post_init__(self) -> None:
        preset = builds.preset(self.board, self.kernel, self.options.optimize)
        self.executable = build.instrument(self.board.instrument)
        self.build: Build = build.build(preset, self.images or ["bench-images"])
        facts = self.build.provenance()
        self.origin = Origin(self.board.name, "", facts["compiler"], facts["flags"], facts["commit"], self.options.seed,
                             extra={"build": self.kernel})  # fmt: skip
        self._origin_lock = threading.Lock()
        if self.options.vcd is not None:
            self.options.vcd.mkdir(parents=True, exist_ok=True)

    def run(self, firmware: str, *, cycles: int | None = None, extra: Iterable[str] = (), stimulus: str | None = None,
            ends: bool = True, name: str = "", timing: str = "") -> Run:  # fmt: skip
        """The run of a firmware, made once; `ends` = False: it is watched for `cycles`, and does not end itself.

        `name` tells runs of one firmware apart that are not the same; so does the instrument's `timing`.
        """
        name = run_name(name or firmware, timing)
        if name not in self.done:
            with progress.Step(f"running {name}") as step:
                self.done[name] = self._make(name, firmware, cycles, (*timing_options(timing), *extra), stimulus, ends,
                                             step.update)  # fmt: skip
        return self.done[name]

    def of(self, case: Case, timing: str = "") -> Run:
        """The run that a case reads its figure from."""
        cycles, stimulus, extra = self._facts(case)
        return self.run(case.firmware, cycles=cycles, stimulus=stimulus, extra=extra, ends=case.seconds is None,
                        name=case.run, timing=timing)  # fmt: skip

    def missing(self, wanted: Iterable[tuple[Case, str]]) -> dict[str, tuple[Case, str]]:
        """The runs of these cases with these timings that are not made yet, by their names."""
        jobs = {run_name(case.run or case.firmware, timing): (case, timing) for case, timing in wanted}
        return {name: job for name, job in jobs.items() if name not in self.done}

    def make(self, name: str, case: Case, timing: str) -> None:
        """Make one of them."""
        cycles, stimulus, extra = self._facts(case)
        self.done[name] = self._make(name, case.firmware, cycles, (*timing_options(timing), *extra), stimulus,
                                     case.seconds is None)  # fmt: skip

    def _facts(self, case: Case) -> tuple[int | None, str | None, list[str]]:
        cycles = round(case.seconds * (self.board.clock_hz or 0)) if case.seconds else None
        stimulus = case.stimulus.format(seed=self.options.seed, pin=self.board.edge) if case.stimulus else None
        return cycles, stimulus, [option.format(pin=self.board.edge) for option in case.extra]

    def _make(self, name: str, firmware: str, cycles: int | None, extra: tuple[str, ...], stimulus: str | None,
              ends: bool, update: instrument.Progress | None = None) -> Run:  # fmt: skip
        made = instrument.run(
            self.executable, self.build.elf(firmware), self.directory, board=self.board.name, stimulus=stimulus,
            cycles=cycles or SECONDS * (self.board.clock_hz or 0), seed=self.options.seed, extra=extra,
            allow=(instrument.OK,) if ends else (instrument.BUDGET,), name=name, progress=update,
        )  # fmt: skip
        with self._origin_lock:
            self.origin = replace(self.origin, instrument=made.instrument)
        if self.options.vcd is not None and made.vcd is not None:
            first = "" if self.kernel in (builds.FAST, self.options.build) else f"{self.kernel}."
            shutil.copyfile(made.vcd, self.options.vcd / f"{first}{name}.vcd")
        return made


def prepare(wanted: Iterable[tuple[Runs, Iterable[tuple[Case, str]]]]) -> None:
    """Make all these runs, as many at once as there are processors."""
    jobs = [(runs, name, *job) for runs, some in wanted for name, job in runs.missing(some).items()]
    if not jobs:
        return
    with progress.Step(f"{len(jobs)} run{'s' * (len(jobs) > 1)}") as step:
        done = 0
        counting = threading.Lock()

        def make(job: tuple[Runs, str, Case, str]) -> None:
            nonlocal done
            runs, name, case, timing = job
            runs.make(name, case, timing)
            with counting:
                done += 1
                step.update(progress.share(done, len(jobs), step.seconds, case.experiment))

        pool = ThreadPoolExecutor(os.cpu_count() or 1)
        try:
            for _ in pool.map(make, jobs):
                pass
        finally:
            pool.shutdown(cancel_futures=True)


def run_name(name: str, timing: str) -> str:
    """What a run and its files are called."""
    return name + (f".{timing}" if timing else "")


def timing_options(timing: str) -> tuple[str, ...]:
    """How an instrument that is a model is told its timing."""
    return ("--timing", timing) if timing else ()
