"""The figures themselves: that they repeat, that two ways to find them agree, and that they are where they must be."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator

import pytest

from attacca_lab import build
from attacca_lab.bench import Bench, experiments, first
from attacca_lab.boards import board
from attacca_lab.builds import BUILDS, FAST, preset
from attacca_lab.options import BenchOptions
from attacca_lab.output import Output
from conftest import ROOT, Typed

pytestmark = pytest.mark.timeout(1500)  # they build, and measure everything
KEYS = {"experiment", "board", "instrument", "compiler", "flags", "commit", "unit", "n", "min", "median", "mean", "p99",
        "max", "overhead", "disturbed", "seed"}  # fmt: skip

SWITCHES = ("switch-semaphore", "switch-wake", "switch-yield", "signal-wait-loop", "pair-semaphore", "irq-to-thread",
            "wake-sleep", "thread-cycle", "thread-create-exit")  # fmt: skip


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    yield Bench(board("uno"), BenchOptions((), Output(), None, 1, None, True), tmp_path_factory.mktemp("bench"))


def measured(*arguments: str) -> list[dict[str, object]]:
    command = [ROOT / "attacca", "bench", "--json", *arguments]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=1200).stdout)
    assert isinstance(found, list)
    return found


@pytest.fixture(scope="module")
def results() -> list[dict[str, object]]:
    """Everything, in the fastest build."""
    build.build(preset(board("uno"), "fast"), ["bench-images"])
    build.instrument("avr")
    begun = os.times()
    found = measured("--build", "fast")
    spent = sum(os.times()[2:4]) - sum(begun[2:4])
    assert spent < 2 * 130 / 2, "the README says: a minute or two for all builds, on two cores; this one is half of it"
    return found


def median(results: list[dict[str, object]], experiment: str, variant: str | None = None) -> float:
    found = [
        one["median"]
        for one in results
        if one["experiment"] == experiment
        and one.get("variant") == variant
        and not {"threads", "timers"} & one.keys()
        and one["build"] == "fast"
    ]
    assert len(found) == 1, (experiment, variant, found)
    return float(str(found[0]))


def test_every_experiment_has_figures_with_all_keys(results: list[dict[str, object]]) -> None:
    assert {one["experiment"] for one in results} == set(experiments())
    for one in results:
        assert one.keys() >= KEYS, one["experiment"]


def test_shapes_are_measured_in_every_build(results: list[dict[str, object]]) -> None:
    """In each, a timeout that is not reached costs something or nothing, and checks cost something."""
    several = [*results]
    for name in BUILDS.keys() - {FAST}:
        several += measured("switch-semaphore", "--build", name)
    for variant in (None, "timeout", "timeout, whole round"):
        of = {one["build"]: float(str(one["median"])) for one in several
              if one["experiment"] == "switch-semaphore" and one.get("variant") == variant
              and not {"threads", "timers"} & one.keys()}  # fmt: skip
        assert set(of) == set(BUILDS)
        assert of["fast"] <= of["c"] <= of["default"] <= of["check"] and of["fast"] < of["traced"]


def test_every_build_can_make_the_images_of_all_shapes() -> None:
    """They are not built here: what measures everything would find it out late."""
    from attacca_lab.plan import shapes

    for name in BUILDS.keys() - {FAST}:
        made = build.build(preset(board("uno"), name), ["build.ninja"])
        plan = shapes(board("uno"), name, ())
        assert len(plan.images) > 40 and set(plan.images) <= set(build.firmware_names(made.directory)), name


def test_the_same_run_gives_the_same_figures(attacca: Typed) -> None:
    names = ("switch-semaphore", "irq-jitter", "masked-by-code")
    one, other = (attacca("bench", *names, "--json") for _ in range(2))
    assert one.returncode == 0 and one.stdout == other.stdout


def test_a_seed_moves_the_random_edges(attacca: Typed) -> None:
    one, other = (attacca("bench", "irq-jitter", "--json", "--seed", seed) for seed in ("1", "2"))
    means = [[r["mean"] for r in json.loads(run.stdout) if r["variant"] == "busy, to handler"] for run in (one, other)]
    assert means[0] != means[1]


def test_masked_stretches_agree_with_the_instruments_own(bench: Bench) -> None:
    """The capture says the same as the instrument's report of the window that begins at mark 1."""
    run = bench.runs.run("switch-semaphore")
    report = bench.directory / "windowed.json"
    elf = bench.build.elf("switch-semaphore")
    command = [bench.runs.executable, "--mark", "marker=1", "--report", report, "--console", "/dev/null", elf]
    subprocess.run(command, check=True, timeout=60)
    masked = json.loads(report.read_text())["masked"]
    for by in ("code", "handler"):
        assert bench.longest(run, by) == max(one["cycles"] for one in masked[f"by_{by}"])


def test_a_delay_from_the_entry_is_the_edges_less_the_synchroniser(results: list[dict[str, object]]) -> None:
    for name in ("irq-to-handler", "irq-to-thread"):
        assert median(results, name, "from-edge") - median(results, name) == 2


def test_fewer_samples_are_the_first_ones(bench: Bench) -> None:
    from attacca_lab.readings import pairs

    samples = pairs(bench.runs.run("switch-semaphore"))
    some = first(samples, 10)
    assert len(some) == 10 and (some.values == samples.values[:10]).all() and (some.c == samples.c[:10]).all()


# Rows that a peer is known to be ahead in; one that is not behind any more has to leave.
BEHIND = {
    ("size-thread", None),
    ("size-mutex", None),
    ("switch-message-round-trip", None),
    ("flash", None),
}
# The same, of what ChibiOS published itself.
BEHIND_PUBLISHED = {"timers-set-reset", "thread-cycle", "mass-reschedule"}
CLOCK = [("timer-interrupt", f"{what}, cycles per ms") for what in ("1 ms timer", "1 ms thread", "nothing armed")]
MEMORY = (("flash", None), ("ram", None), ("ram-without-stacks", None))


def rows() -> list[tuple[str, str | None]]:
    """Every row of the tables that a peer was measured for."""
    from attacca_lab.compare import compare
    from attacca_lab.experiments import CASES
    from attacca_lab.what import MASKED

    here = [case for case in CASES if (case.main or case.shape) and "uno" in (case.boards or ("uno",))]
    wanted = [(case.experiment, case.variant) for case in here]
    wanted += [("masked-by-code", variant) for variant in MASKED] + [*MEMORY, *CLOCK, *BEHIND]
    wanted += [(name, None) for name in experiments() if name.startswith("size-")]
    beside = {row: compare(*row[:1], board("uno").processor, 1, unit(row[0]), variant=row[1]) for row in wanted}
    return [row for row, others in beside.items() if others.best and others.best.kind == "peer"]


def unit(experiment: str) -> str:
    return "bytes" if experiment.startswith("size-") or (experiment, None) in MEMORY else "cycles"


@pytest.mark.parametrize(("experiment", "variant"), rows())
def test_not_behind_the_best_peer(results: list[dict[str, object]], experiment: str, variant: str | None) -> None:
    from attacca_lab.compare import compare

    ours = median(results, experiment, variant)
    beside = compare(experiment, board("uno").processor, ours, unit(experiment), variant=variant)
    assert beside.best is not None and beside.ratio is not None
    assert (beside.ratio > 1) == ((experiment, variant) in BEHIND), f"{ours:g} beside {beside.best_text}"


def test_the_rows_that_must_be_there() -> None:
    must = {"switch-semaphore", "switch-wake", "switch-yield", "switch-message", "switch-message-round-trip",
            "switch-mailbox", "signal-wait-loop", "pair-semaphore", "pair-mutex", "inversion-resolve", "irq-to-thread",
            "irq-to-handler", "masked-by-code", "flash", "ram", "ram-without-stacks", "size-semaphore"}  # fmt: skip
    assert must <= {experiment for experiment, _ in rows()}


def test_built_for_speed_it_is_beside_the_best_peer_built_so() -> None:
    """`--optimize -O2`: the peers' figures are those of that level."""
    from attacca_lab.build import at_level, build
    from attacca_lab.compare import compare
    from attacca_lab.firmware import sizes

    built = build(at_level(board("uno"), "-O2"), ["memory"])
    flash = sizes(built.elf("memory"))[0]
    facts = built.provenance()
    beside = compare("flash", board("uno").processor, flash, "bytes", compiler=facts["compiler"], flags=facts["flags"])
    assert beside.build == "avr-gcc 7.3.0 -O2" and beside.best is not None
    assert (flash < beside.best.value) == (("flash", None) not in BEHIND)


@pytest.mark.parametrize(
    ("experiment", "variant"),
    [
        *((name, None) for name in ("wake-sleep", "round-robin", "pair-semaphore", "pair-mutex", "messages-2")),
        *((name, None) for name in ("timers-set-reset", "thread-cycle", "mass-reschedule")),
    ],
)
def test_not_behind_what_chibios_published(
    results: list[dict[str, object]], experiment: str, variant: str | None
) -> None:
    """For an ATmega128, the same core: no ratio is printed, but it is what it is."""
    from attacca_lab.compare import compare

    ours = median(results, experiment, variant)
    figures = compare(experiment, board("uno").processor, ours, variant=variant).elsewhere
    (theirs,) = (one for one in figures if one.source == "chibios-reports" and one.processor == "ATmega128")
    assert (ours <= theirs.value) == (experiment not in BEHIND_PUBLISHED), f"{ours:g} beside {theirs.value:g}"
    assert theirs.ratio is None


@pytest.mark.parametrize(("key", "counts"), [("threads", {4, 8, 16}), ("timers", {1, 4, 16, 64})])
def test_threads_and_armed_timers_cost_nothing(results: list[dict[str, object]], key: str, counts: set[int]) -> None:
    for name in SWITCHES:
        several = {one[key]: one["median"] for one in results if one["experiment"] == name and key in one}
        assert set(several) == counts
        assert {float(str(value)) for value in several.values()} == {median(results, name)}


def test_another_chip_is_measured_and_stands_alone(attacca: Typed) -> None:
    """With as many threads as its RAM holds; the peers were measured on the Uno's chip."""
    bench = [ROOT / "attacca", "bench", "switch-semaphore", "wake-sleep", "--board", "mega2560", "--json"]
    done = subprocess.run(bench, capture_output=True, text=True, check=True, timeout=900)  # it may have to be built
    found = json.loads(done.stdout)
    for name in ("switch-semaphore", "wake-sleep"):
        several = {one["threads"]: one["median"] for one in found if one["experiment"] == name and "threads" in one}
        assert set(several) == {4, 8, 16, 32} and len(set(several.values())) == 1
    table = attacca("bench", "switch-semaphore", "--board", "mega2560").stdout
    assert "switch-semaphore" in table and "ChibiOS" not in table
