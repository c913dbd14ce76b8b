/* From reset: masked, all interrupts disabled, the stack of main, the global pointer. Then begin() in start.c. */
    .section .startup.reset,"ax",@progbits
    .global att_board_reset
    .type att_board_reset, @function
att_board_reset:
    wrctl status, zero
    wrctl ienable, zero
    movhi gp, %hiadj(_gp)
    addi gp, gp, %lo(_gp)
    movhi sp, %hiadj(att_main_stack_end)
    addi sp, sp, %lo(att_main_stack_end)
    movhi r2, %hiadj(att_board_begin)
    addi r2, r2, %lo(att_board_begin)
    jmp r2
