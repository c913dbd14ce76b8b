"""Cycle counts of ARM7TDMI instructions in zero-wait 32-bit memory: the reference that the instrument is held against.

Each count is a sum that a reader can check. "ARM7TDMI Technical Reference Manual" r4p1 (DDI 0210C), chapter 6, tells
which cycles an instruction takes: S sequential, N nonsequential, I internal; each is one cycle here. n is the number of
registers, m the number of the multiplier's bytes that matter (1 to 4).
"""

from __future__ import annotations

from typing import NamedTuple


class Snippet(NamedTuple):
    name: str
    body: str  # measured; may change r0 to r3, r9 to r12, lr; r4 points to 64 bytes of scratch memory
    count: str
    setup: str = ""
    thumb: bool = False


_s = Snippet

ALL = [
    # Data processing: S; a shift by a register I more; where pc is written, the pipeline is filled again, N + S.
    _s("nop", "nop", "S"),
    _s("mov", "mov r0, r1", "S"),
    _s("add-shifted", "add r0, r1, r2, lsl #7", "S"),
    _s("add-shifted-by-register", "add r0, r1, r2, lsl r3", "S + I"),
    _s("cmp-not-executed", "cmp r4, #0\n moveq r0, r1", "S + S"),
    _s("mov-pc", "add r0, pc, #0\n mov pc, r0\n nop", "S + (2*S + N) + S"),
    _s("mrs-msr", "mrs r0, cpsr\n msr cpsr_c, r0", "S + S"),
    _s("mode-and-back", "msr cpsr_c, #0xD2\n msr cpsr_c, #0x1F", "S + S"),
    # Multiplication: S + m I; long ones I more, those that add I more, too.
    _s("mul-1", "mul r0, r1, r2", "S + I", "mov r2, #200"),
    _s("mul-2", "mul r0, r1, r2", "S + 2*I", "mov r2, #0x1200"),
    _s("mul-4", "mul r0, r1, r2", "S + 4*I", "mov r2, #0x12000000"),
    _s("mul-negative", "mul r0, r1, r2", "S + I", "mvn r2, #0"),
    _s("mla", "mla r0, r1, r2, r3", "S + (1 + 1)*I", "mov r2, #3"),
    _s("umull", "umull r0, r1, r2, r3", "S + (1 + 1)*I", "mov r3, #3"),
    _s("umlal", "umlal r0, r1, r2, r3", "S + (4 + 2)*I", "mov r3, #0x12000000"),
    # Loads: S + N + I; stores 2 N. Several: n S + N + I, and (n - 1) S + 2 N.
    _s("ldr", "ldr r0, [r4]", "S + N + I"),
    _s("ldr-literal", "ldr r0, =0x12345678", "S + N + I"),
    _s("ldrb-ldrsh", "ldrb r0, [r4, #1]\n ldrsh r1, [r4, #2]", "2*(S + N + I)"),
    _s("ldr-back", "ldr r0, [r4], #4\n ldr r0, [r4, #-4]!", "2*(S + N + I)"),
    _s("ldr-pc", "ldr pc, =1f\n1: nop", "(2*S + 2*N + I) + S"),
    _s("str", "str r0, [r4]", "2*N"),
    _s("strh-strb", "strh r0, [r4, #2]\n strb r0, [r4, #1]", "4*N"),
    _s("ldm-8", "ldmia r4, {r0-r3, r9-r12}", "8*S + N + I"),
    _s("ldm-1", "ldmia r4, {r0}", "S + N + I"),
    _s("stm-8", "stmia r4, {r0-r3, r9-r12}", "(8 - 1)*S + 2*N"),
    _s("stm-1", "stmia r4, {r0}", "2*N"),
    _s("ldm-pc", "adr r0, 1f\n str r0, [r4, #4]\n ldmia r4, {r0, pc}\n1: nop", "S + 2*N + ((2 + 1)*S + 2*N + I) + S"),
    _s("swp", "swp r0, r1, [r4]", "S + 2*N + I"),
    # Branches: 2 S + N; not executed: S.
    _s("b", "b 1f\n nop\n1: nop", "(2*S + N) + S"),
    _s("b-not-executed", "cmp r4, #0\n beq 1f\n1: nop", "S + S + S"),
    _s("bl-bx", "b 2f\n1: bx lr\n2: bl 1b", "3*(2*S + N)"),
    # Thumb state: the same cycles; bl is two instructions.
    _s("thumb-there-and-back", "add r0, pc, #1\n bx r0\n .thumb\n bx pc\n nop\n .arm", "S + 2*(2*S + N)"),
    _s("thumb-alu", "add r0, r1\n lsl r0, r1, #3\n mov r0, #5", "3*S", thumb=True),
    _s("thumb-shift-by-register", "lsl r0, r1", "S + I", thumb=True),
    _s("thumb-mul", "mul r0, r1", "S + I", "mov r0, #9\n mov r1, #200", thumb=True),
    _s("thumb-ldr-str", "ldr r0, [r4]\n str r0, [r4]\n ldrb r0, [r4, #1]", "2*(S + N + I) + 2*N", thumb=True),
    _s("thumb-push-pop", "push {r0-r3}\n pop {r0-r3}", "(4 - 1)*S + 2*N + 4*S + N + I", thumb=True),
    _s("thumb-b", "b 1f\n nop\n1: nop", "(2*S + N) + S", thumb=True),
    _s("thumb-beq-not", "mov r0, #1\n beq 1f\n1: nop", "3*S", thumb=True),
    _s("thumb-bl", "b 2f\n1: bx lr\n2: bl 1b", "3*(2*S + N) + S", thumb=True),
    # Registers of the machine are as fast.
    _s("io-16", "strh r1, [r0]", "2*N", "mov r0, #0x04000000\n add r0, r0, #0x100\n mov r1, #0"),
    _s("io-32", "ldr r1, [r0]", "S + N + I", "mov r0, #0x04000000\n add r0, r0, #0x200"),
]  # fmt: skip


def cycles(count: str) -> int:
    return int(eval(count, {}, {"S": 1, "N": 1, "I": 1}))


def source() -> str:
    """A firmware that runs all of them, each between two marks."""
    lines = [' .syntax divided\n .arm\n .section .text.snippets,"ax"\n .global main\nmain:\n ldr r4, =scratch']
    for snippet in ALL:
        lines.append(f" {snippet.setup or 'nop'}\n ldr r8, =0x04fff7f0\n mov r7, #1\n mov r6, #2")
        if snippet.thumb:
            lines.append(_in_thumb(snippet.body))
        else:
            lines.append(f" strb r7, [r8]\n {snippet.body}\n strb r6, [r8]\n ldr r4, =scratch\n b 9f\n .ltorg\n9:")
    lines.append(" mov r0, #0x80\n strb r0, [r8]\n b .\n .ltorg\n .bss\n .balign 8\nscratch: .space 64\n")
    return "\n".join(lines)


def _in_thumb(body: str) -> str:
    return (
        " mov r5, r8\n add r2, pc, #1\n bx r2\n .thumb\n strb r7, [r5]\n "
        f"{body}\n strb r6, [r5]\n .balign 4\n bx pc\n nop\n .arm\n b 9f\n .ltorg\n9:"
    )
