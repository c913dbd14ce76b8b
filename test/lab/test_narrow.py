"""Tables on a terminal of 80 columns: no line is longer, no name is broken, and no column is missing without a word."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import pytest
from captures import pairs, text

from attacca_lab import build
from attacca_lab.bench import experiments
from conftest import ROOT, Typed

COLUMNS = 80


def on_terminal(*arguments: str) -> str:
    """What a person sees there, colours apart."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")} | {"TERM": "xterm"}
    with subprocess.Popen(
        [str(ROOT / "attacca"), *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL,
        env=environment,
    ):  # fmt: skip
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 4096):
                seen += part
        except OSError:
            pass
    os.close(ours)
    return re.sub(r"\x1b\[[\d;]*m", "", seen.decode()).replace("\r", "")


def check(shown: str, wide: str, names: list[str]) -> None:
    """`wide` is what the command prints where nothing limits it."""
    assert max(map(len, shown.splitlines())) <= COLUMNS
    for name in names:
        assert name in shown.split(), name
    head = next((line for line in wide.splitlines() if "  " in line), "")
    left_out = re.search(r"Not shown in 80 columns: (.*?)\. A wider", shown.replace("\n", " "))
    seen = shown.split()
    for heading in re.split(r"\s{2,}", head):
        words = heading.split()
        assert all(word in seen for word in words) or (left_out and heading in left_out[1]), heading


def test_commands_that_list(attacca: Typed) -> None:
    built = build.build("uno", ["switch-semaphore"])
    for command, names in (
        (["boards"], ["lm3s6965evb", "mps2-an386", "gba-thumb"]),
        (["doctor"], ["ca-certificates", "nlohmann-json3-dev"]),
        (["build", "--target", "switch-semaphore"], [elf.stem for elf in built.elfs()]),
        (["test", "--list"], ["sanitizers", "mega2560"]),
        (["model"], ["semaphore", "0.75"]),
        (["bench", "--list"], list(experiments())),
    ):
        check(on_terminal(*command), attacca(*command).stdout, names)


@pytest.mark.parametrize("command", [["switch-message-round-trip", "pair-mutex"], ["--paper", "krnl"]])
def test_bench(attacca: Typed, command: list[str]) -> None:
    wide = attacca("bench", *command).stdout
    names = [line.split()[0] for line in wide.splitlines() if re.match(r"[a-z]+-[a-z-]+,? ", line)]
    assert names
    check(on_terminal("bench", *command), "", names)


@pytest.mark.parametrize("more", [[], ["--clock", "16MHz"]])
def test_scope(attacca: Typed, tmp_path: Path, more: list[str]) -> None:
    path = tmp_path / "a-capture-of-a-rather-long-name.vcd"
    path.write_text(text(pairs(2_000, 20, 118_000, every=400_000)))
    command = ["scope", str(path), *more]
    check(on_terminal(*command), attacca(*command).stdout.partition("\n")[2], ["2,000", "118,000", "7,375.00"])


def test_scope_with_the_bounds_of_a_model(attacca: Typed) -> None:
    build.instrument("cortex-m")
    command = ["scope", "switch-semaphore", "--board", "stm32f103"]
    check(on_terminal(*command), attacca(*command).stdout.partition("\n")[2], ["1,000", "disturbed"])


def test_trace(attacca: Typed) -> None:
    command = ["trace", "example-26-recorder", "--cycles", "100ms"]
    shown = on_terminal(*command)
    events = json.loads(attacca(*command, "--json").stdout)
    check(shown, attacca(*command).stdout.partition("\n")[2], ["controller", "TIMER1_COMPA"])
    assert all(event["event"] in shown for event in events)
