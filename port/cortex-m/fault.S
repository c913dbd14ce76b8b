/*
 * Handlers of the processor's faults, and of whatever has none: each finds the frame of what was interrupted.
 */
#include "asm.h"

.macro FRAME_TO then
    movs r0, #4
    mov r1, lr
    tst r0, r1                      /* on which stack? */
    bne 1f
    mrs r0, msp
    b 2f
1:  mrs r0, psp
2:  ldr r1, =\then
    bx r1
    .ltorg
.endm

FUNCTION HardFault_Handler
    .irp name, MemManage_Handler, BusFault_Handler, UsageFault_Handler, SecureFault_Handler
    .global \name
    .type \name, %function
    .thumb_func
\name:
    .endr
    FRAME_TO att_port_processor_fault

FUNCTION att_port_no_handler
    FRAME_TO att_port_unexpected
