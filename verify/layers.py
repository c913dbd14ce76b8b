#!/usr/bin/env python3
"""Checks what may depend on what: which files each folder's files include and name, and which symbols its objects use.

The first of RULES that matches a file applies to it. Includes and names are searched in the sources, symbols with nm
in the objects of build folders: those given, or every one below build/. Without build folders only the sources are
checked, and the output says so.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

LAYOUT = "att_layout_"
# What ATT_TRACE is made of, in whatever is built with it: by test/kernel/traced, by recorder.h, by statistics.h, by an
# example.
TRACE = ("trace_event", "att_record", "att_statistics_event", "timeline")
LONG = 500  # lines from which on a file is mentioned

# What may be included: globs of quoted names, globs in <> of system headers; "." is any file of the includer's
# own folder, "!" before a glob takes it away again.
FREESTANDING = ("<stdbool.h>", "<stddef.h>", "<stdint.h>", "<stdarg.h>", "<limits.h>", "<stdalign.h>")
PUBLIC = ("attacca/*.h", "!attacca/debug.h", "!attacca/port_api.h")
PORT_LEVEL = ("attacca/base.h", "attacca/config.h")

# Whose symbols may be used: globs of the files that define them, or a symbol's own name. {family} is the file's
# name as far as the first "_", so that sem_timed.c may use sem.c. What the project does not define is free, and so
# is the symbol by which each object asks for a kernel of its own layout (base.h).
PORT = ("port/*", "att_port_*", "board/cortex-m/memory.c")  # the last: what a compiler calls unasked
CLOCK = (
    "att_board_clock_start",
    "att_board_now",
    "att_board_stamp",
    "att_board_alarm",
    "att_board_alarm_now",
    "att_board_alarm_off",
    "att_board_wraps",
    "att_board_offset",
    "att_board_clock",
    "att_board_arm",
)
HOOKS = ("att_k_claim", "att_k_wait_set_requeue")  # of wait_set.c, linked where a thread waits for a wait set
CORE = (
    "kernel/sched.c", "kernel/waitq*.c", "kernel/alarm.c", "kernel/time.c", "kernel/fault.c", *HOOKS, *CLOCK, *PORT
)  # fmt: skip
APPLICATION = ("att_system", "att_fault_hook")

# What the optional header compiles into each file that includes it.
INLINING = '#include "attacca/inline.h"'
INLINED = ("att_k",)
PRIVATE = r"\batt_k_(?!check\b|is_forever\b|\w+_attempt\b)\w+|\batt_k\b|\bATT_K_(?!FOREVER\b|UNITS\b|DEFS\b)\w+"
OBJECTS = "OBJECTS"  # stands for: the types that the objects' headers define


@dataclass(frozen=True)
class Rule:
    """What holds for the files that match."""

    files: str
    includes: tuple[str, ...] = ("*", "<*>")
    symbols: tuple[str, ...] = ("*",)
    never: str = ""  # a regular expression of names that do not occur outside comments
    why: str = ""


RULES = (
    # The public headers. The umbrella alone knows the board, for the unit of time.
    Rule("include/attacca/attacca.h", (*PUBLIC, "board.h")),
    Rule("include/attacca/*.h", (*PUBLIC, *FREESTANDING, "port.h", "attacca_config.h")),
    # The kernel's core: nothing below knows what is built on it.
    Rule("kernel/kernel.h", ("attacca/*.h",)),
    Rule("kernel/objects.h", ("kernel.h",)),
    Rule("kernel/copy.h", ("kernel.h",)),
    Rule("kernel/alarm.h", ("kernel.h",)),
    Rule("kernel/queue_parts.h", ("objects.h", "copy.h")),
    Rule("kernel/waitq*.c", ("kernel.h",), ("kernel/waitq*.c", "kernel/sched.c", "kernel/fault.c", *HOOKS,
         *PORT), OBJECTS, "wait queues know nodes, no object"),
    Rule("kernel/sched.c", ("kernel.h",), ("kernel/waitq*.c", "kernel/slice.c", "kernel/debug.c", "kernel/fault.c",
         *PORT), OBJECTS, "the scheduler knows no object"),
    Rule("kernel/alarm.c", ("alarm.h",), ("kernel/sched.c", "kernel/fault.c", *CLOCK, *PORT), OBJECTS,
         "alarms know no object"),
    Rule("kernel/time.c", ("alarm.h",), ("kernel/alarm.c", "kernel/sched.c", "kernel/waitq*.c", "kernel/fault.c",
         *CLOCK, *PORT), OBJECTS, "time knows no object"),
    Rule("kernel/debug.c", ("kernel.h",), ("kernel/sched.c", *PORT), OBJECTS, "it walks the core's lists alone"),
    Rule("kernel/layout.c", ("kernel.h",), ("kernel/sched.c", *PORT, *APPLICATION), OBJECTS),
    Rule("kernel/fault.c", ("kernel.h",), ("kernel/sched.c", *PORT, *APPLICATION), OBJECTS),
    Rule("kernel/thread.c", ("kernel.h",), (*CORE, "kernel/join.c", "att_k_owner_ends"), OBJECTS),
    Rule("kernel/start.c", ("kernel.h",), (*CORE, "kernel/thread.c", *APPLICATION), OBJECTS),
    # Primitives: each on the core, never on another object, but for those that a composite names at its head.
    Rule("kernel/*.c", ("kernel.h", "alarm.h", "objects.h", "copy.h", "*_parts.h"),
         (*CORE, "kernel/{family}.c", "kernel/{family}_*.c"),
         why="an object stands on sched, waitq and time, not on another object; a composite's head says: "
         "Built on: sem, pool."),
    # Ports. The checks of the offsets that assembly uses know the kernel's layout; nothing else of a port does.
    Rule("port/*/offsets*.c", (*PORT_LEVEL, ".", "<*>", "kernel.h", "objects.h")),
    Rule("port/*/fault.c", (*PORT_LEVEL, ".", "<*>", "kernel.h"), ("kernel/fault.c", *PORT)),
    Rule("port/*/port.c", (*PORT_LEVEL, ".", "<*>", "kernel.h"), ("kernel/sched.c", "kernel/fault.c", "att_exit",
         "board/*", *PORT)),
    Rule("port/*/deferred.S", (".", "<*>"), ("kernel/sched.c", *PORT)),
    Rule("port/*/port*.S", (".", "<*>"), ("kernel/sched.c", "kernel/fault.c", "att_exit", *PORT)),
    # These say where the top of the chain is kept.
    Rule("port/word32.h", (*PORT_LEVEL, "<*>"), PORT),
    Rule("port/*/port.h", (*PORT_LEVEL, ".", "../word32.h", "<*>"), ("board/*", *PORT)),
    Rule("port/*", (*PORT_LEVEL, ".", "<*>"), ("board/*", *PORT), PRIVATE,
         "a port sees current, next and the saved stack pointer, through port.c"),
    # Boards. host.h is what the simulated machine is: its registers.
    Rule("board/host/*", ("attacca/*.h", "!attacca/debug.h", ".", "<*>", "host.h"), never=PRIVATE),
    Rule("board/*", ("attacca/*.h", "!attacca/debug.h", ".", "<*>", "start.h", "semihosting.h", "gic.h",
         "gic_place.h", "vectors.inc", "suite.h"), never=PRIVATE),
    # What is built on the public interface: if it needs more, the interface lacks something.
    Rule("test/kernel/inject/*", ("attacca/*.h", ".", "target.h", "<*>", "host.h"), never=PRIVATE),
    Rule("test/kernel/*", ("attacca/*.h", ".", "<*>", "host.h"), never=PRIVATE,
         why="tests know the public headers, debug.h and port_api.h"),
    Rule("test/port/*", ("attacca/*.h", ".", "<*>", "host.h"), never=PRIVATE),
    Rule("bench/*", (*PUBLIC, ".", "bench.h", "bench_board.h", "stacks.h", "<*>"), never=PRIVATE),
    Rule("examples/*", (*PUBLIC, ".", "say.h", "pins.h", "serial.h", "<*>"), never=PRIVATE),
    Rule("dynamic/*", (*PUBLIC, ".", "<*>"), never=PRIVATE),
    Rule("compat/*", (*PUBLIC, ".", "<*>"), never=PRIVATE),
    # Instruments run any firmware.
    Rule("instrument/common/*", (".", "<*>"), never=r"\batt_\w+", why="an instrument knows nothing of the kernel"),
    Rule("instrument/vexriscv/core.cpp", (".", "VLite*.h", "VMin*.h", "<*>"), never=r"\batt_\w+",
         why="an instrument knows nothing of the kernel; these are what Verilator makes"),
    Rule("instrument/*", (".", "../common/*", "<*>"), never=r"\batt_\w+",
         why="an instrument knows nothing of the kernel"),
    # The laboratory knows instruments by their command line and files.
    Rule("lab/attacca_lab/ending.py", never=r"instrument/\S*\.[ch]pp|\bcffi\b", why="ctypes is for prctl there"),
    Rule("lab/*.py", never=r"instrument/\S*\.[ch]pp|\bctypes\b|\bcffi\b|\bimport (?:kits|instrument_tools)\b",
         why="the laboratory never looks inside an instrument"),
)  # fmt: skip

CODE = {".c", ".h", ".S", ".cpp", ".hpp"}
FOLDERS = ("include", "kernel", "port", "board", "dynamic", "compat", "test", "bench", "examples", "instrument", "lab")
NO_OBJECT = {"attacca.h", "base.h", "config.h", "debug.h", "fault.h", "port_api.h", "thread.h", "time.h", "trace.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|(<[^>]+>))', re.MULTILINE)
BUILT_ON = re.compile(r"^ \* Built on: ([\w, ]+)\.$", re.MULTILINE)
C_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\\\n])\')|/\*.*?\*/|//[^\n]*', re.DOTALL)
PYTHON_COMMENT = re.compile(r"((?:\"\"\".*?\"\"\"|'[^'\n]*'|\"[^\"\n]*\"))|#[^\n]*", re.DOTALL)


@dataclass(frozen=True)
class Violation:
    """One broken rule."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@dataclass
class Findings:
    """What a check found."""

    violations: list[Violation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: int = 0
    objects: int = 0


@dataclass(frozen=True)
class Source:
    """A file, its text without comments, and the rule for it."""

    name: str  # below the root
    path: Path
    text: str
    rule: Rule

    def line(self, position: int) -> int:
        """The number of the line at a position of the text."""
        return self.text.count("\n", 0, position) + 1

    def line_of(self, word: str) -> int:
        """The number of the first line with that word; 1 where a macro hides it."""
        found = re.search(rf"\b{re.escape(word)}\b", self.text)
        return self.line(found.start()) if found else 1


def rule_for(name: str) -> Rule | None:
    """The first rule that matches a file."""
    return next((rule for rule in RULES if fnmatchcase(name, rule.files)), None)


def without_comments(text: str, pattern: re.Pattern[str] = C_COMMENT) -> str:
    """The text with comments gone, every line in its place."""
    return pattern.sub(lambda found: found[1] or "\n" * found[0].count("\n"), text)


def sources(root: Path) -> Iterator[Source]:
    """Every file for which there is a rule."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            python = path.suffix == ".py"
            if not python and path.suffix not in CODE:
                continue
            name = path.relative_to(root).as_posix()
            rule = rule_for(name)
            if rule is not None and path.is_file():
                text = path.read_text(encoding="utf-8", errors="replace")
                if name.startswith("kernel/") and (built_on := BUILT_ON.search(text)):
                    below = tuple(f"kernel/{part}{end}" for part in built_on[1].split(", ") for end in (".c", "_*.c"))
                    rule = replace(rule, symbols=(*rule.symbols, *below))
                yield Source(name, path, without_comments(text, PYTHON_COMMENT if python else C_COMMENT), rule)


def object_types(root: Path) -> str:
    """A regular expression of the types that the objects' headers define, and of the reference."""
    names = {"att_ref_t"}
    for header in sorted((root / "include" / "attacca").glob("*.h")):
        if header.name not in NO_OBJECT:
            names.update(re.findall(r"\}\s*(att_\w+_t);", header.read_text(encoding="utf-8")))
    return rf"\b(?:{'|'.join(sorted(names))})\b"


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name matches one of the globs, and none of those with "!"."""
    allowed = False
    for pattern in patterns:
        if pattern.startswith("!"):
            allowed = allowed and not fnmatchcase(name, pattern[1:])
        else:
            allowed = allowed or fnmatchcase(name, pattern)
    return allowed


def may_include(source: Source, name: str) -> bool:
    """Whether the rule lets the file include that name."""
    if name.startswith("<"):
        return matches(name, (p for p in source.rule.includes if p.startswith("<")))
    if "." in source.rule.includes and "/" not in name and (source.path.parent / name).exists():
        return True
    return matches(name, (p for p in source.rule.includes if p != "." and not p.startswith("<")))


def check_source(source: Source, objects: str) -> Iterator[Violation]:
    """What a file includes and names."""
    because = f" ({source.rule.why})" if source.rule.why else ""
    if source.path.suffix in CODE:
        for found in INCLUDE.finditer(source.text):
            name = found[1] or found[2]
            if not may_include(source, name):
                line = source.line(found.start(1 if found[1] else 2))
                yield Violation(source.name, line, f"includes {name}{because}")
    never = objects if source.rule.never == OBJECTS else source.rule.never
    if never:
        for found in re.finditer(never, source.text, re.MULTILINE):
            yield Violation(source.name, source.line(found.start()), f"names {found[0].strip()}{because}")


@dataclass(frozen=True)
class Symbols:
    """What an object defines and what it asks for."""

    source: str
    defined: frozenset[str]
    wanted: frozenset[str]


def source_of(built: Path, build: Path) -> str:
    """The source of an object, from where CMake puts it: bench/CMakeFiles/x.dir/__/kernel/sem.c.obj."""
    parts = built.relative_to(build).parts
    at = parts.index("CMakeFiles")
    path: list[str] = []
    for part in (*parts[:at], *parts[at + 2 :]):
        if part == "__":
            if path:
                path.pop()
        else:
            path.append(part)
    return "/".join(path).rpartition(".")[0]


def is_current(built: Path, source: Path, headers: float) -> bool:
    """Was it compiled after the last change of its source and of the headers? A build makes only what it is asked for,
    so that a build folder keeps objects of older sources."""
    return built.stat().st_mtime >= max(source.stat().st_mtime, headers)


def read_symbols(build: Path, root: Path) -> Iterator[Symbols]:
    """The symbols of every object of a build folder whose source is still there; what it asks for, if it is current."""
    built = [path for path in sorted(build.rglob("*.dir/**/*")) if path.suffix in (".o", ".obj")]
    headers = max(
        (path.stat().st_mtime for folder in ("include", "kernel") for path in (root / folder).rglob("*.h")), default=0.0
    )
    known = {str(path): name for path in built if (root / (name := source_of(path, build))).exists()}
    if not known:
        return
    done = subprocess.run(["nm", "-A", "-P", *known], capture_output=True, text=True, check=False)
    defined: dict[str, set[str]] = {path: set() for path in known}
    wanted: dict[str, set[str]] = {path: set() for path in known}
    for line in done.stdout.splitlines():
        path, _, rest = line.partition(": ")
        fields = rest.split()
        if path in known and len(fields) >= 2:
            symbol, kind = fields[0], fields[1]
            if kind in "Uwv":
                wanted[path].add(symbol)
            elif kind.isupper():
                defined[path].add(symbol)
    for path, name in known.items():
        asked = wanted[path] if is_current(Path(path), root / name, headers) else ()
        yield Symbols(name, frozenset(defined[path]), frozenset(asked))


def check_objects(objects: Sequence[Symbols], by_name: dict[str, Source]) -> Iterator[Violation]:
    """Whose symbols each object asks for."""
    owners: dict[str, set[str]] = {}
    for one in objects:
        for symbol in one.defined:
            owners.setdefault(symbol, set()).add(one.source)
    asked = {
        (one.source, symbol)
        for one in objects
        for symbol in one.wanted
        if not symbol.startswith(LAYOUT) and symbol not in TRACE
    }
    for name, symbol in sorted(asked):
        source = by_name.get(name)
        theirs = owners.get(symbol, set()) - {name}
        if source is None or not theirs:
            continue
        family = re.split(r"[_.]", Path(name).name)[0]
        allowed = [pattern.format(family=family) for pattern in source.rule.symbols]
        because = f" ({source.rule.why})" if source.rule.why else ""
        if not matches(symbol, allowed) and not any(matches(owner, allowed) for owner in theirs):
            owner = ", ".join(sorted(theirs)[:3])
            yield Violation(name, source.line_of(symbol), f"uses {symbol} of {owner}{because}")
        elif source.rule.never == PRIVATE and re.fullmatch(PRIVATE, symbol):
            if symbol in INLINED and INLINING in source.path.read_text(encoding="utf-8", errors="replace"):
                continue
            yield Violation(name, source.line_of(symbol), f"uses the kernel's private {symbol}{because}")


def check(root: Path, builds: Sequence[Path] | None = None) -> Findings:
    """Everything. `builds` are build folders; None: those below build/."""
    found = Findings()
    objects = object_types(root)
    by_name = {source.name: source for source in sources(root)}
    for source in by_name.values():
        found.files += 1
        found.violations += check_source(source, objects)
        lines = source.path.read_text(encoding="utf-8", errors="replace").count("\n")
        if lines > LONG:
            found.notes.append(f"{source.name}: {lines} lines")
    if builds is None:
        builds = sorted(path.parent for path in (root / "build").glob("*/CMakeCache.txt"))
    for build in builds:
        symbols = list(read_symbols(build, root))
        found.objects += len(symbols)
        found.violations += check_objects(symbols, by_name)
    found.violations = sorted(set(found.violations), key=lambda one: (one.file, one.line, one.text))
    if not found.objects:
        found.notes.append("no objects found: symbols were not checked; ./attacca build makes some")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Status 0: nothing found; 1: violations, one a line; 2: wrong usage."""
    parser = argparse.ArgumentParser(
        description="Check what may depend on what: includes and names in the sources, symbols in built objects.",
        epilog="Example: verify/layers.py build/uno build/host",
    )
    parser.add_argument("builds", nargs="*", type=Path, metavar="BUILD", help="build folder (default: all of build/)")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1], help="the tree to check")
    options = parser.parse_args(arguments)
    for build in options.builds:
        if not build.is_dir():
            parser.error(f"no folder {build}")
    found = check(options.root.resolve(), [build.resolve() for build in options.builds] or None)
    for violation in found.violations:
        print(violation)
    for note in found.notes:
        print(f"note: {note}", file=sys.stderr)
    print(f"{found.files} files, {found.objects} objects, {len(found.violations)} violations", file=sys.stderr)
    return 1 if found.violations else 0


if __name__ == "__main__":
    sys.exit(main())
