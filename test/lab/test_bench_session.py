"""What `./attacca bench` shows first, how it says where it is, and that none of its options is ignored."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import resource
from pathlib import Path

import pytest

from attacca_lab import headline, matrix, progress, summary
from attacca_lab.bench import experiments
from attacca_lab.boards import board
from attacca_lab.builds import BUILDS, preset
from attacca_lab.compare import published_rows
from attacca_lab.errors import UserError
from attacca_lab.experiments import CASES, SHAPED
from attacca_lab.options import BenchOptions
from attacca_lab.output import Output, plain
from attacca_lab.papers import PAPERS
from attacca_lab.plan import named
from attacca_lab.session import plans
from attacca_lab.stats import Result
from conftest import ROOT, Typed

TIMED = ("uno", "mega2560", "stm32f103", "stm32f107", "m0plus", "m4f")


def on_terminal(columns: int, *arguments: str) -> str:
    """What a person sees on a terminal so wide, on both streams."""
    child, ours = pty.fork()
    if child == 0:
        os.environ.update(COLUMNS=str(columns), TERM="xterm-256color")
        os.execv(str(ROOT / "attacca"), ["attacca", *arguments])
    text = b""
    try:
        while part := os.read(ours, 65536):
            text += part
    except OSError:  # what Linux answers when the other side is closed
        pass
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, text.decode()
    return text.decode()


@pytest.fixture(scope="module")
def first_screen() -> str:
    on_terminal(80, "bench", "pair-mutex")  # has everything built
    on_terminal(80, "bench", "pair-mutex", "--build", "default")
    begun = children_seconds()
    shown = on_terminal(80, "bench")
    assert children_seconds() - begun < 2 * 30, "the README says: some seconds, on two cores"
    return shown


def children_seconds() -> float:
    """Processor time of what has ended: elapsed time is that of a machine with other work, too."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_the_first_screen_is_one_short_table(first_screen: str) -> None:
    lines = [re.sub(r"\x1b\[[0-9;]*[mK]", "", line).split("\r")[-1] for line in first_screen.splitlines()]
    shown = lines[next(i for i, line in enumerate(lines) if line.startswith("Attacca on the Arduino Uno")) :]
    assert len(shown) <= 40 and max(map(len, shown)) <= 80
    assert not [line for line in shown if "Not shown in" in line]
    words = set(" ".join(shown).split())
    for row in headline.TIMES:
        assert set(row.label.split()) <= words, row
    for text in ("default", "fastest", "ChibiOS/NIL", "--all;", "report.html"):
        assert text in words, text
    for row in shown:
        if row.startswith("switch-semaphore "):
            assert re.fullmatch(r"switch-semaphore +\d+ +\d+ +ChibiOS/NIL 218 +0\.\d\d", row), row


def test_while_it_runs_it_says_which_experiment_of_how_many_and_how_long_yet(first_screen: str) -> None:
    assert re.search(r"\(\S+, \d+ of \d+, \d+ (s|min) left", first_screen)


def test_a_line_a_step_says_what_was_done(attacca: Typed) -> None:
    """What was built already is no step."""
    attacca("bench", "pair-mutex")
    steps = [line for line in attacca("bench", "pair-mutex", "masked-by-code").stderr.splitlines() if " ... " in line]
    assert steps and not [line for line in steps if not re.match(r"attacca: (running \S+|\d+ runs?) \.\.\. ", line)]


@pytest.mark.parametrize(
    ("done", "seconds", "text"), [(1, 2.0, "x, 1 of 4, 6 s left"), (2, 400.0, "x, 2 of 4, 7 min left")]
)
def test_the_time_left(done: int, seconds: float, text: str) -> None:
    assert progress.share(done, 4, seconds, "x") == text


def test_files_json_and_csv_hold_everything() -> None:
    uno = board("uno")

    def of(output: Output, **more: object) -> list[tuple[str, bool]]:
        options = BenchOptions((), output, None, 1, None, False, **more)  # type: ignore[arg-type]
        return [(plan.build, plan.rows is None) for plan in plans(uno, options)]

    short = [("fast", False), ("default", False)]
    whole = [("fast", True), *((build, False) for build in BUILDS if build != "fast")]
    assert of(Output()) == short
    for output in (Output("json"), Output("csv"), Output(files=[Path("x.html")])):
        assert of(output) == whole
    assert of(Output(), everything=True) == whole
    assert of(Output(), build="check") == [("check", True)]
    assert of(Output(), optimize="-O2") == [("fast", False)], "no preset builds the others so"


@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize("build", BUILDS)
def test_every_board_with_cycles_has_every_build(name: str, build: str) -> None:
    if not board(name).caution or build in ("default", "fast", "c"):
        assert preset(board(name), build).startswith(name)


def test_what_is_not_a_build_is_said() -> None:
    with pytest.raises(UserError, match="unknown build 'fats'"):
        preset(board("uno"), "fats")


@pytest.mark.parametrize("name", TIMED)
def test_every_call_that_waits_has_its_shapes(name: str) -> None:
    """Alone: for ever, with a timeout, without waiting. Contended: the pulse and the whole round, with either."""
    here = [case for case in CASES if not case.boards or name in case.boards]
    known = {(case.experiment, case.variant) for case in here if case.is_shape}
    for experiment in SHAPED:
        alone, contended = experiment.startswith("pair-"), experiment.startswith("switch-")
        if experiment in ("switch-yield", "timed-wait", "context-switch", "inversion-resolve"):
            continue
        wanted = {None, "timeout"} | ({"NOWAIT"} if alone else set())
        if contended and "message" not in experiment:
            wanted |= {"whole round", "timeout, whole round"}
        assert {(experiment, variant) for variant in wanted} <= known, experiment


def figure(experiment: str, build: str, median: float, variant: str | None = None) -> Result:
    return Result(experiment, "uno", "i", "avr-gcc 7.3.0", "-Os", "abc", "cycles", 1, median, median, median, median,
                  median, variant=variant, build=build)  # fmt: skip


def test_shapes_and_builds_are_one_table() -> None:
    found = matrix.table(
        [figure("pair-mutex", "fast", 49), figure("pair-mutex", "default", 322), figure("pair-mutex", "c", 243),
         figure("pair-mutex", "default", 515, "timeout"), figure("pair-mutex", "c", 338, "timeout")]
    )  # fmt: skip
    assert found is not None
    assert [" ".join(line.split()) for line in plain(found).splitlines()[1:4]] == [
        "experiment shape default fast c",
        "pair-mutex waits for ever 322 49 243",
        "pair-mutex with a timeout 515 - 338",
    ]  # fmt: skip
    assert matrix.table([figure("pair-mutex", "fast", 49)]) is None


def test_a_build_with_checks_is_compared_with_no_kernel() -> None:
    rows = headline.rows([figure("pair-mutex", "default", 322)], headline.TIMES, board("uno"))
    assert [(row["lead"], row["fastest"], row["best"], row["ratio"]) for row in rows] == []
    rows = headline.rows([figure("pair-mutex", "default", 515, "timeout")], headline.TIMES, board("uno"))
    assert [(row["lead"], row["fastest"], row["best"], row["ratio"]) for row in rows] == [("515", None, None, None)]
    assert headline.beside(figure("pair-mutex", "default", 322)).best is None
    assert headline.beside(figure("pair-mutex", "c", 243)).best is not None


def test_the_short_table_fits_with_the_longest_figures() -> None:
    results = [figure(row.experiment, build, 123_456.8, variant) for row in headline.TIMES
               for build, variant in (("fast", row.variant), ("default", row.lead))]  # fmt: skip
    times, _ = summary.short(results, board("stm32f103"), note="", rest="")
    assert len(times.rows) == len(headline.TIMES) and max(map(len, plain(times).splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["switch-semaphore", "--samples", "5000"], "--samples 5000: switch-semaphore makes 1,000 pulses"),
        (["--samples", "5000"], "makes 1,000 pulses"),
        (["irq-jitter", "--samples", "10001"], "--samples 10001: irq-jitter makes 10,000 pulses"),
        (["--build", "fats"], "unknown build 'fats'"),
        (["--seed", "99999999999999999999"], "not in the range"),
        (["--beside", "@empty.json"], "empty.json holds no results"),
        (["--paper", "kral"], "unknown paper 'kral'"),
        (["--paper", "krnl", "switch-yield"], "--paper names its experiments itself"),
        (["--paper", "krnl", "--board", "stm32f103"], "--paper krnl is measured on board 'uno'"),
    ],
)
def test_what_cannot_be_done_is_refused(attacca: Typed, tmp_path: Path, arguments: list[str], complaint: str) -> None:
    (tmp_path / "empty.json").write_text("[]")
    done = attacca("bench", *(one.replace("@", f"{tmp_path}/") for one in arguments))
    assert done.returncode in (1, 2) and done.stdout == ""
    assert complaint in done.stderr and "building" not in done.stderr, "before any work"


def test_help_names_builds_and_papers(attacca: Typed) -> None:
    text = " ".join(attacca("bench", "--help").stdout.split())
    for word in (*BUILDS, *PAPERS, "--all", "--width", "--build", "--paper"):
        assert word in text, word


@pytest.mark.parametrize(("name", "source"), [("krnl", "krnl-performance"), ("lan-kannan", "lan-kannan-2015")])
def test_a_papers_table(attacca: Typed, tmp_path: Path, name: str, source: str) -> None:
    """All that it printed, ours beside it, in every format."""
    files = [tmp_path / f"paper{ending}" for ending in (".json", ".csv", ".md", ".txt", ".html")]
    done = attacca("bench", "--paper", name, *(word for file in files for word in ("-o", file)))
    assert done.returncode == 0, done.stderr
    records = json.loads(files[0].read_text())
    assert [record["published"] for record in records] == [row["value"] for row in published_rows(source)]
    assert all(record["attacca"] for record in records), "every row is repeated"
    assert len(list(csv.DictReader(io.StringIO(files[1].read_text())))) == len(records)
    for file in (*files[2:], None):
        text = done.stdout if file is None else file.read_text()
        assert all(record["attacca"] in text for record in records) and "Attacca" in text
    if name == "lan-kannan":
        memory = [record for record in records if record["experiment"].startswith("ram")]
        assert len(memory) == 8 and all(record["ratio"] for record in memory)
        inversion = [record["ratio"] for record in records if record["experiment"] == "priority-inversion"]
        assert len(inversion) == 2 and all(inversion)
        assert "interrupt-latency, raw, ChibiOS/RT: 24 µs" in done.stdout


@pytest.mark.parametrize("experiment", experiments())
def test_only_the_images_that_are_needed_are_built(experiment: str) -> None:
    """One that is left out would be measured as an older build has it, or be missing."""
    uno = board("uno")
    plan = named(uno, "fast", [experiment])
    assert not plan.images or {case.firmware for case in plan.cases(uno)} <= set(plan.images)
    assert plan.images or experiment.startswith("masked-by-")
