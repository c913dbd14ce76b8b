"""Asks the tests whether they would notice: small changes to the kernel, one at a time, each run against the suite.

universalmutator makes the mutants of a file, textual ones, a few hundred each. Those that do not compile, or compile
to what the original or another mutant does, say nothing and are left out. The rest, in an order that the seed gives,
are built into a copy of the tree and run image by image until one fails; images that have failed most come first. A
mutant that hangs is one that was noticed.

Each verdict is written at once to a file named after the sources: an interrupted run goes on where it was.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from attacca_lab import build, prepare, tap
from attacca_lab.errors import UserError, unknown
from attacca_lab.prepare import ROOT
from attacca_lab.progress import Step

FILES = ("sched", "waitq", "sem", "mutex", "time", "alarm", "timer")
PRESET = "host"  # all checks on: what they find counts as noticed
TREE = (
    "CMakeLists.txt",
    "CMakePresets.json",
    "cmake",
    "include",
    "kernel",
    "port",
    "board",
    "test",
    "bench",
    "examples",
)
PLACE = build.BUILD / "mutate"
PATIENCE = (3.0, 20)  # an image may take so many seconds, and so many times as long as it takes by itself
NOTICED, SURVIVED, LEFT_OUT = "noticed", "survived", "left out"


@dataclass(frozen=True)
class Verdict:
    """What became of one mutant."""

    key: str
    file: str
    line: int
    verdict: str
    by: str  # the image that failed, or why it was left out
    diff: str


@dataclass(frozen=True)
class Mutant:
    """One changed file."""

    file: str  # below the root
    text: str
    key: str


class Workshop:
    """A copy of the tree, and its build: one mutant at a time."""

    def __init__(self, number: int) -> None:
        self.tree = PLACE / f"tree-{number}"
        self.build = PLACE / f"build-{number}"
        self.seconds: dict[str, float] = {}

    def open(self) -> None:
        """Copy, build, and see which images the unchanged kernel passes: others cannot tell anything."""
        for name in TREE:
            source, copy = ROOT / name, self.tree / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(source, copy)
            else:
                shutil.copy2(source, copy)
        self._quietly(["cmake", "--preset", PRESET, "-B", str(self.build), "-DATTACCA_WERROR=OFF"])
        if not self._quietly(["ninja", "-C", str(self.build), "-k", "0", "kernel-suite"], must=False):
            print("attacca: not all of the suite builds without any change; the rest is left out", file=sys.stderr)
        for image in sorted((self.build / "firmware").glob("test-*.elf")):
            begun = time.monotonic()
            if self._passes(image.name, 60):
                self.seconds[image.name] = time.monotonic() - begun
            else:
                print(f"attacca: {image.stem} fails without any change, and is left out", file=sys.stderr)
        if not self.seconds:
            raise UserError("the unchanged kernel passes no test")

    def _quietly(self, command: Sequence[str], must: bool = True) -> bool:
        done = subprocess.run(command, cwd=self.tree, capture_output=True, text=True, check=False)
        if done.returncode and must:
            raise UserError(f"{command[0]} failed: {(done.stdout + done.stderr).strip()[-2000:]}")
        return done.returncode == 0

    def _passes(self, image: str, seconds: float) -> bool:
        try:
            done = subprocess.run(
                [str(self.build / "firmware" / image)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return tap.read(done.stdout.decode(errors="replace"), image, done.returncode).failed == 0

    def compiled(self, file: str, text: str) -> str | None:
        """A hash of what a file's text compiles to; None: it does not."""
        entries = json.loads((self.build / "compile_commands.json").read_text(encoding="utf-8"))
        path = self.tree / file
        entry = next(e for e in entries if e["file"] == str(path) and "/attacca.dir/" in e["command"])
        words = [word for word in shlex.split(entry["command"]) if word != "-g"]
        out = self.build / "mutant.o"
        words[words.index("-o") + 1] = str(out)
        path.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run(words, cwd=entry["directory"], capture_output=True, timeout=60, check=False)
        finally:
            path.write_text((ROOT / file).read_text(encoding="utf-8"), encoding="utf-8")
        return hashlib.sha256(out.read_bytes()).hexdigest() if done.returncode == 0 else None

    def judge(self, mutant: Mutant, images: Sequence[str]) -> tuple[str, str]:
        """Whether some image notices, and which."""
        path = self.tree / mutant.file
        path.write_text(mutant.text, encoding="utf-8")
        try:
            for image in images:
                target = f"firmware/{image}"
                command = ["ninja", "-C", str(self.build), target]
                if subprocess.run(command, capture_output=True, check=False).returncode:
                    return LEFT_OUT, f"{image} is not built"
                if not self._passes(image, PATIENCE[0] + PATIENCE[1] * self.seconds[image]):
                    return NOTICED, image.removesuffix(".elf")
            return SURVIVED, ""
        finally:
            path.write_text((ROOT / mutant.file).read_text(encoding="utf-8"), encoding="utf-8")


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
    """A hash of all that decides about verdicts."""
    digest = hashlib.sha256()
    for name in ("include", "kernel", "port/host", "board/host", "test/kernel"):
        for path in sorted((ROOT / name).rglob("*")):
            if path.is_file() and path.suffix in (".c", ".h", ".S", ".txt"):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


class Run:
    """A sample of mutants, and what has been found about it so far."""

    def __init__(self, files: Sequence[str], sample: int, seed: int) -> None:
        self.files = [f"kernel/{name}.c" for name in files]
        self.sample = sample
        self.log = PLACE / f"verdicts-{_fingerprint()}.jsonl"
        self.lock = threading.Lock()
        self.verdicts: dict[str, Verdict] = {}
        self.objects: set[str] = set()
        self.kills: Counter[str] = Counter()
        mutants = [mutant for file in self.files for mutant in _mutants(file)]
        random.Random(seed).shuffle(mutants)
        self.total = len(mutants)
        self.queue: Iterator[Mutant] = iter(mutants)
        self.judged = 0
        if self.log.exists():
            for line in self.log.read_text(encoding="utf-8").splitlines():
                verdict = Verdict(**json.loads(line))
                self.verdicts[verdict.key] = verdict
        self.known = set(self.verdicts)

    def next(self) -> Mutant | None:
        """The next one; None when the sample is complete."""
        with self.lock:
            if self.judged >= self.sample:
                return None
            return next(self.queue, None)

    def note(self, verdict: Verdict) -> None:
        """Keep a verdict, on disk too."""
        with self.lock:
            if verdict.key not in self.verdicts:
                with self.log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(verdict)) + "\n")
            self.verdicts[verdict.key] = verdict
            self.judged += verdict.verdict != LEFT_OUT
            self.kills[f"{verdict.by}.elf"] += verdict.verdict == NOTICED

    def fresh(self, code: str | None) -> str:
        """Why a mutant that compiles to this says nothing, or ''."""
        with self.lock:
            if code is None:
                return "does not compile"
            if code in self.objects:
                return "compiles to what another does"
            self.objects.add(code)
            return ""

    def order(self, images: Sequence[str]) -> list[str]:
        """Those that have failed most first."""
        with self.lock:
            return sorted(images, key=lambda image: (-self.kills[image], image))


def _work(run: Run, workshop: Workshop, step: Step) -> None:
    while (mutant := run.next()) is not None:
        code = workshop.compiled(mutant.file, mutant.text)
        why = run.fresh(code)
        if mutant.key in run.known:
            run.note(run.verdicts[mutant.key])
            continue
        line, diff = _difference(mutant)
        if why:
            verdict, by = LEFT_OUT, why
        else:
            verdict, by = workshop.judge(mutant, run.order(list(workshop.seconds)))
        run.note(Verdict(mutant.key, mutant.file, line, verdict, by, diff))
        step.update(f"{run.judged} of {run.sample}")


def run(files: Sequence[str], sample: int, seed: int, jobs: int) -> Run:
    """Judge a sample; what comes back has every verdict."""
    there = [name for name in FILES if (ROOT / "kernel" / f"{name}.c").exists()]
    for name in files:
        if not (ROOT / "kernel" / f"{name}.c").exists():
            raise unknown("file", name, there)
    PLACE.mkdir(parents=True, exist_ok=True)
    shops = [Workshop(number) for number in range(jobs)]
    with Step("building the suite in copies of the tree"):
        for shop in shops:
            shop.open()
    os.nice(10)
    with Step("making mutants"):
        result = Run(files or there, sample, seed)
        for file in result.files:
            result.fresh(shops[0].compiled(file, (ROOT / file).read_text(encoding="utf-8")))
    with Step("judging mutants") as step, ThreadPoolExecutor(jobs) as pool:
        for done in [pool.submit(_work, result, shop, step) for shop in shops]:
            done.result()
    return result


def text(result: Run) -> str:
    """The survivors by file and line, and the sum."""
    judged = [v for v in result.verdicts.values() if v.verdict != LEFT_OUT and v.file in result.files]
    lines = []
    for verdict in sorted((v for v in judged if v.verdict == SURVIVED), key=lambda v: (v.file, v.line)):
        lines += [f"{verdict.file}:{verdict.line}", *(f"    {line}" for line in verdict.diff.splitlines())]
    for file in result.files:
        of_file = Counter(v.verdict for v in judged if v.file == file)
        total = of_file[NOTICED] + of_file[SURVIVED]
        lines.append(f"{file:<20} {of_file[NOTICED]} of {total} noticed, {of_file[SURVIVED]} survived")
    noticed = sum(v.verdict == NOTICED for v in judged)
    share = 100 * noticed / len(judged) if judged else 0
    lines.append(f"{noticed} of {len(judged)} noticed ({share:.1f} %), from {result.total} mutants")
    return "\n".join(lines)


def write(result: Run, file: Path) -> None:
    """All verdicts, as JSON."""
    verdicts = [asdict(v) for v in result.verdicts.values() if v.file in result.files]
    content = {"commit": build.commit(), "files": result.files, "mutants": result.total, "verdicts": verdicts}
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
