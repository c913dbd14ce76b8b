/*
 * Exceptions, each in a run of its own (provoke.h).
 */
#include "provoke.h"

static void read_nowhere(void)
{
    (void)*(volatile uint32_t *)0xF0000000u;
}

static void use_float(void)
{
    __asm__ __volatile__("vmov s0, r0" ::: "s0");
}

CASE_OF(memory, ATT_FAULT_MEMORY, "MEMORY: an address where there is nothing", { read_nowhere(); })
CASE_OF(null, ATT_FAULT_MEMORY, "MEMORY: address zero",
        { __asm__ __volatile__("ldr r0, [%0]" ::"r"(0) : "r0", "memory"); })
CASE_OF(early, ATT_FAULT_MEMORY, "MEMORY: the same before the kernel runs", { read_nowhere(); })
CASE_OF(in_handler, ATT_FAULT_MEMORY, "MEMORY: the same in a handler", { irq_raise(IRQ_KNOWN, read_nowhere); })
CASE_OF(locked, ATT_FAULT_MEMORY, "MEMORY: the same under lock", {
    (void)att_lock();
    read_nowhere();
})
CASE_OF(jump, ATT_FAULT_MEMORY, "MEMORY: a jump to where there is no code",
        { ((void (*)(void))0xF0000000u)(); })
CASE_OF(device, ATT_FAULT_MEMORY, "MEMORY: a jump into a device", { ((void (*)(void))0x10009000u)(); })
CASE_OF(usage, ATT_FAULT_USAGE, "USAGE: an undefined instruction", { __builtin_trap(); })
CASE_OF(usage_float, ATT_FAULT_USAGE, "USAGE: the same in a thread that uses floating point", {
    use_float();
    __builtin_trap();
})
CASE_OF(float_in_handler, ATT_FAULT_USAGE, "USAGE: floating point in a handler",
        { irq_raise(IRQ_KNOWN, use_float); })
CASE_OF(float_in_handler_of_it, ATT_FAULT_USAGE, "USAGE: the same above a thread that uses it", {
    use_float();
    irq_raise(IRQ_KNOWN, use_float);
})
CASE_OF(call, ATT_FAULT_USAGE, "USAGE: a call of a supervisor that there is not", { __asm__ __volatile__("svc 1"); })
CASE_OF(no_stack, ATT_FAULT_USAGE, "USAGE: an undefined instruction, and no stack",
        { __asm__ __volatile__("mov sp, %0\n\tudf #0" ::"r"(0)); })
CASE_OF(no_handler, ATT_FAULT_NO_HANDLER, "NO_HANDLER: an interrupt that nothing serves",
        { att_board_interrupt_raise(9); })

PROVOKE_SUITE(ENTRY(memory) ENTRY(null) ENTRY_EARLY(early) ENTRY(in_handler) ENTRY(locked) ENTRY(jump) ENTRY(device)
                  ENTRY(usage) ENTRY(usage_float) ENTRY(float_in_handler) ENTRY(float_in_handler_of_it) ENTRY(call)
                      ENTRY(no_stack) ENTRY(no_handler))
