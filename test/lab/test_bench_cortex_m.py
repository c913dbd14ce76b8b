"""The Cortex-M3's figures: ahead of the best peer of the same build, within the model's bounds, and the same again."""

from __future__ import annotations

import json
import subprocess

import pytest

from attacca_lab.boards import board
from attacca_lab.build import build
from attacca_lab.compare import WITHOUT_START_UP, compare
from attacca_lab.firmware import sizes, start_up_bytes, symbol_sizes
from conftest import ROOT

pytestmark = pytest.mark.timeout(1500)  # they build, and measure everything
BOARD = "stm32f103"
LEVELS = ("-O2", "-Os")
TIMES = ("switch-semaphore", "switch-wake", "switch-yield", "switch-event", "switch-mailbox", "switch-message",
         "switch-message-round-trip", "pair-semaphore", "pair-mutex", "inversion-boost", "inversion-unlock",
         "irq-to-handler", "irq-to-thread")  # fmt: skip
SIZES = ("flash", "ram-without-stacks", "size-thread", "size-semaphore", "size-mutex")
# A peer's give and take are real calls that know that nothing is masked; ours are ahead of it inlined. Start-up code is
# the board's.
VARIANTS = {"pair-semaphore": "inlined", "flash": WITHOUT_START_UP}
# An interrupt's entry is the processor's; a thread is as small as what it has to hold.
# Rows in which the best peer takes less, all of them since the core is C: a test that one is not there any more, too.
BEHIND = {"switch-message-round-trip", "flash", ("inversion-unlock", "three waiters")}
EQUAL_IS_ENOUGH = {"irq-to-handler", "size-thread"}

REPEATED = ("switch-semaphore", "switch-message", "irq-to-thread", "flash")

Results = list[dict[str, object]]


def measure(level: str, *names: str) -> str:
    """What the command prints of some experiments, or of all of these."""
    command = [
        str(ROOT / "attacca"),
        "bench",
        "--board",
        BOARD,
        "--optimize",
        level,
        "--build",
        "fast",
        *(names or (*TIMES, *SIZES)),
        "--json",
    ]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=900).stdout


@pytest.fixture(scope="module")
def printed() -> dict[str, str]:
    return {level: measure(level) for level in LEVELS}


@pytest.fixture(scope="module", params=LEVELS)
def results(printed: dict[str, str], request: pytest.FixtureRequest) -> Results:
    found = json.loads(printed[request.param])
    assert isinstance(found, list) and all(f" {request.param} " in one["flags"] for one in found)
    return found


def only(results: Results, experiment: str, variant: str | None = None) -> dict[str, float]:
    """The result of that name that is no point of a curve."""
    (one,) = (
        one
        for one in results
        if (one["experiment"], one.get("variant")) == (experiment, variant)
        and not {"threads", "timers"} & one.keys()
        and one["build"] == "fast"
    )
    return {key: value for key, value in one.items() if isinstance(value, int | float)}


@pytest.mark.parametrize("row", TIMES + SIZES)
def test_ahead_of_the_best_peer(results: Results, row: str) -> None:
    variant = VARIANTS.get(row)
    ours = only(results, row, variant)["median"]
    one = results[0]
    beside = compare(row, board(BOARD).processor, ours, "cycles" if row in TIMES else "bytes",
                     compiler=str(one["compiler"]), flags=str(one["flags"]), variant=variant)  # fmt: skip
    assert beside.best is not None and beside.best.kind == "peer"
    assert beside.best.build == beside.build and beside.build.split()[-1] in str(one["flags"]).split()
    ahead = ours < beside.best.value + (row in EQUAL_IS_ENOUGH)
    assert ahead == (row not in BEHIND), f"{ours:g} beside {beside.best_text}"


@pytest.mark.parametrize("row", ["inversion-boost", "inversion-unlock"])
def test_three_waiters_take_less_than_the_best_peers_one(results: Results, row: str) -> None:
    ours = only(results, row, "three waiters on two mutexes")["median"]
    one = results[0]
    beside = compare(row, board(BOARD).processor, ours, compiler=str(one["compiler"]), flags=str(one["flags"]))
    assert beside.best is not None and only(results, row)["median"] < ours, beside.best_text
    assert (ours < beside.best.value) == ((row, "three waiters") not in BEHIND), f"{ours:g} beside {beside.best_text}"


@pytest.mark.parametrize("row", TIMES)
def test_the_models_bounds_hold_it(results: Results, row: str) -> None:
    one = only(results, row)
    assert one["low"] <= one["median"] <= one["high"]


@pytest.mark.parametrize("row", TIMES)
def test_growth_costs_nothing(results: Results, row: str) -> None:
    """The same with two threads and with thirty-two, with one timer armed and with sixty-four."""
    grown = [one for one in results if one["experiment"] == row and {"threads", "timers"} & one.keys()]
    assert {one.get("threads") for one in grown} == {4, 8, 16, 32, None}
    assert {one.get("timers") for one in grown} == {1, 4, 16, 64, None}
    assert {one["median"] for one in grown} == {only(results, row)["median"]}


def test_start_up_is_what_a_program_that_does_nothing_has() -> None:
    """The two-thread program has no more of it, and the other one has nothing else but main."""
    built = build("stm32f103", ["memory", "memory.empty"])
    empty = built.elf("memory.empty")
    assert start_up_bytes(built.elf("memory")) == start_up_bytes(empty)
    assert sizes(empty)[0] - start_up_bytes(empty) - symbol_sizes(empty, "main")["main"] in range(4)  # to a whole word


def test_the_same_run_gives_the_same_figures(printed: dict[str, str]) -> None:
    again = json.loads(measure(LEVELS[0], *REPEATED))
    assert again and again == [one for one in json.loads(printed[LEVELS[0]]) if one["experiment"] in REPEATED]
