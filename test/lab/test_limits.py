"""What hangs in a test fails after its time, says where, leaves nothing behind, and the next test begins."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from attacca_lab import ending, limits, testing
from attacca_lab.errors import UserError
from conftest import ROOT

HANGS = """
import subprocess, threading
from pathlib import Path

def test_one_that_waits_for_a_program_on_its_way_out():
    with subprocess.Popen(["sh", "-c", "sleep 1000.5 & sleep 1000.75; wait"], start_new_session=True):
        raise AssertionError("an assertion in the block")

def test_one_whose_program_says_nothing():
    process = subprocess.Popen(["sleep", "1000.5"], stdout=subprocess.PIPE)
    process.stdout.readline()

def test_one_that_waits_for_a_thread():
    threading.Event().wait()

def test_one_that_leaves_a_program_behind():
    subprocess.run(["sh", "-c", "sleep 1000.5 & echo $! >left"], stdout=subprocess.DEVNULL, check=True)

def test_the_next_one():
    state = Path(f"/proc/{Path('left').read_text().strip()}/stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"
"""


def suite(folder: Path, text: str) -> Path:
    (folder / "conftest.py").write_text('pytest_plugins = ["attacca_lab.hang_guard"]\n')
    (folder / "test_hangs.py").write_text(text)
    return folder


def sleepers() -> list[str]:
    found = []
    for pid in ending.programs():
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        found += [f"{pid} {words}"] if words[0] == b"sleep" else []
    return found


def test_a_test_that_hangs_fails_alone(tmp_path: Path) -> None:
    suite(tmp_path, HANGS)
    command = [sys.executable, "-m", "pytest", "-q", "-c", ROOT / "lab/pyproject.toml", "--rootdir", tmp_path]
    done = subprocess.run(
        [*command, "--timeout=1.5", "--tb=short", tmp_path], cwd=tmp_path, env=os.environ
        | {"PYTHONPATH": str(ROOT / "lab")}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert "3 failed, 2 passed" in done.stdout, done.stdout
    # Where CI is set, pytest says the reason a second time, in its summary: the traceback's lines count.
    assert len(re.findall(r"^E +Failed: Timeout \(>1.5s\) from pytest-timeout\.$", done.stdout, re.M)) == 3, done.stdout
    assert "in test_one_whose_program_says_nothing\n    process.stdout.readline()" in done.stdout, done.stdout
    assert not sleepers()


@pytest.mark.parametrize("blocked", [False, True])
def test_signals_that_the_shell_ignores_reach_the_tests(tmp_path: Path, blocked: bool) -> None:
    suite(tmp_path, "import os, signal, pytest\ndef test_it():\n    with pytest.raises(KeyboardInterrupt):\n"
                    "        os.kill(os.getpid(), signal.SIGINT)\n        signal.pause()\n")  # fmt: skip

    def wrongly() -> None:
        if blocked:
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        else:
            for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGCHLD):
                signal.signal(one, signal.SIG_IGN)

    command = [sys.executable, "-m", "pytest", "-q", "-c", ROOT / "lab/pyproject.toml", "--rootdir", tmp_path, tmp_path]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(ROOT / "lab")}, capture_output=True, text=True,
                          preexec_fn=wrongly, timeout=60, check=False)  # fmt: skip
    assert "1 passed" in done.stdout, done.stdout


def test_a_program_left_behind_does_not_hold_up_its_output(tmp_path: Path) -> None:
    begun = time.monotonic()
    assert limits.run(["sh", "-c", "echo begun; sleep 1000.5 & echo $!"], 60)[1].startswith("begun\n")
    assert time.monotonic() - begun < 10


def test_a_program_over_its_time_ends_with_what_it_started() -> None:
    before = set(ending.programs())
    with pytest.raises(UserError, match=r"the build has not ended after 1 s, and was ended") as caught:
        limits.run(["sh", "-c", "trap '' TERM; echo said; sleep 1000.5 & sleep 1000.75; wait"], 1, name="the build")
    assert caught.value.hint == "said"
    assert not set(ending.programs()) - before


def test_pytest_that_says_nothing_is_ended_and_says_where_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the limit of a test does not help."""
    monkeypatch.setattr(testing, "SILENT", 4)
    monkeypatch.setattr(testing, "ROOT", tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "lab"))
    (tmp_path / "lab").symlink_to(ROOT / "lab")
    folder = tmp_path / "tests"
    folder.mkdir()
    blocks = "    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})\n    threading.Event().wait()\n"
    suite(folder, f"import signal, threading\n\ndef test_deaf():\n{blocks}")
    with pytest.raises(UserError, match=r"pytest tests has said nothing for 4 s, and was ended") as caught:
        testing._reported(folder, tmp_path / "report.xml")
    assert "in test_deaf" in (caught.value.hint or "")
