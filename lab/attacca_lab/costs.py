"""What each stage of ./attacca test costs: time on the clock, and processor time with that of all it started.

The last run's is kept in the cache, for `--list`. What a machine has not run is listed as published: data/costs.json,
written by a run with --publish.
"""

from __future__ import annotations

import contextlib
import json
import resource
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from attacca_lab import prepare
from attacca_lab.output import write_atomic

PUBLISHED = Path(__file__).parent / "data" / "costs.json"
MINUTE = "%Y-%m-%d %H:%M"


@dataclass
class Cost:
    """One stage's seconds; when it ended, and what it then said."""

    wall: float = 0.0
    processor: float = 0.0
    when: str = ""
    result: str = ""

    @property
    def text(self) -> str:
        return f"{self.wall:6.1f} s {self.processor:6.1f} s"


def _processor() -> float:
    used = [resource.getrusage(which) for which in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


@contextlib.contextmanager
def measured() -> Iterator[Cost]:
    """The cost of the block, when it has ended."""
    cost = Cost()
    wall, processor = time.monotonic(), _processor()
    try:
        yield cost
    finally:
        cost.wall, cost.processor = time.monotonic() - wall, _processor() - processor
        cost.when = time.strftime(MINUTE)


def _kept() -> Path:
    return prepare.cache() / "costs.json"


def _read(path: Path) -> dict[str, Cost]:
    try:
        return {name: Cost(**facts) for name, facts in json.loads(path.read_text(encoding="utf-8")).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _write(path: Path, costs: dict[str, Cost]) -> None:
    rounded = {
        name: asdict(one) | {"wall": round(one.wall, 1), "processor": round(one.processor, 1)}
        for name, one in costs.items()
    }
    write_atomic(path, json.dumps(rounded, indent=1) + "\n")


def keep(costs: dict[str, Cost]) -> None:
    """Beside what is known of other stages; a cache that cannot be written is no failure."""
    with contextlib.suppress(OSError):
        _write(_kept(), _read(_kept()) | costs)


def publish(costs: dict[str, Cost]) -> None:
    """For machines that have not run them. What was not run costs what it did."""
    _write(PUBLISHED, _read(PUBLISHED) | costs)


def known(name: str) -> tuple[Cost, str] | None:
    """A stage's cost, and whose it is; none if it has not been run."""
    here = _read(_kept()).get(name)
    if here:
        return here, f"here, {here.when}"
    there = _read(PUBLISHED).get(name)
    return (there, f"published, {there.when}") if there else None
