"""The long campaign in parts: the sum of the shards is the whole, and a part that is missing is told."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from attacca_lab import inject, inject_share, shards
from attacca_lab.errors import UserError
from attacca_lab.shards import Shard
from attacca_lab.tap import Tally
from conftest import ROOT, Typed

TOPIC = "sem"  # with few scenarios


def test_every_name_is_in_one_shard() -> None:
    for of in (1, 2, 3, 16):
        parts = [Shard(number, of) for number in range(1, of + 1)]
        assert all(sum(part.has(f"name {n}") for part in parts) == 1 for n in range(200))


def test_the_short_run_moves_with_what_is_tested() -> None:
    """The same instructions in the same tree, others in the next one; all of them, in the end."""
    assert inject_share.drawn("sem take give") == inject_share.drawn("sem take give")
    turns = {inject_share.drawn("sem take give", turn=str(n)) % 4 for n in range(60)}
    assert turns == {0, 1, 2, 3}
    assert inject_share.drawn("sem take give", "1") != inject_share.drawn("sem take resume", "1")


@pytest.mark.parametrize("text", ["3/2", "0/2", "1", "1/", "/2", "a/b", "1/2/3", "-1/2", "1.5/2", "1/99999"])
def test_wrong_shards_are_one_line(attacca: Typed, text: str) -> None:
    done = attacca("test", "--exhaustive", f"--shard={text}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"attacca: --shard {text}: 2/3 is the second of three\n"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (["--shard", "1/2"], "--shard is for --exhaustive"),
        (["--on", "tcp://x"], "--on is for --exhaustive"),
        (["--topic", "sem"], "--topic is for --exhaustive"),
        (["--quick", "--exhaustive"], "--quick and --exhaustive: one of them"),
        (["--exhaustive", "--shard", "1/2", "--on", "tcp://x"], "--shard and --on: one of them"),
        (["--exhaustive", "--report", "x.json"], "--report is for --shard"),
        (["--exhaustive", "--topic", "semm"], "unknown topic 'semm'; did you mean sem or stream?"),
    ],
)
def test_options_that_do_not_go_together(attacca: Typed, typed: list[str], says: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "attacca_lab", "test", *typed], env=os.environ | {"PYTHONPATH": str(ROOT / "lab")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"attacca: {says}\n")


def report(path: Path, number: int, of: int, failed: int = 0, tree: str = "t", topics: tuple[str, ...] = ()) -> Path:
    figures = dict.fromkeys(shards.ADDED, number)
    part = {"scenarios": 2, "runs": 10, "targets": {"uno": figures}, "places": {"uno": ["both", f"at {number}"]}}
    tally = Tally(5, failed, 0, ["uno/sem: wrong"] * failed)
    shards.write(path, Shard(number, of), topics, tree, tally, part)
    return path


def test_the_sum_of_all(tmp_path: Path) -> None:
    tally = shards.merge([report(tmp_path / f"{n}.json", n, 3, failed=n == 2) for n in (3, 1, 2)])
    assert (tally.passed, tally.failed, tally.troubles) == (15, 1, ["uno/sem: wrong"])
    assert tally.notes[0] == "6 scenarios, 30 runs"
    assert tally.notes[1].startswith("uno: 6 runs, 6 with two handlers (6 pairs); 4 program points")


def test_what_is_not_whole_is_told(tmp_path: Path) -> None:
    one, two, again = (report(tmp_path / f"{n}.json", n % 3 + 1, 3) for n in (0, 1, 3))
    older, coarser = report(tmp_path / "o.json", 3, 3, tree="u"), report(tmp_path / "c.json", 2, 2)
    other = report(tmp_path / "t.json", 3, 3, topics=("sem",))
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    for paths, says in (
        ([one, two], "missing: shard 3/3"),
        ([two], "missing: shard 1/3, 3/3"),
        ([one, two, again], "3.json and .*0.json are both shard 1/3"),
        ([one, two, older], "o.json is of another tree than .*0.json"),
        ([one, two, other], "t.json is of another choice of topics"),
        ([one, coarser], "c.json is shard 2/2, .*0.json is one of 3"),
        ([one, broken], "broken.json is no report of a shard"),
    ):
        with pytest.raises(UserError, match=says):
            shards.merge(paths)


def test_merge_ends_with_a_status(attacca: Typed, tmp_path: Path) -> None:
    good = [report(tmp_path / f"{n}.json", n, 2) for n in (1, 2)]
    bad = report(tmp_path / "bad.json", 2, 2, failed=1)
    for paths, status, last in (
        (good, 0, "10 passed, 0 failed, 0 skipped"),
        ([good[0], bad], 1, "10 passed, 1 failed, 0 skipped"),
        (good[:1], 1, "0 passed, 1 failed, 0 skipped"),
    ):
        done = attacca("test", *(word for path in paths for word in ("--merge", path)))
        assert (done.returncode, done.stdout.splitlines()[-1]) == (status, last), done.stdout
    assert "missing: shard 2/2" in done.stdout


@pytest.mark.timeout(900)
def test_the_shards_are_the_whole(tmp_path: Path) -> None:
    """The short campaign of one image: the exhaustive one is divided in the same way."""
    whole, told = inject.try_shard(False, [TOPIC], shards.WHOLE)
    paths = []
    for number in (1, 2, 3):
        tally, part = inject.try_shard(False, [TOPIC], Shard(number, 3))
        paths.append(tmp_path / f"{number}.json")
        shards.write(paths[-1], Shard(number, 3), [TOPIC], "t", tally, part)
        assert 0 < tally.passed < whole.passed
    merged = shards.merge(paths)
    assert (merged.passed, merged.failed) == (whole.passed, whole.failed)
    assert merged.notes == inject.notes(told)


def wait_for(port: int) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise AssertionError("the scheduler does not listen")


# A tree of a worker whose campaign is short: what `./attacca test --exhaustive --shard K/N --report FILE` leaves there.
WORKER = """#!/bin/sh
[ "$1 $2 $3 $5 $7 $8" = "test --exhaustive --shard --report --topic {topic}" ] || exit 2
exec {python} -c 'import sys; sys.path[:0] = sys.argv[1:3]; from pathlib import Path; from test_shards import report
from attacca_lab.shards import Shard; one = Shard.read(sys.argv[3])
report(Path(sys.argv[4]), one.number, one.of, failed={failed}, topics=("{topic}",))' {lab} {tests} "$4" "$6"
"""


def test_on_a_cluster_of_this_machine(tmp_path: Path) -> None:
    """A scheduler and two workers; their shards come back and are merged."""
    command = [ROOT / "attacca", "test", "--exhaustive", "--topic", TOPIC, "--on"]
    nowhere = subprocess.run([*command, "tcp://127.0.0.1:9"], capture_output=True, text=True, check=False)
    assert nowhere.returncode == 1 and "no scheduler of Dask at tcp://127.0.0.1:9" in nowhere.stdout, nowhere
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    script = tmp_path / "attacca"
    facts = {"topic": TOPIC, "python": sys.executable, "lab": ROOT / "lab", "tests": ROOT / "test" / "lab"}
    script.write_text(WORKER.format(failed=0, **facts))
    script.chmod(0o755)
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", str(port), "--no-dashboard"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    environment = os.environ | {"ATTACCA_ROOT": str(tmp_path)}

    def start(typed: list[str]) -> None:  # hang_guard ends it
        nowhere = subprocess.DEVNULL
        subprocess.Popen(typed, cwd=tmp_path, env=environment, stdin=nowhere, stdout=nowhere, stderr=nowhere)

    start([*scheduler, "--host", "127.0.0.1"])
    wait_for(port)
    for _ in range(2):
        start([*worker, "--local-directory", str(tmp_path / "dask")])
    done = subprocess.run([*command, address], capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    shards_done = len(re.findall(r"shard \d+/\d+ is done", done.stderr))
    assert shards_done and done.stdout.splitlines()[-1] == f"{5 * shards_done} passed, 0 failed, 0 skipped"
    script.write_text(WORKER.format(failed=1, **facts))
    done = subprocess.run([*command, address], capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 1 and "uno/sem: wrong" in done.stdout
    script.write_text("#!/bin/sh\necho nothing is built; exit 1\n")
    done = subprocess.run([*command, address], capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 1 and "was not tried: status 1: nothing is built" in done.stdout
