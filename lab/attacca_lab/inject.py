"""An interrupt at every instruction: runs the images of test/kernel/inject and judges what came of each run.

A scenario is a situation of an image and an action of its handler. The original run, without the handler, is forked at
every instruction between the call's beginning and its return, and the handler comes there; on the host at every lock
point. The oracle is the scenario itself, run three times more with the handler raised by software: before the call, as
soon as the caller waits, after the call. A run that came to none of these outcomes is asked about once more, for a
handler has other places than the call's two ends: the call has made its change but not its switch, the handler's own
switch has to wait for the call (both are the action and the call under one lock), or a thread that the call lets run
has just begun or said its token. What is right beyond that stands in also.toml, with a reason; anything else is wrong.
With two handlers, every order of the two and the call is a reference.

The outcome is the image's own text (test/kernel/inject/inject.h); nothing here knows what a semaphore is.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import itertools
import json
import os
import random
import subprocess
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from attacca_lab import build
from attacca_lab.errors import UserError
from attacca_lab.inject_targets import NO_KIND, Host, Image, Outcome, Question, Simulated, Target
from attacca_lab.prepare import ROOT
from attacca_lab.tap import Tally

KINDS = ("known", "foreign", "nested")  # in the order of inject.h
KNOWN, FOREIGN, NESTED = range(3)
OUTSIDE, BEFORE, BLOCKED, AFTER, FIRST, WITHIN, LATER_FIRST, LATER_WITHIN, EVENT = range(9)
MOMENTS = ["outside", "before", "blocked", "after", "under its lock, first", "before the switch"]
MOMENTS += ["under the later one's lock, first", "before the later one's switch"]
EVENTS = 20  # at most: threads that begin, tokens and snapshots
AT_ENDS = (BEFORE, BLOCKED, AFTER)
BRIEF, WAITING, HOT = 29, 30, 31  # bits of a situation, inject.h says what they mean
FLAGS = {BRIEF, WAITING, HOT}
SEED = 1
SHARES = {"uno": 0.2, "uno-c": 0.08, "host": 0.25}  # of all scenarios, in the short run
HOT_SHARES = {"uno": 1.0, "uno-c": 0.2, "host": 1.0}
FOLDER = ROOT / "test" / "kernel" / "inject"
REPORT = build.BUILD / "test" / "inject.json"


@dataclass(frozen=True)
class Case:
    """One program to run: a scenario, on one target, with one kind of handler, or with two handlers."""

    target: str
    topic: str
    situation: int
    actions: tuple[int, ...]
    kinds: tuple[int, ...]
    second_at: int | None = None


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
    places: set[str] = field(default_factory=set)
    indexes: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    excused: Counter[str] = field(default_factory=Counter)
    between: int = 0  # how many came neither before nor after nor to one who waited


# --- one case ----------------------------------------------------------------------------------------------------


class Judge:
    """Knows what may come of a scenario."""

    def __init__(self, targets: dict[str, Target], images: dict[str, Image], also: Sequence[Also]) -> None:
        self.targets = targets
        self.images = images
        self._also = also
        self._references: dict[tuple[str, str, int, tuple[int, ...], bool], dict[str, str]] = {}

    def name(self, case: Case) -> str:
        """As troubles call it: uno/sem give-urgent, known: reset-0."""
        image = self.images[case.topic]
        doing = ", ".join(f"{KINDS[k]}: {image.actions[a]}" for k, a in zip(case.kinds, case.actions, strict=True))
        at = "" if case.second_at is None else f" at {case.second_at}"
        return f"{case.target}/{case.topic} {image.situations[case.situation][0]}, {doing}{at}"

    def references(self, case: Case, between: bool) -> dict[str, str]:
        """Outcome to moment: what may come of it. A moment that does not exist (nobody blocks) is left out."""
        key = (case.target, case.topic, case.situation, case.actions, between)
        if key not in self._references:
            moments = self._between(case) if between else AT_ENDS
            self._references[key] = {text: name for text, name in self._ask(case, moments) if text}
        return self._references[key]

    def _between(self, case: Case) -> Sequence[int]:
        """The further moments of a scenario; which of them there are, one handler's runs tell."""
        bits = self.images[case.topic].situations[case.situation][1]
        under_lock = () if WAITING in bits else (FIRST, WITHIN)
        one = dataclasses.replace(case, actions=case.actions[:1], kinds=case.kinds[:1])
        moments = (*under_lock, LATER_FIRST, LATER_WITHIN, *(EVENT + n for n in range(1, EVENTS)))
        texts = [text for text, _ in self._ask(one, moments)]
        return (*AT_ENDS, *(moment for moment, text in zip(moments, texts, strict=True) if text))

    def _ask(self, case: Case, moments: Sequence[int]) -> Iterator[tuple[str, str]]:
        """Outcome and moment; no outcome where that moment does not exist."""
        for when in itertools.product(moments, repeat=len(case.actions)):
            for second_first in (0, 1) if len(when) == 2 and when[0] == when[1] else (0,):
                question = _question(case, when, second_first)
                outcome = self.targets[case.target].ask(case.topic, question)
                name = ", ".join(_moment(moment) for moment in when)
                if outcome.status:
                    raise UserError(f"{self.name(case)}: {name}, by software: {outcome.status}, {outcome.text}")
                done = "-" not in outcome.text.rpartition(";")[2][: len(case.actions)]
                yield outcome.text if done else "", name

    def told(self) -> Iterator[tuple[str, str, int, tuple[int, ...], bool, set[str]]]:
        """Every reference that was asked for: target, topic, situation, actions, between, outcomes."""
        for key, references in self._references.items():
            yield *key, set(references)

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
            runs = self.targets[case.target].fork(case.topic, question, case.second_at)
            for run in runs:
                self._judge(verdict, run)
        except (UserError, subprocess.TimeoutExpired) as error:
            verdict.wrong.append(f"{self.name(case)}: {error}")
            return verdict
        if not runs and case.target != "host":  # where a call may have no lock point
            verdict.wrong.append(f"{self.name(case)}: {len(runs)} runs forked")
        return verdict

    def _judge(self, verdict: Verdict, run: Outcome) -> None:
        case = verdict.case
        if len(case.actions) == 2 and run.text.endswith("-"):  # the window was over before the second handler's place
            case = dataclasses.replace(case, actions=case.actions[:1], kinds=case.kinds[:1])
        verdict.runs += 1
        verdict.places.add(run.place)
        verdict.indexes.append(run.index)
        right: dict[str, str] = {}
        for between in (False, True) if run.status == 0 else (True,):
            right = self.references(case, between)
            if run.status == 0 and run.text in right:
                verdict.between += between
                return
        reason = None if run.status else self.excuse(case, run.text)
        if reason:
            verdict.excused[reason] += 1
            return
        may = ", ".join(f"{text} ({moment})" for text, moment in right.items())
        end = f"status {run.status}, " if run.status else ""
        where = f"{self.name(case)}: at {run.place} (index {run.index})"
        verdict.wrong.append(f"{where}: {end}{run.text or 'no outcome'} is none of {may}")


def _moment(moment: int) -> str:
    return MOMENTS[moment] if moment < EVENT else f"event {moment - EVENT}"


def _question(case: Case, when: Sequence[int], second_first: int) -> Question:
    actions, kinds, moments = (*case.actions, 0), (*case.kinds, NO_KIND), (*when, OUTSIDE)
    return (case.situation, *actions[:2], *kinds[:2], *moments[:2], second_first)  # type: ignore[return-value]


# --- all cases ---------------------------------------------------------------------------------------------------


def _kinds(scenario: str, target: str, hot: bool, exhaustive: bool) -> Sequence[int]:
    """With which kinds of handler a scenario is tried on a target; seeded shares, the same in every run."""
    chance = random.Random(f"{SEED} {scenario} {target}")
    every = tuple(range(len(KINDS)))
    kinds: tuple[int, ...] = (chance.choice(every),)
    if not exhaustive:
        share = HOT_SHARES[target] if hot else SHARES[target]
    elif target == "uno-c":
        share = 1.0 if hot else 0.5
    else:
        share = 1.0
        kinds = every if hot or target == "host" else (FOREIGN, chance.choice((KNOWN, NESTED)))
    return kinds if chance.random() < share else ()


def _singles(judge: Judge, exhaustive: bool) -> Iterator[Case]:
    """Every scenario, or, in the short run, a share of them; hot ones first."""
    scenarios = [
        (HOT in bits, topic, situation, action)
        for topic, image in judge.images.items()
        for situation, (_, bits) in enumerate(image.situations)
        for action in sorted(bits - FLAGS)
    ]
    for hot, topic, situation, action in sorted(scenarios, reverse=True):
        image = judge.images[topic]
        name = f"{topic} {image.situations[situation][0]} {image.actions[action]}"
        for target in judge.targets:
            for kind in _kinds(name, target, hot, exhaustive):
                yield Case(target, topic, situation, (action,), (kind,))


def _pairs(judge: Judge, singles: list[Verdict], exhaustive: bool) -> Iterator[Case]:
    """Two handlers: seeded samples of the two actions, their kinds, and the second one's place. Actions that one
    handler alone needed a reason for are left out: what may come of two of them would need many."""
    windows = {(v.case.target, v.case.topic, v.case.situation): v.indexes for v in singles if v.indexes}
    for topic, image in judge.images.items():
        for situation, (name, bits) in enumerate(image.situations):
            chance = random.Random(f"{SEED} {topic} {name}")
            hot = HOT in bits
            actions = [a for a in sorted(bits - FLAGS) if not judge.needs_reason(topic, name, image.actions[a])]
            if not actions or not (hot or exhaustive):
                continue
            for target in judge.targets:
                indexes = windows.get((target, topic, situation), [])
                rounds = (3 if hot else target != "uno-c") if exhaustive else target == "uno"
                for _ in range(rounds if indexes else 0):
                    pair = (chance.choice(actions), chance.choice(actions))
                    first, second = chance.sample(range(len(KINDS)), 2)
                    for at in chance.choices(indexes, k=2 if exhaustive else 1):
                        yield Case(target, topic, situation, pair, (first, second), at)


def _try_all(judge: Judge, cases: Iterable[Case]) -> list[Verdict]:
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(judge.try_case, cases))


def _disagreements(judge: Judge) -> Iterator[str]:
    """Targets must agree on what may come of a scenario: each is a kernel of its own."""
    told: dict[tuple[str, int, tuple[int, ...]], dict[str, set[str]]] = {}
    for target, topic, situation, actions, between, outcomes in judge.told():
        if not between and BRIEF not in judge.images[topic].situations[situation][1]:
            told.setdefault((topic, situation, actions), {})[target] = outcomes
    for (topic, situation, actions), by_target in told.items():
        (first, theirs), *others = by_target.items()
        for other, outcomes in others:
            if outcomes != theirs:
                case = Case(f"{first} and {other}", topic, situation, actions, tuple(range(len(actions))))
                yield f"{judge.name(case)}: {sorted(theirs)} and {sorted(outcomes)}"


def open_targets() -> dict[str, Target]:
    """The images of each preset, built where no folder of builds is given (as in test/kernel/conftest.py)."""
    given = os.environ.get("ATTACCA_TEST_BUILDS")

    def folder(preset: str) -> Path:
        place = Path(given) / preset if given else build.build(preset, ["kernel-suite"]).directory
        return place / "firmware"

    instrument = Path(os.environ.get("ATTACCA_AVR") or build.instrument("avr"))
    simulated: list[Target] = [Simulated(preset, folder(preset), instrument) for preset in ("uno", "uno-c")]
    return {target.preset: target for target in [*simulated, Host("host", folder("host"))]}


def open_judge(targets: dict[str, Target], topics: Sequence[str] = ()) -> Judge:
    """A judge of these images, or of some of them."""
    first = next(iter(targets.values()))
    images = {topic: first.survey(topic) for topic in first.elfs if not topics or topic in topics}
    file = FOLDER / "also.toml"
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["also"]
    also = [Also(entry["image"], entry["reason"], tuple(entry["runs"])) for entry in entries]
    return Judge(targets, images, also)


def run(exhaustive: bool, topics: Sequence[str] = ()) -> Tally:
    """All of it; a passed test is a case, all of whose runs had an outcome that may be."""
    begun = time.monotonic()
    judge = open_judge(open_targets(), topics)
    verdicts = _try_all(judge, _singles(judge, exhaustive))
    verdicts += _try_all(judge, _pairs(judge, verdicts, exhaustive))
    tally = Tally()
    for verdict in verdicts:
        if not verdict.wrong:
            tally.passed += 1
        else:
            more = len(verdict.wrong) - 2
            tally.fail("\n".join(verdict.wrong[:2] + ([f"  and {more} runs more"] if more > 0 else [])))
    for text in _disagreements(judge):
        tally.fail(f"outcomes differ: {text}")
    report = _report(judge, verdicts, time.monotonic() - begun)
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    tally.notes += _notes(report)
    return tally


def _report(judge: Judge, verdicts: list[Verdict], seconds: float) -> dict[str, object]:
    """What was tried, for build/test/inject.json."""
    targets: dict[str, dict[str, int]] = {}
    for target in judge.targets:
        of_it = [verdict for verdict in verdicts if verdict.case.target == target]
        places = set().union(*(verdict.places for verdict in of_it)) if of_it else set()
        targets[target] = {
            "scenarios": len({(v.case.topic, v.case.situation, v.case.actions) for v in of_it}),
            "pairs": sum(v.case.second_at is not None for v in of_it),
            "runs": sum(v.runs for v in of_it),
            "between": sum(v.between for v in of_it),
            "points": len(places),
        }
    excused: Counter[str] = Counter()
    for verdict in verdicts:
        excused += verdict.excused
    return {
        "scenarios": len(
            {(v.case.topic, v.case.situation, v.case.actions) for v in verdicts if v.case.second_at is None}
        ),
        "runs": sum(v.runs for v in verdicts),
        "seconds": round(seconds, 1),
        "targets": targets,
        "excused": dict(excused),
    }


def _notes(report: dict[str, object]) -> list[str]:
    targets = report["targets"]
    assert isinstance(targets, dict)
    lines = [f"{report['scenarios']} scenarios, {report['runs']} runs"]
    for target, figures in targets.items():
        kind = "lock points" if target == "host" else "program points at which an interrupt was taken"
        lines.append(
            f"{target}: {figures['runs']} runs, {figures['pairs']} with two handlers; {figures['points']} {kind}"
        )
    return lines
