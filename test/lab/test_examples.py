"""The examples, built as a newcomer builds them and run on the instrument: what their pins and consoles show."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from attacca_lab import build, instrument, qemu
from attacca_lab.boards import Board, board
from attacca_lab.instrument import BUDGET, Run
from conftest import ROOT

NAMES = sorted(path.parent.name for path in (ROOT / "examples").glob("*/main.c*"))
ELSEWHERE = ("27-serial", "28-timeline")  # where there is a driver of a serial line, a screen (test_timeline.py)
MS = 16_000  # cycles


@pytest.fixture(scope="module", params=["uno", "uno-check"])
def uno(request: pytest.FixtureRequest) -> build.Build:
    """Checks off, as a newcomer flashes them; and all checks on, which see a stack that is too small."""
    return build.build(request.param, [f"example-{name}" for name in NAMES if name not in ELSEWHERE])


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
        (source,) = (ROOT / "examples" / name).glob("main.c*")
        assert len(source.read_text(encoding="utf-8").splitlines()) <= 80, name


@dataclass(frozen=True)
class Pins:
    """A board's pins as its pins.h has them, and the firmware that uses them."""

    board: Board
    preset: str
    led: str
    pin: str
    button: str

    @property
    def ms(self) -> int:
        """Cycles."""
        return (self.board.clock_hz or 0) // 1000

    @property
    def us(self) -> int:
        return self.ms // 1000

    def run(self, directory: Path, name: str, ms: int, stimulus: str | None = None) -> Run:
        elf = build.build(self.preset, [f"example-{one}" for one in WITH_PINS]).elf(f"example-{name}")
        probes = ["--probe", f"a={self.led}", "--probe", f"b={self.pin}"]
        executable = build.instrument(self.board.instrument)
        return instrument.run(
            executable, elf, directory, board=self.board.name, cycles=ms * self.ms, stimulus=stimulus,
            allow=(BUDGET,), extra=probes, name=name,
        )  # fmt: skip


WITH_PINS = ("01-blink", "03-button-interrupt", "07-arduino-sketch")
ARDUINO, MEGA, STM32F1 = ("D13", "D12", "D2"), ("D13", "D12", "D21"), ("PC13", "PB12", "PA0")
BOARDS_WITH_PINS = [
    ("uno", "uno", *ARDUINO),
    ("uno", "uno-check", *ARDUINO),
    ("mega2560", "mega2560", *MEGA),
    ("stm32f103", "stm32f103", *STM32F1),
    ("stm32f103", "stm32f103-check", *STM32F1),
    ("stm32f107", "stm32f107", *STM32F1),
]


@pytest.fixture(params=BOARDS_WITH_PINS, ids=lambda param: param[1])
def pins(request: pytest.FixtureRequest) -> Pins:
    name, *more = request.param
    return Pins(board(name), *more)


def test_every_board_that_can_be_flashed_has_the_examples_with_pins() -> None:
    header = {path.parent.name for path in (ROOT / "board").glob("*/pins.h")}
    assert header == {"arduino", "stm32f1", "host", "pico", "vexriscv"}  # the Pico: test_pico.py
    for name in WITH_PINS:
        (source,) = (ROOT / "examples" / name).glob("main.c*")
        text = source.read_text(encoding="utf-8")
        assert '#include "pins.h"' in text
        assert not re.search(r"#if|_BV|\bPORT|\bDDR|GPIO", text), f"{name} knows a processor"


def test_blink(pins: Pins, tmp_path: Path) -> None:
    edges = pins.run(tmp_path, "01-blink", 3000).capture.channel("probe_a").edges()
    assert len(edges) == 6
    assert edges[0] < 2 * pins.ms
    for half in edges[1:] - edges[:-1]:  # a unit of time more at most, and the way to the pin
        assert 500 * pins.ms <= half < 500 * pins.ms + 190 * pins.us


def test_semaphore(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "02-two-threads-semaphore", 1050).console.splitlines()
    assert lines == [f"consumed {number}" for number in range(1, 15)]


def test_button(pins: Pins, tmp_path: Path) -> None:
    presses = [10, 100]
    bounce = "".join(f"{at * 10 + 5 * n}00us {pins.button} {n & 1}\n" for at in presses for n in range(4))
    seen = pins.run(tmp_path, "03-button-interrupt", 200, f"0 {pins.button} 1\n{bounce}").capture
    edges = seen.channel("probe_a").edges().tolist()[-2:]
    for press, edge in zip(presses, edges, strict=True):
        assert 0 < edge - press * pins.ms < (380 if pins.preset.endswith("check") else 38) * pins.us


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


def test_sketch_and_thread(pins: Pins, tmp_path: Path) -> None:
    seen = pins.run(tmp_path, "07-arduino-sketch", 1100).capture
    loop, beat = seen.channel("probe_a").edges(), seen.channel("probe_b").edges()
    assert len(loop) == 3
    assert len(beat) in (1098, 1099)  # the time before main is part of it
    assert beat[-1] - beat[0] == pytest.approx((len(beat) - 1) * pins.ms, abs=62 * pins.us)


def test_mutex(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "10-mutex", 1000).console.splitlines()
    assert lines == 5 * [
        "logger has the bus, priority 1",
        "logger gives it back, priority 3",  # and no thread of a priority in between ran
        "controller has the bus",
        "something in between computes",
        "logger goes on, priority 1",
    ]


def test_condition_variable(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "11-condition-variable", 1000).console.splitlines()
    drawn = [line.split()[1].rstrip(",") for line in lines]
    assert drawn.count("30") >= 6
    assert drawn.count("100") >= 4
    balance, paid = 0, 0
    for line, sum_ in zip(lines, map(int, drawn), strict=True):
        left = int(line.split()[3])
        paid += left + sum_ - balance
        balance = left
        assert paid % 40 == 0
    assert 960 <= paid <= 1560


def test_reader_writer_lock(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "12-reader-writer-lock", 1000).console.splitlines()
    assert not any("broken" in line for line in lines)
    values = [int(line.split()[2].rstrip(",")) for line in lines]
    assert values == sorted(values)
    assert set(values) == set(range(values[-1] + 1))
    assert values[-1] >= 7
    assert sum(line.endswith(", both at once") for line in lines) > len(lines) // 2


def test_timer(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "13-timer", 1000).console.splitlines()
    assert lines == [f"silence after {n} beats" for n in range(8, 49, 8)]


def test_queue(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "14-queue", 1000).console.splitlines()[:-1]
    assert len(lines) >= 45
    assert lines == [f"channel {n % 3}: {n} squared is {n * n}" for n in range(1, len(lines) + 1)]


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
    lines = run(uno, attacca_avr, tmp_path, "18-wait-set", 1050).console.splitlines()
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


def test_pool(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "20-pool", 1000).console.splitlines()[:-1]
    assert len(lines) >= 15
    assert [line.split(";")[0] for line in lines] == [f"{n} squared is {n * n}" for n in range(1, len(lines) + 1)]
    assert lines[0].endswith(" 2")
    assert lines[-1].endswith(" 0")


def test_heap(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "21-heap", 1000).console.splitlines()[:-1]
    texts = [line for line in lines if not line.startswith("free")]
    assert {text[0] for text in texts} == {"a", "b"}
    for text in texts:
        assert text == text[0] * len(text)
        assert 20 <= len(text) <= 60
    status = [line.split() for line in lines if line.startswith("free")]
    assert len(status) == 4
    for words in status:
        assert 20 <= int(words[1]) <= 156
        assert words[-1] == "blocks"


def test_arena(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "22-arena", 1000).console.splitlines()
    assert len(lines) >= 19
    assert [line.replace("-", "") for line in lines] == [str(7 ** (n % 7)) for n in range(len(lines))]


def test_delegate(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "23-delegate", 1000).console.splitlines()[:-1]
    stock = 100
    for line in lines:
        number = int(line.split()[-1])
        if line.startswith("took"):
            stock -= number
            assert number in (7, 12)
        else:
            assert number == 0  # a thread that found too little has taken the rest
            stock = 100
        assert stock >= 0
    assert len(lines) >= 40
    assert any(line.startswith("filled") for line in lines)


def test_dynamic(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "24-dynamic", 1000).console.splitlines()[:-1]
    assert len(lines) >= 80
    names = ["ann", "bob", "cid", "dot"]
    for number, line in enumerate(lines):  # the one just created, the newest, and those that still work
        words = line.split()
        assert words[:2] == ["alive:", names[number % 4]]
        assert set(words[2:]) <= set(names) and len(words) <= 4


def test_statistics(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "25-statistics", 1050).console.splitlines()
    assert len(lines) >= 9
    for line in lines[:9]:
        parts = dict(zip(("light", "heavy", "idle", "handlers"), map(int, re.findall(r"(\d+) %", line)), strict=True))
        assert parts["light"] in (10, 11) and parts["heavy"] in (40, 41)
        assert parts["handlers"] <= 2 and 90 <= sum(parts.values()) <= 100  # the rest prints


def test_recorder(uno: build.Build, attacca_avr: Path, tmp_path: Path) -> None:
    lines = run(uno, attacca_avr, tmp_path, "26-recorder", 300).console.splitlines()
    assert len(lines) == 1
    late = re.fullmatch(r"event \d+: late by (\d+) us", lines[0])
    assert late and 1000 < int(late[1]) < 12_500  # the log holds the bus for 12 ms, and a round is 10


CONSOLE = [
    "02-two-threads-semaphore",
    "04-periodic",
    "05-suspend-resume",
    "06-run-time-thread",
    "08-events",
    "09-event-group",
    "10-mutex",
    "12-reader-writer-lock",
    "13-timer",
    "14-queue",
    "17-message",
    "18-wait-set",
    "19-job",
    "22-arena",
]


@pytest.mark.parametrize("name", CONSOLE)
def test_the_same_on_the_simulated_board(attacca_avr: Path, tmp_path: Path, name: str) -> None:
    """They print without end there, in virtual time: as much as the Uno says in a second is read."""
    targets = [f"example-{one}" for one in CONSOLE]
    said = run(build.build("uno", targets), attacca_avr, tmp_path, name, 1000).console
    expected = said[: said.rindex("\n")].splitlines()  # the second may end in the middle of a line
    with subprocess.Popen(
        [build.build("host", targets).elf(f"example-{name}")], stdout=subprocess.PIPE, text=True
    ) as it:
        assert it.stdout is not None
        lines = [it.stdout.readline().rstrip("\n") for _ in expected]
        it.kill()
    assert len(lines) > 5
    assert lines == expected


def test_a_serial_line_in_qemu() -> None:
    """Lines of more than the device holds, each sent when the answer to the last has come, come back in capitals."""
    target = board("realview-pb-a8")
    elf = build.build(target.preset, ["example-27-serial"]).elf("example-27-serial")
    lines = [f"line {number} of more than sixteen bytes" for number in range(8)]
    with subprocess.Popen(
        qemu.command(target, elf), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as it:
        assert it.stdin is not None
        assert it.stdout is not None
        said = []
        for line in lines:
            it.stdin.write(f"{line}\n")
            it.stdin.flush()
            said.append(it.stdout.readline().rstrip("\n"))
        it.kill()
    assert said == [line.upper() for line in lines]


@pytest.mark.parametrize("name", WITH_PINS)
def test_an_led_of_the_simulated_board(name: str) -> None:
    elf = build.build("host", [f"example-{name}"]).elf(f"example-{name}")
    with subprocess.Popen([elf], stdout=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        assert [it.stdout.readline() for _ in range(4)] == ["LED on\n", "LED off\n"] * 2
        it.kill()
