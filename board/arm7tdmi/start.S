/* From reset: the stacks of the three modes that code runs in. Then att_board_begin in start.c. */
    .syntax unified
    .arm
    .section .startup.reset,"ax",%progbits
    .global att_board_reset
    .type att_board_reset, %function
att_board_reset:
    msr cpsr_c, #0xD2
    ldr sp, =att_handler_stack_end
    msr cpsr_c, #0xD3
    ldr sp, =att_nested_stack_end
    msr cpsr_c, #0xDF
    ldr sp, =att_main_stack_end
    ldr r0, =att_board_begin
    bx r0
    .ltorg
