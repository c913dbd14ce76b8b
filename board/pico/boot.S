/*
 * The second stage of booting: the first 256 bytes of flash. The chip's ROM copies them to the end of RAM, compares
 * the sum in the last four, and calls them there. They set up the interface by which flash is read as memory, in the
 * way that every serial flash understands (command 03h, one line, a clock of a quarter of the processor's), and
 * start the program as a reset would: by the first two words of its vector table, behind this block.
 *
 * The sum is the CRC-32 of the 252 bytes before it: polynomial 04C11DB7h, from all ones, nothing reversed or
 * inverted. test/lab/test_pico.py computes it.
 */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .equ SSI, 0x18000000
    .equ CTRLR0, 0x00
    .equ CTRLR1, 0x04
    .equ SSIENR, 0x08
    .equ BAUDR, 0x14
    .equ SPI_CTRLR0, 0xF4
    .equ VTOR, 0xE000ED08
    .equ VECTORS, 0x10000100

    .section .boot2, "ax", %progbits
    .global att_board_boot
    .thumb_func
att_board_boot:
    ldr r0, =SSI
    movs r1, #0
    str r1, [r0, #SSIENR]           /* it can only be set up while it is off */
    movs r2, #4
    str r2, [r0, #BAUDR]
    ldr r2, =3 << 8 | 31 << 16      /* send a command, then read; 32 bits; one line */
    str r2, [r0, #CTRLR0]
    str r1, [r0, #CTRLR1]           /* one word a command */
    ldr r2, =0x03 << 24 | 2 << 8 | 6 << 2 /* the command; 8 bits of it; 24 bits of address */
    movs r3, #SPI_CTRLR0
    str r2, [r0, r3]
    movs r2, #1
    str r2, [r0, #SSIENR]
    ldr r0, =VECTORS
    ldr r1, =VTOR
    str r0, [r1]
    ldmia r0!, {r1, r2}
    msr msp, r1
    bx r2
    .ltorg
    .org 252
    .word 0x8eca088c
