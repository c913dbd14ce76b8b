"""The Cortex-M3's figures: ahead of the best peer, within the model's bounds, and the same again."""

from __future__ import annotations

import json
import subprocess

import pytest

from attacca_lab.boards import board
from attacca_lab.compare import compare
from conftest import ROOT

BOARD = "stm32f103"
ROWS = ("switch-semaphore", "switch-wake", "switch-yield", "switch-event", "switch-mailbox", "switch-message",
        "switch-message-round-trip", "pair-semaphore", "pair-mutex", "inversion-boost", "inversion-unlock",
        "irq-to-thread")  # fmt: skip
# A peer's give and take are real calls that know that nothing is masked; ours are ahead of it inlined.
BEHIND_AS_A_CALL = {"pair-semaphore"}


def measure() -> str:
    """What the command prints."""
    command = [str(ROOT / "attacca"), "bench", "--board", BOARD, *ROWS, "--json"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=900).stdout


@pytest.fixture(scope="module")
def printed() -> str:
    return measure()


@pytest.fixture(scope="module")
def results(printed: str) -> dict[tuple[str, str | None], dict[str, float]]:
    found = json.loads(printed)
    return {(one["experiment"], one.get("variant")): one for one in found if not {"threads", "timers"} & one.keys()}


@pytest.mark.parametrize("row", ROWS)
def test_ahead_of_the_best_peer(results: dict[tuple[str, str | None], dict[str, float]], row: str) -> None:
    variant = "inlined" if row in BEHIND_AS_A_CALL else None
    ours = results[row, variant]["median"]
    beside = compare(row, board(BOARD).processor, ours, "cycles")
    assert beside.best is not None and beside.best.kind == "peer"
    assert ours < beside.best.value, beside.best_text


@pytest.mark.parametrize("row", ROWS)
def test_the_models_bounds_hold_it(results: dict[tuple[str, str | None], dict[str, float]], row: str) -> None:
    one = results[row, None]
    assert one["low"] <= one["median"] <= one["high"]


def test_growth_costs_nothing(printed: str) -> None:
    """The same with two threads and with thirty-two, with one timer armed and with sixty-four."""
    found = [one for one in json.loads(printed) if one["experiment"] == "switch-semaphore" and not one.get("variant")]
    assert {one.get("threads") for one in found} >= {4, 8, 16, 32}
    assert len({one["median"] for one in found}) == 1


def test_the_same_run_gives_the_same_figures(printed: str) -> None:
    assert measure() == printed
