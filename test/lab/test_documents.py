"""What the documents point to is there: files, sections, and each part of the kernel in the architecture's table."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT

HEADERS = ROOT / "include" / "attacca"
# What the umbrella leaves out, or others include for it.
APART = {"attacca.h", "config.h", "debug.h", "dynamic.h", "dynamic_objects.h", "inline.h", "mask.h", "port_api.h"}


def documents() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


def prose(path: Path) -> str:
    return re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(path: Path) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", documents())
def test_links_lead_somewhere(name: str) -> None:
    path = ROOT / name
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_the_architecture_lists_the_kernel() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    sources = {path.name for path in (ROOT / "kernel").glob("*.c") if not path.stem.endswith("_timed")}
    assert [name for name in sorted(sources) if f"`{name}`" not in text] == []


def test_the_umbrella_includes_all_but_those_apart_in_order() -> None:
    included = re.findall(r'#include "attacca/(\w+\.h)"', (HEADERS / "attacca.h").read_text(encoding="utf-8"))
    assert included == sorted(included)
    assert {path.name for path in HEADERS.glob("*.h")} - set(included) == APART
