"""./attacca test --quick: what one runs before a commit.

A stage that has passed says so, and is not run again, as long as nothing has changed of all that it reads: the files
in its folders, this laboratory, the compilers, the instruments. Their contents make its key.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from attacca_lab import build, costs, instrument, qemu, rp2040, tap, testing
from attacca_lab.boards import Board, boards
from attacca_lab.errors import UserError
from attacca_lab.output import write_atomic
from attacca_lab.prepare import ROOT, avr_gcc_bin, nios2_gcc
from attacca_lab.tap import Tally
from attacca_lab.testing import Stage

IMAGE = "quick-sem"  # one image a board
CODE = ("CMakeLists.txt", "CMakePresets.json", "cmake", "include", "kernel", "dynamic", "port", "board", "test")
TEXTS = ("docs", "README.md", "CONTRIBUTING.md", "LICENSE")
LABORATORY = ("attacca", "lab")
TOOLS = ("gcc", "clang", "arm-none-eabi-gcc", "riscv64-unknown-elf-gcc", "cmake", "ninja",
         *sorted({one.emulator for one in boards().values()}))  # fmt: skip
PASSED = build.BUILD / "test" / "passed.json"


@dataclass(frozen=True)
class Quick:
    """A stage, and the folders and files that it reads beside the laboratory."""

    stage: Stage
    reads: tuple[str, ...]


def _missing() -> tuple[str, ...]:
    """Boards whose emulator only the whole test installs."""
    return () if rp2040.modules() else ("pico",)


def _images() -> Tally:
    """One image on each board that something here can run."""
    targets = [one for one in boards().values() if one.name != "host" and one.name not in _missing()]
    for name in dict.fromkeys(one.instrument for one in targets if one.instrument in build.INSTRUMENTS):
        build.instrument(name)  # once, not by two threads
    return testing.all_at_once(targets, _image)


def _image(target: Board) -> Tally:
    tally = Tally()
    name = f"{target.preset}/{IMAGE}"
    try:
        elf = build.one(target.preset, IMAGE)
        if target.instrument not in build.INSTRUMENTS:
            console, status = qemu.run(target, elf, testing.SECONDS)
            return tap.read(console, name, status)
        with instrument.workspace() as directory:
            done = instrument.run(
                build.instrument(target.instrument), elf, directory, board=target.name, capture=False,
                cycles=testing.SIMULATED_SECONDS * (target.clock_hz or 0), timeout=testing.SECONDS,
                allow=(instrument.OK, instrument.ENDED_BADLY),
            )  # fmt: skip
            return tap.read(done.console, name, done.status)
    except UserError as error:
        tally.fail(error.message)
        return tally


def _stages() -> Sequence[Quick]:
    """Of the whole test's, and one of its own; a function, for tests replace the table."""
    by_name = {stage.name: stage for stage in testing.STAGES}
    images = Stage("images", "one image a board", _images, tuple(name for name in boards() if name != "host"))
    return (
        Quick(by_name["python"], ("test", "verify")),
        Quick(by_name["layers"], (*CODE, *TEXTS, "verify", "instrument", "bench", "examples")),
        Quick(replace(by_name["host"], run=lambda: testing.host("host")), CODE),
        Quick(by_name["sanitizers"], CODE),
        Quick(images, (*CODE, "instrument", "bench", "examples")),
    )


STAGES = ("python", "layers", "host", "sanitizers", "images")


def _digest(name: str) -> str:
    """Of one file or all files of a folder, with their names."""
    digest = hashlib.sha256()
    path = ROOT / name
    files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
    for file in files:
        if "__pycache__" not in file.parts:
            content = hashlib.sha256(file.read_bytes()).hexdigest()
            digest.update(f"{file.relative_to(ROOT)} {os.access(file, os.X_OK)} {content}\n".encode())
    return digest.hexdigest()


@functools.cache
def _tools() -> str:
    """What is compiled and run with: the files themselves, by size and time."""
    found = [shutil.which(name) for name in TOOLS] + [sys.executable]
    with contextlib.suppress(UserError):
        found.append(str(avr_gcc_bin() / "avr-gcc"))
    if (nios2 := nios2_gcc()) is not None:
        found.append(str(nios2))
    facts = []
    for name in filter(None, found):
        real = Path(name).resolve()
        facts.append(f"{real} {real.stat().st_size} {real.stat().st_mtime_ns}")
    return "\n".join(facts)


def key(quick: Quick) -> str:
    """The same for the same contents."""
    parts = [quick.stage.name, _tools(), *(_digest(name) for name in (*LABORATORY, *quick.reads))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _passed() -> dict[str, dict[str, str | int]]:
    try:
        found = json.loads(PASSED.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _unless_unchanged(quick: Quick) -> Callable[[], Tally]:
    def run() -> Tally:
        now, before = key(quick), _passed().get(quick.stage.name, {})
        if before.get("key") == now:
            return Tally(passed=int(before["passed"]), since=str(before["when"]))
        tally = quick.stage.run()
        if tally.passed and not tally.failed and not tally.skipped and key(quick) == now:
            facts: dict[str, str | int] = {"key": now, "passed": tally.passed, "when": time.strftime(costs.MINUTE)}
            PASSED.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(PASSED, json.dumps(_passed() | {quick.stage.name: facts}, indent=1) + "\n")
        return tally

    return run


def run(only: Sequence[str], target: Board | None, verbose: bool) -> int:
    """Run them; the exit status."""
    stages = [replace(one.stage, run=_unless_unchanged(one)) for one in _stages()]
    return testing.run(only, target, verbose, stages)
