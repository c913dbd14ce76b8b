/*
 * The vector table: sixteen vectors that are the same on every Cortex-M, then the board's, from its
 * vectors.inc: a line VECTOR(name) or NO_VECTOR each, in order. Every name is weak: a function of that name
 * becomes the handler.
 */
#include <stdint.h>

#include "start.h"

#define VECTOR(name) __attribute__((weak, alias("no_handler"))) void name(void);
#define NO_VECTOR

/* An alias knows only its own file. Weak: a program that never asks for faults links none of their handlers,
 * and stops here. */
START_UP __attribute__((used, naked)) static void no_handler(void)
{
    __asm__ __volatile__(".weak att_port_no_handler\n\t"
                         "ldr r0, =att_port_no_handler\n"
                         "1:\tcmp r0, #0\n\t"
                         "beq 1b\n\t"
                         "bx r0\n\t"
                         ".ltorg");
}

VECTOR(NMI_Handler)
VECTOR(HardFault_Handler)
VECTOR(MemManage_Handler)
VECTOR(BusFault_Handler)
VECTOR(UsageFault_Handler)
VECTOR(SecureFault_Handler)
VECTOR(SVC_Handler)
VECTOR(DebugMon_Handler)
VECTOR(PendSV_Handler)
VECTOR(SysTick_Handler)
#include "vectors.inc"
#undef VECTOR
#undef NO_VECTOR
#define VECTOR(name) name,
#define NO_VECTOR no_handler,

extern uint32_t att_handler_stack_end[];

__attribute__((section(".vectors"), used)) void (*const att_vectors[])(void) = {
    (void (*)(void))(uintptr_t)att_handler_stack_end,
    Reset_Handler,
    NMI_Handler,
    HardFault_Handler,
    MemManage_Handler,
    BusFault_Handler,
    UsageFault_Handler,
    SecureFault_Handler,
    no_handler,
    no_handler,
    no_handler,
    SVC_Handler,
    DebugMon_Handler,
    no_handler,
    PendSV_Handler,
    SysTick_Handler,
#include "vectors.inc"
};
