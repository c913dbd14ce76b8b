"""What compiler and linker must say: headers in C++, wrong options, other layouts, and what a small program drops."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from conftest import ROOT, Firmware

HEADERS = sorted(path.name for path in (ROOT / "include" / "attacca").glob("*.h"))
INCLUDES = [f"-I{ROOT / folder}" for folder in ("include", "port/host", "board/host")]
AVR_INCLUDES = [f"-I{ROOT / folder}" for folder in ("include", "port/avr", "board/arduino")]
CORTEX_M_INCLUDES = [f"-I{ROOT / folder}" for folder in ("include", "port/cortex-m", "board/stm32f1", "board/cortex-m")]
CORTEX_M = ["-mcpu=cortex-m3", "-mthumb", "-DSTM32F103", "-DATT_CFG_NEAR_RAM=1", "-ffreestanding", "-O2"]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror"]

PROGRAM = """
#include "attacca/attacca.h"
#include "attacca/debug.h"
#include "attacca/port_api.h"
static att_sem_t sem = ATT_SEM_INIT(1, 2);
static att_ref_t ref;
static void callback(void *arg) { (void)arg; }
static att_timer_t timer = ATT_TIMER_INIT(callback, &sem);
static void entry(void *arg)
{
    uint8_t narrow = 5;
    int wide = 7;
    (void)arg;
    (void)att_sem_take(&sem, ATT_FOREVER);
    (void)att_sem_take(&sem, narrow);
    (void)att_sem_take(&sem, (att_time_t)wide);
    (void)att_sem_take(&sem, ATT_MS(3));
    (void)att_suspend(&ref, ATT_US(50));
    att_timer_start(&timer, ATT_MS(1), ATT_S(1));
    const att_key_t key = att_lock();
    att_unlock(key);
    ATT_EXPECT(att_k_check() == 0, 0x8001);
    ATT_INVARIANT(att_time_after(att_now(), 0));
}
ATT_THREAD(one, 1, ATT_STACK_MIN + 100, entry, NULL);
ATT_THREAD(two, ATT_PRIORITY_MAX, ATT_STACK_MIN + 100, entry, &sem);
ATT_SYSTEM(one, two);
int main(void) { att_start(); }
"""


def _run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="session")
def cc() -> str:
    found = shutil.which("cc")
    if found is None:
        pytest.skip("no C compiler")
    return found


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("language", ["c11", "c++17"])
def test_a_program_compiles_without_a_warning(
    tmp_path: Path, cc: str, avr_gcc: Path, language: str, level: int
) -> None:
    source = tmp_path / ("program.cpp" if "+" in language else "program.c")
    source.write_text(PROGRAM, encoding="utf-8")
    plus = "++" if "+" in language else "cc"
    options = [f"-std={language}", f"-DATT_CFG_CHECK={level}", *STRICT, "-c", source, "-o", tmp_path / "o"]
    host = _run("g++" if plus == "++" else cc, *INCLUDES, *options)
    assert (host.returncode, host.stderr) == (0, "")
    gnu = f"-std={language.replace('c', 'gnu', 1)}"  # ROM tables' pedantry is avr-libc's
    avr = _run(avr_gcc / f"avr-g{plus}", "-mmcu=atmega328p", "-Os", *AVR_INCLUDES, *options, gnu)
    assert (avr.returncode, avr.stderr) == (0, "")
    cortex_m = _run("arm-none-eabi-g" + plus, *CORTEX_M, *CORTEX_M_INCLUDES, *options, gnu)
    assert (cortex_m.returncode, cortex_m.stderr) == (0, "")


@pytest.mark.parametrize("header", HEADERS)
def test_each_header_stands_alone(tmp_path: Path, cc: str, header: str) -> None:
    for name, compiler, language in (("alone.c", cc, "c11"), ("alone.cpp", "g++", "c++17")):
        source = tmp_path / name
        source.write_text(
            f'#include "attacca/{header}"\n#include "attacca/{header}"\nextern int here;\n', encoding="utf-8"
        )
        done = _run(compiler, f"-std={language}", *STRICT, *INCLUDES, "-fsyntax-only", source)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("CHECK=3", "is 0, 1 or 2"),
        ("CHECK=-1", "is 0, 1 or 2"),
        ("PRIORITIES=1", "is 2 to 32"),
        ("PRIORITIES=33", "is 2 to 32"),
        ("SLICE=-1", "is 0 (off) to 1000000000"),
        ("SLICE=1000000001", "is 0 (off) to 1000000000"),
        ("STACK_FILL=2", "is 0 or 1"),
        ("IDLE_SLEEP=2", "is 0 or 1"),
        ("STATISTICS=2", "is 0 or 1"),
        ("NEAR_RAM=2", "is 0 or 1"),
    ],
)
def test_a_wrong_option_is_an_error_that_says_what_is_right(tmp_path: Path, cc: str, option: str, message: str) -> None:
    name, _, value = option.partition("=")
    (tmp_path / "attacca_config.h").write_text(f"#define ATT_CFG_{name} {value}\n", encoding="utf-8")
    source = tmp_path / "wrong.c"
    source.write_text('#include "attacca/attacca.h"\n', encoding="utf-8")
    done = _run(cc, f"-I{tmp_path}", *INCLUDES, "-fsyntax-only", source)
    assert done.returncode != 0
    assert f"ATT_CFG_{name} {message}" in done.stderr


def _kernel(folder: Path, cc: str, *options: str) -> list[Path]:
    """The kernel's objects for the host."""
    folder.mkdir()
    sources = [*(ROOT / "kernel").glob("*.c"), *(ROOT / "board/host").glob("*.c")]
    sources += [path for path in (ROOT / "port/host").iterdir() if path.suffix in (".c", ".S")]
    for number, source in enumerate(sources):
        done = _run(cc, "-c", *options, *INCLUDES, f"-I{ROOT / 'kernel'}", source, "-o", folder / f"{number}.o")
        assert done.returncode == 0, done.stderr
    return sorted(folder.glob("*.o"))


def test_another_layout_does_not_link(tmp_path: Path, cc: str) -> None:
    kernel = _kernel(tmp_path / "kernel", cc)
    source = tmp_path / "program.c"
    source.write_text(PROGRAM, encoding="utf-8")
    right = _run(cc, *INCLUDES, source, *kernel, "-o", tmp_path / "right")
    assert right.returncode == 0, right.stderr
    for option, symbol in (
        ("PRIORITIES=12", "att_layout_priorities_12_check_1_slice_0"),
        ("CHECK=0", "att_layout_priorities_8_check_0_slice_0"),
        ("SLICE=7", "att_layout_priorities_8_check_1_slice_1"),
        ("STATISTICS=1", "att_layout_priorities_8_check_1_slice_0_statistics"),
    ):
        wrong = _run(cc, *INCLUDES, f"-DATT_CFG_{option}", source, *kernel, "-o", tmp_path / "wrong")
        assert wrong.returncode != 0
        assert symbol in wrong.stderr


def test_the_linker_drops_what_a_semaphore_program_does_not_call(firmware: Firmware) -> None:
    with firmware("uno", "test-alone").open("rb") as file:
        symbols = {symbol.name for symbol in ELFFile(file).get_section_by_name(".symtab").iter_symbols()}
    assert {"att_sem_give", "att_sem_take_forever", "att_start"} <= symbols
    dropped = ("att_join", "att_sleep", "att_suspend", "att_resume", "att_timer", "att_board_now", "att_board_alarm",
               "att_clock", "att_sem_reset", "att_sem_take_until", "att_thread_set_priority",
               "att_thread_start", "att_k_check", "att_yield", "att_thread_create", "att_object",
               "att_registry", "att_dynamic", "att_kind", "att_store", "att_record",
               "att_statistics", "att_port_traced", "att_debug_layout")  # fmt: skip
    assert not [name for name in symbols if name.startswith(dropped)]
    assert not symbols & {"malloc", "printf"}


def test_without_a_hook_a_fault_stops_the_processor(attacca_avr: Path, firmware: Firmware) -> None:
    done = _run(attacca_avr, "--cycles", "1M", firmware("uno", "halt"))
    assert done.returncode == 7, done.stderr


@pytest.mark.parametrize("language", ["c11", "c++17"])
@pytest.mark.parametrize(
    ("kind", "compiles"),
    [
        (
            "ATT_MUTEX_RECURSIVE | ATT_MUTEX_ROBUST | ATT_MUTEX_CEILING(ATT_PRIORITY_MAX)",
            True,
        ),
        ("ATT_MUTEX_PLAIN", True),
        ("ATT_MUTEX_CEILING(ATT_PRIORITY_MAX + 1)", False),
        ("ATT_MUTEX_CEILING(200)", False),
        ("ATT_MUTEX_CEILING(-1)", False),
        ("ATT_PRIORITY_MAX + 1", False),
        ("0x100", False),
    ],
)
def test_a_ceiling_beyond_the_priorities_does_not_compile(
    tmp_path: Path, cc: str, language: str, kind: str, compiles: bool
) -> None:
    source = tmp_path / ("mutex.cpp" if "+" in language else "mutex.c")
    source.write_text(
        f'#include "attacca/mutex.h"\natt_mutex_t mutex = ATT_MUTEX_INIT({kind});\n',
        encoding="utf-8",
    )
    compiler = "g++" if "+" in language else cc
    done = _run(
        compiler,
        *INCLUDES,
        f"-std={language}",
        *STRICT,
        "-c",
        source,
        "-o",
        tmp_path / "o",
    )
    assert (done.returncode == 0) == compiles, done.stderr
