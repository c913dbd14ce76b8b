/*
 * The switch: three ways to save, two to restore, one frame.
 *
 *      saved by                    registers pushed        restored
 *      att_port_switch             interrupts enabled      interrupts enabled
 *      att_port_isr_exit           masked                  masked
 *      fast.S (hot paths)          interrupts enabled      interrupts enabled
 *
 * A handler may interrupt while registers are pushed, and may find there that a switch is due. It then makes it
 * itself, from inside the window; when the thread comes back it finishes its window, reads what is to run after
 * masking, and finds itself. That is why the choice is read after the window, never before.
 */
#include "asm.h"

    .section .text.att_port_switch,"ax",@progbits
    .global att_port_switch
att_port_switch:
    sei
    SAVE_CALL_SAVED
    cli
    lds r30, att_k+OFF_K_FROM
    lds r31, att_k+OFF_K_FROM+1
    tst r31
    breq 1f                         ; a handler made this switch, and it is our turn again
    sts att_k+OFF_K_FROM+1, r1
    sts att_k+OFF_K_FROM, r1
    STORE_SP Z
    cbi FLAGS, 0
    out PENDED, r1
    in r30, TOP_LO
    in r31, TOP_HI
    RUN_Z
1:  sei
    RESTORE_CALL_SAVED
    ret

    .section .text.att_port_isr_exit,"ax",@progbits
2:  ret
    .global att_port_isr_exit
att_port_isr_exit:
    in r24, FLAGS
    cpi r24, 2                      ; another handler lies under this one: the switch is for its exit
    brsh 2b
    cbi FLAGS, 0
    out PENDED, r1
    lds r30, att_k+OFF_K_FROM
    lds r31, att_k+OFF_K_FROM+1
    tst r31
    breq 2b
#if ATT_CFG_CHECK >= 1
    in r24, SPL_IO
    in r25, SPH_IO
    XCALL att_k_stack_check
    lds r30, att_k+OFF_K_FROM
    lds r31, att_k+OFF_K_FROM+1
#endif
    sts att_k+OFF_K_FROM+1, r1
    sts att_k+OFF_K_FROM, r1
    SAVE_CALL_SAVED
    in r18, SPL_IO
    std Z+OFF_SP, r18
    in r18, SPH_IO
    ori r18, 0x80
    std Z+OFF_SP+1, r18
    in r30, TOP_LO
    in r31, TOP_HI
    RUN_Z

    .section .text.att_port_run_preempted,"ax",@progbits
    .global att_port_run_preempted
att_port_run_preempted:             ; r19:r18: a stack pointer with the mark; goes back into the handler's exit
    andi r19, 0x7F
    out SPH_IO, r19
    out SPL_IO, r18
    RESTORE_CALL_SAVED
    ret

    .section .text.att_port_thread_entry,"ax",@progbits
    .global att_port_thread_entry
att_port_thread_entry:              ; a thread's first instruction: att_port_frame put entry and arg here
    movw r24, r14
    movw r30, r16
    icall
    XJMP att_exit

#if ATT_PORT_FAST
    .section .text.att_port_fast_stub,"ax",@progbits
    .global att_port_fast_stub
att_port_fast_stub:                 ; see att_port_fast_result
    mov r24, r16
    RESTORE_CALL_SAVED
    ret
#endif
