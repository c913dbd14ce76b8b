/*
 * Patterns: register k holds base + 7 k in each of its bytes. sp and pc are not held. After the moment in which
 * interrupts may come all registers are stored, and looked at in memory. The first spins in ARM state, with all flags
 * set, the second in Thumb state, with none.
 */
    .syntax unified
    .arm
#define BYTES(base, k) ((((base) + 7 * (k)) & 0xFF) * 0x01010101)
#define ALL 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14
#define ALL_FLAGS 0xF0000000

.macro PLACE name
    .section .text.\name,"ax",%progbits
    .balign 4
    .global \name
    .type \name, %function
\name:
.endm

/* All but lr. */
.macro FILL base
    .irp k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0
    ldr r\k, =BYTES(\base, \k)
    .endr
.endm

/* On the stack: the flags, and all registers from r0 up. r0: 0 if they are as they were. */
.macro JUDGE base, flags
    ldr r0, [sp], #4
    eor r0, r0, #\flags
    mov r0, r0, lsr #28
    .irp k, ALL
    ldr r1, [sp], #4
    ldr r2, =BYTES(\base, \k)
    eor r1, r1, r2
    orr r0, r0, r1
    .endr
    cmp r0, #0
    movne r0, #1
    ldmfd sp!, {r3-r11, lr}
    bx lr
    .ltorg
.endm

PLACE machine_spin_a
    stmfd sp!, {r3-r11, lr}
    msr cpsr_f, #ALL_FLAGS
    FILL 0x11
    ldr lr, =BYTES(0x11, 14)
    .rept 12
    mvneq r3, r3
    mvn r9, r9
    mvn r9, r9
    mvneq r3, r3
    stmfd sp!, {r0-r12, lr}
    mvnne r2, r2
    mvnvc r8, r8
    mvnpl r12, r12
    mvncc lr, lr
    ldmfd sp!, {r0-r12, lr}
    mvneq r0, r0
    mvn r10, r10
    mvncs r0, r0
    mvn r10, r10
    .endr
    stmfd sp!, {r0-r12, lr}
    mrs r0, cpsr
    stmfd sp!, {r0}
    JUDGE 0x11, ALL_FLAGS

PLACE machine_spin_b
    stmfd sp!, {r3-r11, lr}
    ldr lr, =BYTES(0xB8, 14)
    FILL 0xB8
    msr cpsr_f, #0
    str r0, [sp, #-4]!
    add r0, pc, #1
    bx r0
    .thumb
    ldr r0, [sp]
    .rept 12
    bmi 1f
    bcs 1f
    nop
    push {r3}
    mov r8, r8
    beq 1f
    pop {r3}
    bvs 1f
    bl 2f                           @ lr is changed here, and set again
    .endr
    b 3f
1:  movs r0, #0
    movs r3, #0
    b 3f
2:  bx lr
    .balign 4
3:  bx pc
    nop
    .arm
    add sp, sp, #4
    ldr lr, =BYTES(0xB8, 14)
    stmfd sp!, {r0-r12, lr}
    mrs r0, cpsr
    stmfd sp!, {r0}
    JUDGE 0xB8, 0

PLACE machine_call                  @ r0: function; r1: seed
    stmfd sp!, {r4-r11, lr}
    orr r1, r1, r1, lsl #8
    orr r1, r1, r1, lsl #16
    stmfd sp!, {r1}
    .irp k, 4, 5, 6, 7, 8, 9, 10, 11
    add r\k, r1, #\k
    .endr
    mov lr, pc
    bx r0
    ldmfd sp!, {r1}
    mov r0, #0
    .irp k, 4, 5, 6, 7, 8, 9, 10, 11
    add r2, r1, #\k
    cmp r2, r\k
    movne r0, #1
    .endr
    ldmfd sp!, {r4-r11, lr}
    bx lr

PLACE machine_hold                  @ r0: the word
    stmfd sp!, {r4-r11, lr}
    .irp k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    mov r\k, r0
    .endr
    bl att_board_spare_raise_0      @ takes lr alone
    .rept 8
    nop
    .endr
    mov lr, #0
    .irp k, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    cmp r\k, r0
    movne lr, #1
    .endr
    mov r0, lr
    ldmfd sp!, {r4-r11, lr}
    bx lr
