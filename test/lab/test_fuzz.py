"""The fuzzer's command: it finds nothing in the kernel, and does find what was planted."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from attacca_lab import fuzz
from conftest import ROOT, Typed

PLANTED = {
    "alarm one unit early": ("kernel/kernel.h", "+ (timeout) + 1)", "+ (timeout) + (planted != 1))"),
    "switch that is lost": ("kernel/sched.c", "        att_port_pend();", "        if (planted != 2) att_port_pend();"),
}


def test_corpus_is_what_was_packed() -> None:
    inputs = [b"longer", b"\0\xff", b"", b"\0\xff"]
    text = fuzz.pack([data for data in inputs if data])
    assert fuzz.unpack(text) == [b"\0\xff", b"longer"]
    assert fuzz.unpack(f"# a story\n{text}") == [b"\0\xff", b"longer"]
    for file in (fuzz.CORPUS, fuzz.REGRESSIONS):
        assert fuzz.unpack(file.read_text(encoding="ascii"))


def test_replay_lists_the_calls_of_an_input_that_passes(attacca: Typed, tmp_path: Path) -> None:
    file = tmp_path / "input"
    file.write_bytes(fuzz.unpack(fuzz.REGRESSIONS.read_text(encoding="ascii"))[0])
    done = attacca("fuzz", "--replay", str(file))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].endswith("interrupt")
    assert "mutex_lock_until(2, until" in done.stdout
    assert lines[-1].endswith("exit(0)")


def test_a_reduced_input_is_what_it_was() -> None:
    folder = fuzz.build.BUILD / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "input").write_bytes(fuzz.unpack(fuzz.REGRESSIONS.read_text(encoding="ascii"))[0])
    once = fuzz.reduced([folder / "input"])
    (folder / "input").write_bytes(once[0])
    assert fuzz.reduced([folder / "input"]) == once


def test_options_that_exclude_each_other(attacca: Typed) -> None:
    done = attacca("fuzz", "--replay", "x", "--minimize")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


# Which bug there is, the environment says: one build has both.
SWITCH = """
extern char *getenv(const char *name);
int planted;
__attribute__((constructor)) static void plant(void)
{
    planted = getenv("PLANTED")[0] - '0';
}
"""


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fuzzer of a copy of the tree, and a folder `corpus` beside it."""
    place = tmp_path_factory.mktemp("planted")
    for folder in ("kernel", "include", "port", "board"):
        shutil.copytree(ROOT / folder, place / folder)
    for name, right, wrong in PLANTED.values():
        file = place / name
        text = file.read_text(encoding="utf-8")
        assert text.count(right) == 1
        file.write_text(text.replace(right, wrong), encoding="utf-8")
    header = place / "kernel" / "kernel.h"
    first = '#include "attacca/attacca.h"\n'
    text = header.read_text(encoding="utf-8")
    assert text.count(first) == 1
    header.write_text(text.replace(first, first + "extern int planted;\n"), encoding="utf-8")
    (place / "kernel" / "planted.c").write_text(f'#include "kernel.h"\n{SWITCH}')
    build = place / "build"
    configure = ["cmake", "-S", str(ROOT / "verify/fuzz"), "-B", str(build), "-G", "Ninja"]
    configure += ["-DCMAKE_C_COMPILER=clang", f"-DATTACCA_TREE={place}"]
    subprocess.run(configure, check=True, capture_output=True)
    subprocess.run(["ninja", "-C", str(build)], check=True, capture_output=True)
    corpus = place / "corpus"
    corpus.mkdir()
    for number, data in enumerate(fuzz.unpack(fuzz.CORPUS.read_text(encoding="ascii"))):
        (corpus / f"{number:04}").write_bytes(data)
    return place


def fuzzed(place: Path, bug: int, own: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [str(place / "build" / "attacca-fuzz"), f"-artifact_prefix={own}/", *more, str(place / "corpus")]
    env = os.environ | {"PLANTED": str(bug)}
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, check=False, env=env)


@pytest.mark.parametrize("bug", PLANTED)
def test_a_planted_bug_is_found(planted: Path, bug: str, tmp_path: Path) -> None:
    """The kept corpus alone is enough."""
    done = fuzzed(planted, [*PLANTED].index(bug) + 1, tmp_path, "-max_total_time=60")
    assert done.returncode
    assert "FAILED: " in done.stderr


def test_without_a_bug_that_build_finds_nothing(planted: Path, tmp_path: Path) -> None:
    done = fuzzed(planted, 0, tmp_path, "-runs=0")
    assert done.returncode == 0, done.stderr
