"""What may come of a scenario of test/kernel/inject, and what came of it.

References are made by the scenario itself with its handlers raised by software: at the call's ends, then in between,
then, of two handlers, at every two lock points of the host's kernel, the only one with so few places that all can be
tried. They are asked for one after the other, only until an outcome that looks for its like has found it: with two
handlers there are hundreds.
"""

from __future__ import annotations

import dataclasses
import difflib
import fnmatch
import itertools
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from attacca_lab.errors import UserError
from attacca_lab.inject_targets import NO_KIND, Image, Outcome, Question, Sample, Target

KINDS = ("known", "foreign", "nested")  # in the order of inject.h
KNOWN, FOREIGN, NESTED = range(3)
OUTSIDE, BEFORE, BLOCKED, AFTER, FIRST, WITHIN, LATER_FIRST, LATER_WITHIN, EVENT = range(9)
MOMENTS = ["outside", "before", "blocked", "after", "under its lock, first", "before the switch"]
MOMENTS += ["under the later one's lock, first", "before the later one's switch"]
EVENTS = 20  # at most: threads that begin, tokens and snapshots
FURTHER = 3  # events that one handler makes for another
ENDS, BETWEEN, LOCK_POINTS = range(3)  # levels of references
AT_ENDS = (BEFORE, BLOCKED, AFTER)
BRIEF, WAITING, HOT = 29, 30, 31  # bits of a situation, inject.h says what they mean
FLAGS = {BRIEF, WAITING, HOT}
POINTS = 60  # lock points from one handler to the other, at most
CLOSE = 5  # references that are shown beside a wrong outcome


@dataclass(frozen=True)
class Case:
    """One program to run: a scenario, on one target, with one kind of handler, or with two handlers."""

    target: str
    topic: str
    situation: int
    actions: tuple[int, ...]
    kinds: tuple[int, ...]
    sample: Sample | None = None


@dataclass(frozen=True)
class Also:
    """Runs of an image that are right beyond the references: "situation action outcome", patterns as of files."""

    image: str
    reason: str
    runs: tuple[str, ...]


@dataclass
class Verdict:
    """What came of one case."""

    case: Case
    runs: int = 0
    both: int = 0  # of those, with two handlers
    places: set[str] = field(default_factory=set)
    indexes: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    excused: Counter[str] = field(default_factory=Counter)
    between: int = 0  # how many came neither before nor after nor to a waiter
    at_points: int = 0  # how many had their like only at two lock points of the host


class References:
    """Outcome to moment: what may come of a scenario. They are asked for when one is looked for in vain."""

    def __init__(self, told: Iterator[tuple[str, str]]) -> None:
        self.known: dict[str, str] = {}
        self._told = told
        self._lock = threading.Lock()

    def have(self, text: str) -> bool:
        """Is it one of them?"""
        with self._lock:
            while text not in self.known:
                outcome, moment = next(self._told, (None, ""))
                if outcome is None:
                    return False
                self.known.setdefault(outcome, moment)
            return True

    def all(self) -> dict[str, str]:
        """Every one."""
        self.have("")  # which no outcome is
        return self.known


class Judge:
    """Knows what may come of a scenario."""

    def __init__(self, targets: dict[str, Target], images: dict[str, Image], also: Sequence[Also]) -> None:
        self.targets = targets
        self.images = images
        self._also = also
        self._references: dict[tuple[str, str, int, tuple[int, ...], tuple[int, ...], int], References] = {}
        self._asked: dict[tuple[str, str, Question], str] = {}

    def name(self, case: Case) -> str:
        """As troubles call it: uno/sem give-urgent, known: reset-0."""
        image = self.images[case.topic]
        doing = ", ".join(f"{KINDS[k]}: {image.actions[a]}" for k, a in zip(case.kinds, case.actions, strict=True))
        at = "" if case.sample is None else f", seed {case.sample.seed}"
        return f"{case.target}/{case.topic} {image.situations[case.situation][0]}, {doing}{at}"

    def situation(self, case: Case) -> str:
        """Its situation's name."""
        return self.images[case.topic].situations[case.situation][0]

    def references(self, case: Case, level: int) -> References:
        """What may come of it. A moment that does not exist (no thread blocks) is left out."""
        kinds = case.kinds if level == LOCK_POINTS else ()
        key = (case.target, case.topic, case.situation, case.actions, kinds, level)
        if key not in self._references:
            if level == LOCK_POINTS:
                told = self._at_points(case)
            else:
                moments = AT_ENDS if level == ENDS else self._moments(case)
                told = self._told(case, itertools.product(moments, repeat=len(case.actions)))
            self._references.setdefault(key, References(told))
        return self._references[key]

    def _moments(self, case: Case) -> Sequence[int]:
        """All moments of a scenario, for one handler or each of two: there are as many events as come."""
        bits = self.images[case.topic].situations[case.situation][1]
        under_lock = () if WAITING in bits else (FIRST, WITHIN)
        fixed = (*AT_ENDS, *under_lock, LATER_FIRST, LATER_WITHIN)
        single = [dataclasses.replace(case, actions=(action,), kinds=case.kinds[:1]) for action in case.actions]
        moments = [moment for moment in fixed if any(self._ask(one, (moment,), 0) for one in single)]
        last = EVENT
        while last < EVENT + EVENTS and any(self._ask(one, (last + 1,), 0) for one in single):
            last += 1
        if len(single) == 2:
            last += FURTHER
        return (*moments, *range(EVENT + 1, last + 1))

    def _at_points(self, case: Case) -> Iterator[tuple[str, str]]:
        """Two handlers at lock points of the host: the first at each, the second so many later, in either order."""
        turned = dataclasses.replace(case, actions=case.actions[::-1], kinds=case.kinds[::-1])
        host = self.targets.get("host")
        for after in range(POINTS) if host else ():
            both = 0
            for one in (case, turned):
                question = _question(one, (OUTSIDE,) * 2, 0)
                for run in host.fork(case.topic, question, Sample(0, 1, after)) if host else ():
                    text, _, results = run.text.rpartition(";")
                    if run.status == 0 and results.isdigit():
                        both += 1
                        yield f"{text};{results if one is case else results[::-1]}", f"at {run.place}, {after} apart"
            if both == 0:
                return

    def _told(self, case: Case, whens: Iterator[tuple[int, ...]]) -> Iterator[tuple[str, str]]:
        """Outcome and moment of those that exist."""
        for when in whens:
            for second_first in (0, 1) if len(when) == 2 and when[0] == when[1] else (0,):
                text = self._ask(case, when, second_first)
                if text:
                    yield text, ", ".join(_moment(moment) for moment in when)

    def _ask(self, case: Case, when: Sequence[int], second_first: int) -> str:
        """The outcome with the handlers raised then by software; none where a moment does not exist."""
        question = _question(case, when, second_first)
        key = (case.target, case.topic, question)
        if key not in self._asked:
            outcome = self.targets[case.target].ask(case.topic, question)
            if outcome.status:
                moments = ", ".join(_moment(moment) for moment in when)
                raise UserError(f"{self.name(case)}: {moments}, by software: {outcome.status}, {outcome.text}")
            done = "-" not in outcome.text.rpartition(";")[2][: len(case.actions)]
            self._asked[key] = outcome.text if done else ""
        return self._asked[key]

    def told(self) -> Iterator[tuple[str, str, int, tuple[int, ...], set[str]]]:
        """Scenarios whose references at the call's ends were asked for: target, topic, situation, actions, they."""
        for (target, topic, situation, actions, _, level), references in self._references.items():
            if level == ENDS:
                yield target, topic, situation, actions, set(references.all())

    def excuse(self, case: Case, text: str) -> str | None:
        """Why an outcome that is no reference is right all the same."""
        image = self.images[case.topic]
        doing = "+".join(image.actions[action] for action in case.actions)
        run = f"{image.situations[case.situation][0]} {doing} {text}"
        for entry in self._also:
            if entry.image == case.topic and any(fnmatch.fnmatchcase(run, pattern) for pattern in entry.runs):
                return entry.reason
        return None

    def needs_reason(self, topic: str, situation: str, action: str) -> bool:
        """Is some outcome of a scenario right for a reason alone?"""
        runs = (run for entry in self._also if entry.image == topic for run in entry.runs)
        return any(fnmatch.fnmatchcase(f"{situation} {action}", run.rpartition(" ")[0]) for run in runs)

    def try_case(self, case: Case) -> Verdict:
        """Run it everywhere."""
        verdict = Verdict(case)
        try:
            question = _question(case, (OUTSIDE,) * len(case.actions), 0)
            runs = self.targets[case.target].fork(case.topic, question, case.sample)
            for run in runs:
                self._judge(verdict, run)
        except (UserError, subprocess.TimeoutExpired) as error:
            verdict.wrong.append(f"{self.name(case)}: {error}")
            return verdict
        # On the host a call may have no lock point; of a share of places none may be left.
        if not runs and case.target != "host" and case.sample is None:
            verdict.wrong.append(f"{self.name(case)}: {len(runs)} runs forked")
        return verdict

    def _judge(self, verdict: Verdict, run: Outcome) -> None:
        case = verdict.case
        if len(case.actions) == 2 and run.text.endswith("-"):  # the window was over before the second handler's place
            case = dataclasses.replace(case, actions=case.actions[:1], kinds=case.kinds[:1])
        verdict.runs += 1
        verdict.both += len(case.actions) == 2
        verdict.places.add(run.place)
        verdict.indexes.append(run.index)
        if run.status == 0 and self._is_right(verdict, case, run.text):
            return
        right = list(self.references(case, BETWEEN).all())
        close = ", ".join(difflib.get_close_matches(run.text, right, CLOSE, 0))
        end = f"status {run.status}, " if run.status else ""
        where = f"{self.name(case)}: at {run.place} (index {run.index})"
        verdict.wrong.append(f"{where}: {end}{run.text or 'no outcome'} is none of {len(right)}: {close}")

    def _is_right(self, verdict: Verdict, case: Case, text: str) -> bool:
        for level in (ENDS, BETWEEN):
            if self.references(case, level).have(text):
                verdict.between += level == BETWEEN
                return True
        reason = self.excuse(case, text)
        if reason:
            verdict.excused[reason] += 1
            return True
        if len(case.actions) == 2 and self.references(case, LOCK_POINTS).have(text):
            verdict.at_points += 1
            return True
        return False


def _moment(moment: int) -> str:
    return MOMENTS[moment] if moment < EVENT else f"event {moment - EVENT}"


def _question(case: Case, when: Sequence[int], second_first: int) -> Question:
    actions, kinds, moments = (*case.actions, 0), (*case.kinds, NO_KIND), (*when, OUTSIDE)
    return (case.situation, *actions[:2], *kinds[:2], *moments[:2], second_first)  # type: ignore[return-value]
