/* From reset: the stack of main, the global pointer, the traps. Then begin() in start.c. */
    .section .startup.reset,"ax",@progbits
    .global att_board_reset
    .type att_board_reset, @function
att_board_reset:
    csrci mstatus, 8
    csrw mie, zero
    .option push
    .option norelax
    lui gp, %hi(__global_pointer$)
    addi gp, gp, %lo(__global_pointer$)
    .option pop
    lui sp, %hi(att_main_stack_end)
    addi sp, sp, %lo(att_main_stack_end)
    lui t0, %hi(att_port_mtvec)
    addi t0, t0, %lo(att_port_mtvec)
    csrw mtvec, t0
    j att_board_begin
