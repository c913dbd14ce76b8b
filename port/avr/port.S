/*
 * The switch: two ways to save, two to restore, one frame.
 *
 *      saved by                    restored
 *      att_port_switch             interrupts enabled while registers are popped
 *      att_port_isr_exit           masked, so that a storm of interrupts can not pile up frames
 *
 * Bit 15 of a saved stack pointer says which. Of a thread that runs its high byte reads zero.
 */
#include "asm.h"

    .section .text.att_port_switch,"ax",@progbits
    .global att_port_isr_exit
att_port_isr_exit:
#if ATT_CFG_CHECK >= 1
    in r24, SPL_IO
    in r25, SPH_IO
    XCALL att_k_stack_check
#endif
    XCALL att_port_take_due         ; r25:r24: the thread that runs; NULL: what was due was taken back
    tst r25
    breq 2f
    movw r22, r24
    in r24, TOP_LO
    in r25, TOP_HI
    ldi r18, 0x80
    rcall 1f
    cli                             ; RETI lets interrupts in, but not before this instruction
2:  ret

/* No handler has performed the pending switch. The vector SPM_READY, as a handler in C, in half the flash; so
 * with RAMPZ, where there is one: threads change it, and another one may run before it is read. Handlers of C
 * save it by themselves, a call need not keep it. */
    .global SPM_READY_vect
SPM_READY_vect:
    push r1
    push r0
    in r0, _SFR_IO_ADDR(SREG)
    push r0
    clr r1
    out PENDED, r1
    in r0, FLAGS
    dec r0
    brne 2f
    .irp reg, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 30, 31
    push r\reg
    .endr
#ifdef RAMPZ
    in r0, _SFR_IO_ADDR(RAMPZ)
    push r0
#endif
    rcall att_port_isr_exit
#ifdef RAMPZ
    pop r0
    out _SFR_IO_ADDR(RAMPZ), r0
#endif
    .irp reg, 31, 30, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18
    pop r\reg
    .endr
2:  pop r0
    out _SFR_IO_ADDR(SREG), r0
    pop r0
    pop r1
    reti

    .global att_port_switch
att_port_switch:                    ; r25:r24: the thread to run; r23:r22: the one that runs
    ldi r18, 0
1:  SAVE_CALL_SAVED
    movw r30, r22
    in r19, SPL_IO
    in r20, SPH_IO
    or r20, r18
    std Z+OFF_SP, r19
    std Z+OFF_SP+1, r20
    movw r30, r24
    ldd r18, Z+OFF_SP
    ldd r19, Z+OFF_SP+1
    std Z+OFF_SP+1, r1
    ldd r24, Z+OFF_RESULT
    cpse r24, r1
    std Z+OFF_RESULT, r1            ; an outcome is taken once
    sbrc r19, 7
    rjmp 4f
    out SPH_IO, r19
    out SPL_IO, r18
    sei
3:  RESTORE_CALL_SAVED
    reti                            ; costs what RET does, and ends the interrupt that we may come from
4:  andi r19, 0x7F
    out SPH_IO, r19
    out SPL_IO, r18
    rjmp 3b

    .section .text.att_port_thread_entry,"ax",@progbits
    .global att_port_thread_entry
att_port_thread_entry:              ; a thread's first instruction: att_port_frame put entry and arg here
    movw r24, r14
    movw r30, r16
    icall
    XJMP att_exit

    .section .text.att_fault,"ax",@progbits
    .global att_fault
att_fault:                          ; r25:r24: the code; adds the caller's address, in bytes (its low 16 bits)
    in r30, SPL_IO
    in r31, SPH_IO
#ifdef __AVR_3_BYTE_PC__
    ldd r23, Z+2
    ldd r22, Z+3
#else
    ldd r23, Z+1
    ldd r22, Z+2
#endif
    lsl r22
    rol r23
    XJMP att_k_fault
