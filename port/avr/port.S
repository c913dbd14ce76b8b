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
    .global att_port_isr_exit
att_port_isr_exit:
#if ATT_CFG_CHECK >= 1
    in r24, SPL_IO
    in r25, SPH_IO
    XCALL att_k_stack_check
#endif
    ldi r24, 0x80                   ; marks the saved stack pointer: restore masked
    rcall 1f
    cli                             ; RETI lets interrupts in, but not before this instruction
    ret

/* Nobody else knew that a switch was due. The vector SPM_READY, as a handler of C would be, in half the flash; so with
 * RAMPZ, where there is one: threads change it, and another one may run before it is read. Handlers of C save it by
 * themselves, a call need not keep it. */
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
att_port_switch:
#if ATT_CFG_CHECK >= 1
    lds r24, att_port_saving
    cpse r24, r1
    rjmp att_port_open_handler
    ldi r24, 1
    sts att_port_saving, r24
#endif
    ldi r24, 0
    sei
1:  SAVE_CALL_SAVED
    cli
#if ATT_CFG_CHECK >= 1
    sts att_port_saving, r1
#endif
    cbi FLAGS, 0
    out PENDED, r1
    lds r28, att_k+OFF_K_FROM
    lds r29, att_k+OFF_K_FROM+1
    tst r29
    breq att_port_restore           ; a handler made this switch, and it is our turn again; or it was taken back
    sts att_k+OFF_K_FROM+1, r1
    sts att_k+OFF_K_FROM, r1
    in r18, SPL_IO
    std Y+OFF_SP, r18
    in r18, SPH_IO
    or r18, r24
    std Y+OFF_SP+1, r18
#if ATT_TRACED
    XCALL att_port_traced_run       ; below what was saved
#endif
/*
 * Run the top of the chain; masked. The high byte of its saved stack pointer then reads zero: "runs". Bit 15 says
 * that an interrupt's exit saved it: such a thread is restored with interrupts masked, so that a storm of them can
 * not pile up frames; the others let interrupts in while registers are popped. Returns ATT_OK, or with bit 14 set
 * what stands in the thread (att_port_fast_result).
 */
    .global att_port_run_top
att_port_run_top:
    in r30, TOP_LO
    in r31, TOP_HI
    .global att_port_run_z
att_port_run_z:                     ; Z is the top
    ldd r18, Z+OFF_SP
    ldd r19, Z+OFF_SP+1
    std Z+OFF_SP+1, r1
    ldi r24, 0
    cpi r19, 0x40
    brsh 3f
2:  out SPH_IO, r19
    out SPL_IO, r18
    sei
    .global att_port_restore
att_port_restore:
    RESTORE_CALL_SAVED
    reti                            ; costs what RET does, and ends the interrupt that we may come from
3:  sbrc r19, 7
    rjmp 4f
    andi r19, 0x3F
    ldd r24, Z+OFF_RESULT
    rjmp 2b
4:  andi r19, 0x7F
    out SPH_IO, r19
    out SPL_IO, r18
    rjmp att_port_restore

#if ATT_CFG_CHECK >= 1
/* A switch by a call, while registers are pushed for another one: out of a handler that has let others in and that the
 * kernel does not know. Hot paths (fast.S) would save what they interrupt in the wrong thread. */
att_port_open_handler:
    ldi r24, lo8(FAULT_OPEN_HANDLER)
    ldi r25, hi8(FAULT_OPEN_HANDLER)
    XJMP att_fault
    .section .bss.att_port_saving,"aw",@nobits
att_port_saving:
    .skip 1
#endif

/* The switch that fell due is being made; masked. */
    .section .text.att_port_undue,"ax",@progbits
    .global att_port_undue
att_port_undue:
    cbi FLAGS, 0
    out PENDED, r1
    sts att_k+OFF_K_FROM+1, r1
    sts att_k+OFF_K_FROM, r1
    ret

/* The running thread has ended; masked, and what is to run is the top of the chain. */
    .section .text.att_port_leave,"ax",@progbits
    .global att_port_leave
att_port_leave:
    XCALL att_port_undue
    XJMP att_port_run_top

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
