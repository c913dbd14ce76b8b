"""./attacca run: consoles of all kinds of boards, and each way to end."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from attacca_lab import build, console, instrument
from attacca_lab.boards import board
from attacca_lab.errors import UserError
from attacca_lab.prepare import avr_gcc_bin
from conftest import ROOT, Typed

PRINT = """
.macro say letter
1:  lds r24, 0xC0
    sbrs r24, 5
    rjmp 1b
    ldi r24, \\letter
    sts 0xC6, r24
.endm
.global main
main:
    ldi r24, 8
    sts 0xC1, r24
    say 'h'
    say 'i'
    say 27
    say 10
2:  lds r24, 0xC0
    sbrs r24, 6
    rjmp 2b
"""
ENDS = {
    "well": (" ldi r24, 0x80\n out 0x31, r24\n", instrument.OK, "ended itself with status 0 after "),
    "badly": (" ldi r24, 0x83\n out 0x31, r24\n", instrument.ENDED_BADLY, "ended itself with status 3 after "),
    "never": ("3: nop\n rjmp 3b\n", instrument.BUDGET, "had not ended after 800,00"),
    "crash": (" ldi r30, 0xff\n ldi r31, 0x3f\n ijmp\n", instrument.CRASH, "crashed after "),
    "halt": (" cli\n3: rjmp 3b\n", instrument.HALTED, "halted after "),
}


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A firmware for each way to end, that says "hi", an escape and a new line before."""
    directory = tmp_path_factory.mktemp("run")
    build.instrument("avr")
    made = {}
    for name, (end, _, _) in ENDS.items():
        source = directory / f"{name}.S"
        source.write_text(PRINT + end)
        made[name] = source.with_suffix(".elf")
        command = [avr_gcc_bin() / "avr-gcc", "-mmcu=atmega328p", "-o", made[name], source]
        subprocess.run(command, check=True, capture_output=True)
    return made


@pytest.mark.parametrize("name", ENDS)
def test_each_way_to_end(firmware: dict[str, Path], attacca: Typed, name: str) -> None:
    _, status, says = ENDS[name]
    done = attacca("run", firmware[name], "--cycles", "50ms")
    assert (done.returncode, done.stdout) == (status, "hi\x1b\n")
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"attacca: {name}.elf {says}"), last
    quiet = attacca("run", firmware[name], "--cycles", "50ms", "--quiet")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (status, "hi\x1b\n", "")


def test_a_hex_file_and_another_clock(firmware: dict[str, Path], attacca: Typed, tmp_path: Path) -> None:
    file = tmp_path / "well.hex"
    subprocess.run([avr_gcc_bin() / "avr-objcopy", "-O", "ihex", firmware["never"], file], check=True)
    done = attacca("run", file, "--cycles", "50ms", "--clock", "8MHz")
    assert done.stdout == "hi\x1b\n" and re.search(r"after 400,00\d cycles, 50 ms", done.stderr), done.stderr


def test_a_terminal_gets_letters_alone(firmware: dict[str, Path]) -> None:
    ours, theirs = pty.openpty()
    command = [ROOT / "attacca", "run", firmware["well"], "--quiet"]
    environment = os.environ | {"TERM": "xterm"}
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:
            pass
    os.close(ours)
    assert process.returncode == 0
    assert text.decode() == "hi\N{REPLACEMENT CHARACTER}\r\n"


def test_the_console_comes_as_it_is_written(tmp_path: Path) -> None:
    """And nothing goes on when the time is up, or the user goes away."""
    script = tmp_path / "slow"
    script.write_text("#!/bin/sh\necho first\nsleep 60 & echo $! >&2\nwait\n")
    script.chmod(0o755)
    begun = time.monotonic()
    status, complaint = console._watch([str(script)], 1.0)
    assert status is None and time.monotonic() - begun < 5
    child = int(complaint)
    time.sleep(0.1)
    state = Path(f"/proc/{child}/stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"


def test_other_boards(attacca: Typed) -> None:
    build.build("host", ["example-17-message"])
    for name, typed in (("host", ["--cycles", "5s"]), ("stm32f103", [])):
        build.instrument("cortex-m")
        done = attacca("run", "example-17-message", "--board", name, *typed)
        assert done.stdout, done.stderr
        assert done.returncode in (instrument.OK, instrument.BUDGET), done.stderr


def test_an_interrupt_ends_it(firmware: dict[str, Path]) -> None:
    command = [ROOT / "attacca", "run", firmware["never"], "--cycles", "60s"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout and select.select([process.stdout], [], [], 30)[0], "the console does not come at once"
        assert process.stdout.read(2) == "hi"
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
    assert process.returncode == 130 and told.splitlines()[-1] == "attacca: interrupted"


def test_what_cannot_run(firmware: dict[str, Path], attacca: Typed, tmp_path: Path) -> None:
    capture = tmp_path / "run.vcd"
    capture.write_text("$timescale 1 ns $end $var wire 1 ! a $end $enddefinitions $end #0 0!")
    cut = tmp_path / "cut.elf"
    cut.write_bytes(firmware["well"].read_bytes()[:200])
    well = firmware["well"]
    for arguments, says in (
        ([tmp_path / "absent.elf"], "there is no file"),
        ([tmp_path], "is no file"),
        ([capture], "is a capture, no firmware"),
        ([cut], "the ELF file is cut short"),
        ([well, "--board", "stm32f103"], "is for another processor (avr)"),
        ([well, "--cycles", "soon"], "'soon' is no length of time"),
        ([well, "--cycles", "0"], "'0' is no length of time"),
        ([well, "--timing", "low"], "uno is exact"),
        ([well, "--stimulus", tmp_path], "is a directory"),
        ([well, "--stimulus", capture], "run.vcd:1:"),
        ([well, "--seed", "-1"], "-1"),
        (["example-99"], "unknown firmware 'example-99'"),
    ):
        done = attacca("run", *arguments)
        assert done.returncode in (1, 2, 3) and done.stdout == "", arguments
        assert says in done.stderr and "Traceback" not in done.stderr, done.stderr
    for options, says in (
        (console.RunOptions(clock="1MHz"), "--clock is for boards with an instrument"),
        (console.RunOptions(cycles="1000"), "host counts no cycles"),
    ):
        with pytest.raises(UserError, match=says):
            console.run(Path("/bin/true"), board("host"), options)
