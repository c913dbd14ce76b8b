"""A copy of the tree in which one file of the kernel is changed at a time, and how its programs are tried.

What takes time is done once: everything is built by ninja and stripped, every test is run and measured. For a mutant
its one file is compiled, by the command that ninja has for it, once for each kernel of the suite (they differ by their
options) that is asked for; and each program is linked and run, until one fails. A program links the changed object as
it linked the one before, from an archive among archives: one that does not need it is not tried.

The time a program may take is processor time, so that a busy computer does not make a mutant noticed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from attacca_lab import build, inject, tap
from attacca_lab.errors import UserError
from attacca_lab.inject_targets import Host
from attacca_lab.prepare import ROOT

PRESET = "host"  # all checks on: what they find counts as noticed
IMAGES = ("kernel-suite", "kernel-scenarios")
TREE = (
    "CMakeLists.txt",
    "CMakePresets.json",
    "cmake",
    "include",
    "kernel",
    "dynamic",
    "port",
    "board",
    "test",
    "bench",
    "examples",
)
PLACE = build.BUILD / "mutate"
PATIENCE = (0.5, 20)  # so many seconds of the processor, and so many times as much as a program takes by itself
STUCK = 30.0  # seconds after which a program that waits for nothing is given up
_LINK = re.compile(r"(?:^|&& )(\S+ (?:(?!&&).)*? -o firmware/(?:test|scenarios)-\S+\.elf .*?)(?: &&|$)")


class NotBuiltError(Exception):
    """The mutant is no program: what it says nothing about."""


@dataclass(frozen=True)
class Program:
    """One image of the suite, and how it is linked."""

    name: str
    objects: tuple[str, ...]
    flags: tuple[str, ...]
    library: str  # of the kernel, below the build
    digest: str  # of its own sources
    uses: frozenset[str]  # which of the files in question are linked
    seconds: float  # of the processor

    @property
    def kernel(self) -> str:
        """Where the library's objects are, below the build."""
        folder, _, name = self.library.rpartition("/")
        return f"{folder}/CMakeFiles/{name.removeprefix('lib').removesuffix('.a')}.dir/"


def spent(pid: int) -> float:
    """Seconds of the processor that a process has had: the clock that clock_getcpuclockid names."""
    return time.clock_gettime((~pid << 3) | 2)


def passes(command: Sequence[str], limit: float, environment: Mapping[str, str] | None = None) -> bool:
    """Whether a test passes, in so many seconds of the processor; it is over at its first failure."""
    text = watched(command, limit, environment, b"not ok")
    return text is not None and tap.read(text[0].decode(errors="replace"), command[0], text[1]).failed == 0


def watched(
    command: Sequence[str], limit: float, environment: Mapping[str, str] | None = None, stop: bytes = b"\0"
) -> tuple[bytes, int] | None:
    """A program's output and status; None if a line begins with `stop`, or it does not come to an end."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if stop != b"\0" else subprocess.STDOUT,
        env=None if environment is None else {**os.environ, **environment},
        start_new_session=True,
    ) as process:
        assert process.stdout
        text, end = b"", time.monotonic() + STUCK
        try:
            while len(text) < 1 << 20 and spent(process.pid) < limit and time.monotonic() < end:
                if not select.select([process.stdout], [], [], 0.05)[0]:
                    continue
                more = os.read(process.stdout.fileno(), 1 << 16)
                if not more:
                    return text, process.wait(STUCK)
                text += more
                if b"\n" + stop in b"\n" + text:
                    return None
            return None
        except subprocess.TimeoutExpired:
            return None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # with its children


def _strong(told: str) -> set[str]:
    """The symbols of an nm, but the weak ones."""
    fields = (line.split() for line in told.splitlines())
    return {words[-1] for words in fields if len(words) == 3 and words[1] not in "VWvw"}


class Workshop:
    """A copy of the tree, and its build: one mutant at a time."""

    def __init__(self, number: int, files: Sequence[str]) -> None:
        self.tree = PLACE / f"tree-{number}"
        self.build = PLACE / f"build-{number}"
        self.files = list(files)
        self.programs: dict[str, Program] = {}
        self._compilers: dict[tuple[str, str], list[str]] = {}
        self._known_symbols: dict[Path, set[str]] = {}
        self._out = self.build / "mutant"
        self._linker = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []

    # --- once --------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Copy, build, and see which programs the unchanged kernel passes: others cannot tell anything."""
        for name in TREE:
            source, copy = ROOT / name, self.tree / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(source, copy)
            elif source.exists():
                shutil.copy2(source, copy)
        self._do(["cmake", "--preset", PRESET, "-B", str(self.build), "-DATTACCA_WERROR=OFF"])
        if self._do(["ninja", "-C", str(self.build), "-k", "0", *IMAGES], must=False) is None:
            print("attacca: not all of the suite builds without any change; the rest is left out", file=sys.stderr)
        shutil.rmtree(self._out, ignore_errors=True)
        self._out.mkdir()
        objects = [str(path) for path in self.build.rglob("*.o")]
        self._do(["strip", "-g", "-p", *objects])  # links take half the time; ninja sees the same dates
        commands = json.loads((self.build / "compile_commands.json").read_text(encoding="utf-8"))
        words = [(entry["file"], shlex.split(entry["command"])) for entry in commands]
        self._compilers = {(file, command[command.index("-o") + 1]): command for file, command in words}
        links = self._do(["ninja", "-C", str(self.build), "-t", "commands", *IMAGES]) or ""
        for line in links.splitlines():
            if found := _LINK.search(line):
                self._survey(shlex.split(found[1]))
        if "test-sched" not in self.programs:
            raise UserError("the unchanged kernel does not pass test-sched")

    def _do(self, command: Sequence[str], must: bool = True) -> str | None:
        done = subprocess.run(command, cwd=self.tree, capture_output=True, text=True, check=False)
        if done.returncode and must:
            raise UserError(f"{command[0]} failed: {(done.stdout + done.stderr).strip()[-2000:]}")
        return None if done.returncode else done.stdout

    def _survey(self, words: list[str]) -> None:
        """One program's link, what it uses, and how long it takes."""
        at = words.index("-o") + 1
        elf = self.build / words[at]
        inputs = words[1 : at - 1] + words[at + 1 :]
        objects = tuple(word for word in inputs if word.endswith(".o"))
        (library,) = (word for word in inputs if word.endswith(".a"))
        if not elf.exists():
            return
        flags = (words[0], *(word for word in inputs if word.startswith("-")))
        program = Program(elf.stem, objects, flags, library, self._digest(objects), frozenset(), 0)
        symbols = self._symbols(elf)
        uses = {file for file in self.files if self._symbols(self.build / self._object(program.kernel, file)) & symbols}
        seconds = 0.0
        if elf.stem.startswith("test-"):
            begun = os.times()
            if not passes([str(elf)], STUCK):
                print(f"attacca: {elf.stem} fails without any change, and is left out", file=sys.stderr)
                return
            ended = os.times()
            seconds = ended.children_user + ended.children_system - begun.children_user - begun.children_system
        self.programs[elf.stem] = Program(elf.stem, objects, flags, library, program.digest, frozenset(uses), seconds)

    def _digest(self, objects: Sequence[str]) -> str:
        """A hash of a program's own sources and options."""
        digest = hashlib.sha256()
        for (file, out), command in sorted(self._compilers.items()):
            if out in objects:
                digest.update(Path(file).read_bytes())
                digest.update(" ".join(command).replace(str(self.tree), "").encode())
        for path in sorted((self.tree / "test").rglob("*")):
            if path.suffix in (".h", ".toml"):
                digest.update(path.read_bytes())
        return digest.hexdigest()[:12]

    def _symbols(self, file: Path) -> set[str]:
        if file not in self._known_symbols:
            told = self._do(["nm", "--defined-only", "-g", str(file)]) or ""
            self._known_symbols[file] = _strong(told)
        return self._known_symbols[file]

    def _object(self, kernel: str, file: str) -> str:
        (out,) = (out for path, out in self._compilers if path == str(self.tree / file) and out.startswith(kernel))
        return out

    # --- a mutant ----------------------------------------------------------------------------------------------

    def compiled(self, file: str, text: str, kernel: str) -> Path | None:
        """The object that a file's text compiles to, for one of the kernels; None: it does not."""
        before = self._object(kernel, file)
        words = [word for word in self._compilers[str(self.tree / file), before] if word != "-g"]
        out = self._out / Path(before).name
        words[words.index("-o") + 1] = str(out)
        path = self.tree / file
        path.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run(words, cwd=self.build, capture_output=True, timeout=600, check=False)
        finally:
            path.write_text((ROOT / file).read_text(encoding="utf-8"), encoding="utf-8")
        return out if done.returncode == 0 else None

    def code(self, file: str, text: str) -> str:
        """A hash of what a file's text compiles to, with the options that most tests have; '': it does not."""
        out = self.compiled(file, text, self.programs["test-sched"].kernel)
        return hashlib.sha256(out.read_bytes()).hexdigest()[:16] if out else ""

    def archive(self, file: str, text: str, kernel: str) -> Path:
        """One with a mutant's object alone, for the programs on a kernel."""
        archive = self._out / f"{hashlib.sha256(kernel.encode()).hexdigest()[:8]}.a"
        rest = self._rest(archive, file)
        if not rest.exists():
            without = self._object(kernel, file)
            objects = sorted(out for _, out in self._compilers if out.startswith(kernel) and out != without)
            self._do(["ar", "qcT", str(rest), *(str(self.build / name) for name in objects)])
        changed = self.compiled(file, text, kernel)
        if changed is None:
            raise NotBuiltError(f"does not compile for {kernel}")
        archive.unlink(missing_ok=True)
        self._do(["ar", "qc", str(archive), str(changed)])
        return archive

    def _rest(self, archive: Path, file: str) -> Path:
        """All of the kernel but that file."""
        return archive.with_suffix(f".{Path(file).stem}.a")

    def link(self, program: Program, archive: Path, file: str) -> Path:
        """A program with a mutant in the place of a file."""
        out = self._out / f"{program.name}.elf"
        command = [*program.flags, *self._linker, *program.objects, "-o", str(out)]
        command += ["-Wl,--start-group", str(archive), str(self._rest(archive, file)), "-Wl,--end-group"]
        if subprocess.run(command, cwd=self.build, capture_output=True, check=False).returncode:
            raise NotBuiltError(f"{program.name} is not linked")
        return out

    def fails(self, program: Program, archive: Path, file: str) -> bool:
        """Whether a mutant is noticed by a program of the suite."""
        elf = self.link(program, archive, file)
        return not passes([str(elf)], PATIENCE[0] + PATIENCE[1] * program.seconds)

    def goes_wrong(self, program: Program, archive: Path, file: str) -> bool:
        """Whether a mutant is noticed by an image of test/kernel/inject."""
        topic = program.name.removeprefix("scenarios-")
        return bool(inject.first_wrong(Scenarios({topic: self.link(program, archive, file)})))


class Scenarios(Host):
    """Images of interrupt injection that may not end."""

    def __init__(self, elfs: dict[str, Path]) -> None:
        self.preset = PRESET
        self.elfs = elfs

    def _run(self, topic: str, numbers: Iterable[int]) -> subprocess.CompletedProcess[str]:
        question = " ".join(str(number) for number in numbers)
        told = watched([str(self.elfs[topic])], PATIENCE[0] + 2, {"ATTACCA_INJECT": question})
        if told is None:
            raise UserError(f"{topic} does not end")
        text = told[0].decode(errors="replace")
        return subprocess.CompletedProcess(question, told[1], text, text)
