"""Wrong arguments are refused before anything is installed; help is there before it, too."""

from __future__ import annotations

import subprocess
from pathlib import Path

import click
import pytest

from attacca_lab import arguments, cli, errors
from conftest import ROOT, Typed


def test_the_table_is_of_these_commands() -> None:
    assert arguments.TABLE.read_text(encoding="utf-8") == arguments.text(), "./attacca arguments writes it anew"


def test_every_module_of_a_command_is_listed() -> None:
    folder = ROOT / "lab" / "attacca_lab" / "commands"
    names = {path.stem.replace("_", "-") for path in folder.glob("*.py")} - {"--init--", "common"}
    assert names == set(cli.COMMANDS)
    for name in cli.COMMANDS:
        command = cli.cli.get_command(click.Context(cli.cli), name)
        assert command and command.name == name


def test_help_lists_all_commands_before_and_after(attacca: Typed, tmp_path: Path) -> None:
    for env in ({}, {"ATTACCA_CACHE": str(tmp_path / "none")}):
        done = attacca("--help", env=env)
        assert done.returncode == 0
        for name, text in cli.COMMANDS.items():
            assert f"  {name} " in done.stdout and text.split()[0] in done.stdout, (name, env)
    assert not (tmp_path / "none").exists()


WRONG = {
    "frob": "no command 'frob'",
    "test --only foo": "unknown stage 'foo'; stages: python, host, sanitizers, coverage, fuzz and ",
    "test --only=foo": "unknown stage 'foo'",
    "test --only": "option '--only' requires an argument",
    "test host": "one argument too many: 'host'",
    "mutate --files x": "unknown file of kernel/ 'x'",
    "mutate --files sched,x": "unknown file of kernel/ 'x'",
    "mutate --sample 0": "--sample: '0' is no number from 1 on",
    "mutate --jobs 99": "'99' is no number from 1 to 16",
    "bench switch": "unknown experiment 'switch'; experiments: switch-semaphore, switch-wake",
    "bench --samples many": "'many' is no number",
    "bench --beside absent.json": "there is no file absent.json",
    "build --preset uni": "unknown preset 'uni'",
    "build --board uni": "unknown board 'uni'",
    "build -x": "no such option: -x",
    "scope": "missing argument 'FILE'",
    "scope absent.elf": "there is no file absent.elf",
    "scope it's.vcd": "there is no file it's.vcd",
    "scope a b": "one argument too many: 'b'",
    "scope x --shape high": "unknown shape 'high'; shapes: auto, pairs, pulses, toggles, low",
    "run x --stimulus kernel": "kernel is a directory",
}
RIGHT = [
    "test --only host --only python -v",
    "bench switch-wake -o results.json --samples 5",
    "mutate --files sched,waitq",
    "scope README.md --shape low --channels=8",
    "run example-01-blink",
    "flash -- example-01-blink",
    "build --help nonsense",
    "--version",
]


@pytest.mark.parametrize("typed", WRONG)
def test_wrong_ones_are_refused_before_anything_is_installed(attacca: Typed, tmp_path: Path, typed: str) -> None:
    done = attacca(*typed.split(), env={"ATTACCA_CACHE": str(tmp_path / "none")})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("attacca: ") and len(done.stderr.splitlines()) == 1
    assert WRONG[typed] in done.stderr
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("typed", WRONG)
def test_what_the_table_refuses_the_laboratory_refuses_too(typed: str) -> None:
    with pytest.raises((errors.UserError, click.UsageError)):
        cli.cli.main(typed.split(), standalone_mode=False)


@pytest.mark.parametrize("typed", RIGHT)
def test_right_ones_pass(typed: str) -> None:
    command = ["awk", "-f", "lab/arguments.awk", "lab/arguments.txt", *typed.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_nothing_that_a_terminal_would_obey_is_echoed(attacca: Typed, tmp_path: Path) -> None:
    wild = tmp_path / "wild.vcd"
    wild.write_bytes(b"$timescale 1 ns $end $var wire 1 ! a\x1b[2J $end $enddefinitions $end #0 0! #5 1! \x1b[31m\xff")
    for arguments_ in (
        ["scope", wild],
        ["bn\x1b[31mech"],
        ["scope", wild, "--pin", "\x1b[2J"],
        ["test", "--only", "\a"],
    ):
        for env in ({}, {"ATTACCA_CACHE": str(tmp_path / "none")}):
            if env and arguments_[0] == "scope":
                continue
            done = attacca(*arguments_, env=env)
            assert done.returncode in (1, 2)
            assert all(line.isprintable() for line in done.stderr.splitlines()), done.stderr
            assert done.stdout == ""


MANY = [f"{kind}-{place}" for kind in ("switch", "pair", "irq") for place in ("semaphore", "mutex", "thread", "queue")]


def test_at_most_five_names_are_offered() -> None:
    close = errors.unknown("experiment", "switch-semafore", MANY).message
    assert close.startswith("unknown experiment 'switch-semafore'; did you mean switch-semaphore")
    far = errors.unknown("experiment", "zzz", MANY, more="./attacca bench --list").message
    assert far.endswith("and 7 more: ./attacca bench --list")
    assert sum(name in far for name in MANY) == errors.SHOWN
    assert errors.candidates("queue", MANY).startswith("switch-queue, pair-queue, irq-queue")
    assert errors.candidates("x", MANY[:6]) == ", ".join(MANY[:6])
