/*
 * Exceptions, each in a run of its own (provoke.h).
 */
#include "provoke.h"

CASE_OF(usage, ATT_FAULT_USAGE, "USAGE: a trap", { __asm__ __volatile__("trap"); })
CASE_OF(early, ATT_FAULT_USAGE, "USAGE: the same before the kernel runs", { __asm__ __volatile__("trap"); })
static void trap(void)
{
    __asm__ __volatile__("trap");
}
CASE_OF(in_handler, ATT_FAULT_USAGE, "USAGE: the same in a handler", { irq_raise(IRQ_KNOWN, trap); })
CASE_OF(locked, ATT_FAULT_USAGE, "USAGE: the same under lock", {
    (void)att_lock();
    trap();
})
CASE_OF(illegal, ATT_FAULT_USAGE, "USAGE: an undefined instruction", { __asm__ __volatile__(".word 0xFFFFFFFF"); })
CASE_OF(no_stack, ATT_FAULT_USAGE, "USAGE: a trap, and no stack", { __asm__ __volatile__("mov sp, zero\n\ttrap"); })
CASE_OF(misaligned, ATT_FAULT_USAGE, "USAGE: a misaligned address", {
    __asm__ __volatile__("ldw r2, 0(%0)" ::"r"(0xC8400002u) : "r2", "memory");
})
PROVOKE_SUITE(ENTRY(usage) ENTRY_EARLY(early) ENTRY(in_handler) ENTRY(locked) ENTRY(illegal) ENTRY(no_stack)
                  ENTRY(misaligned))
