"""Asks the tests whether they would notice: small changes to the kernel, one at a time, each run against the suite.

universalmutator makes the mutants of a file, textual ones, a few hundred each. Those that do not compile, or compile
to what the original or another mutant does, say nothing and are left out. The rest, in an order that the seed gives,
are tried program by program until one fails (workshop.py); those that have noticed most come first. A mutant that
hangs is one that was noticed. What survives the sample is asked once more, by interrupts at the lock points.

Each verdict is written at once to a file named after the kernel's sources: an interrupted run goes on where it was. A
verdict rests on tests too, and names them: "noticed" on the program that failed, "survived" on all that did not. It is
taken over while these are what they were, and found anew otherwise: a test more asks the survivors alone.
"""

from __future__ import annotations

import difflib
import fcntl
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from attacca_lab import build, prepare
from attacca_lab.errors import UserError, unknown
from attacca_lab.prepare import ROOT
from attacca_lab.progress import Step
from attacca_lab.workshop import PLACE, NotBuiltError, Program, Workshop

FILES = ("sched", "waitq", "sem", "mutex", "mutex_inheritance", "time", "alarm", "timer")
SCENARIOS = {  # of test/kernel/inject, by what is changed; others, and other files, take too long
    "kernel/sched.c": ("scenarios-sem", "scenarios-thread"),
    "kernel/waitq.c": ("scenarios-mutex", "scenarios-thread"),
    "kernel/sem.c": ("scenarios-sem",),
    "kernel/mutex.c": ("scenarios-mutex",),
    "kernel/mutex_inheritance.c": ("scenarios-mutex",),
    "kernel/time.c": ("scenarios-time",),
    "kernel/alarm.c": ("scenarios-time",),
    "kernel/timer.c": ("scenarios-time",),
}
SLOW = 0.3  # programs that take so many seconds come last
NOTICED, SURVIVED, LEFT_OUT = "noticed", "survived", "left out"


@dataclass(frozen=True)
class Verdict:
    """What became of one mutant."""

    key: str
    file: str
    line: int
    verdict: str
    by: str  # the program that failed, or why it was left out
    rests: str  # on which tests: their digest
    code: str  # a hash of what it compiles to; '': it does not
    diff: str


@dataclass(frozen=True)
class Mutant:
    """One changed file."""

    file: str  # below the root
    text: str
    key: str


def _mutants(file: str) -> list[Mutant]:
    """All that the generator makes of a file."""
    folder = PLACE / "mutants" / Path(file).stem
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [*prepare.mutators(), file, "c", "--noCheck", "--mutantDir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UserError(f"the mutants' generator failed: {done.stderr.strip()[-500:]}")
    texts = sorted({path.read_text(encoding="utf-8") for path in folder.iterdir()})
    return [Mutant(file, text, hashlib.sha256(f"{file}\0{text}".encode()).hexdigest()[:16]) for text in texts]


def _difference(mutant: Mutant) -> tuple[int, str]:
    """The first line that a mutant changes, and how."""
    before = (ROOT / mutant.file).read_text(encoding="utf-8").splitlines()
    lines = list(difflib.unified_diff(before, mutant.text.splitlines(), n=0, lineterm=""))
    found = re.match(r"@@ -(\d+)", lines[2])
    return int(found.group(1)) if found else 0, "\n".join(lines[3:])


def _fingerprint() -> str:
    """A hash of what is changed, and all that it is compiled with."""
    digest = hashlib.sha256()
    for name in ("include", "kernel", "dynamic", "port/host", "board/host", "cmake"):
        for path in sorted((ROOT / name).rglob("*")):
            if path.is_file() and path.suffix in (".c", ".h", ".S", ".cmake"):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _digest(programs: Sequence[Program]) -> str:
    return hashlib.sha256("".join(sorted(p.name + p.digest for p in programs)).encode()).hexdigest()[:12]


class Run:
    """A sample of mutants, and what has been found about it so far."""

    def __init__(self, files: Sequence[str], sample: int, seed: int) -> None:
        self.files = [f"kernel/{name}.c" for name in files]
        self.sample = sample
        self.seed = seed
        self.log = PLACE / f"verdicts-{_fingerprint()}.jsonl"
        self.lock = threading.Lock()
        self.known: dict[str, Verdict] = {}
        self.verdicts: dict[str, Verdict] = {}  # of this sample
        self.mutants: dict[str, Mutant] = {}
        self.objects: set[str] = set()
        self.kills: Counter[tuple[str, str]] = Counter()
        mutants = [mutant for file in self.files for mutant in _mutants(file)]
        random.Random(seed).shuffle(mutants)
        self.total = len(mutants)
        self.queue: Iterator[Mutant] = iter(mutants)
        self.judged = 0
        self.stopped = False
        if self.log.exists():
            for line in self.log.read_text(encoding="utf-8").splitlines():
                verdict = Verdict(**json.loads(line))
                self.known[verdict.key] = verdict
                self.kills[verdict.file, verdict.by] += verdict.verdict == NOTICED

    def next(self) -> Mutant | None:
        """The next one; None when the sample is complete."""
        with self.lock:
            if self.stopped or self.judged >= self.sample:
                return None
            return next(self.queue, None)

    def note(self, mutant: Mutant, verdict: Verdict) -> None:
        """Keep a verdict, on disk too."""
        with self.lock:
            if self.known.get(verdict.key) != verdict:
                with self.log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(verdict)) + "\n")
                self.kills[verdict.file, verdict.by] += verdict.verdict == NOTICED
            self.known[verdict.key] = verdict
            self.judged += verdict.verdict != LEFT_OUT and verdict.key not in self.verdicts
            self.verdicts[verdict.key] = verdict
            self.mutants[mutant.key] = mutant

    def fresh(self, code: str) -> str:
        """Why a mutant that compiles to this says nothing, or ''."""
        with self.lock:
            if not code:
                return "does not compile"
            if code in self.objects:
                return "compiles to what another does"
            self.objects.add(code)
            return ""

    def order(self, file: str, programs: Sequence[Program]) -> list[Program]:
        """Those that have noticed most first, then the file's own, then the cheap ones."""
        own = Path(file).stem
        with self.lock:
            return sorted(
                programs, key=lambda p: (p.seconds > SLOW, -self.kills[file, p.name], own not in p.name, p.seconds)
            )

    def survivors(self) -> list[Mutant]:
        """Of this sample."""
        return [self.mutants[v.key] for v in self.verdicts.values() if v.verdict == SURVIVED]


def _programs(shop: Workshop, file: str, scenarios: bool) -> list[Program]:
    """Of the suite, or of those that inject interrupts, what links a file."""
    linked = [program for program in shop.programs.values() if file in program.uses]
    return [p for p in linked if (p.name in SCENARIOS.get(file, ()) if scenarios else p.name.startswith("test-"))]


def _holds(verdict: Verdict, shop: Workshop) -> bool:
    """Are the tests that a verdict rests on what they were?"""
    if verdict.verdict == NOTICED:
        return verdict.by in shop.programs and shop.programs[verdict.by].digest == verdict.rests
    suite, scenarios = (_digest(_programs(shop, verdict.file, which)) for which in (False, True))
    return verdict.verdict == SURVIVED and verdict.rests in (suite, f"{suite}+{scenarios}")


def _judge(run: Run, shop: Workshop, mutant: Mutant, scenarios: bool) -> tuple[str, str, str]:
    """Whether some program notices, which, and what that rests on."""
    archives: dict[str, Path] = {}
    programs = run.order(mutant.file, _programs(shop, mutant.file, scenarios))
    for program in programs:
        try:
            if program.kernel not in archives:
                archives[program.kernel] = shop.archive(mutant.file, mutant.text, program.kernel)
            notices = shop.goes_wrong if scenarios else shop.fails
            if notices(program, archives[program.kernel], mutant.file):
                return NOTICED, program.name, program.digest
        except NotBuiltError as why:
            return LEFT_OUT, str(why), ""
    return SURVIVED, "", _digest(programs)


def _sift(run: Run, shop: Workshop, step: Step) -> None:
    """By the suite."""
    while (mutant := run.next()) is not None:
        known = run.known.get(mutant.key)
        code = known.code if known else shop.code(mutant.file, mutant.text)
        why = run.fresh(code)
        if known and not why and _holds(known, shop):
            run.note(mutant, known)
            continue
        line, diff = _difference(mutant)
        verdict, by, rests = (LEFT_OUT, why, "") if why else _judge(run, shop, mutant, False)
        run.note(mutant, Verdict(mutant.key, mutant.file, line, verdict, by, rests, code, diff))
        step.update(f"{run.judged} of {run.sample}, {len(run.survivors())} survived")


def _sift_again(run: Run, shop: Workshop, survivors: Iterator[Mutant], step: Step) -> None:
    """By interrupts at lock points."""
    while True:
        with run.lock:
            mutant = None if run.stopped else next(survivors, None)
        if mutant is None:
            return
        was = run.verdicts[mutant.key]
        if "+" in was.rests:
            continue
        verdict, by, rests = _judge(run, shop, mutant, True)
        if verdict == SURVIVED:
            rests = f"{was.rests}+{rests}"
        run.note(mutant, Verdict(was.key, was.file, was.line, verdict, by, rests, was.code, was.diff))
        step.update(f"{len(run.survivors())} survived")


def _at_once(run: Run, works: Sequence[Callable[[], None]]) -> None:
    with ThreadPoolExecutor(len(works)) as pool:
        try:
            for done in [pool.submit(work) for work in works]:
                done.result()
        except BaseException:
            run.stopped = True  # else the pool waits for the whole sample
            raise


def run(files: Sequence[str], sample: int, seed: int, jobs: int) -> Run:
    """Judge a sample; what comes back has every verdict."""
    there = [name for name in FILES if (ROOT / "kernel" / f"{name}.c").exists()]
    for name in files:
        if not (ROOT / "kernel" / f"{name}.c").exists():
            raise unknown("file", name, there)
    PLACE.mkdir(parents=True, exist_ok=True)
    with _alone():
        return _run(files or there, sample, seed, jobs)


@contextmanager
def _alone() -> Iterator[None]:
    with (PLACE / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UserError("another ./attacca mutate is at work in this tree") from None
        yield


def _run(files: Sequence[str], sample: int, seed: int, jobs: int) -> Run:
    shops = [Workshop(number, [f"kernel/{name}.c" for name in files]) for number in range(jobs)]
    with Step("building the suite in copies of the tree"):
        for shop in shops:
            shop.open()
    os.nice(10)
    with Step("making mutants"):
        result = Run(files, sample, seed)
        for file in result.files:
            result.fresh(shops[0].code(file, (ROOT / file).read_text(encoding="utf-8")))
    with Step("judging mutants") as step:
        _at_once(result, [partial(_sift, result, shop, step) for shop in shops])
    survivors = iter(result.survivors())
    with Step("interrupting the survivors") as step:
        _at_once(result, [partial(_sift_again, result, shop, survivors, step) for shop in shops])
    return result


def text(result: Run) -> str:
    """The survivors by file and line, and the sum."""
    judged = [v for v in result.verdicts.values() if v.verdict != LEFT_OUT]
    lines = []
    for verdict in sorted((v for v in judged if v.verdict == SURVIVED), key=lambda v: (v.file, v.line)):
        lines += [f"{verdict.file}:{verdict.line}", *(f"    {line}" for line in verdict.diff.splitlines())]
    for file in result.files:
        of_file = Counter(v.verdict for v in judged if v.file == file)
        total = of_file[NOTICED] + of_file[SURVIVED]
        lines.append(f"{file:<20} {of_file[NOTICED]} of {total} noticed, {of_file[SURVIVED]} survived")
    noticed = sum(v.verdict == NOTICED for v in judged)
    share = 100 * noticed / len(judged) if judged else 0
    origin = f"commit {build.commit()}, seed {result.seed}, from {result.total} mutants"
    lines.append(f"{noticed} of {len(judged)} noticed ({share:.1f} %); {origin}")
    return "\n".join(lines)


def write(result: Run, file: Path) -> None:
    """All verdicts, as JSON."""
    verdicts = [asdict(v) for v in result.verdicts.values()]
    content = {
        "commit": build.commit(),
        "files": result.files,
        "seed": result.seed,
        "mutants": result.total,
        "verdicts": verdicts,
    }
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
