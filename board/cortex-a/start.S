/* From reset, in ARM state: masked, caches and translation off, vectors, the stacks of System mode and of undefined
 * instructions, coprocessors. Then begin() in start.c. */
    .syntax unified
    .arm
    .section .startup.reset,"ax",%progbits
    .global att_board_reset
    .type att_board_reset, %function
att_board_reset:
    cpsid if, #27                   /* Undefined: two words, for the port */
    ldr sp, =att_board_undefined_stack + 8
    cps #31
    ldr sp, =att_main_stack_end
    mrc p15, 0, r0, c1, c0, 0       /* SCTLR */
    bic r0, r0, #0x3000             /* vectors as VBAR says; no instruction cache */
    bic r0, r0, #0x0005             /* no data cache, no translation */
#ifdef __thumb__
    orr r0, r0, #0x40000000         /* exceptions enter in Thumb state */
#else
    bic r0, r0, #0x40000000
#endif
    mcr p15, 0, r0, c1, c0, 0
    ldr r0, =att_port_vectors
    mcr p15, 0, r0, c12, c0, 0      /* VBAR */
    mov r0, #0x00F00000             /* CPACR: CP10 and CP11, which FPEXC disables still */
    mcr p15, 0, r0, c1, c0, 2
    isb
    ldr r0, =att_board_begin
    bx r0
    .ltorg

    .section .noinit.att_board_undefined_stack,"aw",%nobits
    .balign 8
att_board_undefined_stack:
    .space 8
