"""The Cortex-M's timing model beside silicon: the document's table is the data's, and what it says of it is so."""

from __future__ import annotations

from attacca_lab import model

ROWS = {row["experiment"]: row for row in model.table().rows}


def test_the_document_holds_the_table() -> None:
    text = model.DOCUMENT.read_text(encoding="utf-8")
    assert model.document(text) == text, "./attacca model --write writes it anew"


def test_all_but_the_semaphore_are_within_five_percent_and_the_bounds() -> None:
    for experiment, row in ROWS.items():
        assert (abs(row["ratio"] - 1) <= 0.05) == (experiment != "pair-semaphore"), row
        assert row["inside"] == (experiment != "pair-semaphore")


def test_the_semaphore_of_other_compilers_is_within_ten_percent() -> None:
    row = ROWS["pair-semaphore"]
    others = [float(part.split()[-1]) for part in row["others"].split(", ")]
    assert len(others) == 2
    assert all(0.9 < row["model"] / other < 1 for other in others)
