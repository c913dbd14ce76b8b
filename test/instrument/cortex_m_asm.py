"""Small assembly firmwares for the Cortex-M instrument: a main, functions, handlers, marks.

r7 is the mark register's address, for `mark` and `finish`; both change r6. Exceptions are named as the instrument names
them.
"""

from __future__ import annotations

import re
from pathlib import Path

import instrument_tools as tools

NUMBERS = {
    "NMI": 2, "HardFault": 3, "MemManage": 4, "BusFault": 5, "UsageFault": 6, "SVCall": 11, "PendSV": 14, "SysTick": 15,
    "EXTI0": 16 + 6, "EXTI1": 16 + 7, "TIM2": 16 + 28, "TIM3": 16 + 29,
}  # fmt: skip
EXCEPTIONS = 16 + 30

PROLOGUE = """
.syntax unified
.thumb
.macro mark value
    movs r6, #\\value
    strb r6, [r7, #0x7c]
.endm
.macro finish
    mark 0x80
.endm
.macro put address, value
    ldr r0, =\\address
    ldr r1, =\\value
    str r1, [r0]
.endm
.macro enable interrupt
    put 0xe000e100, (1 << \\interrupt)
.endm
.macro priority interrupt, value
    ldr r0, =0xe000e400 + \\interrupt
    movs r1, #\\value
    strb r1, [r0]
.endm
.macro pend interrupt
    put 0xe000e200, (1 << \\interrupt)
    dsb
    isb
.endm
.bss
.balign 8
.space 0x1000
stack_top:
.text
"""


def lines(code: str) -> str:
    """Instructions separated by semicolons (a comment to the assembler) or newlines, one a line; labels end with :."""
    return "".join(f"    {part.strip()}\n" for part in re.split("[;\n]", code) if part.strip())


def functions(code: str) -> str:
    """The same; a label that begins with a letter is a function, with _ a place."""
    return re.sub(r"(?m)^\s*([A-Za-z]\w*):", r".thumb_func\n.type \1, %function\n.global \1\n\1:", lines(code))


def source(
    main: str, more: str = "", handlers: dict[str, str] | None = None, vectors: dict[str, str] | None = None
) -> str:
    """`handlers` are bodies, which return; `vectors` are words for the table as they stand."""
    words = ["stack_top", "start", *["0"] * (EXCEPTIONS - 2)]
    text = []
    for name, body in (handlers or {}).items():
        words[NUMBERS[name]] = f"on_{name}"
        text.append(functions(f"on_{name}: {body}; bx lr"))
    for name, word in (vectors or {}).items():
        words[NUMBERS[name]] = word
    table = "".join(f".word {word}\n" for word in words)
    main = functions(f"start: ldr r7, =0xe0000000; b main; main: {main}; finish; b .")
    return f"{PROLOGUE}{table}{main}{functions(more)}{''.join(text)}.ltorg\n"


def run_asm(
    executable: Path,
    folder: Path,
    main: str,
    more: str = "",
    handlers: dict[str, str] | None = None,
    *arguments: object,
    vectors: dict[str, str] | None = None,
) -> tools.Run:
    file = folder / "firmware.S"
    file.write_text(source(main, more, handlers, vectors))
    firmware = tools.build_cortex_m([file], folder / "firmware.elf")
    return tools.run(executable, firmware, folder, "--cycles", "10M", *arguments)
