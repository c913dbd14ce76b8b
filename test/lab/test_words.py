"""The check of words can fail: a planted word is found in each kind of file, an allowed quotation is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from attacca_lab import testing
from conftest import ROOT

SCRIPT = ROOT / "verify" / "words.py"
# Built here, so that this file holds none of them.
PLANTED = [
    "w" + "ho",
    "W" + "hom",
    "w" + "hoever",
    "h" + "e",
    "h" + "is",
    "some" + "body",
    "No" + "body",
    "any" + "one",
]


def words(tree: Path) -> tuple[int, list[str]]:
    command = [sys.executable, str(SCRIPT), "--root", str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize("word", PLANTED)
@pytest.mark.parametrize("name", ["kernel/sem.c", "docs/a.md", "attacca", "lab/attacca_lab/cli.py", "port/x/switch.S"])
def test_a_planted_word_is_found(tmp_path: Path, name: str, word: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"the thread\nthe owner, {word} waits\n", encoding="utf-8")
    status, lines = words(tmp_path)
    assert status == 1
    assert lines[0] == f"{name}:2: {word}: the owner, {word} waits" and lines[1].startswith("1 lines: ")


def test_names_in_code_are_words_too(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("bool wakes_no" + "body;\nint whole, theme, hers;\n", encoding="utf-8")
    status, lines = words(tmp_path)
    assert status == 1 and lines[0].startswith("a.c:1: ") and len(lines) == 2


def test_what_is_allowed_and_what_is_built_are_left_out(tmp_path: Path) -> None:
    for name in ("LICENSE", "build/uno/x.c", "image.png"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("some" + "body\n", encoding="utf-8")
    assert words(tmp_path) == (0, [])


def test_the_stage_fails_for_either(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two checks: the layers, and the words."""
    (stage,) = (one for one in testing.STAGES if one.name == "layers")
    (tmp_path / "verify").mkdir()
    (tmp_path / "verify" / "layers.py").write_text("")
    (tmp_path / "verify" / "words.py").write_text("print('a.c:1: no'); raise SystemExit(1)")
    monkeypatch.setattr(testing, "ROOT", tmp_path)
    tally = stage.run()
    assert (tally.passed, tally.failed) == (1, 1) and "a.c:1: no" in tally.troubles[0]
