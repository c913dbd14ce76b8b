"""docs/your-project.md as it is printed: each recipe is typed in a folder outside the tree, and what comes out is as
small as what the tree itself builds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from attacca_lab import build, prepare
from conftest import ROOT

PAGE = ROOT / "docs" / "your-project.md"
PARTS = ("CMakeLists.txt", "cmake", "include", "kernel", "dynamic", "port", "board")
CORTEX_M = "-DCMAKE_TOOLCHAIN_FILE=attacca/cmake/cortex-m.cmake"

Project = Callable[..., Path]


def block(name: str) -> str:
    """What stands in the page's block of that name."""
    found = re.search(rf"<!-- project:{name} -->\n```\w+\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found, name
    return found[1]


def flash(elf: Path) -> int:
    """Its bytes in flash: code, constants and the initial values of data."""
    with elf.open("rb") as file:
        sections = [s for s in ELFFile(file).iter_sections() if s["sh_flags"] & 2 and s["sh_type"] != "SHT_NOBITS"]
        return sum(section["sh_size"] for section in sections)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project of one source beside the tree; the returned function types a script there."""
    shutil.copy(ROOT / "examples" / "01-blink" / "main.c", tmp_path)
    (tmp_path / "attacca").symlink_to(ROOT)
    path = f"{prepare.avr_gcc_bin()}:{os.environ['PATH']}"

    def type_it(script: str, **more: str) -> Path:
        done = subprocess.run(
            ["sh", "-e", "-c", script],
            cwd=tmp_path,
            env=os.environ | {"PATH": path} | more,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        assert "warning" not in done.stdout.lower()
        return tmp_path

    return type_it


def ours(preset: str) -> int:
    return flash(build.build(preset, ["example-01-blink"]).elf("example-01-blink"))


@pytest.mark.parametrize(("name", "preset"), [("avr", "uno"), ("stm32", "stm32f103-os")])
def test_by_hand_it_is_as_small_as_in_the_tree(project: Project, name: str, preset: str) -> None:
    folder = project(block(name))
    assert flash(folder / "program.elf") == ours(preset)


@pytest.mark.parametrize("board", ["uno", "stm32f103", "host"])
def test_add_subdirectory(project: Project, tmp_path: Path, board: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(block("add_subdirectory").replace("BOARD uno", f"BOARD {board}"))
    avr = re.findall(r"-DCMAKE_TOOLCHAIN_FILE=\S+", block("configure"))[0]
    toolchain = {"uno": avr, "stm32f103": CORTEX_M, "host": ""}[board]
    folder = project(block("configure").replace(avr, f"{toolchain} -DATTACCA_CHECK=0"))
    if board == "host":
        assert (folder / "build" / "program").exists()
    else:
        presets = {"uno": "uno", "stm32f103": "stm32f103-os"}
        assert flash(folder / "build" / "program.elf") == ours(presets[board])


def test_the_functions_serve_another_project_too(project: Project, tmp_path: Path) -> None:
    """Called from its own folders, with options of its own and its own attacca_config.h."""
    text = block("add_subdirectory").replace("add_executable(program main.c)", "add_subdirectory(more)")
    (tmp_path / "CMakeLists.txt").write_text(text.replace("target_link", "#"))
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "attacca_config.h").write_text("#define ATT_CFG_PRIORITIES 5\n")
    (tmp_path / "more" / "CMakeLists.txt").write_text(
        "target_include_directories(attacca PUBLIC .)\nattacca_kernel(mine ATT_CFG_SLICE=100)\n"
        "attacca_firmware(round-robin mine ../main.c)\nattacca_firmware(five attacca five.c)\n"
    )
    (tmp_path / "more" / "five.c").write_text(
        '#include "attacca/attacca.h"\nATT_SYSTEM();\n_Static_assert(ATT_CFG_PRIORITIES == 5, "the project\'s own");\n'
        "int main(void)\n{\n    att_start();\n}\n"
    )
    folder = project(block("configure"))
    assert {path.name for path in (folder / "build" / "firmware").iterdir()} == {"round-robin.elf", "five.elf"}


@pytest.mark.parametrize("how", ["url", "folder"])
def test_fetch_content(project: Project, tmp_path: Path, how: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(block("fetch_content"))
    (tmp_path / "attacca").unlink()
    shutil.copy(ROOT / "cmake" / "avr.cmake", tmp_path)
    if how == "url":
        origin = tmp_path / "origin"
        for name in PARTS:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            origin.mkdir(exist_ok=True)
            copy(ROOT / name, origin / name)
        git = "git -c user.name=name -c user.email=name@example.org"
        project(f"cd origin && git init -q -b main && git add . && {git} commit -q -m all")
        option = f"-DATTACCA_URL=file://{origin}"
    else:
        option = f"-DATTACCA_URL=none -DFETCHCONTENT_SOURCE_DIR_ATTACCA={ROOT}"
    script = block("configure").replace("attacca/cmake/avr.cmake", f"avr.cmake {option} -DATTACCA_CHECK=0")
    assert flash(project(script) / "build" / "program.elf") == ours("uno")


@pytest.mark.parametrize("level", [0, 1])
def test_beside_a_vendors_start_up_code(project: Project, tmp_path: Path, level: int) -> None:
    """Whose main runs on the main stack, and which knows the kernel's handlers by CMSIS's names."""
    for name in ("main.c", "startup.c", "vendor.ld"):
        shutil.copy(ROOT / "test" / "lab" / "vendor" / name, tmp_path)
    text = block("cortex-m").replace("startup.c)", "startup.c attacca/board/cortex-m/memory.c)")
    text = text.replace("-nostartfiles", "-nostdlib").replace("PRIVATE attacca)", "PRIVATE attacca gcc)")
    (tmp_path / "CMakeLists.txt").write_text(text)
    avr = re.findall(r"-DCMAKE_TOOLCHAIN_FILE=\S+", block("configure"))[0]
    folder = project(block("configure").replace(avr, f"{CORTEX_M} -DATTACCA_CHECK={level}"))
    elf = folder / "build" / "program.elf"
    command = [
        str(build.instrument("cortex-m")),
        "--board",
        "stm32f103",
        "--clock",
        "72000000",
        "--console",
        "-",
        str(elf),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "as expected\n" * 5), done.stderr
