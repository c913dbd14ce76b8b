"""Static initialisers: each good limit compiles without a warning, and what lies beyond it does not compile."""

from __future__ import annotations

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from test_config import AVR_INCLUDES, CORTEX_M, CORTEX_M_INCLUDES, INCLUDES, STRICT

HEAD = """
#include "attacca/attacca.h"
#include "attacca/dynamic.h"
typedef struct { att_cached_t cached; uint8_t data; } sector_t;
typedef struct { int error; } mine_t;
static inline bool transfer(att_cached_t *object) { return object != NULL; }
static inline void entry(void *arg) { (void)arg; }
static inline void notify(att_stream_t *stream) { (void)stream; }
"""

# What is defined, the least and the most that it takes, and what it does not; M is the most units of a count.
SEM = "static att_sem_t s = ATT_SEM_INIT({});"
ONES = "static uintptr_t w[4]; static uint8_t b[4]; static att_record_t r[4]; static char a[4];"
CASES: list[tuple[str, list[str], list[str]]] = [
    (SEM, ["0, 1", "1, 1", "M, M", "0, M", "5, 6"], ["0, 0", "5, 3", "0, M + 1", "M + 1, M + 1", "-1, 1", "0, -1"]),
    ("ATT_MAILBOX(m, {});", ["1", "M"], ["0", "M + 1", "-1"]),
    ("static att_mailbox_t m = ATT_MAILBOX_INIT(w, {});", ["1", "4"], ["0", "M + 1", "-1", "0x100000000"]),
    ("ATT_STREAM(t, {}, notify);", ["1", "M"], ["0", "M + 1", "-1"]),
    ("static att_stream_t t = ATT_STREAM_INIT(b, {}, NULL);", ["1", "4"], ["0", "M + 1", "-1"]),
    ("ATT_RECORDER(c, {});", ["1", "300"], ["0", "-1"]),
    ("static att_recorder_t c = ATT_RECORDER_INIT(r, {});", ["1", "65535"], ["0", "65536", "-1"]),
    ("ATT_ARENA(n, {});", ["1", "200"], ["0", "-1"]),
    ("static att_arena_t n = ATT_ARENA_INIT(a, {});", ["1", "4"], ["0", "-1"]),
    ("ATT_HEAP(h, {});", ["ATT_HEAP_SIZE_MIN", "200"], ["ATT_HEAP_SIZE_MIN - 1", "0", "-1"]),
    ("ATT_POOL(p, uint8_t[3], {});", ["1", "M"], ["0", "M + 1", "-1"]),
    ("ATT_OBJECT_POOL(o, 20, {});", ["1", "9"], ["0", "M + 1"]),
    ("static uint8_t q[2][{}]; static att_pool_t p = ATT_POOL_INIT(q);", [], ["1"]),
    ("ATT_GUARDED_POOL(g, uint8_t[3], {});", ["1", "M"], ["0", "M + 1", "-1"]),
    ("ATT_FIFO(f, uint8_t[3], {});", ["1", "M"], ["0", "M + 1", "-1"]),
    (
        "static ATT_POOL_MEMORY(fm, int, 4); static uintptr_t fw[{}]; static att_fifo_t f = ATT_FIFO_INIT(fm, fw);",
        ["4", "5"],
        ["3"],
    ),
    ("ATT_QUEUE(u, uint8_t[3], {});", ["1", "M"], ["0", "M + 1", "-1"]),
    (
        "static uintptr_t um[2]; static att_queue_t u = ATT_QUEUE_INIT(um, {});",
        ["1, 1", "1, 2", "sizeof(um), 1"],
        ["0, 1", "1, 0", "1, 3", "sizeof(um), 2", "sizeof(um) + 1, 1", "-1, 1", "1, -1"],
    ),
    ("ATT_CACHE(x, sector_t, {}, transfer, transfer);", ["1, 1", "3, 4"], ["0, 1", "1, 0", "1, 3", "M + 1, 4"]),
    ("ATT_CACHE(x, {}, 2, 2, transfer, transfer);", ["att_cached_t"], ["uintptr_t", "att_sem_t"]),
    (
        "ATT_THREAD(d, {}, entry, NULL);",
        ["1, ATT_STACK_MIN", "ATT_PRIORITY_MAX, ATT_STACK_MIN"],
        [
            "0, ATT_STACK_MIN",
            "ATT_PRIORITY_MAX + 1, ATT_STACK_MIN",
            "-1, ATT_STACK_MIN",
            "257, ATT_STACK_MIN",
            "1, ATT_STACK_MIN - sizeof(att_port_stack_t)",
            "1, 0",
            "1, 65536 * sizeof(att_port_stack_t)",
        ],
    ),
    (
        "ATT_THREAD_WITH(mine_t, l, {}, entry, NULL);",
        ["1, ATT_STACK_MIN", "ATT_PRIORITY_MAX, ATT_STACK_MIN"],
        ["0, ATT_STACK_MIN", "ATT_PRIORITY_MAX + 1, ATT_STACK_MIN", "1, ATT_STACK_MIN - sizeof(att_port_stack_t)"],
    ),
]


def _compiler(target: str, language: str, avr_gcc: Path) -> list[str]:
    plus = "++" if "+" in language else "cc"
    if target == "host":
        return [f"g{plus}", *INCLUDES, f"-std={language}"]
    gnu = f"-std={language.replace('c', 'gnu', 1)}"  # ROM tables' pedantry is avr-libc's
    if target == "avr":
        return [str(avr_gcc / f"avr-g{plus}"), "-mmcu=atmega328p", "-Os", *AVR_INCLUDES, gnu]
    return [f"arm-none-eabi-g{plus}", *CORTEX_M, *CORTEX_M_INCLUDES, gnu]


def _said(command: list[str], source: Path, text: str, *warnings: str) -> str:
    """What the compiler says when it fails; nothing if it takes the text."""
    source.write_text(HEAD + ONES + re.sub(r"\bM\b", "ATT_PORT_COUNT_MAX", text) + "\n", encoding="utf-8")
    whole = [*command, *warnings, "-S", "-o", "/dev/null", str(source)]
    done = subprocess.run(whole, capture_output=True, text=True, timeout=60, check=False)
    return done.stderr or "failed" if done.returncode != 0 else ""


@pytest.mark.parametrize("target", ["host", "avr", "cortex-m"])
@pytest.mark.parametrize("language", ["c11", "c++17"])
def test_what_is_beyond_a_limit_does_not_compile(tmp_path: Path, avr_gcc: Path, target: str, language: str) -> None:
    command = _compiler(target, language, avr_gcc)
    suffix = "cpp" if "+" in language else "c"
    texts = [(case.format(value), good) for case, takes, refuses in CASES
             for values, good in ((takes, True), (refuses, False)) for value in values]  # fmt: skip

    def wrong(number: int) -> str:
        text, good = texts[number]
        warnings = [*STRICT, "-Wno-unused"] if good else []  # what is wrong is an error by itself
        said = _said(command, tmp_path / f"{number}.{suffix}", text, *warnings)
        return f"{text}\n{said}" if good == bool(said) else ""

    with ThreadPoolExecutor(2) as pool:
        found = [one for one in pool.map(wrong, range(len(texts))) if one]
    assert not found, "\n".join(found)
