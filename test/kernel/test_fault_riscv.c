/*
 * Exceptions, each in a run of its own (provoke.h).
 */
#include "provoke.h"

#ifndef ATT_BOARD_NO_BUS_ERRORS
static void read_nowhere(void)
{
    (void)*(volatile uint32_t *)0xF0000000u;
}

CASE_OF(bus, ATT_FAULT_BUS, "BUS: an address where there is nothing", { read_nowhere(); })
CASE_OF(early, ATT_FAULT_BUS, "BUS: the same before the kernel runs", { read_nowhere(); })
CASE_OF(bus_in_handler, ATT_FAULT_BUS, "BUS: the same in a handler", { irq_raise(IRQ_KNOWN, read_nowhere); })
CASE_OF(bus_locked, ATT_FAULT_BUS, "BUS: the same under lock", {
    (void)att_lock();
    read_nowhere();
})
CASE_OF(jump, ATT_FAULT_BUS, "BUS: a jump to where there is no code", { ((void (*)(void))0xF0000000u)(); })
#define OF_BUS ENTRY(bus) ENTRY_EARLY(early) ENTRY(bus_in_handler) ENTRY(bus_locked) ENTRY(jump)
#else
#define OF_BUS
#endif
CASE_OF(usage, ATT_FAULT_USAGE, "USAGE: an undefined instruction", { __asm__ __volatile__(".word 0"); })
CASE_OF(call, ATT_FAULT_USAGE, "USAGE: a call of an environment that there is not",
        { __asm__ __volatile__("ecall"); })
#if ATT_PORT_VECTORED
CASE_OF(no_stack, ATT_FAULT_USAGE, "USAGE: an undefined instruction, and no stack",
        { __asm__ __volatile__("mv sp, zero\n\t.word 0"); })
#define OF_VECTORS ENTRY(no_stack)
#else /* the entry uses it before it looks what came */
#define OF_VECTORS
#endif

PROVOKE_SUITE(OF_BUS ENTRY(usage) ENTRY(call) OF_VECTORS)
