"""How long each public call keeps interrupts off, as docs/interrupts-off.md tells it, and whether it got worse.

The instrument puts every masked stretch down to the calls that were under way on the running stack where an
instruction began it, and to those that were made during it where an interrupt's entry did (docs/instrument.md,
`calls`). So this holds for any firmware: the bench's images of calls, an object each, and the kernel's whole suite,
whose states were not chosen for this. A handler of the suite does more than one call, so what handlers begin is taken
from the bench's images only.

An image calls-OBJECT.WHAT-N.elf was built with N of WHAT. The slope is what one more adds between 2 and 4 and between
4 and 8, the lesser of the two: a state that needs several at all is no growth, and neither is a carry that one run
happened to meet.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from attacca_lab import build, instrument
from attacca_lab.boards import Board, board, boards
from attacca_lab.build import Build
from attacca_lab.errors import UserError
from attacca_lab.interrupts_off_text import HANDLERS, INTRODUCTION, MODEL
from attacca_lab.output import ABSENT, Column, Table, markdown
from attacca_lab.prepare import ROOT
from attacca_lab.stats import number, tidy

DOCUMENT = ROOT / "docs" / "interrupts-off.md"
HEADERS = ROOT / "include" / "attacca"
NO_CALLS = {"config.h", "debug.h", "inline.h", "port_api.h", "trace.h"}  # nothing that an application calls
NEVER = {"att_fault": "stops the processor", "att_fault_hook": "is the application's"}
ROOT_OF_THREADS = "att_port_thread_entry"
KERNELS = ("attacca", "attacca-bench")  # of a preset: those with the default options
TARGETS = ("calls-images", *build.SUITE)
SECONDS = 25  # of a run's own time
STORM = ("1400:6000", "1500:7000", "1600:9000")  # distances of the board's three handlers, in cycles
SEEDS = range(1, 5)
NOT_MASKED = {"cycles": 0}
COUNTED = re.compile(r"calls-\w+\.([a-z]+)-(\d+)$")
# What is there with an option only that is off by default.
OPTIONAL = re.compile(r"^#if ATT_CFG_STATISTICS$.*?^#endif$", re.DOTALL | re.MULTILINE)


def public_calls(headers: Path = HEADERS) -> dict[str, list[str]]:
    """The functions that applications call, by the header that declares them."""
    found = {}
    for path in sorted(headers.glob("*.h")):
        names = [] if path.name in NO_CALLS else declared(path.read_text(encoding="utf-8"))
        names = [name for name in names if name not in NEVER]
        if names:
            found[path.name] = names
    return found


def declared(text: str) -> list[str]:
    """The att_ functions that a header declares and does not define, each once."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
    text = OPTIONAL.sub("", text)
    text = re.sub(r"^\s*#(?:\\\n|[^\n])*", "", text, flags=re.MULTILINE)
    text = re.sub(r'extern\s+"C"\s*\{', "", text)
    while (without := re.sub(r"\{[^{}]*\}", "{}", text)) != text and "{" in re.sub(r"\{\}", "", text):
        text = without
    statements = re.split(r";|\{\}", re.sub(r"\{[^{}]*\}", "{}", text))
    names: list[str] = []
    for statement, end in zip(statements, re.findall(r";|\{\}", re.sub(r"\{[^{}]*\}", "{}", text)), strict=False):
        words = statement.split()
        match = re.search(r"\b(att_\w+)\s*\(", statement)
        if end == ";" and match and words[0] not in ("typedef", "static", "struct", "enum", "union"):
            names.append(match.group(1))
    return list(dict.fromkeys(name for name in names if not name.startswith("att_k_")))


@dataclass
class Seen:
    """The longest stretches of one function that one kind of beginner began."""

    longest: int = 0
    where: str = ""
    first: int | None = None  # where none or one is counted
    series: dict[str, dict[int, int]] = field(default_factory=dict)  # of what: by how many

    def add(self, image: str, cycles: int) -> None:
        """What one image showed."""
        if cycles > self.longest:
            self.longest, self.where = cycles, image
        counted = COUNTED.match(image)
        if counted:
            points = self.series.setdefault(counted.group(1), {})
            points[int(counted.group(2))] = cycles
        if image.startswith("calls-") and (not counted or counted.group(2) == "1"):
            self.first = max(self.first or 0, cycles)

    def slopes(self) -> dict[str, float]:
        """What one more of each thing adds."""
        found = {}
        for what, points in self.series.items():
            counts = sorted(points)[1:]
            steps = [(points[b] - points[a]) / (b - a) for a, b in pairwise(counts)]
            if steps and min(steps) >= 1:
                found[what] = round(min(steps), 1)
        return found

    @property
    def slope_text(self) -> str:
        """For a cell: `26/waiter`."""
        return ", ".join(f"{number(tidy(slope))}/{what}" for what, slope in sorted(self.slopes().items()))


@dataclass
class Call:
    """What is known of one function, or of one interrupt's handler."""

    made: int = 0
    code: Seen = field(default_factory=Seen)
    handler: Seen = field(default_factory=Seen)


Calls = dict[str, Call]


def collect(reports: Iterable[tuple[str, Mapping[str, Any]]]) -> Calls:
    """All functions of all reports, by name; handlers under the name of their vector."""
    found: Calls = {}
    for image, report in sorted(reports, key=lambda one: _order(one[0])):
        ours = image.startswith("calls-")
        for one in report["calls"]:
            call = found.setdefault(one["function"], Call())
            call.made += one["count"]
            call.code.add(image, (one["by_code"] or NOT_MASKED)["cycles"])
            if ours and one["by_handler"]:
                call.handler.add(image, one["by_handler"]["cycles"])
        for one in report["masked"]["by_handler"] if ours else ():
            found.setdefault(one["name"], Call()).handler.add(image, one["cycles"])
    return found


def _order(image: str) -> tuple[Any, ...]:
    """The bench's images first, then the others, numbers in their order."""
    parts = [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", image)]
    return (not image.startswith("calls-"), parts)


def measure(
    target: Board,
    built: Build,
    executable: Path,
    directory: Path,
    *,
    suite: bool = True,
    seed: int = 1,
    extra: Sequence[str] = (),
) -> Calls:
    """Run all images of a preset that have a kernel with the default options."""
    jobs: list[tuple[str, Path, int, Sequence[str]]] = [(elf.stem, elf, seed, extra) for elf in built.elfs("calls-*")]
    if suite:
        kernels = _kernels(built)
        tests = [elf for elf in built.elfs("test-*") if kernels.get(elf.stem) in KERNELS]
        jobs += [(elf.stem, elf, seed, ()) for elf in tests]
        storms = [elf for elf in tests if elf.stem == "test-stress"]
        storm = [word for one in zip(target.handlers, STORM, strict=True) for word in ("--random-irq", ":".join(one))]
        jobs += [(f"test-stress, storm {one}", elf, one, storm) for elf in storms for one in SEEDS]
    if not jobs:
        raise UserError(f"{built.preset} has no calls-*.elf")

    def run(job: tuple[str, Path, int, Sequence[str]]) -> tuple[str, Mapping[str, Any]]:
        name, elf, its_seed, options = job
        done = instrument.run(
            executable, elf, directory, board=target.name, cycles=_budget(target), seed=its_seed, capture=False,
            extra=("--calls", ROOT_OF_THREADS, *options), name=f"{built.preset}-{name}".replace(" ", "-"),
            allow=(instrument.OK, instrument.HALTED),
        )  # fmt: skip
        return name, done.report

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return collect(pool.map(run, jobs))


def _budget(target: Board) -> int:
    return SECONDS * (target.clock_hz or 0)


def _kernels(built: Build) -> dict[str, str]:
    """Which firmware has which kernel."""
    lines = (built.directory / "kernels.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if line)


# --- the document ----------------------------------------------------------------------------------------------

FIGURES = {"first": "one", "longest": "longest", "handler_first": "h. one", "handler_longest": "h. longest"}
CALL_COLUMNS = (
    Column("call", "call"),
    Column("first", FIGURES["first"], right=True),
    Column("slope", "more"),
    Column("longest", FIGURES["longest"], right=True),
    Column("where", "in"),
    Column("handler_first", FIGURES["handler_first"], right=True),
    Column("handler_slope", "h. more"),
    Column("handler_longest", FIGURES["handler_longest"], right=True),
)


@dataclass(frozen=True)
class Measured:
    """Everything that the document tells."""

    calls: Calls
    board: Board
    instrument: str
    compiler: str
    flags: str
    commit: str

    def row(self, name: str) -> dict[str, Any] | None:
        """One call's line; None if no image makes it."""
        call = self.calls.get(name)
        if call is None or not (call.made or call.handler.longest):
            return None
        return {
            "call": f"`{name}`", "first": call.code.first, "slope": call.code.slope_text,
            "longest": call.code.longest, "where": call.code.where,
            "handler_first": call.handler.first, "handler_slope": call.handler.slope_text,
            "handler_longest": call.handler.longest or None,
        }  # fmt: skip

    @property
    def handlers(self) -> list[str]:
        """The vectors whose interrupts came."""
        return sorted(name for name, call in self.calls.items() if not call.made and call.handler.longest)

    def missing(self) -> list[str]:
        """Public calls that no image makes."""
        return [name for names in public_calls().values() for name in names if self.row(name) is None]

    def rows(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """Headers with their calls' lines."""
        found = [(header, [row for name in names if (row := self.row(name))]) for header, names in
                 public_calls().items()]  # fmt: skip
        return [(header, rows) for header, rows in found if rows]


def run(name: str = "uno") -> Measured:
    """Build and measure."""
    target = board(name)
    executable = build.instrument(target.instrument)
    built = build.build(target.preset, TARGETS)
    with instrument.workspace() as directory:
        calls = measure(target, built, executable, directory)
        probe = instrument.run(
            executable, built.elfs("calls-*")[0], directory, board=target.name, cycles=_budget(target), capture=False
        )
    facts = built.provenance()
    return Measured(calls, target, probe.instrument, facts["compiler"], facts["flags"], facts["commit"])


def document(found: Measured, before: str = "") -> str:
    """The page with a board's part written anew; the other boards' parts are those of the page before."""
    parts = [INTRODUCTION]
    for name in (one.name for one in boards().values() if one.measures):
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        if name == found.board.name:
            parts.append(f"{begin}\n{board_part(found).strip()}\n{end}\n")
        elif begin in before:
            parts.append(begin + before.partition(begin)[2].partition(end)[0] + end + "\n")
    return "\n".join(parts)


def board_part(found: Measured) -> str:
    """What the page says of a board."""
    clock = f"{(found.board.clock_hz or 0) / 1e6:g} MHz"
    parts = [
        f"# {found.board.title}\n",
        f"{found.board.processor} at {clock}; {found.instrument}; {found.compiler}, `{found.flags}`, checks off; "
        f"commit {found.commit}.\n",
        *([MODEL] if found.board.is_modelled else []),
    ]
    for header, rows in found.rows():
        parts += [f"## {header}\n", markdown(Table(CALL_COLUMNS, rows))]
    parts += [
        "## Handlers\n",
        f"From an interrupt's entry to its end. {HANDLERS[found.board.instrument]}\n",
        markdown(Table(_handler_columns(), [row for name in found.handlers if (row := found.row(name))])),
    ]
    return "\n".join(parts)


def part_of(text: str, name: str) -> str:
    """A board's part of the page; all of it if it has no parts."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    return text.partition(begin)[2].partition(end)[0]


def _handler_columns() -> list[Column]:
    return [column for column in CALL_COLUMNS if column.key == "call" or "handler" in column.key]


def tables(found: Measured) -> list[Table]:
    """The same for the terminal."""
    rows = [{**row, "call": row["call"].strip("`")} for _, rows in found.rows() for row in rows]
    handlers = [row for name in found.handlers if (row := found.row(name))]
    return [
        Table(CALL_COLUMNS, rows),
        Table(_handler_columns(), [{**r, "call": r["call"].strip("`")} for r in handlers]),
    ]


def committed(text: str) -> dict[str, dict[str, int]]:
    """The figures of a document, by call and column."""
    keys = {column.title: column.key for column in CALL_COLUMNS}
    found: dict[str, dict[str, int]] = {}
    heading: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            heading = []
        elif not heading:
            heading = [keys.get(cell, "") for cell in cells]
        elif cells[0].startswith("`"):
            found[cells[0].strip("`")] = {
                key: int(cell.replace(",", ""))
                for key, cell in zip(heading, cells, strict=True)
                if key in FIGURES and cell != ABSENT
            }
    return found


def check(name: str = "uno", path: Path = DOCUMENT) -> tuple[int, list[str]]:
    """Measure; the number of calls, and a line for each that is not as the document promises."""
    if not path.exists():
        raise UserError(f"there is no {path.name}", "./attacca interrupts-off --write makes it")
    found = run(name)
    return sum(len(rows) for _, rows in found.rows()), worse(found, path.read_text(encoding="utf-8"))


def worse(found: Measured, text: str) -> list[str]:
    """A line for each call that is not as the document promises: missing in either, or longer than there."""
    before = committed(part_of(text, found.board.name))
    accept = f"./attacca interrupts-off --board {found.board.name} --write takes it over, if it is meant"
    troubles = [f"{name}: no image makes this call; add it to bench/calls-*.c" for name in found.missing()]
    names = [row["call"].strip("`") for _, rows in found.rows() for row in rows] + found.handlers
    for name in names:
        row = found.row(name) or {}
        if name not in before:
            troubles.append(f"{name}: missing in {DOCUMENT.name}; {accept}")
            continue
        for key, was in before[name].items():
            if row[key] is not None and row[key] > was:
                troubles.append(f"{name}, {_TITLES[key]}: {was} cycles became {row[key]}{_in(key, row)}; {accept}")
    troubles += [f"{name}: in {DOCUMENT.name}, but no call; {accept}" for name in before if name not in names]
    return troubles


_TITLES = {
    "first": "begun by code, one",
    "longest": "begun by code, longest",
    "handler_first": "begun by a handler, one",
    "handler_longest": "begun by a handler, longest",
}


def _in(key: str, row: Mapping[str, Any]) -> str:
    return f" in {row['where']}" if key == "longest" and row["where"] else ""
