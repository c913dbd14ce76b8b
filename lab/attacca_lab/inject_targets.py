"""How the images of test/kernel/inject are run: on a board's instrument, or as programs of this computer."""

from __future__ import annotations

import json
import os
import select
import subprocess
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from attacca_lab.boards import Board
from attacca_lab.errors import UserError
from attacca_lab.instrument import forced

NO_KIND, LIST = 3, 255
# The image's own code lies before the kernel's, whose end the linker scripts name differently.
KERNEL = {"avr": "machine_last:_etext", "cortex-m": "machine_last:att_init_begin"}
LISTENS = {"avr": 30_000, "cortex-m": 120_000}  # cycles after which the firmware has cleared its RAM, and listens
SECONDS = 120  # that one program may take
LISTENING = 3  # the marker's value when the firmware does (inject.h)
CYCLES = "20M"

# Situation, two actions, their kinds of handler, when each is raised by software, and whether the second is first.
Question = tuple[int, int, int, int, int, int, int, int]


@dataclass(frozen=True)
class Image:
    """What an image says of itself: a situation's name and the numbers of its actions; the actions' names."""

    topic: str
    situations: tuple[tuple[str, frozenset[int]], ...]
    actions: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """One run's end, and where its first handler came: an instruction's symbol, or a lock point's number."""

    text: str
    status: int
    index: int = 0
    place: str = ""


@dataclass(frozen=True)
class Sample:
    """Not every place: one in so many; and how far from the first handler a second one comes, drawn for each place. On
    the host it is every place, and at this distance."""

    seed: int
    one_in: int
    within: int = 0  # instructions; lock points


class Target:
    """A preset's images, and how they are run."""

    def __init__(self, preset: str, folder: Path) -> None:
        self.preset = preset
        self.elfs = {elf.stem.removeprefix("scenarios-"): elf for elf in sorted(folder.glob("scenarios-*.elf"))}
        if not self.elfs:
            raise UserError(f"{preset} builds no scenarios-*.elf")

    def ask(self, topic: str, question: Question) -> Outcome:
        """One run, whose handlers, if any, are raised by software."""
        raise NotImplementedError

    def fork(self, topic: str, question: Question, sample: Sample | None) -> list[Outcome]:
        """A run for every place that the first handler can come to."""
        raise NotImplementedError

    def close(self) -> None:
        """End what was started for `ask`."""

    def survey(self, topic: str) -> Image:
        """The image's tables."""
        told = self.ask(topic, (LIST, 0, 0, 0, NO_KIND, 0, 0, 0)).text
        situations: list[tuple[str, frozenset[int]]] = []
        actions: list[str] = []
        for line in told.splitlines():
            kind, name, bits = line.split()
            if kind == "S":
                situations.append((name, frozenset(n for n, bit in enumerate(bits) if bit == "1")))
            else:
                actions.append(name)
        if not situations or not actions:
            raise UserError(f"{self.preset}/scenarios-{topic} names no scenario: {told!r}")
        return Image(topic, tuple(situations), tuple(actions))


class Listener:
    """An image that has come to where it listens: each question is asked of a copy of it."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._lines = b""

    def answer(self, question: Question) -> dict[str, Any]:
        """What became of the copy; a UserError if the image does not listen any more."""
        ends = self._process
        assert ends.stdin and ends.stdout
        try:
            ends.stdin.write(" ".join(map(str, question)).encode() + b"\n")
            ends.stdin.flush()
        except BrokenPipeError:
            self._failed()
        while not self._lines.endswith(b"\n"):
            if not select.select([ends.stdout], [], [], SECONDS)[0]:
                ends.kill()
                raise subprocess.TimeoutExpired(self._command, SECONDS)
            more = os.read(ends.stdout.fileno(), 1 << 16)
            if not more:
                self._failed()
            self._lines += more
        line, self._lines = self._lines, b""
        facts: dict[str, Any] = json.loads(line)
        return facts

    def _failed(self) -> NoReturn:
        _, said = self._process.communicate()
        raise UserError(said.decode(errors="replace").strip() or f"{self._command[-1]} does not listen")

    def close(self) -> None:
        self._process.communicate()


class Simulated(Target):
    """Images for a board, on its instrument; the question comes over the console's wire."""

    def __init__(self, preset: str, folder: Path, board: Board, instrument: Path) -> None:
        super().__init__(preset, folder)
        self.board = board
        self.instrument = instrument
        self._listeners: dict[str, list[Listener]] = {}
        self._lock = threading.Lock()

    def _command(self) -> list[str]:
        return [str(self.instrument), "--board", self.board.name, *forced(self.board.name), "--cycles", CYCLES]

    def _run(self, topic: str, question: Question, options: Sequence[str]) -> subprocess.CompletedProcess[str]:
        stimulus = "".join(f"{LISTENS[self.board.instrument]} uart {byte}\n" for byte in question)
        command = [*self._command(), "--stimulus", "/dev/stdin", *options, str(self.elfs[topic])]
        return _program(command, stimulus, {})

    def ask(self, topic: str, question: Question) -> Outcome:
        listener = self._take(topic)
        run = listener.answer(question)
        with self._lock:
            self._listeners.setdefault(topic, []).append(listener)
        return Outcome(run["console"], run["exit"])

    def _take(self, topic: str) -> Listener:
        """One that no other thread asks: as many as threads ask about the topic at once."""
        with self._lock:
            idle = self._listeners.get(topic)
            if idle:
                return idle.pop()
        return Listener([*self._command(), "--mark", f"marker={LISTENING}", "--ask", "-", str(self.elfs[topic])])

    def close(self) -> None:
        with self._lock:
            for idle in self._listeners.values():
                for listener in idle:
                    listener.close()
            self._listeners.clear()

    def fork(self, topic: str, question: Question, sample: Sample | None) -> list[Outcome]:
        options = ["--mark", "marker=1", "--until", "marker=2", "--fork", self.board.handlers[question[3]]]
        options += ["--fork-enabled", "--fork-in", KERNEL[self.board.instrument]]
        if sample is not None:
            options += ["--fork-one-in", str(sample.one_in), "--seed", str(sample.seed)]
        if sample is not None and sample.within:
            options += ["--fork-then", f"{self.board.handlers[question[4]]}:1:{sample.within}"]
        done = self._run(topic, question, options)
        if not done.stdout and " 0 runs" not in done.stderr:
            raise UserError(done.stderr.strip())
        runs = [json.loads(line) for line in done.stdout.splitlines()]
        return [
            Outcome(run["console"], run["exit"], run["index"], run["taken_symbol"] or f"not taken, {run['symbol']}")
            for run in runs
        ]


class Host(Target):
    """Images of this computer, which fork themselves; the question is in the environment."""

    def _run(self, topic: str, numbers: Iterable[int]) -> subprocess.CompletedProcess[str]:
        question = " ".join(str(number) for number in numbers)
        return _program([str(self.elfs[topic])], "", {"ATTACCA_INJECT": question})

    def ask(self, topic: str, question: Question) -> Outcome:
        done = self._run(topic, question)
        return Outcome(done.stdout, done.returncode)

    def fork(self, topic: str, question: Question, sample: Sample | None) -> list[Outcome]:
        done = self._run(topic, (*question, 1, sample.within if sample else 0))
        runs = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
        return [Outcome(run["console"], run["exit"], run["index"], run["taken_symbol"]) for run in runs]


def _program(command: list[str], text: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, input=text, env=os.environ | env, capture_output=True, text=True, timeout=SECONDS, check=False
    )
