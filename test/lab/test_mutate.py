"""Mutants: what is said about them, without building any."""

from __future__ import annotations

import pytest

from attacca_lab import mutate
from attacca_lab.errors import UserError
from attacca_lab.prepare import ROOT


def _mutant() -> mutate.Mutant:
    text = (ROOT / "kernel/sem.c").read_text(encoding="utf-8")
    return mutate.Mutant("kernel/sem.c", text.replace("sem->count++", "sem->count--", 1), "key")


def test_difference_names_the_line() -> None:
    line, diff = mutate._difference(_mutant())
    text = (ROOT / "kernel/sem.c").read_text(encoding="utf-8").splitlines()
    assert "sem->count++" in text[line - 1]
    assert [part[0] for part in diff.splitlines()] == ["-", "+"]


def test_unknown_file() -> None:
    with pytest.raises(UserError, match="smeaphore"):
        mutate.run(["smeaphore"], sample=1, seed=1, jobs=1)
