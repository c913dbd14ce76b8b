#!/usr/bin/env python3
"""Checks the words of sources, documents and messages: threads, handlers and callers are things.

A thread is "it" or "the thread", never "who" or "he", and a call that has no waiter has no "nobody". A name in code
is a word too. A quotation that needs such a word stands in ALLOWED, with the file that holds it.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KINDS = re.compile(r"\.(c|h|S|cpp|hpp|py|md|txt|ld|inc|toml|cmake|ino|html|js|css)$|^attacca$")
SKIPPED = {"build", ".git", ".venv"}
PRONOUN = re.compile(
    r"(?<![a-z])(who(?:m|ever|mever)?|he|him|his|himself|(?:some|any|every|no)body|someone|anyone|everyone)(?![a-z])",
    re.IGNORECASE,
)
# File -> what stands there for a reason: a publication's words, a person.
ALLOWED: dict[str, tuple[str, ...]] = {
    "verify/words.py": (".",),
    "LICENSE": (".",),
    "verify/fuzz/corpus.txt": (".",),  # base64
}


def files(root: Path) -> Iterator[Path]:
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if not SKIPPED & set(inside.parts) and path.is_file() and KINDS.search(path.name):
            yield inside


def found(root: Path, path: Path) -> Iterator[tuple[int, str, str]]:
    allowed = [re.compile(one) for one in ALLOWED.get(str(path), ())]
    for number, line in enumerate((root / path).read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        words = {match[0] for match in PRONOUN.finditer(line)}
        if words and not any(one.search(line) for one in allowed):
            yield number, ", ".join(sorted(words)), line.strip()


def main() -> int:
    """Status 0: nothing found; 1: lines with such words, one each."""
    parser = argparse.ArgumentParser(description="List the lines that call a thread, a handler or a caller a person.")
    parser.add_argument("--root", type=Path, default=ROOT, help="the tree to check")
    root = parser.parse_args().root.resolve()
    bad = 0
    for path in files(root):
        for number, words, line in found(root, path):
            print(f"{path}:{number}: {words}: {line}")
            bad += 1
    if bad:
        print(f"{bad} lines: write 'it', 'the thread', 'the caller', 'no waiter'; or ALLOWED in verify/words.py")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
