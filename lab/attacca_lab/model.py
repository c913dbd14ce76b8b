"""The Cortex-M's timing model beside silicon: what ./attacca model shows and docs/measuring.md holds.

The figures are data (data/model_cortex_m3.csv, whose README says where they come from); what is said of them in the
document is checked against them by the tests.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping

from attacca_lab.compare import DATA
from attacca_lab.output import Column, Table, markdown, write_atomic
from attacca_lab.prepare import ROOT
from attacca_lab.readme import replace_part

DOCUMENT = ROOT / "docs" / "measuring.md"
PART = "model"

COLUMNS = (
    Column("benchmark", "ChibiOS's benchmark"),
    Column("model", "model", digits=1),
    Column("low", "low", digits=1),
    Column("high", "high", digits=1),
    Column("silicon", "silicon", digits=1),
    Column("ratio", "model ÷ silicon", digits=2),
    Column("inside", "silicon inside"),
    Column("others", "silicon, other compilers"),
)
NUMBERS = ("model", "low", "high", "silicon")


def _row(record: Mapping[str, str]) -> dict[str, object]:
    model, low, high, silicon = (float(record[key]) for key in NUMBERS)
    others = [
        f"{name} {record[key]}" for name, key in (("IAR", "silicon_iar"), ("RVCT", "silicon_rvct")) if record[key]
    ]
    return {
        "benchmark": record["benchmark"],
        "experiment": record["experiment"],
        "model": model,
        "low": low,
        "high": high,
        "silicon": silicon,
        "ratio": model / silicon,
        "inside": low <= silicon <= high,
        "others": ", ".join(others) or None,
    }


def table() -> Table:
    with (DATA / "model_cortex_m3.csv").open(encoding="utf-8", newline="") as file:
        return Table(COLUMNS, [_row(record) for record in csv.DictReader(file)])


def document(text: str) -> str:
    """The document with the table as the data have it."""
    return replace_part(text, PART, markdown(table()))


def write() -> bool:
    """Writes the document anew; whether anything changed."""
    before = DOCUMENT.read_text(encoding="utf-8")
    after = document(before)
    if after != before:
        write_atomic(DOCUMENT, after)
    return after != before
