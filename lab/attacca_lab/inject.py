"""An interrupt at every instruction: runs the images of test/kernel/inject and judges what came of each run.

A scenario is a situation of an image and an action of its handler. The original run, without the handler, is forked at
every instruction between the call's beginning and its return, and the handler comes there; on the host at every lock
point. The oracle is the scenario itself, run three times more with the handler raised by software: before the call, as
soon as the caller waits, after the call. A run that came to none of these outcomes is asked about once more, for a
handler has other places than the call's two ends: the call has made its change but not its switch, the handler's own
switch has to wait for the call (both are the action and the call under one lock), or a thread that the call lets run
has just begun or said its token. What is right beyond that stands in also.toml, with a reason; anything else is wrong.
With two handlers, every order of the two and the call is a reference, and what the host's kernel comes to at two of its
lock points.

The outcome is the image's own text (test/kernel/inject/inject.h); nothing here knows what a semaphore is.
"""

from __future__ import annotations

import dataclasses
import json
import os
import random
import re
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from attacca_lab import build, inject_share
from attacca_lab.boards import board
from attacca_lab.inject_judge import BRIEF, FLAGS, FOREIGN, HOT, KINDS, KNOWN, NESTED, Also, Case, Judge, Verdict
from attacca_lab.inject_targets import Host, Sample, Simulated, Target
from attacca_lab.prepare import ROOT
from attacca_lab.shards import WHOLE, Report, Shard
from attacca_lab.tap import Tally

# Boards, and what names their instrument's executable.
INSTRUMENTS = {"uno": "ATTACCA_AVR", "stm32f103": "ATTACCA_CORTEX_M"}
SEED = 1
# Of scenarios that are not hot, in the short run: each on one board. At how many instructions: inject_share.py.
HOST_SHARE = 0.25
# Pairs of handlers a situation; three times as many for a hot one.
PAIRS = {
    False: {"uno": 0.5, "stm32f103": 0.4},
    True: {"uno": 3.0, "stm32f103": 3.0},
}
OTHERS = 3  # one place in so many for the kinds of handler after the first, unless the situation is hot
PLACES = 12  # of the first, about
SOON = 120  # instructions: a short handler
LATE = 160  # instructions from what ends a wait to its time's being up
EXPIRE = "expire"  # the action by which it is
TIMED = "-long"  # how situations of waits end whose time does not run out by itself
FOLDER = ROOT / "test" / "kernel" / "inject"
REPORT = build.BUILD / "test" / "inject.json"


# --- the cases ---------------------------------------------------------------------------------------------------


def _kinds(scenario: str, target: str, hot: bool, exhaustive: bool) -> Sequence[int]:
    """With which kinds of handler a scenario is tried on a target; seeded, the same in every run."""
    chance = random.Random(f"{SEED} {scenario} {target}")
    every = tuple(range(len(KINDS)))
    if exhaustive:
        return every if hot or target == "host" else (FOREIGN, chance.choice((KNOWN, NESTED)))
    if target == "host":
        chosen = chance.random() < HOST_SHARE
    else:
        chosen = random.Random(f"{SEED} {scenario}").choice(tuple(INSTRUMENTS)) == target
    return (chance.choice(every),) if hot or chosen else ()


def _singles(judge: Judge, exhaustive: bool) -> list[Case]:
    """Every scenario; hot ones first."""
    scenarios = [
        (HOT in bits, topic, situation, action)
        for topic, image in judge.images.items()
        for situation, (_, bits) in enumerate(image.situations)
        for action in sorted(bits - FLAGS)
    ]
    cases = []
    for hot, topic, situation, action in sorted(scenarios, reverse=True):
        name = _name(judge, topic, situation, action)
        for target in judge.targets:
            for n, kind in enumerate(_kinds(name, target, hot, exhaustive)):
                seldom = n > 0 and not hot and target != "host"
                sample = Sample(_drawn(name), OTHERS) if seldom else None
                cases.append(Case(target, topic, situation, (action,), (kind,), sample))
    return cases if exhaustive else _within_budget(judge, cases)


def _name(judge: Judge, topic: str, situation: int, action: int) -> str:
    image = judge.images[topic]
    return f"{topic} {image.situations[situation][0]} {image.actions[action]}"


def _drawn(name: str) -> int:
    return random.Random(f"{SEED} {name}").randrange(1 << 16)


def _within_budget(judge: Judge, cases: list[Case]) -> list[Case]:
    """Of long windows a share of the instructions, so that all cases together make as many runs as the budget has."""
    table = inject_share.known()
    lengths = [table.get(case.target, {}).get(f"{case.topic} {judge.situation(case)}") for case in cases]
    limits = {
        target: inject_share.whole_up_to(
            [length for case, length in zip(cases, lengths, strict=True) if length and case.target == target], budget
        )
        for target, budget in inject_share.BUDGET.items()
    }
    found = []
    for case, length in zip(cases, lengths, strict=True):
        share = inject_share.one_in(length, limits[case.target]) if case.target in limits else 1
        name = _name(judge, case.topic, case.situation, case.actions[0])
        found.append(dataclasses.replace(case, sample=Sample(inject_share.drawn(name), share)) if share > 1 else case)
    return found


def _is_whole(verdict: Verdict) -> bool:
    """Did a handler come at every instruction?"""
    return bool(verdict.indexes) and verdict.case.target != "host" and verdict.case.sample is None


def _rounds(target: str, hot: bool, exhaustive: bool, chance: random.Random) -> int:
    """How many pairs of handlers a situation is tried with."""
    share = PAIRS[exhaustive][target] * (3 if hot else 1)
    return int(share) + (chance.random() < share % 1)


def _pairs(judge: Judge, singles: list[Verdict], exhaustive: bool) -> Iterator[Case]:
    """Two handlers: seeded samples of the two actions, their kinds, and both places. Half of the second ones come
    soon after the first, in its handler if that is nested. Actions that one handler alone needed a reason for are left
    out: what may come of two of them would need many."""
    windows = {(v.case.topic, v.case.situation): v for v in singles if v.indexes and v.case.target != "host"}
    windows |= {(v.case.topic, v.case.situation): v for v in singles if _is_whole(v)}
    for topic, image in judge.images.items():
        for situation, (name, bits) in enumerate(image.situations):
            actions = [a for a in sorted(bits - FLAGS) if not judge.needs_reason(topic, name, image.actions[a])]
            window = windows.get((topic, situation))
            for target in (one for one in PAIRS[exhaustive] if one in judge.targets and actions and window):
                assert window
                first_index, last_index = window.indexes[0], window.indexes[-1]
                places = len(window.indexes) * (window.case.sample.one_in if window.case.sample else 1)
                chance = random.Random(f"{SEED} {topic} {name} {target}")
                for _ in range(_rounds(target, HOT in bits, exhaustive, chance)):
                    pair = (chance.choice(actions), chance.choice(actions))
                    first, second = chance.sample(range(len(KINDS)), 2)
                    within = chance.choice((SOON, SOON + last_index - first_index))
                    sample = Sample(chance.randrange(1 << 16), max(1, places // PLACES), within)
                    yield Case(target, topic, situation, pair, (first, second), sample)


def _late(judge: Judge, exhaustive: bool) -> Iterator[Case]:
    """What ends a wait, at every instruction of it, and its time is up soon after.

    Of the moments at which one of the two must not see the other any more, samples of all pairs miss most.
    """
    for topic, image in judge.images.items():
        if EXPIRE not in image.actions:
            continue
        expire = image.actions.index(EXPIRE)
        for situation, (name, bits) in enumerate(image.situations):
            own = [
                a for a in sorted(bits - FLAGS) if a > expire and not judge.needs_reason(topic, name, image.actions[a])
            ]
            if not name.endswith(TIMED) or expire not in bits or not own:
                continue
            for target in (one for one in INSTRUMENTS if one in judge.targets):
                chance = random.Random(f"{SEED} late {topic} {name} {target}")
                for action in own if exhaustive else [chance.choice(own)]:
                    sample = Sample(chance.randrange(1 << 16), 1, LATE)
                    yield Case(target, topic, situation, (action, expire), (KNOWN, FOREIGN), sample)


def _try_all(judge: Judge, cases: Iterable[Case]) -> list[Verdict]:
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(judge.try_case, cases))


def _disagreements(judge: Judge) -> Iterator[str]:
    """Targets must agree on what may come of a scenario: each is a kernel of its own."""
    told: dict[tuple[str, int, tuple[int, ...]], dict[str, set[str]]] = {}
    for target, topic, situation, actions, outcomes in judge.told():
        if BRIEF not in judge.images[topic].situations[situation][1]:
            told.setdefault((topic, situation, actions), {})[target] = outcomes
    for (topic, situation, actions), by_target in told.items():
        (first, theirs), *others = by_target.items()
        for other, outcomes in others:
            if outcomes != theirs:
                case = Case(f"{first} and {other}", topic, situation, actions, tuple(range(len(actions))))
                yield f"{judge.name(case)}: {sorted(theirs)} and {sorted(outcomes)}"


def known_topics() -> list[str]:
    """The scenarios, as test/kernel builds them."""
    (listed,) = re.findall(r"foreach\(topic ([^)]*)\)", (FOLDER / "images.cmake").read_text(encoding="utf-8"))
    return sorted(listed.split())


def open_targets() -> dict[str, Target]:
    """The images of each preset, built where no folder of builds is given (as in test/kernel/conftest.py)."""
    given = os.environ.get("ATTACCA_TEST_BUILDS")

    def folder(preset: str) -> Path:
        place = Path(given) / preset if given else build.build(preset, ["kernel-scenarios"]).directory
        return place / "firmware"

    targets: list[Target] = []
    for name, variable in INSTRUMENTS.items():
        target = board(name)
        executable = Path(os.environ.get(variable) or build.instrument(target.instrument))
        targets.append(Simulated(name, folder(name), target, executable))
    return {target.preset: target for target in [*targets, Host("host", folder("host"))]}


def open_judge(targets: dict[str, Target], topics: Sequence[str] = ()) -> Judge:
    """A judge of these images, or of some of them."""
    first = next(iter(targets.values()))
    images = {topic: first.survey(topic) for topic in first.elfs if not topics or topic in topics}
    file = FOLDER / "also.toml"
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["also"]
    also = [Also(entry["image"], entry["reason"], tuple(entry["runs"])) for entry in entries]
    return Judge(targets, images, also)


def first_wrong(target: Target) -> str:
    """What goes wrong first in the short run of one target's images; '' if nothing does."""
    judge = open_judge({target.preset: target})
    verdicts = (judge.try_case(case) for case in _singles(judge, exhaustive=False))
    return next((verdict.wrong[0] for verdict in verdicts if verdict.wrong), "")


def run(exhaustive: bool, topics: Sequence[str] = ()) -> Tally:
    """All of it; a passed test is a case, all of whose runs had an outcome that may be."""
    tally, report = try_shard(exhaustive, topics, WHOLE)
    tally.notes += notes(report)
    return tally


def try_shard(exhaustive: bool, topics: Sequence[str], shard: Shard) -> tuple[Tally, Report]:
    """What a shard has of it, and what was tried. All cases of a situation are in one: they build on each other."""
    targets = open_targets()
    try:
        return _tried(open_judge(targets, topics), exhaustive, shard)
    finally:
        for target in targets.values():
            target.close()


def _tried(judge: Judge, exhaustive: bool, shard: Shard) -> tuple[Tally, Report]:
    begun = time.monotonic()

    def mine(cases: Iterable[Case]) -> Iterator[Case]:
        return (one for one in cases if shard.has(f"{one.topic} {judge.situation(one)}"))

    verdicts = _try_all(judge, mine(_singles(judge, exhaustive)))
    verdicts += _try_all(judge, mine(_pairs(judge, verdicts, exhaustive)))
    verdicts += _try_all(judge, mine(_late(judge, exhaustive)))
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
    return tally, report


def _places(judge: Judge, verdicts: list[Verdict]) -> dict[str, set[str]]:
    """Where interrupts were taken, by target."""
    return {
        target: {place for verdict in verdicts if verdict.case.target == target for place in verdict.places}
        for target in judge.targets
    }


def _windows(judge: Judge, verdicts: list[Verdict]) -> dict[str, dict[str, int]]:
    """At how many instructions a handler came in each situation, by board; a sample stands for all."""
    counts: dict[tuple[str, str], list[int]] = {}
    for verdict in verdicts:
        case, sample = verdict.case, verdict.case.sample
        if case.target in INSTRUMENTS and len(case.actions) == 1 and verdict.runs:
            lengths = counts.setdefault((case.target, f"{case.topic} {judge.situation(case)}"), [])
            lengths.append(verdict.runs * (sample.one_in if sample else 1))
    found: dict[str, dict[str, int]] = {}
    for (target, situation), lengths in counts.items():
        found.setdefault(target, {})[situation] = sum(lengths) // len(lengths)
    return found


def _report(judge: Judge, verdicts: list[Verdict], seconds: float) -> Report:
    """What was tried, for build/test/inject.json."""
    targets: dict[str, dict[str, int]] = {}
    every = _places(judge, verdicts)
    for target in judge.targets:
        of_it = [verdict for verdict in verdicts if verdict.case.target == target]
        targets[target] = {
            "scenarios": len({(v.case.topic, v.case.situation, v.case.actions) for v in of_it}),
            "pairs": sum(len(v.case.actions) == 2 for v in of_it),
            "runs": sum(v.runs for v in of_it),
            "both": sum(v.both for v in of_it),
            "between": sum(v.between for v in of_it),
            "at_points": sum(v.at_points for v in of_it),
            "points": len(every[target]),
        }
    excused: Counter[str] = Counter()
    for verdict in verdicts:
        excused += verdict.excused
    return {
        "scenarios": len(
            {(v.case.topic, v.case.situation, v.case.actions) for v in verdicts if len(v.case.actions) == 1}
        ),
        "runs": sum(v.runs for v in verdicts),
        "seconds": round(seconds, 1),
        "targets": targets,
        "excused": dict(excused),
        "places": {target: sorted(places) for target, places in every.items()},
        "windows": _windows(judge, verdicts),
    }


def notes(report: Report) -> list[str]:
    """The same in words."""
    targets = report["targets"]
    lines = [f"{report['scenarios']} scenarios, {report['runs']} runs"]
    for target, figures in targets.items():
        kind = "lock points" if target == "host" else "program points at which an interrupt was taken"
        lines.append(
            f"{target}: {figures['runs']} runs, {figures['both']} with two handlers ({figures['pairs']} pairs); "
            f"{figures['points']} {kind}"
        )
    return lines
