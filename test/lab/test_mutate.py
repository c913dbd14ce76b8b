"""Mutants: what is said about them and kept, without building any."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from attacca_lab import mutate, workshop
from attacca_lab.errors import UserError
from attacca_lab.prepare import ROOT
from attacca_lab.workshop import Program, Workshop


def _mutant() -> mutate.Mutant:
    text = (ROOT / "kernel/sem.c").read_text(encoding="utf-8")
    return mutate.Mutant("kernel/sem.c", text.replace("(count + 1)", "(count - 1)", 1), "key")


def test_difference_names_the_line() -> None:
    line, diff = mutate._difference(_mutant())
    text = (ROOT / "kernel/sem.c").read_text(encoding="utf-8").splitlines()
    assert "(count + 1)" in text[line - 1]
    assert [part[0] for part in diff.splitlines()] == ["-", "+"]


def test_unknown_file() -> None:
    with pytest.raises(UserError, match="smeaphore"):
        mutate.run(["smeaphore"], sample=1, seed=1, jobs=1)


def _program(text: str) -> list[str]:
    return [sys.executable, "-c", text]


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("print('1..1\\nok 1 - all')", True),
        ("print('1..1\\nnot ok 1 - all')", False),
        ("print('1..2\\nok 1 - half')", False),
        ("print('1..1\\nok 1 - all'); raise SystemExit(3)", False),
        ("import os; os.kill(os.getpid(), 11)", False),
    ],
)
def test_what_passes(text: str, passes: bool) -> None:
    assert workshop.passes(_program(text), 20) == passes


def test_the_first_failure_ends_a_program() -> None:
    begun = time.monotonic()
    assert not workshop.passes(_program("print('not ok 1 - x', flush=True); import time; time.sleep(20)"), 20)
    assert time.monotonic() - begun < 15


def test_a_program_that_hangs_ends_by_the_processors_time() -> None:
    endless = "print('ok 1 - x', flush=True)\nwhile True: pass"
    assert workshop.watched(_program(endless), 0.3) is None
    assert workshop.watched(_program("import time; time.sleep(1); print('done')"), 0.9) == (b"done\n", 0)


# --- what is kept --------------------------------------------------------------------------------------------------


def _image(name: str, seconds: float = 0.01, digest: str = "d1") -> Program:
    return Program(
        name,
        (),
        (),
        "test/port/libattacca.a",
        digest,
        frozenset({"kernel/sem.c"}),
        seconds,
    )


class _Shop(Workshop):
    """One without a compiler: a mutant's text is what it compiles to, and names the program that notices it."""

    def __init__(self, *programs: Program) -> None:
        super().__init__(0, ["kernel/sem.c"])
        self.programs = {program.name: program for program in programs}
        self.tried: list[str] = []

    def code(self, file: str, text: str) -> str:
        return "" if text == "wrong" else text

    def archive(self, file: str, text: str, kernel: str) -> Path:
        return Path(text)

    def fails(self, program: Program, archive: Path, file: str) -> bool:
        self.tried.append(program.name)
        return program.name in str(archive)

    goes_wrong = fails


Begin = Callable[[], mutate.Run]


class _Step:
    def update(self, detail: str) -> None:
        pass


TEXTS = [
    "test-sem 1",
    "test-sem 2",
    "test-lock 1",
    "wrong",
    "test-new",
    "scenarios-sem 1",
]


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Begin:
    monkeypatch.setattr(mutate, "PLACE", tmp_path)
    monkeypatch.setattr(
        mutate,
        "_mutants",
        lambda file: [mutate.Mutant(file, t, f"key of {t}") for t in TEXTS],
    )
    monkeypatch.setattr(mutate, "_difference", lambda mutant: (1, mutant.text))
    return lambda: mutate.Run(["sem"], sample=100, seed=1)


def _judged(run: mutate.Run, shop: _Shop) -> dict[str, str]:
    step = _Step()
    mutate._sift(run, shop, step)  # type: ignore[arg-type]
    mutate._sift_again(run, shop, iter(run.survivors()), step)  # type: ignore[arg-type]
    return {
        verdict.diff: verdict.by if verdict.verdict == mutate.NOTICED else verdict.verdict
        for verdict in run.verdicts.values()
    }


ALL = [
    _image("test-sem"),
    _image("test-lock", 0.02),
    _image("test-other", 2.0),
    _image("scenarios-sem", 0),
]
FOUND = {
    "test-sem 1": "test-sem",
    "test-sem 2": "test-sem",
    "test-lock 1": "test-lock",
    "wrong": mutate.LEFT_OUT,
    "test-new": mutate.SURVIVED,
    "scenarios-sem 1": "scenarios-sem",
}


def test_a_run_goes_on_where_it_was(begin: Begin) -> None:
    assert _judged(begin(), _Shop(*ALL)) == FOUND
    shop = _Shop(*ALL)
    assert _judged(begin(), shop) == FOUND
    assert shop.tried == []


def test_a_changed_test_asks_its_kills_and_the_survivors_again(begin: Begin) -> None:
    _judged(begin(), _Shop(*ALL))
    changed = [_image("test-lock", digest="d2") if image.name == "test-lock" else image for image in ALL]
    shop = _Shop(*changed)
    assert _judged(begin(), shop) == FOUND
    assert shop.tried.count("scenarios-sem") == 1  # the survivor's; what it noticed before, it still notices
    assert shop.tried.count("test-other") == 1
    more = [*changed, _image("test-new")]
    assert _judged(begin(), _Shop(*more)) == FOUND | {"test-new": "test-new"}


def test_the_program_that_has_noticed_most_comes_first(begin: Begin) -> None:
    run = begin()
    _judged(run, _Shop(*ALL))
    order = [program.name for program in run.order("kernel/sem.c", ALL[:3])]
    assert order == ["test-sem", "test-lock", "test-other"]
    run.kills["kernel/sem.c", "test-lock"] += 5
    run.kills["kernel/sem.c", "test-other"] += 50  # slow
    assert [program.name for program in run.order("kernel/sem.c", ALL[:3])] == [
        "test-lock",
        "test-sem",
        "test-other",
    ]


def test_the_sum_counts_the_sample_alone(begin: Begin) -> None:
    run = begin()
    _judged(run, _Shop(*ALL))
    assert "4 of 5 noticed (80.0 %)" in mutate.text(run)
    smaller = begin()
    smaller.sample = 2
    _judged(smaller, _Shop(*ALL))
    assert len([v for v in smaller.verdicts.values() if v.verdict != mutate.LEFT_OUT]) == 2


def test_an_interruption_ends_all_workers(begin: Begin) -> None:
    run = begin()

    def interrupted() -> None:
        raise KeyboardInterrupt

    def works() -> None:
        while run.next() is not None or not run.stopped:
            time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        mutate._at_once(run, [interrupted, works])
    assert run.next() is None


def test_two_do_not_work_in_one_tree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(mutate, "PLACE", tmp_path)
    with mutate._alone(), pytest.raises(UserError, match="another"):
        mutate.run(["sem"], sample=1, seed=1, jobs=1)
