"""The AVR instrument against the instruction set manual: every snippet costs what the manual says, to the cycle."""

from __future__ import annotations

from pathlib import Path

import pytest

import avr_snippets
import instrument_tools as tools

BOARDS = {"uno": "atmega328p", "mega2560": "atmega2560"}


def measure(executable: Path, board: str, folder: Path) -> list[int]:
    source = folder / "snippets.S"
    source.write_text(avr_snippets.source())
    firmware = tools.build_avr([source], folder / "snippets.elf", mcu=BOARDS[board])
    run = tools.run(executable, firmware, folder, "--board", board)
    assert run.status == 0, run.stderr
    stamps = [cycle for cycle, _ in run.markers()]
    assert len(stamps) == 2 * len(avr_snippets.SNIPPETS)
    # The second write itself takes one cycle.
    return [after - before - 1 for before, after in zip(stamps[::2], stamps[1::2], strict=True)]


@pytest.fixture(scope="module")
def measured(attacca_avr: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[int]]:
    return {board: measure(attacca_avr, board, tmp_path_factory.mktemp(board)) for board in BOARDS}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("index", range(len(avr_snippets.SNIPPETS)), ids=[s.name for s in avr_snippets.SNIPPETS])
def test_instruction(measured: dict[str, list[int]], board: str, index: int) -> None:
    snippet = avr_snippets.SNIPPETS[index]
    expected = snippet.cycles
    if board == "mega2560" and snippet.cycles_pc22 is not None:
        expected = snippet.cycles_pc22
    assert measured[board][index] == expected, snippet.body


def test_the_table_is_large_enough_to_mean_something() -> None:
    assert len(avr_snippets.SNIPPETS) >= 40
    assert len({snippet.name for snippet in avr_snippets.SNIPPETS}) == len(avr_snippets.SNIPPETS)
