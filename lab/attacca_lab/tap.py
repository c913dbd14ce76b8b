"""Reads TAP, the text in which the kernel's tests tell their results, from any board."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_POINT = re.compile(r"(not )?ok\b\s*(\d+)?\s*(?:-\s*)?([^#]*)(?:#\s*(\w+)\s*(.*))?")
_PLAN = re.compile(r"1\.\.(\d+)\s*(?:#\s*(.*))?$")


@dataclass
class Tally:
    """How many passed, failed and were skipped.

    `troubles` is what to show of the failed ones, `programs` a line for each program that was run,
    `notes` what else is worth a line, `reasons` why something was skipped, `since` when it passed if it was not tried.
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    troubles: list[str] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    since: str = ""

    def __iadd__(self, other: Tally) -> Tally:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.troubles += other.troubles
        self.programs += other.programs
        self.notes += other.notes
        self.reasons += other.reasons
        return self

    def fail(self, trouble: str) -> None:
        """Count one failure."""
        self.failed += 1
        self.troubles.append(trouble)

    def skip(self, name: str, reason: str | None) -> None:
        """Count one that was skipped."""
        self.skipped += 1
        self.reasons.append(f"{name}: {reason or 'gives no reason'}")

    @property
    def text(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"

    @property
    def brief(self) -> str:
        """The same in a line that has to be short: what is 0 is left out."""
        counts = ((self.passed, "passed"), (self.failed, "failed"), (self.skipped, "skipped"))
        return ", ".join(f"{count} {what}" for count, what in counts if count or what == "passed")


def read(text: str, name: str, status: int = 0) -> Tally:
    """The tally of one program's output. A run that ends early, badly or without a plan is a failure too."""
    tally = _read(text, name, status)
    tally.programs.append(f"{name}: {tally.text}")
    return tally


def _read(text: str, name: str, status: int) -> Tally:
    tally = Tally()
    planned: int | None = None
    seen = 0
    comments: list[str] = []
    for raw in text.splitlines():
        line = raw.rstrip("\r ")
        plan = _PLAN.match(line)
        if plan and planned is None:
            planned = int(plan[1])
            if planned == 0:
                tally.skip(name, plan[2])
            continue
        if line.startswith("Bail out!"):
            tally.fail(f"{name}: {line}")
            return tally
        point = _POINT.match(line)
        if not point:
            if line.startswith("#"):
                comments.append(line)
            continue
        seen += 1
        bad, number, title, directive, reason = point.groups()
        if number is not None and int(number) != seen:
            tally.fail(f"{name}: test {seen} is missing; the output goes on with {number}")
            seen = int(number)
        if (directive or "").upper() == "SKIP" or ((directive or "").upper() == "TODO" and bad):
            tally.skip(f"{name}: {seen} {title.strip()}", reason)
        else:
            _count(tally, name, bool(bad), f"{seen} {title.strip()}", comments)
        comments = []
    if planned is None:
        tally.fail(f"{name}: ended without a plan (status {status})" if seen else f"{name}: no tests in its output")
    elif seen != planned:
        tally.fail(f"{name}: {planned} tests planned, {seen} run (status {status})")
    elif status and not tally.failed:
        tally.fail(f"{name}: every test passed, but it ended with status {status}")
    return tally


def _count(tally: Tally, name: str, bad: bool, title: str, comments: list[str]) -> None:
    if bad:
        tally.fail("\n".join([f"{name}: not ok {title}", *(f"    {comment}" for comment in comments[-8:])]))
    else:
        tally.passed += 1
