/* What a cartridge begins with. The boot ROM of a real machine compares the logo, which is its maker's: left out. */
    .syntax unified
    .arm
    .section .vectors,"ax",%progbits
    .global att_board_header
att_board_header:
    b att_board_reset
    .space 0x9C
    .ascii "ATTACCA"
    .space 5
    .ascii "ATTA"
    .ascii "00"
    .byte 0x96
    .space 0xC0 - 0xB3
