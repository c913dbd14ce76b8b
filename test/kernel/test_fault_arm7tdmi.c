/*
 * Exceptions, each in a run of its own (provoke.h): on a board whose vectors are the port's.
 */
#include "provoke.h"

#define ARM __attribute__((target("arm"), noinline))

ARM static void undefined(void)
{
    __asm__ __volatile__(".word 0xE7F000F0");
}

/* Of later processors of the architecture: a breakpoint is a prefetch abort. */
ARM static void abort_prefetch(void)
{
    __asm__ __volatile__(".word 0xE1200070");
}

/* And a word at an odd address, when that is not allowed, a data abort. */
ARM static void abort_data(void)
{
    uint32_t control;
    __asm__ __volatile__("mrc p15, 0, %0, c1, c0, 0\n\torr %0, %0, #2\n\tmcr p15, 0, %0, c1, c0, 0\n\t"
                         "mov %0, #2\n\tldr %0, [%0]\n\tmrc p15, 0, %0, c1, c0, 0"
                         : "=&r"(control)::"memory");
}

CASE_OF(usage, ATT_FAULT_USAGE, "USAGE: an undefined instruction", { undefined(); })
CASE_OF(early, ATT_FAULT_USAGE, "USAGE: the same before the kernel runs", { undefined(); })
CASE_OF(in_handler, ATT_FAULT_USAGE, "USAGE: the same in a handler", { irq_raise(IRQ_KNOWN, undefined); })
CASE_OF(nested, ATT_FAULT_USAGE, "USAGE: the same in a handler with interrupts enabled",
        { irq_raise(IRQ_NESTED, undefined); })
CASE_OF(locked, ATT_FAULT_USAGE, "USAGE: the same under lock", {
    (void)att_lock();
    undefined();
})
CASE_OF(call, ATT_FAULT_USAGE, "USAGE: a call of an environment that there is not",
        { __asm__ __volatile__("svc 0"); })
CASE_OF(prefetch, ATT_FAULT_BUS, "BUS: an instruction that cannot be fetched", { abort_prefetch(); })
CASE_OF(data, ATT_FAULT_BUS, "BUS: data that cannot be read", { abort_data(); })

PROVOKE_SUITE(ENTRY(usage) ENTRY_EARLY(early) ENTRY(in_handler) ENTRY(nested) ENTRY(locked) ENTRY(call)
                  ENTRY(prefetch) ENTRY(data))
