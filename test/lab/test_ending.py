"""However a command ends, nothing is left: no temporary file, no program. And of two that cannot run at once, the
second says for which it waits."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from attacca_lab import build
from attacca_lab.alone import alone
from conftest import ROOT, Typed

PATIENCE = 30.0

# A command that has a temporary file, and programs of which one's parent ends with the first signal.
COMMAND = """
import os, subprocess, sys, tempfile
from attacca_lab import ending
with ending.nothing_left():
    tempfile.NamedTemporaryFile(delete=False).write(b"x" * 1000)
    subprocess.run(["sh", "-c", "sleep 1000.125 & echo $$ $! >&2; mktemp >/dev/null; echo; exec sleep 1000.25"])
"""


def left(folder: Path) -> list[str]:
    return [str(path) for path in folder.rglob("*")]


def running(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def wait_until(what: object) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if what():  # type: ignore[operator]
            return True
        time.sleep(0.05)
    return False


def start(folder: Path) -> tuple[subprocess.Popen[str], list[int]]:
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND],
        env=os.environ | {"PYTHONPATH": str(ROOT / "lab"), "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )  # hang_guard ends what a failed test leaves of it
    assert process.stdout and process.stderr
    pids = list(map(int, process.stderr.readline().split()))
    process.stdout.readline()
    return process, pids


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_to_the_command_alone_ends_all_and_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    process, pids = start(tmp_path)
    assert len(left(tmp_path)) == 4  # the folder, its lock, two files
    process.send_signal(number)
    process.communicate(timeout=PATIENCE)
    assert not any(map(running, pids))
    assert left(tmp_path) == []


def test_what_a_killed_command_left_the_next_one_removes(tmp_path: Path) -> None:
    process, pids = start(tmp_path)
    process.kill()
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    process.communicate(timeout=PATIENCE)
    assert len(left(tmp_path)) == 4
    time.sleep(1.1)
    second, more = start(tmp_path)
    assert len(left(tmp_path)) == 4  # the second's own
    os.kill(more[0], signal.SIGTERM)  # which ends it by itself
    second.communicate(timeout=PATIENCE)
    assert left(tmp_path) == []
    assert not running(more[1])


def test_two_commands_do_not_remove_each_others(tmp_path: Path) -> None:
    first, pids = start(tmp_path)
    time.sleep(1.1)
    second, more = start(tmp_path)
    assert len(left(tmp_path)) == 8
    for process, (shell, _) in ((first, pids), (second, more)):
        os.kill(shell, signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    assert left(tmp_path) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_run_that_is_ended(tmp_path: Path, number: signal.Signals) -> None:
    """The command as it is typed, in the middle of a capture."""
    elf = build.build("uno", ["example-01-blink"]).elf("example-01-blink")
    build.instrument("avr")
    process = subprocess.Popen(
        [ROOT / "attacca", "scope", elf, "--cycles", "40000s"],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert wait_until(lambda: any(tmp_path.rglob("*.vcd"))), process.poll()
    process.send_signal(number)
    _, stderr = process.communicate(timeout=PATIENCE)
    said = "interrupted" if number == signal.SIGINT else f"ended by {number.name}"
    assert (process.returncode, stderr.splitlines()[-1]) == (128 + number, f"attacca: {said}")
    assert left(tmp_path) == []


def test_nohup_lets_a_command_go_on(tmp_path: Path) -> None:
    script = "import signal, os\nfrom attacca_lab import ending\nwith ending.nothing_left():\n"
    script += "    os.kill(os.getpid(), signal.SIGHUP)\nprint('went on')\n"
    done = subprocess.run(
        ["nohup", sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(ROOT / "lab"), "TMPDIR": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.endswith("went on\n")


def test_temporary_files_are_in_the_cache(attacca: Typed, tmp_path: Path) -> None:
    environment = {"ATTACCA_CACHE": str(tmp_path)}
    script = (
        "import tempfile\nfrom attacca_lab import ending\nwith ending.nothing_left():\n    print(tempfile.mkdtemp())\n"
    )
    without = {name: value for name, value in os.environ.items() if name != "TMPDIR"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=without | {"PYTHONPATH": str(ROOT / "lab")} | environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(f"{tmp_path}/temporary/attacca-")
    assert left(tmp_path) == [f"{tmp_path}/temporary"]


def test_a_command_that_waits_says_at_once_for_which(tmp_path: Path) -> None:
    """As two builds of one preset, or two counts of coverage."""
    script = "import sys\nfrom pathlib import Path\nfrom attacca_lab.alone import alone\n"
    script += f"with alone(Path({str(tmp_path)!r}) / 'lock', 'counts coverage in this tree'):\n"
    script += "    print('mine', flush=True)\n    sys.stdin.readline()\n"
    command = [sys.executable, "-c", script, "test", "--only", "coverage"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "lab")}

    def one() -> subprocess.Popen[str]:
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    with one() as first, one() as second:
        # either may be the first to come there: the other one says nothing before it is told
        said_mine, _, _ = select.select([first.stdout, second.stdout], [], [], PATIENCE)
        assert said_mine, "neither of the two has the lock"
        holder, waiter = (first, second) if said_mine == [first.stdout] else (second, first)
        assert holder.stdout and holder.stdout.readline() == "mine\n"
        assert waiter.stderr
        said = waiter.stderr.readline()
        assert said == (
            f"attacca: waiting for ./attacca test --only coverage (process {holder.pid}), which counts coverage in "
            "this tree\n"
        )
        assert waiter.poll() is None
        holder.communicate("\n")
        assert waiter.communicate("\n")[0] == "mine\n"


def test_a_thread_that_waits_for_another_of_its_command_says_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lock, inside = tmp_path / "lock", []

    def wait() -> None:
        with alone(lock, "builds"):
            inside.append(True)

    other = threading.Thread(target=wait)
    with alone(lock, "builds"):
        other.start()
        other.join(0.2)
        assert not inside
    other.join()
    assert inside and capsys.readouterr().err == ""


def test_coverage_and_a_build_wait_for_each_other(attacca: Typed) -> None:
    """The locks are where two commands would harm each other."""
    for name, command in (
        ("coverage.lock", ["test", "--only", "coverage"]),
        ("host.lock", ["build", "--preset", "host"]),
    ):
        with (build.BUILD / name).open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.truncate(0)
            file.write("./attacca of a test")
            file.flush()
            process = subprocess.Popen(
                [ROOT / "attacca", *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            assert process.stderr
            assert any(line.startswith("attacca: waiting for ./attacca of a test, which ") for line in process.stderr)
            process.terminate()
            process.communicate(timeout=PATIENCE)
