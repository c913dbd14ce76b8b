/*
 * The least that a semaphore with priorities can do (floor.c): mask, take the first waiter out, see that it is
 * more urgent than the running thread, note that one as preempted, save what a call must keep, and go on with the other.
 * What comes more rarely branches away, and is not written out.
 */
#define FIRST 0
#define COUNT 4
#define SP 0
#define BELOW 4
#define PRIORITY 8

.macro FUNCTION name
    .text
    .balign 4
    .global \name
#ifdef __arm__
    .type \name, %function
#else
    .type \name, @function
#endif
\name:
.endm

#if defined(__arm__)
    .syntax unified
#ifdef __thumb__
    .thumb
#endif

FUNCTION floor_give                 /* r0: the semaphore */
    mrs r12, cpsr
    cpsid i
    ldr r1, [r0, #FIRST]
    cmp r1, #0
    beq floor_count
    ldr r12, =floor_running
    ldrd r2, r3, [r1, #BELOW]
    str r2, [r0, #FIRST]
    ldr r2, [r12]
    ldr r0, [r2, #PRIORITY]
    cmp r3, r0
    bls floor_count
    str r2, [r1, #BELOW]
    str r1, [r12]
    push {r4-r11, lr}
    str sp, [r2, #SP]
    ldr sp, [r1, #SP]
    pop {r4-r11, lr}
    mov r0, #0
    cpsie i
    bx lr
floor_count:
    b floor_count

FUNCTION floor_take
    cpsid i
    ldr r3, =floor_running
    ldr r1, [r3]
    ldr r2, [r1, #BELOW]
    mov r12, #0
    str r12, [r1, #BELOW]
    str r1, [r0, #FIRST]
    str r2, [r3]
    push {r4-r11, lr}
    str sp, [r1, #SP]
    ldr sp, [r2, #SP]
    pop {r4-r11, lr}
    cpsie i
    bx lr

FUNCTION floor_frame                /* r0: the end; r1: the entry */
    str r1, [r0, #-4]
    sub r0, r0, #36
    bx lr
    .ltorg

#elif defined(__riscv)
#ifdef __riscv_32e
#define SIZE 12
#else
#define SIZE 52
#endif
.macro EACH_KEPT do
    \do ra, 0(sp)
    \do s0, 4(sp)
    \do s1, 8(sp)
#ifndef __riscv_32e
    \do s2, 12(sp)
    \do s3, 16(sp)
    \do s4, 20(sp)
    \do s5, 24(sp)
    \do s6, 28(sp)
    \do s7, 32(sp)
    \do s8, 36(sp)
    \do s9, 40(sp)
    \do s10, 44(sp)
    \do s11, 48(sp)
#endif
.endm

FUNCTION floor_give                 /* a0: the semaphore */
    csrrci a5, mstatus, 8
    lw a1, FIRST(a0)
    beqz a1, floor_count
    lw a2, BELOW(a1)
    lw a4, PRIORITY(a1)
    sw a2, FIRST(a0)
    lui a3, %hi(floor_running)
    lw a2, %lo(floor_running)(a3)
    lw a5, PRIORITY(a2)
    bgeu a5, a4, floor_count
    sw a2, BELOW(a1)
    sw a1, %lo(floor_running)(a3)
    addi sp, sp, -SIZE
    EACH_KEPT sw
    sw sp, SP(a2)
    lw sp, SP(a1)
    EACH_KEPT lw
    addi sp, sp, SIZE
    li a0, 0
    csrsi mstatus, 8
    ret
floor_count:
    j floor_count

FUNCTION floor_take
    csrci mstatus, 8
    lui a3, %hi(floor_running)
    lw a1, %lo(floor_running)(a3)
    lw a2, BELOW(a1)
    sw zero, BELOW(a1)
    sw a1, FIRST(a0)
    sw a2, %lo(floor_running)(a3)
    addi sp, sp, -SIZE
    EACH_KEPT sw
    sw sp, SP(a1)
    lw sp, SP(a2)
    EACH_KEPT lw
    addi sp, sp, SIZE
    csrsi mstatus, 8
    ret

FUNCTION floor_frame                /* a0: the end; a1: the entry */
    addi a0, a0, -SIZE
    sw a1, 0(a0)
    ret

#elif defined(__nios2__)
.macro EACH_KEPT do
    \do ra, 0(sp)
    \do r16, 4(sp)
    \do r17, 8(sp)
    \do r18, 12(sp)
    \do r19, 16(sp)
    \do r20, 20(sp)
    \do r21, 24(sp)
    \do r22, 28(sp)
    \do r23, 32(sp)
    \do r28, 36(sp)
.endm

FUNCTION floor_give                 /* r4: the semaphore */
    rdctl r8, status
    wrctl status, zero
    ldw r5, FIRST(r4)
    beq r5, zero, floor_count
    ldw r6, BELOW(r5)
    ldw r7, PRIORITY(r5)
    stw r6, FIRST(r4)
    movhi r3, %hiadj(floor_running)
    ldw r6, %lo(floor_running)(r3)
    ldw r9, PRIORITY(r6)
    bgeu r9, r7, floor_count
    stw r6, BELOW(r5)
    stw r5, %lo(floor_running)(r3)
    addi sp, sp, -40
    EACH_KEPT stw
    stw sp, SP(r6)
    ldw sp, SP(r5)
    EACH_KEPT ldw
    addi sp, sp, 40
    movi r2, 0
    wrctl status, r8
    ret
floor_count:
    br floor_count

FUNCTION floor_take
    rdctl r8, status
    wrctl status, zero
    movhi r3, %hiadj(floor_running)
    ldw r5, %lo(floor_running)(r3)
    ldw r6, BELOW(r5)
    stw zero, BELOW(r5)
    stw r5, FIRST(r4)
    stw r6, %lo(floor_running)(r3)
    addi sp, sp, -40
    EACH_KEPT stw
    stw sp, SP(r5)
    ldw sp, SP(r6)
    EACH_KEPT ldw
    addi sp, sp, 40
    wrctl status, r8
    ret

FUNCTION floor_frame                /* r4: the end; r5: the entry */
    addi r2, r4, -40
    stw r5, 0(r2)
    ret
#endif
