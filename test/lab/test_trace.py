"""./attacca trace: a recorder's events, from a run and from a dump of RAM, and all that can be wrong with either."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from vcd.reader import TokenKind, tokenize

from attacca_lab import build, instrument, recorder, trace
from attacca_lab.boards import board
from attacca_lab.errors import UserError
from attacca_lab.output import Output
from attacca_lab.prepare import avr_gcc_bin
from attacca_lab.recorder import Event, Memory, Recording
from conftest import ROOT, Typed

UNO = board("uno")
HZ = 250_000


@pytest.fixture(scope="module")
def elf() -> Path:
    build.instrument("avr")  # here and not in a command, whose time is limited
    return build.build("uno", ["example-26-recorder"]).elf("example-26-recorder")


@pytest.fixture(scope="module")
def ram(elf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a debugger would dump of an Uno."""
    directory = tmp_path_factory.mktemp("ram")
    whole = directory / "whole.bin"
    extra = ["--memory", str(whole)]
    avr = build.instrument("avr")
    instrument.run(
        avr,
        elf,
        directory,
        cycles=4_800_000,
        capture=False,
        extra=extra,
        allow=(instrument.BUDGET,),
    )
    (directory / "ram.bin").write_bytes(whole.read_bytes()[0x100:])
    assert (directory / "ram.bin").stat().st_size == 2048
    return directory / "ram.bin"


def shown(capsys: pytest.CaptureFixture[str], elf: Path, **options: Any) -> list[dict[str, Any]]:
    trace.run(elf, UNO, trace.TraceOptions(Output("json"), **options))
    records: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return records


def test_the_document_shows_what_the_example_does(elf: Path, attacca: Typed) -> None:
    """But for numbers, times and places on stacks, which change with whatever the kernel gains."""
    text = (ROOT / "docs" / "debugging.md").read_text(encoding="utf-8")
    block = re.search(r"\$ ./attacca trace example\S+ -o \S+ -o \S+\n(.*?)```", text, re.S)
    assert block

    def story(lines: str) -> list[str]:
        return [re.sub(r"^ *\d+ +[\d.]+ |\+\d+|\d{3,}$|^\d+ events", "", line) for line in lines.splitlines()]

    assert story(attacca("trace", elf).stdout) == story(block[1])


def test_numbers_times_and_values(elf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = shown(capsys, elf, cycles="300ms")
    numbers = [event["number"] for event in events]
    assert numbers == list(range(numbers[0], numbers[0] + 28))
    times = [event["ms"] for event in events]
    assert times == sorted(times)
    late = next(event for event in events if event["event"] == "user 0")
    lock = next(event for event in events if (event["thread"], event["event"]) == ("controller", "lock"))
    assert 250 < late["value"] < 3_125  # in units of 4 us: the log holds the bus for 12 ms, and a round is 10
    assert late["ms"] - lock["ms"] == pytest.approx(late["value"] / 250, abs=0.5)
    assert 60 < late["ms"] < 66  # after reset: 15 rounds of the log, 3 ms and a little each, and the 12 ms


def test_a_dump_says_the_same_as_a_run(elf: Path, ram: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = shown(capsys, elf, cycles="300ms")
    assert shown(capsys, elf, memory=ram, base=0x100) == run
    assert shown(capsys, elf, memory=ram, base=0x100, recorder="flight") == run
    slower = shown(capsys, elf, memory=ram, base=0x100, clock="125kHz")
    assert [event["ms"] for event in slower] == [2 * event["ms"] for event in run]


def test_a_run_on_an_stm32(capsys: pytest.CaptureFixture[str]) -> None:
    """Its RAM does not begin at 0: the instrument's report says where."""
    f103 = board("stm32f103")
    build.instrument("cortex-m")
    trace.run(Path("example-26-recorder"), f103, trace.TraceOptions(Output("json"), cycles="300ms"))
    events = json.loads(capsys.readouterr().out)
    assert {event["thread"] for event in events} >= {"controller", "logger"}
    assert any(event["event"] == "user 0" for event in events)


def test_the_files_open_elsewhere(elf: Path, ram: Path, tmp_path: Path) -> None:
    files = [tmp_path / "run.vcd", tmp_path / "run.trace", tmp_path / "run.csv"]
    trace.run(elf, UNO, trace.TraceOptions(Output(files=files, quiet=True), ram, 0x100))
    tokens = list(tokenize(io.BytesIO(files[0].read_bytes())))
    names = {token.var.id_code: token.var.reference for token in tokens if token.kind is TokenKind.VAR}
    assert sorted(names.values()) == ["TIMER1_COMPA", "controller", "logger", "watcher"]
    states: dict[str, str] = {}
    for token in tokens:
        if token.kind is TokenKind.CHANGE_SCALAR:
            states[names[token.scalar_change.id_code]] = token.scalar_change.value
        elif token.kind is TokenKind.CHANGE_TIME:
            assert sum(state == "1" for name, state in states.items() if name != "TIMER1_COMPA") <= 1
    assert states == {"controller": "0", "logger": "0", "watcher": "1", "TIMER1_COMPA": "0"}
    marks = json.loads(files[1].read_text(encoding="utf-8"))["traceEvents"]
    assert sum(mark["ph"] == "i" for mark in marks) == 28
    assert all(mark["dur"] >= 0 for mark in marks if mark["ph"] == "X")
    assert len(files[2].read_text().splitlines()) == 29


# What the events mean, without a firmware.


def test_events_of_one_unit_stand_evenly_in_it() -> None:
    events = [Event(time, "a", "give", "s", None) for time in (1, 2, 2, 2, 2, 5)]
    assert trace.stamps(events, HZ) == [4000, 8000, 9000, 10000, 11000, 20000]


def test_states() -> None:
    events = [
        Event(1, "a", "give", "s", None),
        Event(1, "a", "ready", "b", None),  # less urgent
        Event(2, "a", "block", "a", None),
        Event(2, "a", "isr enter", "V", None),
        Event(3, "a", "ready", "a", None),  # before the switch
        Event(3, "a", "isr leave", "V", None),
        Event(4, "a", "run", "b", None),
        Event(5, "b", "run", "a", None),  # preempted
        Event(6, "", "user 3", "x", 1),
        Event(7, "a", "end", "a", None),
        Event(8, "a", "run", "b", None),
    ]
    a, b, v = ("threads", "a"), ("threads", "b"), ("interrupts", "V")
    assert trace.changes(events) == [
        (0, a, "1"), (1, b, "z"), (3, v, "1"), (5, v, "0"),
        (6, a, "z"), (6, b, "1"), (7, b, "z"), (7, a, "1"), (10, a, "0"), (10, b, "1"),
    ]  # fmt: skip


def test_nothing_recorded_yet_is_no_error() -> None:
    assert "$enddefinitions" in trace.vcd([], HZ)
    assert json.loads(trace.chrome([], HZ, "x"))["traceEvents"]
    assert trace.table(Recording([], 0, False), HZ, "x").notes == ["0 events since it was started; it records"]


class Small(recorder.Program):
    """A program with a recorder at 0x10 and its ring at 0x40: 2 bytes a pointer, no gaps."""

    def __init__(self) -> None:
        self.path = Path("small.elf")
        self._vectors, self._functions = {1: "INT0"}, {0x34: "__vector_1", 0x36: "work"}
        self.objects = [
            (0x10, 20, "flight"),
            (0x200, 60, "worker"),
            (0x300, 200, "att_k"),
        ]
        self.layout = {
            "pointer": 2,
            "record": 9,
            "current": 0x08,
            "records": 0,
            "count": 2,
            "next": 4,
            "written": 6,
        }
        self.layout |= {"left": 10, "time": 0, "subject": 4, "value": 6, "event": 8}


def small(records: list[tuple[int, int, int, int]], written: int, left: int = 0xFFFF) -> Memory:
    data = bytearray(0x80)
    data[0x08:0x0A] = b"\x10\x00"
    head = [
        (0x40, 2),
        (len(records), 2),
        (written % len(records), 2),
        (written, 4),
        (left, 2),
    ]
    place = 0x10
    for number, size in head:
        data[place : place + size] = number.to_bytes(size, "little")
        place += size
    for slot, record in enumerate(records):
        parts = zip(record, (4, 2, 2, 1), strict=True)
        data[0x40 + 9 * slot : 0x49 + 9 * slot] = b"".join(number.to_bytes(size, "little") for number, size in parts)
    return Memory(bytes(data), 0, "small.bin")


def test_the_ring_and_the_clock_wrap() -> None:
    records = [
        (3, 0x210, 0x200, 6),
        (0xFFFFFFFE, 0x300, 0x200, 10),
        (1, 0x34, 0x310, 11),
    ]
    found = recorder.read(Small(), small(records, 10, left=0))
    assert found.frozen and found.written == 10
    assert found.events == [
        Event(0xFFFFFFFE, "worker", "run", "idle", None),
        Event(0x100000001, "idle", "isr enter", "INT0", None),
        Event(0x100000003, "worker", "give", "worker+16", None),
    ]
    found = recorder.read(Small(), small(records, 1))
    assert not found.frozen and len(found.events) == 1


def test_strangers_have_numbers() -> None:
    records = [(0, 0x999, 0x36, 0x7F), (0, 0, 5, 0x82)]
    assert recorder.read(Small(), small(records, 2)).events == [
        Event(0, "work", "event 127", "0x999", None),
        Event(0, "", "user 2", "", 5),
    ]


def test_what_is_no_recording() -> None:
    good = small([(0, 0, 0, 1)], 1)
    with pytest.raises(UserError, match=r"small.bin has 128 bytes from 0x100, and nothing at 0x8"):
        recorder.read(Small(), Memory(good.data, 0x100, "small.bin"))
    with pytest.raises(UserError, match="what lies at 0x10 is no recorder"):
        recorder.read(Small(), Memory(good.data[:16] + bytes(112), 0, "small.bin"))
    with pytest.raises(UserError, match="no recorder has been started"):
        recorder.read(Small(), Memory(bytes(128), 0, "small.bin"))
    with pytest.raises(UserError, match=r"small.elf has no object 'fight'"):
        recorder.read(Small(), good, "fight")


def test_firmware_that_cannot_be_traced(elf: Path, tmp_path: Path, attacca: Typed) -> None:
    plain = build.build("uno", ["example-01-blink"]).elf("example-01-blink")
    stripped = tmp_path / "stripped.elf"
    shutil.copy(elf, stripped)
    subprocess.run([avr_gcc_bin() / "avr-strip", stripped], check=True)
    text = tmp_path / "text.elf"
    text.write_text("hello")
    for arguments, says in (
        ([plain], "records nothing: it has no att_recorder_layout"),
        ([stripped], "has no symbols"),
        ([text], "is not an ELF file"),
        ([tmp_path / "absent.elf"], "there is no file"),
        (["example-26-record"], "did you mean example-26-recorder"),
        ([elf, "--board", "host"], "--clock"),
        ([elf, "--board", "host", "--clock", "1MHz"], "has no instrument with memory"),
        ([elf, "--base", "here"], "'here' is no address"),
        ([elf, "--memory", text, "--base", "-4"], "'-4' is no address"),
        ([elf, "--memory", text, "--base", "0x100000000"], "is no address"),
        ([elf, "--base", "0x100"], "there is none"),
        ([elf, "--memory", text, "--cycles", "2s"], "--cycles is for a run"),
        ([elf, "--memory", text, "--seed", "2"], "--seed is for a run"),
        ([elf, "--stimulus", tmp_path], "is a directory"),
        ([elf, "--memory", tmp_path / "absent.bin"], "cannot read"),
        ([elf, "--memory", text], "dump all of the RAM"),
        ([elf, "--cycles", "100"], "no recorder has been started"),
        ([elf, "-o", "x.doc"], "the ending says the format"),
    ):
        done = attacca("trace", *arguments)
        assert done.returncode in (1, 2) and done.stdout == ""
        assert says in done.stderr, done.stderr
        assert "Traceback" not in done.stderr


# The laboratory's copies of what the kernel's headers say.


def test_the_headers_say_the_same() -> None:
    header = (ROOT / "include" / "attacca" / "recorder.h").read_text(encoding="utf-8")
    assert f"ATT_RECORDER_MAGIC 0x{recorder.MAGIC:X}u" in header
    assert f"ATT_RECORDER_VERSION {recorder.VERSION}u" in header
    events = (ROOT / "include" / "attacca" / "trace.h").read_text(encoding="utf-8")
    names = recorder.event_names()
    assert len(names) == len(re.findall(r"^ +ATT_EVENT_\w+ = \d", events, re.M)) - 1  # USER
    assert names[1] == "ready" and names[11] == "isr enter"
    clock = re.search(
        r"ATT_BOARD_TIME_HZ \(F_CPU / (\d+)\)",
        (ROOT / "board/arduino/board.h").read_text("utf-8"),
    )
    for name in ("uno", "mega2560"):
        known = board(name)
        assert clock and known.clock_hz and known.time_hz == known.clock_hz // int(clock[1])
