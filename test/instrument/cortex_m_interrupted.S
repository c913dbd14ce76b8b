@ Every instruction that an interrupt stops in its middle, in a loop, each result checked. What is stacked is
@ counted: all interrupts, those that stopped a load or store multiple (ICI), those in an IT block. Ends with the
@ number of the check that failed, or 0.
.syntax unified
.thumb
.equ RAM, 0x20000000 @ counters: 0 all, 4 ICI, 8 IT
.equ SCRATCH, 0x20000100
.equ MARKS, 0xE000007C
.equ ROUNDS, 2000
.macro check number, left, right
    cmp \left, \right
    it ne
    movne r10, #\number
    bne wrong
.endm
.text
.global start
vectors:
    .word 0x20005000, start + 1
    .rept 14
    .word wrong + 1
    .endr
    .rept 43
    .word handler + 1
    .endr

.thumb_func
handler: @ leaves nothing in the registers that are stacked
    ldr r3, =RAM
    ldr r2, [r3]
    adds r2, #1
    str r2, [r3]
    ldr r2, [sp, #28]
    ldr r0, =0x06000c00 @ the low bits of ITSTATE
    ldr r1, =0x0600fc00
    tst r2, r1
    beq 2f
    tst r2, r0
    ite eq
    moveq r0, #4
    movne r0, #8
    ldr r1, [r3, r0]
    adds r1, #1
    str r1, [r3, r0]
2:  mvns r0, r0
    mvns r1, r1
    mvns r2, r2
    mvns r3, r3
    mvn r12, r12
    bx lr

.thumb_func
start:
    ldr r0, =RAM
    movs r1, #0
    str r1, [r0]
    str r1, [r0, #4]
    str r1, [r0, #8]
    ldr r11, =ROUNDS
    ldr r0, =SCRATCH
round:
    adr r8, numbers
    ldm r8, {r1-r7}
    mov r8, r0
    stmia r8!, {r1-r7}
    add r9, r0, #28
    check 1, r8, r9
    push {r0-r7}
    movs r1, #0
    movs r2, #0
    movs r7, #0
    ldmia r0, {r1-r7}
    bl compare
    add r9, r0, #28
    ldmdb r9!, {r1-r7}
    check 2, r9, r0
    bl compare
    add r9, r0, #60
    stmdb r9!, {r1-r7}
    sub r9, r9, #32
    check 3, r9, r0
    add r9, r0, #32
    ldm r9, {r1-r9} @ loads its base
    bl compare
    pop {r1-r8}
    check 4, r1, r0
    ldr r9, =0x22222222
    check 5, r3, r9
    ldr r9, =0x44444444
    check 6, r5, r9
    ldr r9, =0x55555555
    check 13, r6, r9
    ldr r9, =0x66666666
    check 14, r7, r9
    ldr r9, =0x77777777
    check 15, r8, r9
    cmp r0, r0
    itttt eq
    ldmeq r0, {r1-r7}
    stmeq r0, {r1-r7}
    pusheq {r1-r7}
    popeq {r1-r7}
    bl compare
    mov r9, #0x12345678 & 0xff00
    ldr r1, =0x12345678
    ldr r2, =0x9abcdef0
    umull r3, r4, r1, r2
    ldr r9, =0x242d2080
    check 7, r3, r9
    ldr r9, =0x0b00ea4e
    check 8, r4, r9
    umlal r3, r4, r1, r2
    ldr r9, =0x485a4100
    check 9, r3, r9
    ldr r9, =0x1601d49c
    check 10, r4, r9
    udiv r5, r2, r1
    check 11, r5, #8
    mvn r5, #99
    movs r6, #7
    sdiv r5, r5, r6
    mvn r6, #13
    check 12, r5, r6
    subs r11, #1
    bne round
    movs r10, #0
.thumb_func
wrong:
    orr r10, r10, #0x80
    ldr r9, =MARKS
    strb r10, [r9]
    b .

compare:
    adr r12, numbers
    .irp n, 1, 2, 3, 4, 5, 6, 7
    ldr r10, [r12], #4
    check 20 + \n, r\n, r10
    .endr
    bx lr
    .balign 4
numbers:
    .word 0x11111111, 0x22222222, 0x33333333, 0x44444444, 0x55555555, 0x66666666, 0x77777777
