"""The command line: what goes where, with which status, how fast."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from attacca_lab import build
from conftest import ROOT, Typed

COMMANDS = ["bench", "test", "interrupts-off", "scope", "run", "trace", "boards", "doctor", "build", "flash"]

NAMES = ["uno", "mega2560", "stm32f103", "stm32f107", "m0plus", "m4f"]
NAMES += ["mps2-an385", "mps2-an386", "mps2-an500", "mps2-an505", "lm3s6965evb", "microbit"]
NAMES += [f"cortex-m-{name}" for name in ("stm32f103", "an385", "an386", "an500", "an505", "microbit", "netduinoplus2")]
NAMES += ["pico"]
NAMES += ["virt", "virt-im", "vexriscv", "virt-e", "gba", "gba-thumb", "versatilepb", "versatilepb-thumb"]
NAMES += ["realview-pb-a8", "realview-pb-a8-arm", "10m50", "host"]


def test_boards_plain(attacca: Typed) -> None:
    done = attacca("boards")
    assert done.returncode == 0
    assert done.stderr == ""
    table, notes = done.stdout.split("\n\n")
    assert [line.split()[0] for line in table.splitlines()] == ["board", *NAMES]
    assert re.findall(r"^(\w+): No such chip exists", notes, re.M) == ["m0plus", "m4f"]
    assert "\x1b" not in done.stdout


def test_boards_json(attacca: Typed) -> None:
    boards = {board["name"]: board for board in json.loads(attacca("boards", "--json").stdout)}
    assert list(boards) == NAMES
    assert boards["uno"]["clock_hz"] == 16_000_000
    assert boards["uno"]["flash"] == 32_768
    assert boards["uno"]["ram"] == 2_048
    assert boards["uno"]["probes"] == ["D13", "D12", "D11", "D10"]


def test_boards_csv(attacca: Typed) -> None:
    rows = list(csv.DictReader(io.StringIO(attacca("boards", "--csv").stdout)))
    assert [row["name"] for row in rows] == NAMES
    assert rows[0]["clock_hz"] == "16000000"
    assert rows[0]["probes"] == "D13 D12 D11 D10"


def test_boards_answers_quickly(attacca: Typed) -> None:
    attacca("boards")

    def seconds() -> float:
        begun = time.monotonic()
        attacca("boards")
        return time.monotonic() - begun

    assert min(seconds() for _ in range(5)) < 0.4


def test_boards_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['attacca', 'boards']; from attacca_lab.__main__ import main; main();"
        "sys.exit(' '.join({'rich', 'numpy', 'jinja2', 'elftools', 'vcd'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=_environment())
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_ends_with_an_example(attacca: Typed, command: str) -> None:
    done = attacca(command, "--help")
    assert done.returncode == 0
    assert done.stdout.rstrip().splitlines()[-1].lstrip().startswith(("./attacca ", "sudo ./attacca "))
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_help_names_every_command(attacca: Typed) -> None:
    listed = attacca("--help").stdout
    assert all(f"  {command} " in listed for command in COMMANDS)


def test_version(attacca: Typed) -> None:
    assert attacca("--version").stdout.startswith("attacca ")


@pytest.mark.parametrize("command", [("build",), ("bench",), ("test",)])
def test_unknown_board(attacca: Typed, command: tuple[str, ...]) -> None:
    done = attacca(*command, "--board", "x")
    assert done.returncode == 2
    assert done.stdout == ""
    shown = f"{', '.join(NAMES[:5])} and {len(NAMES) - 5} more: ./attacca boards lists them"
    assert done.stderr == f"attacca: unknown board 'x'; boards: {shown}\n"


def test_unknown_board_is_refused_alike_before_anything_is_installed(attacca: Typed, tmp_path: Path) -> None:
    words = ["test", "--board", "x"]
    assert attacca(*words).stderr == attacca(*words, env={"ATTACCA_CACHE": str(tmp_path / "none")}).stderr


def test_unknown_experiment_suggests_the_one_meant(attacca: Typed) -> None:
    done = attacca("bench", "switch-semaphor")
    assert done.returncode == 2
    assert done.stderr.startswith("attacca: unknown experiment 'switch-semaphor'; did you mean switch-semaphore")
    assert len(done.stderr.splitlines()) == 1
    assert "did you mean switch-semaphore" in attacca("bench", "switch-sem").stderr, "what begins so comes first"


def test_unknown_optimisation_lists_the_boards(attacca: Typed) -> None:
    done = attacca("bench", "--board", "stm32f103", "--optimize", "-O7")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "attacca: unknown optimisation '-O7'; stm32f103 has: -O2, -Os\n"


def test_board_without_timing_measures_nothing(attacca: Typed) -> None:
    done = attacca("bench", "--board", "host")
    assert done.returncode == 2
    assert "--board uno" in done.stderr


def test_unknown_command(attacca: Typed) -> None:
    done = attacca("bnech")
    assert (done.returncode, done.stderr) == (2, "attacca: unknown command 'bnech'; did you mean bench?\n")


def test_unknown_option_is_one_line(attacca: Typed) -> None:
    done = attacca("boards", "--colour")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "./attacca boards --help" in done.stderr


def test_json_and_csv_together(attacca: Typed) -> None:
    assert attacca("boards", "--json", "--csv").returncode == 2


def test_output_files_by_ending(attacca: Typed, tmp_path: Path) -> None:
    names = ("a.json", "a.csv", "a.txt", "a.md")
    done = attacca("boards", *(part for name in names for part in ("-o", name)), cwd=tmp_path)
    assert done.returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    assert json.loads((tmp_path / "a.json").read_text())[0]["name"] == "uno"
    assert (tmp_path / "a.txt").read_text() == done.stdout
    assert (tmp_path / "a.csv").read_text().startswith("name,title,")
    assert (tmp_path / "a.md").read_text().startswith("| board |")


@pytest.mark.parametrize("name", ["results.xls", "nowhere/results.json", "results"])
def test_output_file_that_cannot_be(attacca: Typed, tmp_path: Path, name: str) -> None:
    done = attacca("boards", "-o", name, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_from_another_directory_and_through_a_link(attacca: Typed, tmp_path: Path) -> None:
    link = tmp_path / "links" / "kernel"
    link.parent.mkdir()
    link.symlink_to(os.path.relpath(ROOT / "attacca", link.parent))
    second = tmp_path / "again"
    second.symlink_to("links/kernel")
    for command in (link, second, "links/kernel", os.path.relpath(ROOT / "attacca", tmp_path)):
        assert attacca("boards", cwd=tmp_path, command=command).stdout.startswith("board ")


def test_modules_of_the_working_directory_are_not_taken(attacca: Typed, tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise SystemExit('taken')\n")
    assert attacca("boards", cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}).returncode == 0


def test_doctor(attacca: Typed) -> None:
    done = attacca("doctor", "--json")
    tools = {tool["tool"]: tool for tool in json.loads(done.stdout)}
    assert {"cmake", "g++", "avr-gcc", "python"} <= set(tools)
    needed = [tool for tool in tools.values() if tool["needed_for"] in ("bench", "everything")]
    assert done.returncode == (0 if all(tool["there"] for tool in needed) else 1)
    assert all(tool["place"] for tool in tools.values())


def test_doctor_misses_what_is_not_in_path(attacca: Typed, tmp_path: Path) -> None:
    done = _lab("doctor", "--json", env={"PATH": str(tmp_path)})
    cmake = next(tool for tool in json.loads(done.stdout) if tool["tool"] == "cmake")
    assert not cmake["there"]
    assert cmake["place"].endswith("apt-get install -y --no-install-recommends cmake")
    assert done.returncode == 1


def test_flash_prints_the_command(attacca: Typed, tmp_path: Path) -> None:
    (tmp_path / "blink.hex").write_text(":00000001FF\n")
    done = attacca("flash", "blink.hex", "--port", "/dev/ttyACM7", "--dry-run", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("avrdude -p m328p -c arduino -b 115200 -P /dev/ttyACM7 ")
    done = attacca("flash", "blink.hex", "--port", str(tmp_path / "none"), cwd=tmp_path)
    assert done.returncode == 1
    assert "avrdude -p m328p" in done.stderr


def test_flash_writes_no_other_processors_file(attacca: Typed, tmp_path: Path) -> None:
    build.build("uno", ["switch-semaphore"])
    avr = ROOT / "build" / "uno" / "firmware" / "switch-semaphore.elf"
    arm = tmp_path / "arm.hex"
    arm.write_text(":020000040800F2\n:04000000005000208C\n:00000001FF\n")
    bad = tmp_path / "bad.hex"
    bad.write_text(":04000000005000208D\n")
    capture = tmp_path / "run.vcd"
    capture.write_text("$timescale 1 ns $end")
    for file, on, says in (
        (avr, "stm32f103", "is for another processor (avr); stm32f103 has a Cortex-M3"),
        (arm, "uno", "it has bytes at 0x8000000; uno's flash is 0x0 to 0x7fff"),
        (bad, "uno", "line 1 is no Intel hex record"),
        (capture, "uno", "is no firmware"),
        (tmp_path, "uno", "is no file"),
        (tmp_path / "absent.elf", "uno", "there is no file"),
        ("switch-semafore", "uno", "did you mean switch-semaphore"),
    ):
        done = attacca("flash", file, "--board", on, "--dry-run")
        assert done.returncode in (1, 2) and done.stdout == "", (file, done.stdout)
        assert says in done.stderr, done.stderr
    assert attacca("flash", arm, "--board", "stm32f103", "--dry-run").stdout.startswith("openocd ")


def test_flash_builds_only_what_it_writes(capsys: pytest.CaptureFixture[str]) -> None:
    from attacca_lab.boards import board
    from attacca_lab.flash import flash

    mine, other = (ROOT / "build" / "uno" / "firmware" / f"{name}.elf" for name in ("switch-wake", "switch-yield"))
    build.build("uno", [mine.stem, other.stem])
    mine.unlink()
    other.unlink()
    flash(mine.stem, board("uno"), "/dev/ttyACM7", dry_run=True)
    assert "switch-wake.elf:e" in capsys.readouterr().out
    assert mine.exists() and not other.exists()


def test_flash_by_a_debug_probe(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from attacca_lab.boards import Board
    from attacca_lab.errors import UserError
    from attacca_lab.flash import flash

    scripts = ("interface/stlink.cfg", "target/stm32f1x.cfg")
    target = Board("blue", "", "", "", "", "cycles", "none", flash_openocd=scripts)
    (tmp_path / "blink.elf").write_bytes(Path(sys.executable).resolve().read_bytes())  # no board's instrument: any
    flash(str(tmp_path / "blink.elf"), target, None, dry_run=True)
    line = capsys.readouterr().out
    assert line.startswith("openocd -f interface/stlink.cfg -f target/stm32f1x.cfg -c ")
    assert "blink.elf} verify reset exit" in line
    with pytest.raises(UserError, match="no --port"):
        flash(str(tmp_path / "blink.elf"), target, "/dev/ttyACM0", dry_run=True)


def test_reader_that_goes_away_is_no_traceback() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"{{ {ROOT}/attacca boards; echo $? >&2; }} | true"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr in ("141\n", "0\n")


def test_interrupt_is_one_line() -> None:
    code = (
        "import sys, time; import attacca_lab.commands.boards as c;"
        "c.boards = lambda: (print('going', flush=True), time.sleep(60));"
        "sys.argv = ['attacca', 'boards']; from attacca_lab.__main__ import main; sys.exit(main())"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=_environment()
    )
    assert process.stdout and process.stdout.readline() == "going\n"
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=20)
    assert (process.returncode, stderr) == (130, "attacca: interrupted\n")


def test_a_bug_is_one_line_unless_debugged() -> None:
    code = (
        "import sys; import attacca_lab.commands.boards as c; c.boards = lambda: 1 / 0;"
        "sys.argv = ['attacca', 'boards']; from attacca_lab.__main__ import main; sys.exit(main())"
    )
    for debug, lines in (("", 1), ("1", None)):
        env = _environment() | {"ATTACCA_DEBUG": debug}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)
        assert done.returncode == (70 if lines else 1)
        assert ("Traceback" in done.stderr) is (lines is None)
        assert not lines or len(done.stderr.splitlines()) == lines


def test_terminal_gets_a_table_and_no_color_no_colour() -> None:
    shown = _on_terminal({})
    assert "─" in shown
    plain = _on_terminal({"NO_COLOR": "1"})
    assert "─" in plain
    assert not any(f"\x1b[{colour}" in plain for colour in ("3", "4", "9"))
    assert "\x1b" not in _on_terminal({"TERM": "dumb"})


def _on_terminal(env: dict[str, str]) -> str:
    ours, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm-256color"} | env
    with subprocess.Popen(
        [str(ROOT / "attacca"), "boards"], stdin=subprocess.DEVNULL, stdout=theirs, env=environment
    ) as process:
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:  # what Linux answers when the other side is closed
            pass
    os.close(ours)
    assert process.returncode == 0
    return text.decode()


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT / "lab"), "ATTACCA_ROOT": str(ROOT), "ATTACCA_DEBUG": ""}


def _lab(*arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The laboratory without the shell script before it."""
    command = [sys.executable, "-P", "-m", "attacca_lab", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=_environment() | env)


def test_a_place_that_cannot_be_written_is_no_bug() -> None:
    code = (
        "import sys, pathlib; import attacca_lab.commands.boards as c;"
        "c.boards = lambda: pathlib.Path('/proc/none').mkdir();"
        "sys.argv = ['attacca', 'boards']; from attacca_lab.__main__ import main; sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=_environment())
    assert (done.returncode, done.stderr) == (1, "attacca: /proc/none: no such file or directory\n")
