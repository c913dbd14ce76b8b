"""fault.h is the law: docs/faults.md, the simulated board's names and the provoked faults agree with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import ROOT

HEADER = ROOT / "include" / "attacca" / "fault.h"
DOCUMENT = ROOT / "docs" / "faults.md"
NAMES = ROOT / "port" / "host" / "port.c"
KERNEL_TESTS = ROOT / "test" / "kernel"


def codes() -> dict[str, str]:
    """Names, without ATT_FAULT_, and numbers as they are written, in the header's order."""
    found = re.findall(r"^    ATT_FAULT_(\w+) = (0x[0-9A-F]{4})[, ]", HEADER.read_text(encoding="utf-8"), re.M)
    return dict(found)


CODES = codes()


def suite(source: Path) -> list[str]:
    """What those cases of an image provoke that are in its suite; `call##_busy` is any whose name ends so."""
    text = source.read_text(encoding="utf-8")
    if "ENTRIES_OF_WAIT(" in text:
        text += (KERNEL_TESTS / "provoke.h").read_text(encoding="utf-8")
    entries = re.findall(r"ENTRY(?:_EARLY)?\(\s*([\w#]+)\s*\)", text)
    return [
        code
        for name, code in re.findall(r"CASE_OF\(\s*([\w#]+),\s*ATT_FAULT_(\w+),", text)
        if any(entry == name or ("##" in name and entry.endswith(name.split("##")[1])) for entry in entries)
    ]


def test_the_header_is_read() -> None:
    assert len(CODES) == HEADER.read_text(encoding="utf-8").count("    ATT_FAULT_")
    assert len(CODES) == len(set(CODES.values()))
    assert list(CODES.values()) == sorted(CODES.values())


def test_the_table_has_a_row_for_each() -> None:
    rows = re.findall(
        r"^\| (0x[0-9A-F]{4}) \| \[(\w+)\]\(#(\S+)\) \| (.+) \|$", DOCUMENT.read_text(encoding="utf-8"), re.M
    )
    assert [(name, number) for number, name, _, _ in rows] == list(CODES.items())
    for number, name, anchor, cause in rows:
        assert anchor == f"{number.lower()}-{name.lower()}"
        assert len(cause) > 10


def test_each_has_a_section_that_says_something() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    sections = re.findall(r"^### (0x[0-9A-F]{4}) (\w+)\n(.*?)(?=^##|\Z)", text, re.M | re.S)
    assert [(name, number) for number, name, _ in sections] == list(CODES.items())
    for _, name, body in sections:
        assert len(body) > 60, name


def test_the_simulated_board_names_each() -> None:
    cases = re.findall(r'case ATT_FAULT_(\w+):\s+return "(\w+)";', NAMES.read_text(encoding="utf-8"))
    assert all(code == name for code, name in cases)
    assert sorted(name for name, _ in cases) == sorted(CODES)


@pytest.mark.parametrize("code", CODES)
def test_each_is_provoked(code: str) -> None:
    assert any(code in suite(source) for source in KERNEL_TESTS.glob("test_fault*.c"))
