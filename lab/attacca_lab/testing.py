"""Everything `./attacca test` runs, in order: one table of stages, one function a stage.

A stage returns a Tally. A UserError, as from a build that fails or a preset that builds no test, is one failure and
the next stages go on: a stage that finds nothing to run has not passed.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar
from xml.etree import ElementTree

from attacca_lab import build, costs, ending, fuzz, inject, inject_share, instrument, limits, prepare, qemu, rp2040, tap
from attacca_lab.alone import alone
from attacca_lab.boards import Board, board, boards
from attacca_lab.build import Build
from attacca_lab.errors import USAGE, UserError
from attacca_lab.output import Column, Table
from attacca_lab.prepare import ROOT
from attacca_lab.progress import Step
from attacca_lab.tap import Tally

SECONDS = 600  # that one test program may take
SILENT = 1800  # that pytest may say nothing: longer than a test's own limit (lab/pyproject.toml)
SIMULATED_SECONDS = 63  # of its own time
Job = TypeVar("Job")
COVERED = ("--filter", "kernel/", "--filter", "dynamic/")
SANITIZERS = {
    "ASAN_OPTIONS": "detect_stack_use_after_return=0:abort_on_error=0",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
}


@dataclass(frozen=True)
class Stage:
    name: str
    title: str
    run: Callable[[], Tally]
    boards: tuple[str, ...] = ()  # whose suite it is; none: it is about no board


# --- checks of the sources -------------------------------------------------------------------------------------


def _check(name: str, command: Sequence[str], cwd: Path = ROOT) -> Tally:
    """A command that is one test: passed when its status is 0."""
    status, said = limits.run(command, SECONDS, name=name, cwd=cwd)
    tally = Tally()
    if status:
        tally.fail(f"{name}:\n{said.rstrip()}")
    else:
        tally.passed += 1
    return tally


def _layers() -> Tally:
    """Which folder uses which, and the words of sources, documents and messages."""
    tally = Tally()
    for name in ("layers", "words"):
        tally += _check(name, [sys.executable, str(ROOT / "verify" / f"{name}.py")])
    return tally


def _python() -> Tally:
    folders = [name for name in ("lab", "test", "verify") if (ROOT / name).is_dir()]
    ruff = [sys.executable, "-m", "ruff"]
    settings = ["--config", "lab/pyproject.toml", "--no-cache", "--quiet", *folders]
    tally = _check("ruff check", [*ruff, "check", *settings])
    tally += _check("ruff format (mend it with ruff format)", [*ruff, "format", "--diff", *settings])
    cache = ROOT / "build" / "mypy"
    tally += _check("mypy", [sys.executable, "-m", "mypy", "--cache-dir", str(cache), "attacca_lab"], ROOT / "lab")
    return tally


# --- the kernel's suite ----------------------------------------------------------------------------------------


def _programs(built: Build) -> list[Path]:
    """The test programs that a host preset has built."""
    others = (path for path in (built.directory / "test").rglob("*") if "CMakeFiles" not in path.parts)
    return built.elfs("test-*") + sorted(
        path for path in others if path.is_file() and os.access(path, os.X_OK) and path.suffix == ""
    )


def _each(programs: Iterable[Path], run: Callable[[Path], Tally]) -> Tally:
    """Run all of them, as many at once as there are processors; the tally in their order."""
    return all_at_once(list(programs), run)


def _run_program(program: Path) -> Tally:
    tally = Tally()
    try:
        done = subprocess.run(
            [str(program)],
            cwd=program.parent,
            env=os.environ | SANITIZERS,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        tally.fail(f"{program.stem}: has not ended after {SECONDS} s")
        return tally
    tally += tap.read(done.stdout.decode(errors="replace"), program.stem, done.returncode)
    said = done.stderr.decode(errors="replace").strip()
    if tally.failed and said:
        tally.troubles.append(said)
    return tally


def host(preset: str, more: Sequence[str] = ()) -> Tally:
    """The suite on this computer; what more is built shows that it can be."""
    built = build.build(preset, [*build.SUITE, *more])
    programs = _programs(built)
    if not programs:
        raise UserError(f"{preset} builds no test")
    return _each(programs, _run_program)


def _coverage() -> Tally:
    """Every line and branch of kernel/ and dynamic/ is run by the host suite."""
    with alone(build.BUILD / "coverage.lock", "counts coverage in this tree"):
        return _counted("host-coverage")


def _counted(preset: str) -> Tally:
    built = build.build(preset, build.SUITE)
    _forget_counts(built.directory)
    programs = _programs(built)
    if not programs:
        raise UserError(f"{preset} builds no test")
    tally = _each(programs, _run_program)
    if tally.failed:
        return tally
    gcovr = [sys.executable, "-m", "gcovr", "--root", str(ROOT), *COVERED, str(built.directory)]
    summary = built.directory / "coverage.json"
    status, said = limits.run([*gcovr, "--json-summary", summary], SECONDS, name="gcovr", cwd=ROOT)
    if status:
        raise UserError(f"gcovr failed: {said.strip()}")
    found = json.loads(summary.read_text(encoding="utf-8"))
    tally = Tally()  # the suite itself was counted by the stage before
    for what in ("line", "branch"):
        covered, total = found[f"{what}_covered"], found[f"{what}_total"]
        if total and covered == total:
            tally.passed += 1
            continue
        listing = [*gcovr, "--txt-metric", what, "--txt", "-"]
        _, text = limits.run(listing, SECONDS, name="gcovr", cwd=ROOT)
        tally.fail(f"{what} coverage of kernel/ and dynamic/: {covered} of {total}\n{text.rstrip()}")
    return tally


def _forget_counts(directory: Path) -> None:
    """Of runs before, and of objects that the suite does not consist of: they would be added."""
    ninja: list[str | Path] = [prepare.tool("ninja"), "-C", directory, "-t"]
    limits.run([*ninja, "cleandead"], SECONDS)
    _, inputs = limits.run([*ninja, "inputs", *build.SUITE], SECONDS)
    objects = {directory / line for line in inputs.splitlines() if line.endswith(".o")}
    for counts in directory.rglob("*.gcda"):
        counts.unlink()
    for notes in directory.rglob("*.gcno"):
        if notes.with_suffix(".o") not in objects:
            notes.unlink()


def _simulated(target: Board) -> Tally:
    """The suite's images for a board, on its instrument, in each of the ways to build the kernel for it."""
    executable = build.instrument(target.instrument)
    images = _images(target)

    with instrument.workspace() as directory:

        def run(image: tuple[str, Path]) -> Tally:
            preset, elf = image
            name = f"{preset}/{elf.stem}"
            try:
                done = instrument.run(
                    executable,
                    elf,
                    directory,
                    board=target.name,
                    cycles=SIMULATED_SECONDS * (target.clock_hz or 0),
                    capture=False,
                    allow=(instrument.OK, instrument.ENDED_BADLY),
                    timeout=SECONDS,
                    name=name.replace("/", "-"),
                )
            except UserError as error:
                tally = Tally()
                tally.fail(error.message)
                return tally
            return tap.read(done.console, name, done.status)

        return all_at_once(images, run)


def _emulated(machines: Sequence[Board]) -> Tally:
    """The suite's images for boards that QEMU has."""
    images = [(target, image) for target in machines for image in _images(target)]

    def run(job: tuple[Board, tuple[str, Path]]) -> Tally:
        target, (preset, elf) = job
        try:
            console, status = qemu.run(target, elf, SECONDS)
        except UserError as error:
            tally = Tally()
            tally.fail(error.message)
            return tally
        return tap.read(console, f"{preset}/{elf.stem}", status)

    return all_at_once(images, run)


def _pico() -> Tally:
    """The suite's images on rp2040js, which npm brings: without it they are not run."""
    if rp2040.modules() is None:
        return Tally(skipped=1, reasons=["pico: rp2040js is not installed; ./attacca test --only pico installs it"])
    return _emulated([board("pico")])


def _images(target: Board) -> list[tuple[str, Path]]:
    """The suite in each of the ways to build the kernel for a board."""
    images: list[tuple[str, Path]] = []
    for name in (target.preset, *target.test_presets):
        found = build.build(name, build.SUITE).elfs("test-*")
        if not found:
            raise UserError(f"{name} builds no test")
        images += [(name, elf) for elf in found if elf.stem.removeprefix("test-") not in target.untested]
    return images


def all_at_once(jobs: Sequence[Job], run: Callable[[Job], Tally]) -> Tally:
    """As many as there are processors; the tally in their order."""
    tally = Tally()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for one in pool.map(run, jobs):
            tally += one
    return tally


def _fuzz() -> Tally:
    """The fuzzer from the kept corpus, the same runs each time: whatever it finds is a failure."""
    tally = Tally()
    found = fuzz.repeat()
    if found.crash:
        tally.fail("\n".join([found.trouble, f"./attacca fuzz --replay {fuzz.shown(found.crash)}"]))
    else:
        tally.passed += 1
    tally.programs.append(found.text)
    return tally


# --- the laboratory's and the instruments' tests ---------------------------------------------------------------


def _instruments() -> Tally:
    """The instruments' tests, on the executables that everything else uses, and beside other simulators."""
    os.environ |= prepare.other_simulators()
    os.environ["ATTACCA_AVR"] = str(build.instrument("avr"))
    os.environ["ATTACCA_CORTEX_M"] = str(build.instrument("cortex-m"))
    os.environ["ATTACCA_VEXRISCV_INSTRUMENT"] = str(build.instrument("vexriscv"))
    os.environ["ATTACCA_GBA"] = str(build.instrument("gba"))
    return _pytest("instrument")


def _pytest(folder: str) -> Tally:
    path = ROOT / "test" / folder
    if not any(path.glob("test_*.py")):
        raise UserError(f"no tests in test/{folder}")
    with tempfile.TemporaryDirectory(prefix="attacca-") as own:  # another command may test at the same time
        return _reported(path, Path(own) / f"{folder}.xml")


def _reported(path: Path, report: Path) -> Tally:
    command = [sys.executable, "-m", "pytest", "-q", "-c", "lab/pyproject.toml", "--rootdir", str(ROOT)]
    command += ["--color=no", "--tb=short", f"--junit-xml={report}", str(path)]
    before = ending.programs()
    status, text = limits.run(command, SILENT, name=f"pytest {path.relative_to(ROOT)}", cwd=ROOT, speaks=True)
    ending.end(set(ending.programs()) - set(before), limits.GRACE)
    tally = Tally()
    if report.exists():
        root = ElementTree.parse(report).getroot()
        for suite in root.iter("testsuite"):
            bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
            skipped = int(suite.get("skipped", 0))
            tally += Tally(int(suite.get("tests", 0)) - bad - skipped, bad, skipped)
        for case in root.iter("testcase"):
            for one in case.iter("skipped"):
                place = f"{case.get('classname', '')}.{case.get('name', '')}".lstrip(".")
                tally.reasons.append(f"{place}: {one.get('message') or 'gives no reason'}")
    if tally.failed:
        tally.troubles.append(text.rstrip())
    elif status:
        tally.fail(text.rstrip())
    return tally


def _interrupts_off() -> Tally:
    """No public call keeps interrupts off for longer than docs/interrupts-off.md says."""
    from attacca_lab import interrupts_off

    tally = Tally()
    for name in MEASURED_BOARDS:
        calls, troubles = interrupts_off.check(name)
        tally += Tally(passed=max(0, calls - len(troubles)))
        for trouble in troubles:
            tally.fail(f"{name}: {trouble}")
    return tally


def _inject(exhaustive: bool) -> Tally:
    """The tests of test/kernel that need an instrument, and an interrupt at every instruction."""
    tally = _pytest("kernel")
    tally += inject.run(exhaustive)
    return tally


def _game_boy() -> Tally:
    """In ARM and in Thumb state."""
    tally = _simulated(board("gba"))
    tally += _simulated(board("gba-thumb"))
    return tally


MEASURED_BOARDS = ("uno", "stm32f103")
QEMU_BOARDS = tuple(one.name for one in boards().values() if one.machine)
STAGES = (
    Stage("python", "ruff and mypy on the laboratory", _python),
    Stage("host", "suite on this computer", lambda: host("host", ["port-template"]), ("host",)),
    Stage("sanitizers", "the same under ASan and UBSan", lambda: host("host-asan"), ("host",)),
    Stage("coverage", "the kernel's lines and branches", _coverage, ("host",)),
    Stage("fuzz", "random calls against a model", _fuzz, ("host",)),
    Stage("uno", "suite on the simulated Uno", lambda: _simulated(board("uno")), ("uno",)),
    Stage("mega2560", "suite on the simulated Mega 2560", lambda: _simulated(board("mega2560")), ("mega2560",)),
    Stage("stm32f103", "suite on the simulated STM32F103", lambda: _simulated(board("stm32f103")), ("stm32f103",)),
    Stage("vexriscv", "suite on the simulated soft core", lambda: _simulated(board("vexriscv")), ("vexriscv",)),
    Stage("gba", "suite on the simulated GBA", _game_boy, ("gba", "gba-thumb")),
    Stage("qemu", "suite on QEMU's boards", lambda: _emulated([board(name) for name in QEMU_BOARDS]), QEMU_BOARDS),
    Stage(
        "cortex-m",
        "suite with SysTick as the clock",
        lambda: _simulated(board("cortex-m-stm32f103")),
        ("cortex-m-stm32f103",),
    ),
    Stage("pico", "suite on the emulated Pico", _pico, ("pico",)),
    Stage("inject", "interrupts at instructions", lambda: _inject(False), MEASURED_BOARDS),
    Stage("masked", "masked stretches of all calls", _interrupts_off, MEASURED_BOARDS),
    Stage("layers", "layers and words", _layers),
    Stage("instrument", "instruments", _instruments),
    Stage("lab", "laboratory", lambda: _pytest("lab")),
)


def exhaustive(
    topics: Sequence[str], part: str | None, report: Path | None, reports: Sequence[Path], address: str | None
) -> Stage:
    """The long campaign: all of it here, a shard, on a cluster, or what the reports of all shards say."""
    from attacca_lab import cluster, shards

    def run() -> Tally:
        if reports:
            return shards.merge(reports)
        if address:
            return cluster.run(address, topics)
        if part:
            shard = shards.Shard.read(part)
            name = f"inject-{shard.number}-of-{shard.of}.json"
            return shards.run(shard, topics, report or build.BUILD / "test" / name)
        return _inject(True) if not topics else inject.run(True, topics)

    title = f"the same, exhaustively{f', shard {part}' if part else ''}"
    return Stage("inject", title, run, MEASURED_BOARDS)


def run(
    only: Sequence[str],
    target: Board | None,
    verbose: bool,
    stages: Sequence[Stage] | None = None,
    publish: bool = False,
) -> int:
    """Run the stages and print a line for each, then the closing line; the exit status.

    With a board: those that are about it, and no other.
    """
    total = Tally()
    spent: dict[str, costs.Cost] = {}
    chosen = [one for one in (STAGES if stages is None else stages) if not only or one.name in only]
    if target:
        chosen = [one for one in chosen if target.name in one.boards]
        if not chosen:
            about = ", ".join(stage.name for stage in STAGES if target.name in stage.boards)
            has = f"is tested by: {about}" if about else "has no stage of its own"
            raise UserError(f"nothing to test: board {target.name} {has}", status=USAGE)
    if target and target.machine:
        chosen = [replace(one, run=lambda: _emulated([target])) if one.name == "qemu" else one for one in chosen]
    for stage in chosen:
        tally, spent[stage.name] = _run_stage(stage, verbose)
        total += tally
        if stages is None and not tally.failed and not (target and len(stage.boards) > 1):  # then it was a part
            costs.keep({stage.name: spent[stage.name]})
    if publish and not total.failed:
        costs.publish(spent)
        if "inject" in spent:
            inject_share.publish(json.loads(inject.REPORT.read_text(encoding="utf-8"))["windows"])
    wall, processor = (sum(getattr(one, name) for one in spent.values()) for name in ("wall", "processor"))
    print(f"{'':<11} {'all of these':<32} {costs.Cost(wall, processor).text}\n")
    for reason in total.reasons:
        print(f"skipped: {reason}")
    if total.skipped and _nothing_may_be_skipped():
        print("CI is set: what is skipped has failed")
    print(total.text, flush=True)
    return 0 if total.passed and not total.failed and not (total.skipped and _nothing_may_be_skipped()) else 1


def _nothing_may_be_skipped() -> bool:
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def listing() -> Table:
    """All stages, and what each costs in wall and in processor time."""

    def seconds(value: float) -> str:
        return f"{value:.1f} s"

    rows = []
    for stage in STAGES:
        cost, when = costs.known(stage.name) or (None, None)
        found = {"time": cost.wall, "processor": cost.processor} if cost else {}
        rows.append({"stage": stage.name, "what": stage.title, **found, "when": when})
    columns = (
        Column("stage", "stage"),
        Column("what", "what"),
        Column("time", "time", form=seconds, right=True),
        Column("processor", "processor", form=seconds, right=True),
        Column("when", "of the last run"),
    )
    return Table(columns, rows)


def _run_stage(stage: Stage, verbose: bool) -> tuple[Tally, costs.Cost]:
    with costs.measured() as cost:
        try:
            with contextlib.nullcontext() if verbose else Step(stage.title, silent=True):
                tally = stage.run()
        except UserError as error:
            tally = Tally()
            tally.fail("\n".join(filter(None, [error.message, error.hint])))
    verdict = tally.brief if tally.passed or tally.failed else "skipped"
    cost.result = verdict
    mark = "FAILED" if tally.failed else ""
    print(f"{stage.name:<11} {stage.title:<32} {cost.text}  {verdict}  {mark}".rstrip())
    notes = [*([f"unchanged, passed at {tally.since}"] if tally.since else []), *tally.notes]
    print("".join(f"    {note}\n" for note in notes), end="")
    for trouble in tally.troubles:
        print("\n".join(f"    {line}" for line in trouble.splitlines()))
    if verbose:
        print("".join(f"    {line}\n" for line in tally.programs), end="")
    sys.stdout.flush()
    return tally, cost
