"""./attacca scope: any firmware, any capture, and everything that can go wrong with them, one line each."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from captures import pairs, pulse, text

from attacca_lab import build, instrument, prepare, scope, sources
from attacca_lab.boards import board
from attacca_lab.errors import UserError
from attacca_lab.output import Output
from conftest import Typed

UNO = board("uno")


@pytest.fixture
def vcd_file(tmp_path: Path) -> Path:
    path = tmp_path / "run.vcd"
    path.write_text(text(pairs(100, 2, 118)))
    return path


def test_a_capture_on_the_terminal(vcd_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scope.run(vcd_file, UNO, scope.ScopeOptions())
    out = capsys.readouterr().out
    line = next(line for line in out.splitlines() if line.startswith("tCD - tAB"))
    assert line.split()[3:] == ["100", "118", "118", "118", "118", "118", "7.375", "0"]
    assert "tCS = tCD - tAB = 118 cycles = 7.375 µs" in out


def test_every_format(vcd_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / f"out{ending}" for ending in scope.ENDINGS]
    scope.run(vcd_file, UNO, scope.ScopeOptions(Output("json", files)))
    records = json.loads(capsys.readouterr().out)
    assert [record["variant"] for record in records] == ["tCD - tAB", "tAB"]
    first = records[0]
    assert (first["median"], first["unit"], first["overhead"], first["pin"]) == (118, "cycles", 2, "D13")
    assert json.loads((tmp_path / "out.json").read_text()) == records
    assert (tmp_path / "out.vcd").read_text() == vcd_file.read_text()
    assert (tmp_path / "out.svg").read_text().startswith("<svg")
    assert f"./attacca scope {vcd_file}" in (tmp_path / "out.html").read_text()
    assert (tmp_path / "out.csv").read_text().startswith("experiment,")


def test_a_real_capture_is_in_microseconds_until_a_clock_is_stated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["$timescale 1 ns $end $scope module libsigrok $end", "$var wire 1 ! D0 $end $var wire 1 % D1 $end",
             "$upscope $end $enddefinitions $end", "#0 0! 0%"]  # fmt: skip
    for number in range(20):
        begin = 10_000 * (number + 1)
        lines += [f"#{begin} 1!", f"#{begin + 125} 0!", f"#{begin + 500} 1!", f"#{begin + 500 + 7_500} 0!"]
    path = tmp_path / "real.vcd"
    path.write_text("\n".join(lines))
    scope.run(path, None, scope.ScopeOptions(Output("json")))
    record = json.loads(capsys.readouterr().out)[0]
    assert (record["median"], record["unit"], record["disturbed"], record["pin"]) == (7.375, "us", None, "D0")
    assert (record["board"], record["instrument"]) == ("unknown", "capture")
    scope.run(path, None, scope.ScopeOptions(Output("json"), pin="D0", clock="16MHz"))
    assert json.loads(capsys.readouterr().out)[0]["median"] == 118
    scope.run(path, UNO, scope.ScopeOptions(Output("json"), pin="D0"))
    record = json.loads(capsys.readouterr().out)[0]
    assert (record["median"], record["board"]) == (118, "uno"), "a board that is named says its clock"


def test_which_channel(tmp_path: Path) -> None:
    path = tmp_path / "x.vcd"
    body = text([*pulse(10, 5, "probe_b"), *pulse(40, 5, "in_d2")], channels=("probe_b", "in_d2", "irq"))
    path.write_text(body)
    with pytest.raises(UserError, match="which channel") as caught:
        scope.run(path, UNO, scope.ScopeOptions())
    assert "--pin with one of: probe_b, in_d2" in str(caught.value.hint)
    with pytest.raises(UserError, match="no channel for pin 'D99'; there are: probe_b"):
        scope.run(path, UNO, scope.ScopeOptions(pin="D99"))
    scope.run(path, UNO, scope.ScopeOptions(Output(quiet=True), pin="D12"))
    scope.run(path, UNO, scope.ScopeOptions(Output(quiet=True), pin="d2"))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(b"", "is empty"), (b"#include <x>\n", "neither firmware nor a capture"), (b"$comment hello", "not a VCD file")],
)
def test_what_is_nothing(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "thing"
    path.write_bytes(content)
    with pytest.raises(UserError, match=complaint):
        scope.run(path, UNO, scope.ScopeOptions())


def test_an_elf_for_another_processor(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"another processor \(.*\); uno has an ATmega328P"):
        sources.check_processor(Path(sys.executable).resolve(), UNO)
    path = tmp_path / "cut.elf"
    path.write_bytes(b"\x7fELF\x01\x01\x01")
    with pytest.raises(UserError, match="no ELF file that can be read"):
        sources.check_processor(path, UNO)


@pytest.mark.parametrize(("said", "cycles"), [("2s", 32_000_000), ("300ms", 4_800_000), ("1_0", 10), ("1.5us", 24)])
def test_lengths_of_time(said: str, cycles: int) -> None:
    assert sources.duration(said, 16_000_000) == cycles


@pytest.mark.parametrize(("said", "hertz"), [("16MHz", 16_000_000), ("16m", 16_000_000), ("9600", 9_600), (None, None)])
def test_clocks(said: str | None, hertz: int | None) -> None:
    assert sources.frequency(said) == hertz


def test_nonsense_is_refused() -> None:
    for call in (
        lambda: sources.duration("soon", 1),
        lambda: sources.duration("0", 1),
        lambda: sources.frequency("fast"),
    ):
        with pytest.raises(UserError) as caught:
            call()
        assert caught.value.status == 2


FAKE = """#!{python}
import json, sys
arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
json.dump({{"cycles": 1600, "end": {end!r}}}, open(arguments["--report"], "w"))
open(arguments["--console"], "w").write({console!r})
print({said!r}, file=sys.stderr)
sys.exit({status})
"""


@pytest.mark.parametrize(
    ("status", "end", "console", "said", "expected"),
    [
        (1, {"status": 3}, "not ok 4\n", "", "fw.elf ended with status 3: not ok 4"),
        (2, {}, "", "fake: --guard: no symbol 'x'", "--guard: no symbol 'x'"),
        (3, {}, "", "fake: fw.elf is no ELF", "fw.elf is no ELF"),
        (4, {"pc": 0x80, "symbol": "main"}, "", "", "fw.elf had not ended after 1,600 cycles, at 0x0080 in main"),
        (5, {"detail": "bad opcode", "pc": 0x1A2, "symbol": "f"}, "", "", "fw.elf crashed: bad opcode, at 0x01a2 in f"),
        (6, {}, "", "fake: s:3: no pin Q9", "s:3: no pin Q9"),
        (7, {"detail": "asleep with interrupts off"}, "", "", "fw.elf halted: asleep with interrupts off"),
        (9, {}, "", "what", "the instrument ended with status 9: what"),
    ],
)  # fmt: skip
def test_what_an_instrument_says_becomes_one_line(
    tmp_path: Path, status: int, end: dict[str, object], console: str, said: str, expected: str
) -> None:
    fake, firmware = tmp_path / "fake", tmp_path / "fw.elf"
    fake.write_text(FAKE.format(python=sys.executable, end=end, console=console, said=said, status=status))
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    firmware.write_bytes(b"\x7fELF")
    with pytest.raises(UserError) as caught:
        instrument.run(fake, firmware, tmp_path)
    assert caught.value.message == expected
    allowed = instrument.run(fake, firmware, tmp_path, allow=(status,))
    assert (allowed.status, allowed.console) == (status, console)


def test_a_model_runs_at_the_boards_clock_unless_its_registers_are_to_count(tmp_path: Path) -> None:
    fake, firmware = tmp_path / "fake", tmp_path / "fw.elf"
    fake.write_text(FAKE.format(python=sys.executable, end={}, console="", said="", status=0))
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    firmware.write_bytes(b"\x7fELF")

    def forced(board: str, *extra: str, **more: bool) -> list[str]:
        command = instrument.run(fake, firmware, tmp_path, board=board, extra=extra, capture=False, **more).command
        return [word for word in command[:-1] if word in ("--clock", "72000000", "--timing", "main", "low")]

    assert forced("stm32f103") == ["--clock", "72000000", "--timing", "main"]
    assert forced("stm32f103", "--timing", "low") == ["--clock", "72000000", "--timing", "low"]
    assert forced("stm32f103", by_registers=True) == forced("uno") == []


def test_an_instrument_that_is_not_there_or_never_ends(tmp_path: Path) -> None:
    firmware = tmp_path / "fw.elf"
    firmware.write_bytes(b"\x7fELF")
    with pytest.raises(UserError, match="cannot run the instrument"):
        instrument.run(tmp_path / "none", firmware, tmp_path)
    with pytest.raises(UserError, match="there is no file"):
        instrument.run(tmp_path / "none", tmp_path / "other.elf", tmp_path)
    slow = tmp_path / "slow"
    slow.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(30)\n")
    slow.chmod(0o755)
    told: list[str] = []
    with pytest.raises(UserError, match="has not ended after"):
        instrument.run(slow, firmware, tmp_path, timeout=0.6, progress=told.append)
    assert told


PULSES = """
.global main
main:   sbi 4, 5
1:      sbi 5, 5
        cbi 5, 5
        nop
        sbi 5, 5
        rcall op
        cbi 5, 5
        rjmp 1b
op:     ldi r24, 10
2:      dec r24
        brne 2b
        ret
"""
QUIET = ".global main\nmain: sbi 4, 5\n1: nop\n rjmp 1b\n"
CRASH = ".global main\nmain: sbi 4, 5\n sbi 5, 5\n cbi 5, 5\n ldi r30, 0xff\n ldi r31, 0x3f\n ijmp\n"


@pytest.fixture(scope="module")
def assemble(tmp_path_factory: pytest.TempPathFactory) -> Assembler:
    try:
        compiler = prepare.avr_gcc_bin() / "avr-gcc"
        build.instrument("avr")
    except UserError as error:
        pytest.skip(error.message)
    return Assembler(compiler, tmp_path_factory.mktemp("firmware"))


class Assembler:
    """Makes firmware of a few lines."""

    def __init__(self, compiler: Path, directory: Path) -> None:
        self.compiler, self.directory = compiler, directory

    def __call__(self, source: str, name: str) -> Path:
        path = self.directory / f"{name}.S"
        path.write_text(source)
        elf = path.with_suffix(".elf")
        subprocess.run([self.compiler, "-mmcu=atmega328p", "-o", elf, path], check=True, capture_output=True)
        return elf


def test_firmware_of_any_kernel(assemble: Assembler, capsys: pytest.CaptureFixture[str]) -> None:
    elf = assemble(PULSES, "pulses")
    scope.run(elf, UNO, scope.ScopeOptions(Output("json"), cycles="2ms"))
    record = json.loads(capsys.readouterr().out)[0]
    # rcall 3, ldi 1, nine times dec and brne 3, dec and brne 2, ret 4: the datasheet's sum
    assert (record["median"], record["min"], record["max"], record["overhead"]) == (37, 37, 37, 2)
    assert record["instrument"].startswith("attacca-avr ") and record["disturbed"] == 0


@pytest.mark.skipif(shutil.which("sigrok-cli") is None, reason="sigrok-cli is not installed")
def test_through_sigrok_and_back(assemble: Assembler, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elf, flat, back = assemble(PULSES, "pulses"), tmp_path / "flat.vcd", tmp_path / "back.vcd"
    with instrument.workspace() as directory:
        flags = ["--vcd-flat"]
        ran = instrument.run(
            build.instrument("avr"), elf, directory, cycles=20_000, extra=flags, allow=(instrument.BUDGET,)
        )
        assert ran.vcd is not None
        flat.write_bytes(ran.vcd.read_bytes())
    command = ["sigrok-cli", "-I", "vcd:downsample=62500", "-i", flat, "-O", "vcd", "-C", "probe_a,irq", "-o", back]
    subprocess.run(command, check=True, capture_output=True)
    scope.run(back, UNO, scope.ScopeOptions(Output("json"), clock="16MHz"))
    record = json.loads(capsys.readouterr().out)[0]
    assert (record["median"], record["min"], record["max"], record["unit"]) == (37, 37, 37, "cycles")


def test_firmware_without_pulses_and_firmware_that_crashes(assemble: Assembler) -> None:
    with pytest.raises(UserError, match=r"no pulses on probe_a \(D13\): it stays low for all 2 ms"):
        scope.run(assemble(QUIET, "quiet"), UNO, scope.ScopeOptions(cycles="2ms"))
    with pytest.raises(UserError, match=r"crash.elf crashed: .*, at 0x7ffe"):
        scope.run(assemble(CRASH, "crash"), UNO, scope.ScopeOptions(cycles="2ms"))


def servo(path: Path, count: int = 50) -> Path:
    """Two servos' worth of pulses on one wire: 1 ms and 2 ms in turns, which look like A-B and C-D."""
    lines = ["$timescale 1 us $end $var wire 1 ! D3 $end $enddefinitions $end", "#0 0!"]
    for number in range(count):
        for begin, width in ((number * 40_000 + 1_000, 1_000), (number * 40_000 + 21_000, 2_000)):
            lines += [f"#{begin} 1!", f"#{begin + width} 0!"]
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize(
    ("shape", "what", "median", "least", "most"),
    [
        ("auto", "tCD - tAB", 1_000, 1_000, 1_000),
        ("pairs", "tCD - tAB", 1_000, 1_000, 1_000),
        ("pulses", "pulse", 1_500, 1_000, 2_000),
        ("low", "low pulse", 19_000, 18_000, 19_000),
        ("toggles", "edge to edge", 2_000, 1_000, 19_000),
    ],
)
def test_the_shape_says_how_edges_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shape: str, what: str, median: float, least: float, most: float
) -> None:
    page = tmp_path / "x.html"
    scope.run(servo(tmp_path / "servo.vcd"), None, scope.ScopeOptions(Output(files=[page]), shape=shape))
    out = capsys.readouterr().out
    assert ("--shape pulses takes nothing off" in out) is (shape == "auto")
    assert ("overhead" in out) is (what == "tCD - tAB")
    scope.run(tmp_path / "servo.vcd", None, scope.ScopeOptions(Output("json"), shape=shape))
    first = json.loads(capsys.readouterr().out)[0]
    assert (first["variant"], first["min"], first["median"], first["max"]) == (what, least, median, most)
    assert f"--shape {shape} -o" in page.read_text() or shape == "auto"


def test_what_means_nothing_for_a_capture_is_refused(vcd_file: Path, attacca: Typed, assemble: Assembler) -> None:
    nothing = vcd_file.parent / "nothing"
    nothing.write_text("")
    for arguments, says in (
        ([vcd_file, "--cycles", "2s"], "--cycles is for firmware that is run"),
        ([vcd_file, "--seed", "2"], "--seed is for firmware that is run"),
        ([vcd_file, "--stimulus", nothing], "--stimulus is for firmware that is run"),
        ([vcd_file, "--timing", "low"], "--timing is for firmware that is run"),
        ([vcd_file, "--stimulus", vcd_file.parent], "is a directory"),
        ([vcd_file, "--samplerate", "24MHz"], "whose edges are exact"),
        ([vcd_file, "--channels", "8"], "--channels is for raw samples"),
        ([servo(vcd_file.parent / "s.vcd"), "--board", "host"], "board 'host' has no clock"),
        ([servo(vcd_file.parent / "s.vcd"), "--samplerate", "often"], "'often' is no rate"),
    ):
        done = attacca("scope", *arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert says in done.stderr and len(done.stderr.splitlines()) <= 2, done.stderr
    elf = assemble(PULSES, "pulses")
    for options, says in (
        (scope.ScopeOptions(timing="low"), "uno is exact"),
        (scope.ScopeOptions(samplerate="1MHz"), "--samplerate is for captures"),
        (scope.ScopeOptions(channels=3), "--channels is for captures"),
        (scope.ScopeOptions(clock="fast"), "'fast' is no clock"),
    ):
        with pytest.raises(UserError, match=says):
            scope.run(elf, UNO, options)


def test_a_capture_of_another_instrument_than_the_boards(assemble: Assembler, tmp_path: Path) -> None:
    file = tmp_path / "run.vcd"
    options = scope.ScopeOptions(Output(files=[file], quiet=True), cycles="2ms")
    scope.run(assemble(PULSES, "pulses"), UNO, options)
    with pytest.raises(UserError, match="a capture of attacca-avr; stm32f103 is run by attacca-cortex-m"):
        scope.run(file, board("stm32f103"), scope.ScopeOptions())
    with instrument.workspace() as directory:
        assert scope.look(file, None, scope.ScopeOptions(), directory).pin == "D13", "the board is its instrument's"


def test_the_clock_of_firmware(assemble: Assembler, capsys: pytest.CaptureFixture[str]) -> None:
    elf = assemble(PULSES, "pulses")
    found = []
    for clock in ("16MHz", "8MHz"):
        scope.run(elf, UNO, scope.ScopeOptions(clock=clock, cycles="2ms"))
        line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("tCD - tAB"))
        found.append((int(line.split()[3]), *line.split()[4:6], line.split()[9]))
    (most, *fast), (fewer, *slow) = found
    assert fast == ["37", "37", "2.313"] and slow == ["37", "37", "4.625"]
    assert fewer < most < 2.2 * fewer, "2 ms are half as many cycles"


def test_a_models_timing_and_its_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    f103 = board("stm32f103")
    medians = []
    for timing in (None, "wait-states=2", "low", "main,wait-states=2"):
        scope.run(Path("switch-semaphore"), f103, scope.ScopeOptions(Output("json"), timing=timing))
        whole = json.loads(capsys.readouterr().out)[0]
        medians.append(whole["median"])
        assert ("low" in whole) is (timing != "low"), "a bound has none"
        if timing != "low":
            assert whole["low"] <= whole["median"] <= whole["high"] and whole["low"] < whole["high"]
    assert medians[1] == medians[3] and medians[2] < medians[1]
    scope.run(Path("example-01-blink"), f103, scope.ScopeOptions(Output("json"), pin="PC13", cycles="3s"))
    for blinks in json.loads(capsys.readouterr().out):  # a second each, whatever the timing
        assert blinks["low"] <= blinks["median"] <= blinks["high"]
    scope.run(Path("switch-semaphore"), f103, scope.ScopeOptions(timing="wait-states=2"))
    out = capsys.readouterr().out
    assert "low to high" in out and "the model's timing: wait-states=2" in out
    with pytest.raises(UserError, match="none of main, low, high"):
        scope.run(Path("switch-semaphore"), f103, scope.ScopeOptions(timing="fast"))


def test_a_name_is_built(capsys: pytest.CaptureFixture[str]) -> None:
    scope.run(Path("switch-semaphore"), None, scope.ScopeOptions(Output("json")))
    assert json.loads(capsys.readouterr().out)[0]["board"] == "uno"
    with pytest.raises(UserError, match="did you mean switch-semaphore"):
        scope.run(Path("switch-semafore"), None, scope.ScopeOptions())
