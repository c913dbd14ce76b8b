"""Cycle counts of Cortex-M instructions: the reference that the instrument is held against.

Each count is a sum that a reader can check, of what the manual's table says and of the parameters that it leaves to the
chip (docs/measuring.md): P refill after a branch (the manual: 1 to 3), S a store that follows no other access (1, or 2
when the write buffer does not hide it), I an IT instruction (0 when folded), X return from an exception; L and T a load
and a store right behind a store, C what a load relative to pc adds, J LDR to pc, B a table branch, M CPS, D DSB. Where
the manual gives a range and not the rule, the count is the range.

Sources: "Cortex-M3 Technical Reference Manual" r2p1 (DDI 0337I), table 3-1 and 3.3.2 "Load/store timings" (TRM below);
"Cortex-M0 Technical Reference Manual" r0p0 (DDI 0432C), table 3-1; "Cortex-M0+ Technical Reference Manual" r0p1
(DDI 0484C), table 3-1. Zero wait states.

Simplified against 3.3.2, on purpose, because the other kernels were measured with the same rule: any load or store of
one register right after another takes 1 cycle, unless its address needs what that one loads.
"""

from __future__ import annotations

from typing import NamedTuple

M3_SETS = {  # --timing: the parameters that the sums are made of
    "main": {"P": 2, "S": 2, "I": 1, "X": 12, "L": 1, "T": 1, "C": 0, "J": 4, "B": 4, "M": 1, "D": 1},
    "low": {"P": 1, "S": 1, "I": 0, "X": 10, "L": 1, "T": 1, "C": 0, "J": 3, "B": 3, "M": 1, "D": 1},
    "high": {"P": 3, "S": 2, "I": 1, "X": 12, "L": 2, "T": 2, "C": 1, "J": 5, "B": 6, "M": 2, "D": 4},
}


class Snippet(NamedTuple):
    name: str
    body: str  # measured; may change r0 to r3, r9 to r12, lr; r4 points to 64 bytes of scratch memory
    count: str
    setup: str = ""
    at_most: str = ""  # where the manual gives a range: count is its lower end
    source: str = "TRM table 3-1"


_s = Snippet
_MOVES = "TRM 3.3.2: the next access takes one cycle less, unless its address needs what this one loads"
_BEHIND = "TRM 3.3.2: nothing is pipelined behind a store, if the write buffer does not take it"
_REGISTER = "TRM 3.3.2: a store with a register as its offset takes a cycle for the address, one for the value"
_LITERAL = "TRM 3.3.2: a load relative to pc may add a cycle"
_SPLIT = "TRM 3.3.2: an unaligned access is made of aligned ones, a cycle each"

M3 = [
    # Data processing: one cycle, wide or not, shifted or not.
    _s("nop", "nop", "1"),
    _s("nop.w", "nop.w", "1"),
    _s("mov", "mov r0, r1", "1"),
    _s("movs-immediate", "movs r0, #5", "1"),
    _s("movw-movt", "movw r0, #0x1234\n movt r0, #0x5678", "1 + 1"),
    _s("add-three", "adds r0, r1, r2", "1"),
    _s("add-sp", "add r0, sp, #8", "1"),
    _s("adc-shifted", "adc.w r0, r1, r2, lsl #7", "1"),
    _s("rsb", "rsbs r0, r1, #0", "1"),
    _s("cmp-tst", "cmp r0, r1\n tst r0, r1", "1 + 1"),
    _s("shift-by-register", "lsls r0, r1", "1"),
    _s("rrx", "rrx r0, r1", "1"),
    _s("clz-rbit-rev", "clz r0, r1\n rbit r0, r0\n rev r0, r0", "1 + 1 + 1"),
    _s("sxtb-uxth", "sxtb r0, r1\n uxth.w r0, r1, ror #8", "1 + 1"),
    _s("bit-fields", "bfi r0, r1, #3, #7\n ubfx r0, r1, #2, #9\n sbfx r0, r1, #2, #9", "1 + 1 + 1"),
    _s("saturate", "ssat r0, #8, r1\n usat r0, #8, r1, asr #3", "1 + 1"),
    _s("adr", "adr.w r0, 1f\n1:", "1"),
    # Multiplication and division.
    _s("mul", "mul r0, r1, r2", "1"),
    _s("muls", "muls r0, r1", "1"),
    _s("mla", "mla r0, r1, r2, r3", "2"),
    _s("mls", "mls r0, r1, r2, r3", "2"),
    _s("umull-small", "umull r0, r1, r2, r3", "3", "movs r2, #3\n movs r3, #4", at_most="5"),
    _s("umull-large", "umull r0, r1, r2, r3", "3", "mvn r2, #0\n mvn r3, #1", at_most="5"),
    _s("smull-small", "smull r0, r1, r2, r3", "3", "movs r2, #3\n movs r3, #4", at_most="5"),
    _s("smull-large", "smull r0, r1, r2, r3", "3", "ldr r2, =0x7fffffff\n mov r3, r2", at_most="5"),
    _s("umlal-small", "umlal r0, r1, r2, r3", "4", "movs r2, #3\n movs r3, #4", at_most="7"),
    _s("umlal-large", "umlal r0, r1, r2, r3", "4", "mvn r2, #0\n mvn r3, #1", at_most="7"),
    _s("smlal-large", "smlal r0, r1, r2, r3", "4", "ldr r2, =0x7fffffff\n mov r3, r2", at_most="7"),
    _s("udiv-by-zero", "udiv r0, r1, r2", "2", "movs r1, #9\n movs r2, #0"),
    _s("udiv-at-once", "udiv r0, r1, r2", "2", "movs r1, #1\n movs r2, #9"),
    _s("udiv-middle", "udiv r0, r1, r2", "2", "ldr r1, =100000\n movs r2, #10", at_most="12"),
    _s("udiv-longest", "udiv r0, r1, r2", "12", "mvn r1, #0\n movs r2, #1"),
    _s("sdiv-middle", "sdiv r0, r1, r2", "2", "ldr r1, =-100000\n movs r2, #10", at_most="12"),
    # Loads and stores of one register.
    _s("ldr", "ldr r0, [r4]", "2"),
    _s("ldrb", "ldrb r0, [r4, #1]", "2"),
    _s("ldrsh", "ldrsh r0, [r4, r1]", "2", "movs r1, #2"),
    _s("ldr-shifted-index", "ldr.w r0, [r4, r1, lsl #2]", "2", "movs r1, #2"),
    _s("ldr-pre", "ldr r0, [r3, #4]!", "2", "mov r3, r4"),
    _s("ldr-post", "ldr r0, [r3], #4", "2", "mov r3, r4"),
    _s("ldr-literal", "ldr r0, 8f", "2 + C", source=_LITERAL),
    _s("ldrd-literal", "ldrd r0, r1, 8f", "1 + 2 + C", source=_LITERAL),
    _s("ldr-ldr", "ldr r0, [r4]\n ldr r1, [r4, #4]", "2 + 1", source=_MOVES),
    _s("ldr-ldr-ldr", "ldr r0, [r4]\n ldr r1, [r4, #4]\n ldr r2, [r4, #8]", "2 + 1 + 1", source=_MOVES),
    _s("ldr-nop-ldr", "ldr r0, [r4]\n nop\n ldr r1, [r4, #4]", "2 + 1 + 2"),
    _s("ldr-needed", "ldr r0, [r4]\n ldr r1, [r0]", "2 + 2", "str r4, [r4]", source=_MOVES),
    _s("ldr-index-needed", "ldr r0, [r4]\n ldr r1, [r4, r0]", "2 + 2", "movs r0, #4\n str r0, [r4]", source=_MOVES),
    _s("ldr-str", "ldr r0, [r4]\n str r0, [r4, #8]", "2 + 1", source=_MOVES),
    _s("ldr-str-needed", "ldr r0, [r4]\n str r1, [r0, #8]", "2 + S", "str r4, [r4]", source=_MOVES),
    _s("str", "str r0, [r4]", "S", source="TRM table 3-1: 2; 3.3.2: 1 if the write buffer takes it"),
    _s("strb-post", "strb r0, [r3], #1", "S", "mov r3, r4"),
    _s("str-register", "str r0, [r4, r1]", "2", "movs r1, #4", source=_REGISTER),
    _s("strb-shifted-index", "strb.w r0, [r4, r1, lsl #1]", "2", "movs r1, #4", source=_REGISTER),
    _s("ldr-str-register", "ldr r0, [r4]\n str r0, [r4, r1]", "2 + 1", "movs r1, #4", source=_MOVES),
    _s("str-str", "str r0, [r4]\n str r1, [r4, #4]", "S + T", source=_BEHIND),
    _s("str-ldr", "str r0, [r4]\n ldr r1, [r4, #4]", "S + L", source=_BEHIND),
    _s("str-ldr-ldr", "str r0, [r4]\n ldr r1, [r4, #4]\n ldr r2, [r4]", "S + L + 1", source=_BEHIND),
    _s("ldr-unaligned-half", "ldr r0, [r4, #2]", "2 + 1", source=_SPLIT),
    _s("ldr-unaligned-byte", "ldr r0, [r4, #1]", "2 + 2", source=_SPLIT),
    _s("ldrh-unaligned", "ldrh r0, [r4, #3]", "2 + 1", source=_SPLIT),
    _s("str-unaligned-half", "str r0, [r4, #2]", "S + 1", source=_SPLIT),
    # Several registers: 1 + N, and P if PC is among them.
    _s("ldrd", "ldrd r0, r1, [r4]", "1 + 2"),
    _s("strd", "strd r0, r1, [r4, #8]", "1 + 2"),
    _s("ldm", "ldm r4, {r0-r3}", "1 + 4"),
    _s("ldmdb", "ldmdb r3, {r0, r1}", "1 + 2", "add r3, r4, #32"),
    _s("stm", "stm r4, {r0-r2}", "1 + 3"),
    _s("push", "push {r0-r3, lr}", "1 + 5", "mov r9, sp", source="TRM table 3-1; sp is put back"),
    _s("pop", "pop {r0-r3}", "1 + 4", "push {r0-r3}"),
    _s("pop-one", "pop {r0}", "1 + 1", "push {r0}"),
    _s("pop-pc", "pop {r0, pc}\n9:", "1 + 2 + P", "adr.w r1, 9f\n adds r1, #1\n push {r0, r1}"),
    _s(
        "ldm-pc",
        "ldm.w r3!, {r0, r1, pc}\n9:",
        "1 + 3 + P",
        "adr.w r1, 9f\n adds r1, #1\n mov r3, r4\n str r1, [r4, #8]",
    ),
    _s("ldr-pc-literal", "ldr pc, 7f\n .balign 4\n7: .word 9f + 1\n9:", "J + C", source=_LITERAL),
    _s("ldr-pc", "ldr pc, [r4]\n9:", "J", "adr.w r1, 9f\n adds r1, #1\n str r1, [r4]"),
    _s("ldr-ldm", "ldr r0, [r4]\n ldm r4, {r1, r2}", "2 + 1 + 2", source="TRM table 3-1: only LDR and STR are paired"),
    # Exclusive accesses.
    _s("ldrex", "ldrex r0, [r4]", "2", source="TRM table 3-1, 3.3.2: pipelined as LDR"),
    _s("ldrex-strex", "ldrex r0, [r4]\n strex r1, r0, [r4]", "2 + 1", source="TRM table 3-1, 3.3.2: pipelined as LDR"),
    _s("strex", "strex r1, r0, [r4]", "2", source="TRM table 3-1: 2; 3.3.2 excepts only STR with a constant offset"),
    _s("strex-ldr", "strex r1, r0, [r4]\n ldr r2, [r4, #4]", "2 + L", source=_BEHIND),
    _s("clrex", "clrex", "1"),
    # Branches.
    _s("b", "b 9f\n9:", "1 + P"),
    _s("b-wide", "b.w 9f\n9:", "1 + P"),
    _s("beq-taken", "beq 9f\n9:", "1 + P", "cmp r0, r0"),
    _s("beq-not", "beq 9f\n9:", "1", "movs r0, #1"),
    _s("bne-wide-taken", "bne.w 9f\n9:", "1 + P", "movs r0, #1"),
    _s("cbz-taken", "cbz r0, 9f\n nop\n9:", "1 + P", "movs r0, #0"),
    _s("cbz-not", "cbz r0, 9f\n nop\n9:", "1 + 1", "movs r0, #1"),
    _s("bl-bx", "bl 9f\n b 7f\n9: bx lr\n7:", "1 + P + 1 + P + 1 + P"),
    _s("blx-bx", "blx r1\n b 7f\n9: bx lr\n7:", "1 + P + 1 + P + 1 + P", "adr.w r1, 9f\n adds r1, #1"),
    _s("mov-pc", "mov pc, r1\n9:", "1 + P", "adr.w r1, 9f"),
    _s("add-pc", "add pc, r1\n nop\n9:", "1 + P", "movs r1, #0"),
    _s("loop", "9: subs r0, #1\n bne 9b", "3 * 1 + 2 * (1 + P) + 1", "movs r0, #3"),
    _s("tbb", "tbb [pc, r0]\n .byte 1, 1\n9:", "B", "movs r0, #1"),
    _s("tbh", "tbh [pc, r0, lsl #1]\n .hword 2, 2\n9:", "B", "movs r0, #1"),
    # IT: every instruction of the block takes a cycle, executed or not.
    _s("it-then", "it eq\n moveq r0, r1", "I + 1", "cmp r0, r0"),
    _s("it-not", "it ne\n movne r0, r1", "I + 1", "cmp r0, r0"),
    _s("itete", "itete eq\n moveq r0, r1\n movne r0, r1\n addeq r2, r0\n addne r2, r1", "I + 4", "cmp r0, r0"),
    _s("it-load-not", "it ne\n ldrne r0, [r4]", "I + 1", "cmp r0, r0"),
    _s("it-load", "it eq\n ldreq r0, [r4]", "I + 2", "cmp r0, r0"),
    _s("it-folded", "ldr r1, [r4]\n it eq\n ldreq r0, [r4]", "2 + I + 1 + I", "cmp r0, r0"),  # folded, it parts nothing
    _s("it-branch", "it eq\n beq.w 9f\n9:", "I + 1 + P", "cmp r0, r0"),
    # State: special registers, masks, barriers, events.
    _s("mrs", "mrs r0, primask", "2", source="TRM table 3-1: 1 or 2"),
    _s("msr", "msr basepri, r0", "2", "movs r0, #0", source="TRM table 3-1: 1 or 2"),
    _s("cpsid-cpsie", "cpsid i\n cpsie i", "M + M", source="TRM table 3-1: 1 or 2"),
    _s("dmb-dsb", "dmb\n dsb", "1 + D", source="TRM table 3-1: 1 + B, B at least 0"),
    _s("isb", "isb", "1 + P", source="TRM table 3-1: 1 + B, B at least a refill"),
    _s("sev-wfe", "sev\n wfe", "1 + 1", source="TRM table 3-1: 1, and 1 + W with nothing to wait for"),
    # Into a handler and out of it, whose only instruction is BX LR: 12 in, X out.
    _s("svc", "svc #0", "1 + 12 + 1 + X", source="TRM 3.9.1: entry 12 cycles; Arm's support article on the exit"),
    _s("pendsv", "str r1, [r0]", "S + 12 + 1 + X", "ldr r0, =0xE000ED04\n movs r1, #1\n lsl r1, #28"),
    _s("two-in-a-chain", "str r1, [r0]", "S + 12 + 1 + 6 + 1 + X", "ldr r0, =0xE000ED04\n ldr r1, =0x14000000"),
]

# Of these two every instruction has one figure. `stm`: their stores and loads of several registers are 1 + N, PUSH and
# POP as well; POP with PC and BX are told apart. "0+" is the M0+.
M0 = [
    _s("nop", "nop", "1"),
    _s("adds", "adds r0, r1, r2", "1"),
    _s("muls", "muls r0, r1", "1", source="table 3-1: 1, or 32 with the small multiplier"),
    _s("ldr", "ldr r0, [r4]", "2"),
    _s("ldr-ldr", "ldr r0, [r4]\n ldr r1, [r4, #4]", "2 + 2"),
    _s("str", "str r0, [r4]", "2"),
    _s("ldm", "ldm r4!, {r0-r2}", "1 + 3"),
    _s("stm", "stm r4!, {r0-r2}", "1 + 3"),
    _s("push", "push {r0-r3, lr}", "1 + 5"),
    _s("pop", "pop {r0-r3}", "1 + 4", "push {r0-r3}"),
    _s("pop-pc", "pop {r0, pc}\n .balign 4\n9:", "{pop} + 2", "adr r1, 9f\n adds r1, #1\n push {r0, r1}"),
    _s("b", "b 9f\n9:", "{b}"),
    _s("beq-taken", "beq 9f\n9:", "{b}", "cmp r0, r0"),
    _s("beq-not", "beq 9f\n9:", "1", "movs r0, #1"),
    _s("bl-bx", "bl 9f\n b 7f\n9: bx lr\n7:", "{bl} + {b} + {b}"),
    _s("blx-bx", "blx r1\n b 7f\n .balign 4\n9: bx lr\n7:", "{b} + {b} + {b}", "adr r1, 9f\n adds r1, #1"),
    _s("mov-pc", "mov pc, r1\n .balign 4\n9:", "{b}", "adr r1, 9f"),
    _s("mrs", "mrs r0, primask", "{special}"),
    _s("msr", "msr primask, r0", "{special}", "movs r0, #0"),
    _s("cpsid-cpsie", "cpsid i\n cpsie i", "1 + 1"),
    _s("dsb", "dsb", "{special}"),
    _s("isb", "isb", "{special}"),
    _s("sev", "sev", "1"),
]
M0_FIGURES = {
    "m0": {"b": 3, "bl": 4, "pop": 4, "special": 4},
    "m0plus": {"b": 2, "bl": 3, "pop": 3, "special": 3},
}

MARKER = 0xE000007C
EXCEPTIONS = {11: "return", 14: "return", 15: "return"}  # SVC, PendSV, SysTick
PROLOGUE = """
.syntax unified
.thumb
.text
vectors:
    .word 0x20001000, start
    {vectors}
.thumb_func
return:
    bx lr
.thumb_func
other:
    ldr r0, =0xE000007C
    movs r1, #0xFF
    strb r1, [r0]
    b other
    .ltorg
.global start
.thumb_func
start:
    ldr r5, =0xE000007C
    mov r8, sp
    b 6f
    .ltorg
6:
"""

# Marks before and after; a nop on either side, so that the marks' stores are not paired with accesses of the body.
FRAME = """
    mov sp, r8
    ldr r4, =0x20000100
    movs r6, #{first}
    movs r7, #{second}
    {setup}
    strb r6, [r5]
    nop
    {body}
    nop
    strb r7, [r5]
    b 6f
    .balign 4
8:  .word 0x12345678
    .ltorg
6:
"""
AROUND = "1 + 1 + S"  # the nops and the second mark


def source() -> str:
    """One firmware with every snippet of the M3; snippet i is between two changes of the marker."""
    vectors = [EXCEPTIONS.get(number, "other") for number in range(2, 16)]
    parts = [PROLOGUE.format(vectors="\n    ".join(f".word {vector}" for vector in vectors))]
    for number, snippet in enumerate(M3):
        first, second = (2, 1) if number % 2 else (4, 3)
        parts.append(FRAME.format(setup=snippet.setup, body=snippet.body, first=first, second=second))
    parts.append("    movs r6, #0x80\n    strb r6, [r5]\n9:  b 9b\n")
    return "".join(parts)


def cycles(count: str, parameters: dict[str, int]) -> int:
    value: int = eval(count, {}, dict(parameters))
    return value
