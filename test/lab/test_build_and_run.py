"""`./attacca test`: reading TAP, and the sum at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacca_lab import costs, tap, testing
from attacca_lab.errors import UserError
from attacca_lab.tap import Tally
from attacca_lab.testing import Stage
from conftest import ROOT


def counts(text: str, status: int = 0) -> tuple[int, int, int]:
    tally = tap.read(text, "t", status)
    return tally.passed, tally.failed, tally.skipped


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1..2\nok 1 - a\nok 2 - b\n", (2, 0, 0)),
        ("1..2\r\nok 1 - a\r\nok 2 - b\r\n", (2, 0, 0)),
        ("ok 1 - a\n1..1\n", (1, 0, 0)),
        ("TAP version 13\n1..2\nok 1\nnot ok 2 - b\n", (1, 1, 0)),
        ("1..2\nok 1 - a # SKIP no timer\nok 2\n", (1, 0, 1)),
        ("1..1\nnot ok 1 - a # TODO later\n", (0, 0, 1)),
        ("1..0 # SKIP nothing here\n", (0, 0, 1)),
        ("1..2\nok 1\n", (1, 1, 0)),
        ("1..3\nok 1\nok 3\n", (2, 1, 0)),
        ("ok 1\n", (1, 1, 0)),
        ("", (0, 1, 0)),
        ("hello\n", (0, 1, 0)),
        ("1..2\nok 1\nBail out! stack\n", (1, 1, 0)),
    ],
)
def test_tap(text: str, expected: tuple[int, int, int]) -> None:
    assert counts(text) == expected


def test_a_bad_status_is_a_failure_even_when_all_passed() -> None:
    assert counts("1..1\nok 1\n", status=-11) == (1, 1, 0)


def test_what_was_said_before_a_failure_is_shown() -> None:
    tally = tap.read("1..1\n# expected ABC\n# got ACB\nnot ok 1 - order\n", "test-sched")
    assert tally.troubles == ["test-sched: not ok 1 order\n    # expected ABC\n    # got ACB"]


def _raise(error: Exception) -> Tally:
    raise error


STAGES = (
    Stage("good", "what works", lambda: Tally(3, 0, 1)),
    Stage("none", "what is left out here", lambda: Tally(0, 0, 1)),
    Stage("bad", "what fails", lambda: Tally(1, 1, 0, ["it did"])),
    Stage("broken", "what cannot be built", lambda: _raise(UserError("could not build x")), ("uno",)),
)


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What these stages cost is not kept."""
    monkeypatch.setattr(costs, "_kept", lambda: tmp_path / "costs.json")


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(testing, "STAGES", STAGES)
    monkeypatch.delenv("CI", raising=False)


@pytest.mark.usefixtures("stages")
def test_sum_and_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert testing.run((), None, False) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "4 passed, 2 failed, 2 skipped"
    assert "    it did" in lines
    assert "    could not build x" in lines
    assert any(line.startswith("none") and line.endswith("skipped") for line in lines)


@pytest.mark.usefixtures("stages")
def test_only_some_stages(capsys: pytest.CaptureFixture[str]) -> None:
    assert testing.run(["good"], None, False) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "3 passed, 0 failed, 1 skipped"


def test_what_is_skipped_is_told_last_and_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = "1..3\nok 1 - one\nok 2 - two # SKIP no crystal\nok 3 - three\n"
    stage = Stage("some", "one of them is skipped", lambda: tap.read(told, "clock"))
    monkeypatch.setattr(testing, "STAGES", [stage])
    for ci, status in (("", 0), ("false", 0), ("true", 1)):
        monkeypatch.setenv("CI", ci)
        assert testing.run((), None, False) == status
        lines = capsys.readouterr().out.splitlines()
        assert "skipped: clock: 2 two: no crystal" in lines[-3:]
        assert lines[-1] == "2 passed, 0 failed, 1 skipped"


def test_reasons_come_out_of_pytest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "test" / "some"
    folder.mkdir(parents=True)
    (folder / "test_it.py").write_text(
        'import pytest\ndef test_one(): pass\n@pytest.mark.skip(reason="no moon")\ndef test_two(): pass\n'
    )
    (tmp_path / "lab").symlink_to(ROOT / "lab")
    monkeypatch.setattr(testing, "ROOT", tmp_path)
    tally = testing._pytest("some")
    assert (tally.passed, tally.failed, tally.skipped) == (1, 0, 1)
    assert len(tally.reasons) == 1 and tally.reasons[0].endswith("test_two: no moon")


@pytest.mark.usefixtures("stages")
def test_nothing_passed_is_no_success() -> None:
    assert testing.run(["none"], None, False) == 1


@pytest.mark.usefixtures("stages")
def test_other_boards_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    from attacca_lab.boards import board

    with pytest.raises(UserError, match="board host has no stage of its own"):
        testing.run((), board("host"), False)
    assert "broken" not in capsys.readouterr().out


def test_a_stage_that_finds_nothing_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(testing, "ROOT", tmp_path)
    monkeypatch.setattr(testing, "STAGES", [stage for stage in testing.STAGES if stage.name == "lab"])
    assert testing.run((), None, False) == 1
