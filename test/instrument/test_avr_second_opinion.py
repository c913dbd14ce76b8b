"""The same firmware on other AVR simulators: the same edges, but for what is known of each of them.

yasimavr (PyPI) and avr8js (npm) are what `./attacca test` installs; what is not there is skipped, which it tells at its
end. avr8js is looked for where node looks (NODE_PATH), node in ATTACCA_NODE or PATH; yasimavr in the Python that
ATTACCA_YASIMAVR_PYTHON names, or in this one.

Known, and wrong by the instruction set manual: yasimavr charges RCALL 4; avr8js charges CBI 1.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import avr_arithmetic
import avr_snippets
import instrument_tools as tools

HERE = Path(__file__).resolve().parent
YASIMAVR_SAYS = {"rcall-ret": 10, "rcall-reti": 11}
AVR8JS_SAYS = {"cbi": 1}


Changes = list[tuple[int, int]]


def costs(changes: Changes) -> dict[str, int]:
    stamps = [cycle for cycle, _ in changes]
    assert len(stamps) == 2 * len(avr_snippets.SNIPPETS)
    pairs = zip(avr_snippets.SNIPPETS, stamps[::2], stamps[1::2], strict=True)
    return {snippet.name: after - before - 1 for snippet, before, after in pairs}


@pytest.fixture(scope="module")
def ours(attacca_avr: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    folder = tmp_path_factory.mktemp("opinion")
    source = folder / "snippets.S"
    source.write_text(avr_snippets.source())
    firmware = tools.build_avr([source], folder / "snippets.elf")
    run = tools.run(attacca_avr, firmware, folder)
    # The others do not all have the debug register: for them the marker is GPIOR1, at the same cost.
    source.write_text(avr_snippets.source(avr_snippets.GPIOR1))
    theirs = tools.build_avr([source], folder / "theirs.elf")
    return theirs, costs(run.markers())


def other(command: list[str], firmware: Path) -> Changes:
    done = subprocess.run([*command, str(firmware)], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def on_yasimavr(firmware: Path) -> Changes:
    return other([os.environ.get("ATTACCA_YASIMAVR_PYTHON", sys.executable), str(HERE / "on_yasimavr.py")], firmware)


def test_yasimavr(ours: tuple[Path, dict[str, int]]) -> None:
    theirs = costs(on_yasimavr(ours[0]))
    assert theirs == ours[1] | YASIMAVR_SAYS


def test_avr8js(ours: tuple[Path, dict[str, int]]) -> None:
    node = os.environ.get("ATTACCA_NODE") or shutil.which("node")
    if node is None:
        pytest.skip("no node")
    theirs = costs(other([node, str(HERE / "on_avr8js.js")], ours[0]))
    assert theirs == ours[1] | AVR8JS_SAYS


@pytest.mark.parametrize("seed", range(4))
def test_arithmetic_has_the_same_results_and_flags(attacca_avr: Path, tmp_path: Path, seed: int) -> None:
    source = tmp_path / "arithmetic.S"
    values = []
    for marker in (avr_snippets.OCDR, avr_snippets.GPIOR1):
        source.write_text(avr_arithmetic.source(seed, marker))
        firmware = tools.build_avr([source], tmp_path / "arithmetic.elf")
        if marker == avr_snippets.OCDR:
            values.append([value for _, value in tools.run(attacca_avr, firmware, tmp_path).markers()])
        else:
            values.append([value for _, value in on_yasimavr(firmware)])
    assert len(values[0]) == 300 * 8
    assert values[0] == values[1]
