"""The examples, built as a newcomer builds them and run on the instrument: what their pins and consoles show."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from attacca_lab import build, instrument
from attacca_lab.instrument import BUDGET, Run
from conftest import ROOT

NAMES = sorted(path.parent.name for path in (ROOT / "examples").glob("*/main.c*"))
MS = 16_000  # cycles


@pytest.fixture(scope="module", params=["uno", "uno-check"])
def uno(request: pytest.FixtureRequest) -> build.Build:
    """Checks off, as a newcomer flashes them; and all checks on, which see a stack that is too small."""
    return build.build(request.param, [f"example-{name}" for name in NAMES])


@pytest.fixture(scope="module")
def attacca_avr() -> Path:
    return build.instrument("avr")


def run(uno: build.Build, executable: Path, directory: Path, name: str, ms: int, stimulus: str | None = None) -> Run:
    """Run an example, which never ends by itself, for so many milliseconds."""
    elf = uno.elf(f"example-{name}")
    return instrument.run(
        executable, elf, directory, board="uno", cycles=ms * MS, stimulus=stimulus, allow=(BUDGET,), name=name
    )


def test_one_idea_each() -> None:
    assert [name[:2] for name in NAMES] == [f"{number:02}" for number in range(1, len(NAMES) + 1)]
    for name in NAMES:
        (source,) = (ROOT / "examples" / name).iterdir()
        assert len(source.read_text(encoding="utf-8").splitlines()) <= 80, name


def test_blink(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    edges = run(uno, attacca_avr, tmp_path, "01-blink", 3000).capture.channel("probe_a").edges()
    assert len(edges) == 6
    assert edges[0] < MS
    for half in edges[1:] - edges[:-1]:
        assert 500 * MS <= half < 500 * MS + 3000  # a unit of 64 cycles more at most, and the way to the pin


def test_semaphore(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "02-two-threads-semaphore", 1050).console.splitlines()
    assert lines == [f"consumed {number}" for number in range(1, 15)]


def test_button(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    presses = [10, 100]
    bounce = "".join(f"{at * 10 + 5 * n}00us D2 {n & 1}\n" for at in presses for n in range(4))
    seen = run(uno, attacca_avr, tmp_path, "03-button-interrupt", 200, f"0 D2 1\n{bounce}").capture
    edges = seen.channel("probe_a").edges().tolist()
    assert len(edges) == 2
    for press, edge in zip(presses, edges, strict=True):
        assert 0 < edge - press * MS < (600 if uno.preset == "uno" else 6000)


def test_periodic_without_drift(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "04-periodic", 2050).console.splitlines()
    assert lines == [f"round at {ms} ms" for ms in range(0, 2001, 100)]


def test_suspend_and_resume(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "05-suspend-resume", 250).console.splitlines()
    assert [line for line in lines if line.startswith("resumed")] == [f"resumed with {n}" for n in range(1, 25, 2)]
    assert "missed 10" in lines


def test_run_time_thread(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "06-run-time-thread", 540).console.splitlines()
    assert lines == [f"1 to {n} make {n * (n + 1) // 2}" for n in range(1, len(lines) + 1)]
    assert len(lines) == 10


def test_sketch_and_thread(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    seen = run(uno, attacca_avr, tmp_path, "07-arduino-sketch", 1100).capture
    loop, beat = seen.channel("probe_a").edges(), seen.channel("probe_b").edges()
    assert len(loop) == 3
    assert len(beat) == 1099
    assert beat[-1] - beat[0] == pytest.approx(1098 * MS, abs=1000)


def test_mailbox(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "15-mailbox", 1000).console.splitlines()
    readings = [int(line.removeprefix("reading ")) for line in lines if line.startswith("reading")]
    assert readings == list(range(1, len(readings) + 1))
    assert len(readings) >= 45
    commands = [line for line in lines if line.startswith("command")]
    assert len(commands) == 4
    assert any(not line.endswith(" 0 readings") for line in commands)


def test_stream(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "16-stream", 1000).console.splitlines()[:-1]
    text = "".join(line[5:] for line in lines)
    assert text == "".join(chr(ord("a") + n % 26) for n in range(len(text)))
    assert len(text) > 600
    assert all(len(line) == 13 for line in lines if line.startswith("line"))
    rests = [line for line in lines if line.startswith("rest")]
    assert len(rests) >= 15
    assert all(len(line) < 13 for line in rests)


def test_events(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "08-events", 1050).console.splitlines()
    assert [line for line in lines if line != "alarm"] == [f"{n} samples" for n in range(10, 101, 10)]
    assert lines.count("alarm") == 4


def test_event_group(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "09-event-group", 900).console.splitlines()
    assert lines[:4] == ["warm", "filled", "left begins", "right begins"]
    assert lines[4:] == [f"{n} pieces" for n in range(10, 51, 10)]


def test_message(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "17-message", 1000).console.splitlines()[:-1]
    table = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]
    for name, width in (("one", 1), ("three", 3)):
        said = [line for line in lines if line.startswith(f"{name}: ")]
        assert len(said) >= 16
        assert said == [f"{name}: {sum(table[n % 8 : n % 8 + width])}" for n in range(len(said))]


def test_choice(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "18-choice", 1050).console.splitlines()
    assert [line for line in lines if line.startswith("reading")] == [f"reading {n}" for n in range(1, 6)]
    assert lines.count("tick") == 5
    assert lines[lines.index("reading 5") + 1] == "the sensor has ended"
    assert lines[-3:] == ["tick", "nothing for 150 ms", "tick"]


def test_job(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "19-job", 1000).console.splitlines()[:-1]
    reports = [line for line in lines if line != "cleaned"]
    assert len(reports) >= 18
    assert reports == [f"report after {5 * n + 5} ticks" for n in range(len(reports))]
    assert lines.count("cleaned") == 4


CONSOLE = [
    "02-two-threads-semaphore",
    "04-periodic",
    "05-suspend-resume",
    "06-run-time-thread",
    "08-events",
    "09-event-group",
    "17-message",
    "18-choice",
    "19-job",
]


@pytest.mark.parametrize("name", CONSOLE)
def test_the_same_on_the_simulated_board(attacca_avr: Path, tmp_path: Path, name: str) -> None:
    """They print without end there, in virtual time: as much as the Uno says in a second is read."""
    targets = [f"example-{one}" for one in CONSOLE]
    expected = run(build.build("uno", targets), attacca_avr, tmp_path, name, 1000).console.splitlines()
    with subprocess.Popen(
        [build.build("host", targets).elf(f"example-{name}")], stdout=subprocess.PIPE, text=True
    ) as it:
        assert it.stdout is not None
        lines = [it.stdout.readline().rstrip("\n") for _ in expected]
        it.kill()
    assert len(lines) > 5
    assert lines == expected
