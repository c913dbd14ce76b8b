"""./attacca test --quick: a stage is run again when what it reads has changed, and only then; what stages cost."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from attacca_lab import costs, quick, testing
from attacca_lab.boards import board
from attacca_lab.errors import UserError
from attacca_lab.output import plain
from attacca_lab.quick import Quick
from attacca_lab.tap import Tally
from attacca_lab.testing import Stage
from conftest import Typed


class Tree:
    """A tree with a folder `code`, another one, and two stages that read one of them each."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.asked = root, list[str]()
        self.result = Tally(3)
        for name in ("code", "other", "lab"):
            (root / name).mkdir()
            (root / name / "a").write_text("1")
        (root / "attacca").write_text("")
        monkeypatch.setattr(quick, "ROOT", root)
        monkeypatch.setattr(quick, "PASSED", root / "build" / "passed.json")
        monkeypatch.setattr(quick, "_stages", lambda: [self.stage("one", "code"), self.stage("two", "other")])
        monkeypatch.setenv("CI", "")

    def stage(self, name: str, folder: str) -> Quick:
        def run() -> Tally:
            self.asked.append(name)
            return Tally(self.result.passed, self.result.failed)

        return Quick(Stage(name, f"reads {folder}", run), (folder,))

    def ran(self) -> list[str]:
        self.asked.clear()
        quick.run((), None, False)
        return list(self.asked)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    return Tree(tmp_path, monkeypatch)


def test_what_has_changed_is_run_again(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    assert tree.ran() == ["one", "two"]
    capsys.readouterr()
    assert tree.ran() == []
    said = capsys.readouterr().out
    assert len(re.findall(r"3 passed\n    unchanged, passed at \d+-\d\d-\d\d \d\d:\d\d\n", said)) == 2
    assert said.splitlines()[-1] == "6 passed, 0 failed, 0 skipped"
    (tree.root / "code" / "a").write_text("2")
    assert tree.ran() == ["one"]
    (tree.root / "code" / "a").write_text("1")  # the same contents as before, but another one has passed since
    assert tree.ran() == ["one"]
    (tree.root / "other" / "b").write_text("")
    assert tree.ran() == ["two"]
    (tree.root / "other" / "b").rename(tree.root / "other" / "c")
    assert tree.ran() == ["two"]
    (tree.root / "lab" / "a").write_text("2")
    assert tree.ran() == ["one", "two"]


def test_what_has_failed_is_run_again(tree: Tree) -> None:
    tree.result = Tally(3, 1)
    assert tree.ran() == ["one", "two"]
    assert tree.ran() == ["one", "two"]


def test_what_changes_meanwhile_has_not_passed(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    def edits() -> Tally:
        tree.asked.append("one")
        (tree.root / "code" / "a").write_text("saved while it runs")
        return Tally(1)

    monkeypatch.setattr(quick, "_stages", lambda: [Quick(Stage("one", "", edits), ("code",))])
    assert tree.ran() == ["one"]
    assert tree.ran() == ["one"]
    assert tree.ran() == []


def test_its_stages_and_what_they_read_are_there() -> None:
    stages = quick._stages()
    assert tuple(one.stage.name for one in stages) == quick.STAGES
    for one in stages:
        assert all((quick.ROOT / name).exists() for name in one.reads)


def test_one_image_of_a_board() -> None:
    tally = quick._image(board("uno"))
    assert tally.passed > 5 and not tally.failed, tally.troubles


def test_costs_are_told_and_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def busy() -> Tally:
        sum(n * n for n in range(2_000_000))
        return Tally(1)

    monkeypatch.setenv("ATTACCA_CACHE", str(tmp_path))
    monkeypatch.setattr(costs, "PUBLISHED", tmp_path / "published.json")
    monkeypatch.setattr(testing, "STAGES", [Stage("busy", "what takes time", busy), Stage("other", "", busy)])
    assert re.search(r"^busy .* -  +-  +-$", plain(testing.listing()), re.M)
    assert testing.run((), None, False, publish=True) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("busy"))
    found = re.search(r"what takes time +([\d.]+) s +([\d.]+) s  1 passed", line)
    assert found and float(found[2]) > 0
    assert re.search(rf"^busy .* {found[1]} s +{found[2]} s  here, \d+-", plain(testing.listing()), re.M)
    (tmp_path / "costs.json").unlink()
    assert re.search(r"^busy .* published, \d+-", plain(testing.listing()), re.M)


@pytest.mark.parametrize("stage", testing.STAGES, ids=lambda stage: stage.name)
def test_a_stages_line_fits_a_terminal(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    tried = dataclasses.replace(stage, run=lambda: Tally(9999))
    testing._run_stage(tried, False)
    line = capsys.readouterr().out.rstrip("\n")
    assert stage.title in line and "9999 passed" in line and len(line) <= 80


def test_listing_is_of_all_stages(attacca: Typed) -> None:
    done = attacca("test", "--list")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["stage", *(one.name for one in testing.STAGES)]


@pytest.mark.parametrize(
    ("name", "only", "complaint"),
    [
        ("host", ("lab",), "board host is tested by: host, sanitizers, coverage, fuzz"),
        ("stm32f107", (), "board stm32f107 has no stage of its own"),
    ],
)
def test_nothing_to_test_is_said(name: str, only: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        testing.run(only, board(name), False)


def test_a_board_is_all_that_is_tested() -> None:
    concerned = [stage.name for stage in testing.STAGES if "host" in stage.boards]
    assert concerned == ["host", "sanitizers", "coverage", "fuzz"]
