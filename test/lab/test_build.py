"""Building: on a small CMake project of its own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from attacca_lab import build
from attacca_lab.errors import UserError
from conftest import Typed

PRESETS = {
    "version": 6,
    "configurePresets": [
        {"name": "base", "hidden": True, "generator": "Ninja", "binaryDir": "${sourceDir}/build/${presetName}"},
        {"name": "host", "inherits": "base", "displayName": "this computer"},
    ],
}
CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(small C)
add_executable(small small.c)
set_target_properties(small PROPERTIES SUFFIX .elf RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/firmware)
file(WRITE ${CMAKE_BINARY_DIR}/flags.json
    [[{"compiler": "gcc", "compiler_version": "12.2.0", "flags": ["-Os", "-DX"]}]])
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "CMakePresets.json").write_text(json.dumps(PRESETS))
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    (tmp_path / "small.c").write_text("int main(void) { return 0; }\n")
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "BUILD", tmp_path / "build")
    for cached in (build.commit, build.entries):
        cached.cache_clear()
    yield tmp_path
    for cached in (build.commit, build.entries):
        cached.cache_clear()


def test_build_tells_what_it_was_built_with(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    built = build.build("host")
    assert built.elf("small") == tree / "build/host/firmware/small.elf"
    assert subprocess.run([built.elf("small")], check=False).returncode == 0
    assert built.provenance() == {"compiler": "gcc 12.2.0", "flags": "-Os -DX", "commit": "unknown"}
    out, err = capfd.readouterr()
    assert out == ""
    assert [line.split(" ...")[0] for line in err.splitlines()] == [
        "attacca: configuring host",
        "attacca: building host",
    ]


def test_configured_once_and_again_when_the_presets_change(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    build.build("host")
    capfd.readouterr()
    build.build("host")
    assert "configuring" not in capfd.readouterr().err
    changed = json.loads((tree / "CMakePresets.json").read_text())
    changed["configurePresets"][1]["cacheVariables"] = {"X": "1"}
    (tree / "CMakePresets.json").write_text(json.dumps(changed))
    build.build("host")
    assert "configuring" in capfd.readouterr().err
    assert "X:UNINITIALIZED=1" in (tree / "build/host/CMakeCache.txt").read_text()


def test_compiler_errors_are_shown_whole(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tree / "small.c").write_text("int main(void) { return nothing; }\n")
    with pytest.raises(UserError, match="could not build host"):
        build.build("host")
    assert "small.c:1:25: error: " in capfd.readouterr().err


def test_interrupted_configuration_is_done_again(tree: Path) -> None:
    (tree / "build/host").mkdir(parents=True)
    (tree / "build/host/build.ninja").write_text("half")
    assert build.build("host").elf("small").exists()


def test_unknown_names(tree: Path) -> None:
    with pytest.raises(UserError, match="unknown preset 'hots'; presets: host"):
        build.build("hots")
    with pytest.raises(UserError, match="unknown firmware 'smal'; host has: small"):
        build.build("host").elf("smal")
    with pytest.raises(UserError, match="unknown instrument"):
        build.instrument("abacus")


LEVELS = [
    {"name": "base", "hidden": True, "cacheVariables": {"BOARD": "none", "ATTACCA_OPTIMIZE": "-O2"}},
    {"name": "check", "hidden": True, "cacheVariables": {"CHECK": "2", "BOARD": "both"}},
    {"name": "blue", "inherits": "base", "cacheVariables": {"BOARD": "blue"}},
    {"name": "blue-small", "inherits": ["blue"], "cacheVariables": {"ATTACCA_OPTIMIZE": "-Os"}},
    {"name": "blue-check", "inherits": ["blue", "check"], "cacheVariables": {"ATTACCA_OPTIMIZE": "-Og"}},
    {"name": "blue-check-small", "inherits": "blue-check", "cacheVariables": {"ATTACCA_OPTIMIZE": "-Os"}},
    {"name": "red", "inherits": "base", "cacheVariables": {"BOARD": "red"}},
]


def test_levels_are_presets_alike_in_all_else(tree: Path) -> None:
    (tree / "CMakePresets.json").write_text(json.dumps({"version": 6, "configurePresets": LEVELS}))
    assert build.levels("blue") == {"-O2": "blue", "-Os": "blue-small"}
    assert build.levels("blue-small") == {"-Os": "blue-small", "-O2": "blue"}
    assert build.levels("blue-check") == {"-Og": "blue-check", "-Os": "blue-check-small"}
    assert build.levels("red") == {"-O2": "red"}


def test_the_projects_own_levels() -> None:
    build.entries.cache_clear()
    assert build.levels("uno") == {"-Os": "uno", "-O2": "uno-o2"}
    assert build.levels("stm32f103") == {"-O2": "stm32f103", "-Os": "stm32f103-os"}


def test_commit_of_a_tree(tree: Path) -> None:
    git = ["git", "-C", str(tree), "-c", "user.name=n", "-c", "user.email=n@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "small.c"], check=True)
    subprocess.run([*git, "commit", "-qm", "One"], check=True)
    clean = build.commit()
    assert len(clean) == 12
    (tree / "small.c").write_text("int x;\n")
    build.commit.cache_clear()
    assert build.commit() == f"{clean}-dirty"


@pytest.mark.parametrize(("user", "prefix"), [(1000, "sudo "), (0, "")], ids=["user", "root"])
def test_missing_tool_says_how_to_get_it(tree: Path, monkeypatch: pytest.MonkeyPatch, user: int, prefix: str) -> None:
    monkeypatch.setenv("PATH", str(tree))
    monkeypatch.setattr("os.geteuid", lambda: user)
    with pytest.raises(UserError, match="cmake is missing") as raised:
        build.build("host")
    assert raised.value.hint == f"{prefix}apt-get install -y --no-install-recommends cmake"


def test_sizes_of_an_elf(tree: Path) -> None:
    from attacca_lab.firmware import size_table, sizes

    (tree / "small.c").write_text("char zero[1000], one[100] = {1}; int main(void) { return 0; }\n")
    built = build.build("host")
    flash, ram = sizes(built.elf("small"))
    assert flash > 100
    assert ram > 1100
    assert size_table(built).data[0]["commit"] == "unknown"
    with pytest.raises(UserError, match="is not an ELF file"):
        sizes(tree / "small.c")


def test_an_unknown_target_is_one_line(attacca: Typed) -> None:
    done = attacca("build", "--target", "switch-semafore")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("attacca: unknown target 'switch-semafore'; did you mean switch-sem")
    assert not any("ninja" in line for line in done.stderr.splitlines())
