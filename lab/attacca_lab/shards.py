"""The long campaign in parts: `./attacca test --exhaustive --shard 2/3` on one machine, the others elsewhere.

A shard's report is a file; `--merge` adds up the reports of all, and fails when one is missing, comes twice, is of
another tree or of another division.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attacca_lab.errors import USAGE, UserError
from attacca_lab.output import write_atomic
from attacca_lab.prepare import ROOT
from attacca_lab.tap import Tally

FORMAT = 1
CODE = ["CMakeLists.txt", "CMakePresets.json", "cmake", "include", "kernel", "dynamic", "port", "board"]
READ = [*CODE, "instrument", "test/kernel", "test/port", "lab/attacca_lab"]
ADDED = ("scenarios", "pairs", "runs", "both", "between", "at_points")
Report = dict[str, Any]


@dataclass(frozen=True)
class Shard:
    """One of so many parts, from 1 on."""

    number: int
    of: int

    @staticmethod
    def read(text: str) -> Shard:
        """From "2/3"; a UserError for anything else."""
        number, slash, of = text.partition("/")
        if slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of) <= 10_000:
            return Shard(int(number), int(of))
        raise UserError(f"--shard {text}: 2/3 is the second of three", status=USAGE)

    def has(self, name: str) -> bool:
        """Whether something of that name is in it: in exactly one of all."""
        return zlib.crc32(name.encode()) % self.of == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


WHOLE = Shard(1, 1)


def tree() -> str:
    """A hash of all that the outcome depends on."""
    return digest(READ)


def digest(names: Sequence[str]) -> str:
    """A hash of files and folders of the tree, names and contents."""
    found = hashlib.sha256()
    for name in names:
        path = ROOT / name
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                found.update(f"{file.relative_to(ROOT)}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()[:16]


def run(shard: Shard, topics: Sequence[str], path: Path) -> Tally:
    """Try a shard exhaustively and write its report."""
    from attacca_lab import inject

    before = tree()
    tally, report = inject.try_shard(True, topics, shard)
    write(path, shard, topics, before, tally, report)
    tally.notes += [*inject.notes(report), f"shard {shard}: {path}"]
    return tally


def write(path: Path, shard: Shard, topics: Sequence[str], of: str, tally: Tally, report: Report) -> None:
    facts = {
        "format": FORMAT,
        "shard": [shard.number, shard.of],
        "topics": sorted(topics),
        "tree": of,
        "passed": tally.passed,
        "failed": tally.failed,
        "troubles": tally.troubles,
        "report": report,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(facts, indent=1) + "\n")


def _load(path: Path) -> Report:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except ValueError:
        facts = None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise UserError(f"{path} is no report of a shard")
    return facts


def merge(paths: Sequence[Path]) -> Tally:
    """The sum of all shards' reports; a UserError unless each is there once."""
    from attacca_lab import inject

    reports = [(path, _load(path)) for path in paths]
    _, first = reports[0]
    seen: dict[int, Path] = {}
    for path, facts in reports:
        for what, name in (("tree", "tree"), ("topics", "choice of topics")):
            if facts[what] != first[what]:
                raise UserError(f"{path} is of another {name} than {paths[0]}")
        number, of = facts["shard"]
        if of != first["shard"][1]:
            raise UserError(f"{path} is shard {number}/{of}, {paths[0]} is one of {first['shard'][1]}")
        if number in seen:
            raise UserError(f"{path} and {seen[number]} are both shard {number}/{of}")
        seen[number] = path
    of = first["shard"][1]
    missing = [f"{number}/{of}" for number in range(1, of + 1) if number not in seen]
    if missing:
        raise UserError(f"missing: shard {', '.join(missing)}")
    tally = Tally()
    for _, facts in reports:
        tally += Tally(facts["passed"], facts["failed"], 0, facts["troubles"])
    tally.notes += inject.notes(_sum([facts["report"] for _, facts in reports]))
    return tally


def _sum(reports: Sequence[Report]) -> Report:
    targets: dict[str, Counter[str]] = {}
    places: dict[str, set[str]] = {}
    for report in reports:
        for target, figures in report["targets"].items():
            targets.setdefault(target, Counter()).update({key: figures[key] for key in ADDED})
            places.setdefault(target, set()).update(report["places"][target])
    return {
        "scenarios": sum(report["scenarios"] for report in reports),
        "runs": sum(report["runs"] for report in reports),
        "targets": {
            target: {**{key: counts[key] for key in ADDED}, "points": len(places[target])}
            for target, counts in targets.items()
        },
    }
