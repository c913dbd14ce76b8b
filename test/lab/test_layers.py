"""The layer check can fail: every kind of violation, in a small tree of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

SCRIPT = ROOT / "verify" / "layers.py"
TREE = {
    "include/attacca/attacca.h": '#include "attacca/base.h"\n#include "board.h"\n',
    "include/attacca/base.h": '#include <stdint.h>\n#include "port.h"\n',
    "include/attacca/sem.h": "typedef struct {\n    int count;\n} att_sem_t;\n",
    "include/attacca/debug.h": '#include "attacca/base.h"\n',
    "kernel/kernel.h": '#include "attacca/attacca.h"\n',
    "kernel/sched.c": '#include "kernel.h"\n/* not an att_sem_t */\nint att_k_pick(void) { return 0; }\n',
    "kernel/sem.c": '#include "kernel.h"\nint att_k_pick(void);\nint att_sem_give(void) { return att_k_pick(); }\n',
    "kernel/sem_timed.c": '#include "kernel.h"\nint att_sem_give(void);\nint att_t(void) { return att_sem_give(); }\n',
    "kernel/ref.c": '#include "kernel.h"\nint att_resume(void) { return 0; }\n',
    "port/x/port.h": '#include "attacca/config.h"\n',
    "board/x/clock.c": '#include "attacca/port_api.h"\n',
    "bench/bench.c": '#include "attacca/attacca.h"\nint att_sem_give(void);\nint x(void) { return att_sem_give(); }\n',
    "test/kernel/test_x.c": '#include "attacca/debug.h"\nint att_k_check(void);\n',
    "instrument/x/main.cpp": '#include "../common/vcd.hpp"\n#include <string>\n',
    "instrument/common/vcd.hpp": "\n",
    "lab/attacca_lab/x.py": "# instrument/x/main.cpp\nimport json\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        write(tmp_path, name, text)
    return tmp_path


def write(tree: Path, name: str, text: str) -> None:
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text(text, encoding="utf-8")


def layers(tree: Path, *arguments: str) -> tuple[int, list[str], str]:
    command = [sys.executable, str(SCRIPT), "--root", str(tree), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines(), done.stderr


def compiled(tree: Path) -> Path:
    """Objects where CMake puts them."""
    build = tree / "build" / "x"
    write(tree, "build/x/CMakeCache.txt", "")
    for source in [*sorted((tree / "kernel").glob("*.c")), tree / "bench" / "bench.c"]:
        folder = "bench/CMakeFiles/bench.dir" + ("" if source.parent.name == "bench" else "/__/kernel")
        target = build / folder / f"{source.name}.o"
        target.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(line for line in source.read_text().splitlines(True) if not line.startswith("#include"))
        subprocess.run(["gcc", "-x", "c", "-c", "-", "-o", str(target)], input=text, text=True, check=True)
    return build


def test_a_good_tree(tree: Path) -> None:
    compiled(tree)
    status, lines, notes = layers(tree)
    assert (status, lines) == (0, [])
    assert "16 files, 5 objects, 0 violations" in notes


def test_without_objects_it_says_so(tree: Path) -> None:
    status, lines, notes = layers(tree)
    assert (status, lines) == (0, [])
    assert "symbols were not checked" in notes


@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("include/attacca/base.h", '#include "kernel.h"', "includes kernel.h"),
        ("include/attacca/base.h", "#include <stdio.h>", "includes <stdio.h>"),
        ("include/attacca/base.h", '#include "board.h"', "includes board.h"),
        ("include/attacca/attacca.h", '#include "attacca/debug.h"', "includes attacca/debug.h"),
        ("kernel/sched.c", "att_sem_t sem;", "names att_sem_t"),
        ("kernel/sem.c", "#include <string.h>", "includes <string.h>"),
        ("port/x/port.h", '#include "attacca/sem.h"', "includes attacca/sem.h"),
        ("port/x/irq.c", "int att_k_pick(void);", "names att_k_pick"),
        ("board/x/clock.c", '#include "kernel.h"', "includes kernel.h"),
        ("bench/bench.c", '#include "attacca/port_api.h"', "includes attacca/port_api.h"),
        ("bench/bench.c", "extern char att_k;", "names att_k"),
        ("examples/01-x/main.c", '#include "../../kernel/kernel.h"', "includes ../../kernel/kernel.h"),
        ("test/kernel/test_x.c", "int att_k_pick(void);", "names att_k_pick"),
        ("instrument/x/main.cpp", '#include "attacca/base.h"', "includes attacca/base.h"),
        ("instrument/common/vcd.hpp", '#include "../x/core.hpp"', "includes ../x/core.hpp"),
        ("instrument/x/main.cpp", 'find("att_sem_give");', "names att_sem_give"),
        ("lab/attacca_lab/x.py", 'open("instrument/x/main.cpp")', "names instrument/x/main.cpp"),
    ],
)
def test_sources(tree: Path, name: str, line: str, found: str) -> None:
    write(tree, name, TREE.get(name, "") + f"{line}\n")
    status, lines, _ = layers(tree)
    number = TREE.get(name, "").count("\n") + 1
    assert status == 1
    assert len(lines) == 1
    assert lines[0].startswith(f"{name}:{number}: {found}")


def test_an_object_uses_another(tree: Path) -> None:
    text = "int att_sem_give(void);\nint att_resume(void) { return att_sem_give(); }\n"
    write(tree, "kernel/ref.c", f'#include "kernel.h"\n{text}')
    build = compiled(tree)
    for arguments in ((), (str(build),)):
        status, lines, _ = layers(tree, *arguments)
        assert status == 1
        assert len(lines) == 1
        assert lines[0].startswith("kernel/ref.c:2: uses att_sem_give of kernel/sem.c")


def test_a_macro_hides_a_private_symbol(tree: Path) -> None:
    text = "#define JOIN(a, b) a##b\nint JOIN(att_, k_pick)(void);\nint x(void) { return JOIN(att_, k_pick)(); }\n"
    write(tree, "bench/bench.c", text)
    compiled(tree)
    status, lines, _ = layers(tree)
    assert (status, lines) == (1, ["bench/bench.c:1: uses the kernel's private att_k_pick"])


def test_a_long_file_is_mentioned(tree: Path) -> None:
    write(tree, "kernel/ref.c", TREE["kernel/ref.c"] + "\n" * 500)
    status, lines, notes = layers(tree)
    assert (status, lines) == (0, [])
    assert "note: kernel/ref.c: 502 lines" in notes


def test_usage(tree: Path) -> None:
    assert layers(tree, "--help")[0] == 0
    assert layers(tree, "no-such-folder")[0] == 2
