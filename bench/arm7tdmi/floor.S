/*
 * The floor: what a semaphore's switch takes at least on this processor, written by hand, with two threads and nothing
 * else. The thread that gives masks, takes the waiter out of the queue, finds it more urgent, makes it the running one,
 * saves what a call must keep, takes the other's and goes on there, unmasked. No other waiter, no timeout, no count, no
 * outcome, no handler and no check is thought of. Pulses as in bench.h.
 */
    .syntax unified
    .arm
#define PIN(operation)         \
    mov r0, #0x04000000;       \
    add r0, r0, #0x134;        \
    ldrh r1, [r0];             \
    operation r1, r1, #1;      \
    strh r1, [r0]
#define OFF_SP 0
#define OFF_PRIO 4
#define OFF_NEXT 8

    .section .text.main,"ax",%progbits
    .global main
    .type main, %function
main:
    mov r0, #0x04000000
    add r0, r0, #0x134
    ldr r1, =0x80F0
    strh r1, [r0]
    ldr sp, =high_stack_end
    b high
low:
    PIN(orr)
    PIN(bic)
    PIN(orr)
    mov r0, r4
    bl give
    b low

high:                               @ waits, and low runs: this part is not measured
    ldr r0, =waiter
    ldr r1, =high_thread
    str r1, [r0]
    bl to_low
    PIN(bic)
    ldr r0, =rounds
    ldr r1, [r0]
    add r1, r1, #1
    str r1, [r0]
    cmp r1, #1000
    bne high
    ldr r0, =0x04FFF7F0
    mov r1, #0x80
    strb r1, [r0]
to_low:
    ldr r2, =low_thread
    ldr r3, =high_thread
    ldr r12, =running
    str r2, [r12]
    stmfd sp!, {r4-r11, lr}
    str sp, [r3, #OFF_SP]
    ldr sp, [r2, #OFF_SP]
    ldmfd sp!, {r4-r11, lr}
    bx lr

give:                               @ r0: the queue
    mrs r1, cpsr
    orr r1, r1, #0x80
    msr cpsr_c, r1
    ldr r2, [r0]
    cmp r2, #0
    bxeq lr
    mov r3, #0
    str r3, [r0]
    ldr r12, =running
    ldr r1, [r12]
    ldrb r0, [r2, #OFF_PRIO]
    ldrb r3, [r1, #OFF_PRIO]
    cmp r0, r3
    bxls lr
    str r2, [r12]
    str r1, [r2, #OFF_NEXT]
    stmfd sp!, {r4-r11, lr}
    str sp, [r1, #OFF_SP]
    ldr sp, [r2, #OFF_SP]
    ldmfd sp!, {r4-r11, lr}
    msr cpsr_c, #0x1F
    mov r0, #0
    bx lr
    .ltorg

    .data
    .balign 8
running: .word high_thread
waiter: .word 0
rounds: .word 0
high_thread: .word 0, 4, 0
low_thread: .word low_frame, 2, 0
    .space 128
low_frame: .word waiter, 0, 0, 0, 0, 0, 0, 0, low
    .space 64
    .space 128
high_stack_end:
