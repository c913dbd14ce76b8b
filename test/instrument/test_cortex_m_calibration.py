"""The Cortex-M instrument against the manuals' tables: every snippet costs what its sum says, to the cycle.

The M3's run as one firmware, between two marks, with each set of parameters. The M0's and M0+'s run on the processor
alone (attacca-cortex-m-oracle), for no chip with them is modelled.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import cortex_m_snippets as snippets
import instrument_tools as tools
from cortex_m_layout import Sequence
from cortex_m_oracle import Oracle
from cortex_m_sequences import CODE, DATA, DATA_SIZE, Batch

BY_NAME = {snippet.name: number for number, snippet in enumerate(snippets.M3)}


def build(folder: Path, text: str, *flags: str) -> Path:
    source = folder / "snippets.S"
    source.write_text(text)
    return tools.build_cortex_m([source], folder / "snippets.elf", *flags)


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("snippets"), snippets.source())


@pytest.fixture(scope="module", params=snippets.M3_SETS)
def measured(
    request: pytest.FixtureRequest, attacca_cortex_m: Path, firmware: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, list[int]]:
    folder = tmp_path_factory.mktemp(request.param)
    run = tools.run(attacca_cortex_m, firmware, folder, "--board", "stm32f103", "--timing", request.param)
    assert run.status == 0, run.stderr
    stamps = [cycle for cycle, _ in run.markers()]
    assert len(stamps) == 2 * len(snippets.M3)
    around = snippets.cycles(snippets.AROUND, snippets.M3_SETS[request.param])
    return request.param, [after - before - around for before, after in zip(stamps[::2], stamps[1::2], strict=True)]


@pytest.mark.parametrize("name", BY_NAME)
def test_m3(measured: tuple[str, list[int]], name: str) -> None:
    chosen, figures = measured
    snippet, cycles = snippets.M3[BY_NAME[name]], figures[BY_NAME[name]]
    parameters = snippets.M3_SETS[chosen]
    least = snippets.cycles(snippet.count, parameters)
    most = snippets.cycles(snippet.at_most, parameters) if snippet.at_most else least
    assert least <= cycles <= most, f"{snippet.body}: {snippet.count} ({snippet.source})"


def test_larger_operands_take_no_less(measured: tuple[str, list[int]]) -> None:
    _, figures = measured
    for small, large in (
        ("umull-small", "umull-large"),
        ("smull-small", "smull-large"),
        ("umlal-small", "umlal-large"),
        ("udiv-at-once", "udiv-middle"),
        ("udiv-middle", "udiv-longest"),
    ):
        assert figures[BY_NAME[small]] <= figures[BY_NAME[large]]


# --- M0 and M0+ --------------------------------------------------------------------------------------------------


def _built(folder: Path) -> tuple[bytes, dict[str, int]]:
    """Code of all snippets, and the addresses where each is prepared, begins and ends."""
    parts = [".syntax unified\n.thumb\n.text\n.global start\nstart:\n"]
    for number, one in enumerate(snippets.M0):
        parts.append(f".balign 4\nprepare_{number}:\n {one.setup}\n")
        parts.append(f"begin_{number}:\n {one.body}\nend_{number}: nop\n b .\n .ltorg\n")
    elf = build(folder, "".join(parts), "-mcpu=cortex-m0")
    binary = folder / "snippets.bin"
    subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", "-j", ".text", elf, binary], check=True)
    symbols = subprocess.run(["arm-none-eabi-nm", elf], check=True, capture_output=True, text=True).stdout
    return binary.read_bytes(), {name: int(at, 16) for at, name in re.findall(r"([0-9a-f]+) \w (\w+_\d+)", symbols)}


@pytest.fixture(scope="module", params=snippets.M0_FIGURES)
def small(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[int]]:
    code, at = _built(tmp_path_factory.mktemp(request.param))
    wanted = []
    for number in range(len(snippets.M0)):
        for end in ("begin", "end"):
            registers = [0, 0, 0, 0, DATA + 0x500, *[0] * 8, DATA + 0x800, 0]
            start, stop = at[f"prepare_{number}"], at[f"{end}_{number}"]
            wanted.append(Sequence(registers, DATA + 0x700, 0, CODE, start=start, end=stop))
    with Oracle(tools.cortex_m_instrument("attacca-cortex-m-oracle"), request.param) as oracle:
        runs = oracle.run(Batch(code, bytes(DATA_SIZE), wanted))
    assert not any(run.outcome.trap for run in runs)
    return request.param, [after.cycles - before.cycles for before, after in zip(runs[::2], runs[1::2], strict=True)]


@pytest.mark.parametrize("number", range(len(snippets.M0)), ids=[one.name for one in snippets.M0])
def test_m0(small: tuple[str, list[int]], number: int) -> None:
    core, figures = small
    snippet = snippets.M0[number]
    assert figures[number] == snippets.cycles(snippet.count.format(**snippets.M0_FIGURES[core]), {}), snippet.body


def test_the_table_is_large_enough_to_mean_something() -> None:
    assert len(snippets.M3) >= 60
    assert len(BY_NAME) == len(snippets.M3)
