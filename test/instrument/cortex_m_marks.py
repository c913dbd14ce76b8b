"""Small assembly firmwares for the Cortex-M instrument: a main, some handlers, and marks as the only instruments.

Registers that stay: r7 the mark register's address, r4 to r6 the marks 0x21 to 0x23, r8 and r9 what pends
PendSV by `str r8, [r9]`. Costs that the expectations are made of (zero wait states): an exception's entry, a return
by `bx lr`, a tail-chain, a store behind something that is no load or store.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import instrument_tools as tools

ENTRY = 12
BX = 1
EXIT = 12
TAIL_CHAIN = 6
LDR = 2
STORE = 2
TO_MARK = ENTRY + STORE  # from the request to the end of a mark written first thing in the handler

SCRIPT = Path(__file__).resolve().parent / "kits" / "cortex_m" / "kit.ld"

EXCEPTIONS = {
    "NMI": 2,
    "HardFault": 3,
    "MemManage": 4,
    "BusFault": 5,
    "UsageFault": 6,
    "SVCall": 11,
    "DebugMonitor": 12,
    "PendSV": 14,
    "SysTick": 15,
    "WWDG": 16 + 0,
    "EXTI0": 16 + 6,
    "EXTI1": 16 + 7,
    "EXTI9_5": 16 + 23,
    "EXTI15_10": 16 + 40,
    "DMA1_Channel1": 16 + 11,
    "TIM1_UP": 16 + 25,
    "TIM1_CC": 16 + 27,
    "TIM2": 16 + 28,
    "TIM3": 16 + 29,
    "USART1": 16 + 37,
    "USART2": 16 + 38,
    "USART3": 16 + 39,
}
VECTORS = 16 + 43
BETWEEN = 0x7F

# Enables and flags of interrupts 0 to 31 are bits of these words.
SYMBOLS = {
    "ITM_MARK": 0xE000007C,
    "DWT_CTRL": 0xE0001000,
    "DWT_CYCCNT": 0xE0001004,
    "DEMCR": 0xE000EDFC,
    "SYST_CSR": 0xE000E010,
    "SYST_RVR": 0xE000E014,
    "SYST_CVR": 0xE000E018,
    "ISER0": 0xE000E100,
    "ISER1": 0xE000E104,
    "ISPR0": 0xE000E200,
    "ICPR0": 0xE000E280,
    "IABR0": 0xE000E300,
    "IPR": 0xE000E400,
    "STIR": 0xE000EF00,
    "ICSR": 0xE000ED04,
    "VTOR": 0xE000ED08,
    "AIRCR": 0xE000ED0C,
    "SCR": 0xE000ED10,
    "CCR": 0xE000ED14,
    "SHPR1": 0xE000ED18,
    "SHPR2": 0xE000ED1C,
    "SHPR3": 0xE000ED20,
    "SHCSR": 0xE000ED24,
    "CFSR": 0xE000ED28,
    "HFSR": 0xE000ED2C,
    "MMFAR": 0xE000ED34,
    "BFAR": 0xE000ED38,
    "MPU_CTRL": 0xE000ED94,
    "MPU_RNR": 0xE000ED98,
    "MPU_RBAR": 0xE000ED9C,
    "MPU_RASR": 0xE000EDA0,
    "RCC_CR": 0x40021000,
    "RCC_CFGR": 0x40021004,
    "RCC_APB2ENR": 0x40021018,
    "RCC_APB1ENR": 0x4002101C,
    "GPIOA_CRL": 0x40010800,
    "GPIOA_CRH": 0x40010804,
    "GPIOA_IDR": 0x40010808,
    "GPIOA_ODR": 0x4001080C,
    "GPIOA_BSRR": 0x40010810,
    "GPIOA_LCKR": 0x40010818,
    "GPIOB_CRL": 0x40010C00,
    "GPIOB_IDR": 0x40010C08,
    "AFIO_MAPR": 0x40010004,
    "AFIO_EXTICR1": 0x40010008,
    "EXTI_IMR": 0x40010400,
    "EXTI_EMR": 0x40010404,
    "EXTI_RTSR": 0x40010408,
    "EXTI_FTSR": 0x4001040C,
    "EXTI_SWIER": 0x40010410,
    "EXTI_PR": 0x40010414,
    "USART1_SR": 0x40013800,
    "USART1_DR": 0x40013804,
    "USART1_BRR": 0x40013808,
    "USART1_CR1": 0x4001380C,
    "USART1_CR3": 0x40013814,
    "TIM2_CR1": 0x40000000,
    "TIM2_SMCR": 0x40000008,
    "TIM2_DIER": 0x4000000C,
    "TIM2_SR": 0x40000010,
    "TIM2_EGR": 0x40000014,
    "TIM2_CCMR1": 0x40000018,
    "TIM2_CCER": 0x40000020,
    "TIM2_CNT": 0x40000024,
    "TIM2_PSC": 0x40000028,
    "TIM2_ARR": 0x4000002C,
    "TIM2_CCR1": 0x40000034,
    "TIM2_CCR2": 0x40000038,
    "SPI1_CR1": 0x40013000,
    "RAM": 0x20000000,
    "RAM_END": 0x20005000,
}

PROLOGUE = """
    .syntax unified
    .thumb
    .macro mark value
        movs r0, #\\value
        strb r0, [r7]
    .endm
    .macro put address, value
        ldr r0, =\\address
        ldr r1, =\\value
        str r1, [r0]
    .endm
    .macro get register, address
        ldr \\register, =\\address
        ldr \\register, [\\register]
    .endm
    .macro show register    @ its lowest seven bits
        mov r12, r0
        movs r0, #0x7f
        strb r0, [r7]
        mov r0, r12
        uxtb r0, \\register
        lsls r0, r0, #25
        lsrs r0, r0, #25
        strb r0, [r7]
    .endm
    .macro finish
        movs r0, #0x80
        strb r0, [r7]
        b .
    .endm
    .text
    .thumb_func
    .global start
start:
    ldr r7, =ITM_MARK
    movs r4, #0x21
    movs r5, #0x22
    movs r6, #0x23
    ldr r0, =ICSR
    mov r9, r0
    movs r0, #1
    lsls r0, r0, #28
    mov r8, r0
"""
UNEXPECTED = """
    .thumb_func
unexpected:
    movs r0, #0xff
    strb r0, [r7]
    b .
"""


@dataclass
class Marks:
    """Marks in order, and the whole run."""

    run: tools.Run
    all: list[tuple[int, int]]

    def at(self, value: int, which: int = 0) -> int:
        """The cycle of the which-th time that the mark was `value`."""
        return [cycle for cycle, v in self.all if v == value][which]

    def values(self) -> list[int]:
        """All marks but those between and the one that ends the run."""
        return [value for _, value in self.all if value < BETWEEN]

    def edges(self, pin: str) -> list[tuple[int, int]]:
        assert self.run.vcd is not None
        return self.run.vcd.edges(f"pin_{pin}")


def lines(code: str) -> str:
    """Instructions separated by semicolons or newlines, one a line."""
    return "".join(f"    {part.strip()}\n" for part in re.split("[;\n]", code))


def source_of(main: str, handlers: dict[str, str]) -> str:
    text = [f".equ {name}, {value:#x}\n" for name, value in SYMBOLS.items()]
    text += [PROLOGUE, lines(main), "    finish\n"]
    table = ["unexpected"] * VECTORS
    for name, body in handlers.items():
        table[EXCEPTIONS[name]] = f"on_{name}"
        text.append(f"    .balign 8    @ a line of flash\n    .thumb_func\non_{name}:\n{lines(body)}    bx lr\n")
    text += [UNEXPECTED, "    .ltorg\n", '    .section .vectors, "a"\n', "    .word stack_top, start\n"]
    text += [f"    .word {each}\n" for each in table[2:]]
    return "".join(text)


def run_asm(
    executable: Path,
    folder: Path,
    main: str,
    handlers: dict[str, str] | None = None,
    *arguments: object,
    cpu: str = "cortex-m3",
    stimulus: str = "",
) -> Marks:
    """Without an exception it did not expect, the firmware ends with 0; what else it does is the test's business."""
    source = folder / "firmware.S"
    source.write_text(source_of(main, handlers or {}))
    firmware = tools.build_cortex_m([source], folder / "firmware.elf", f"-mcpu={cpu}", script=SCRIPT)
    options = [*([] if "--cycles" in arguments else ["--cycles", "1M"]), *arguments]
    if stimulus:
        (folder / "stimulus.txt").write_text(stimulus)
        options += ["--stimulus", folder / "stimulus.txt"]
    run = tools.run(executable, firmware, folder, *options)
    assert run.vcd is not None, run.stderr
    return Marks(run, run.markers())


Asm = Callable[..., Marks]


def runner(executable: Path, folder: Path) -> Asm:
    """run_asm() for the tests of a file, with the status that is expected."""

    def run(
        main: str, handlers: dict[str, str] | None = None, *arguments: object, status: int = 0, **more: str
    ) -> Marks:
        done = run_asm(executable, folder, main, handlers, *arguments, **more)
        assert done.run.status == status, done.run.stderr
        return done

    return run
