/*
 * Faults of the processor and of its interrupts, each in a run of its own (provoke.h).
 */
#include "provoke.h"

#define NVIC_ENABLE ((volatile uint32_t *)0xE000E100u)
#define NVIC_PEND ((volatile uint32_t *)0xE000E200u)

static void raise(unsigned irq)
{
    NVIC_ENABLE[irq / 32] = (uint32_t)1 << irq % 32;
    NVIC_PEND[irq / 32] = (uint32_t)1 << irq % 32;
    __asm__ __volatile__("dsb\n\tisb" ::: "memory");
}

__attribute__((unused)) static void read_nowhere(void)
{
    (void)*(volatile uint32_t *)0x9FFFFFF0u;
}

CASE_OF(hard, ATT_FAULT_HARD, "HARD: SVC while interrupts are masked", {
    __asm__ __volatile__("cpsid i\n\tsvc 0" ::: "memory");
})
CASE_OF(early, ATT_FAULT_HARD, "HARD: the same before the kernel runs", {
    __asm__ __volatile__("cpsid i\n\tsvc 0" ::: "memory");
})
CASE_OF(no_handler, ATT_FAULT_NO_HANDLER, "NO_HANDLER: an interrupt without one",
        { raise(ATT_BOARD_SPARE_IRQ + IRQ_KINDS); })
#ifdef __ARM_ARCH_6M__
CASE_OF(nowhere, ATT_FAULT_HARD, "HARD: an address where there is nothing", { read_nowhere(); })
#define OF_THE_CORE ENTRY(nowhere)
#else
CASE_OF(memory, ATT_FAULT_MEMORY, "MEMORY: a jump to where there can be no code",
        { ((void (*)(void))0xE0000001u)(); })
#ifndef ATT_BOARD_NO_BUS_FAULTS
CASE_OF(bus, ATT_FAULT_BUS, "BUS: an address where there is nothing", { read_nowhere(); })
CASE_OF(bus_in_handler, ATT_FAULT_BUS, "BUS: the same in a handler", { irq_raise(IRQ_KNOWN, read_nowhere); })
CASE_OF(bus_locked, ATT_FAULT_BUS, "BUS: the same under lock", {
    (void)att_lock();
    read_nowhere();
})
#endif
CASE_OF(usage, ATT_FAULT_USAGE, "USAGE: an undefined instruction", { __asm__ __volatile__("udf #0"); })
#ifdef ATT_BOARD_NO_BUS_FAULTS
#define OF_THE_CORE ENTRY(memory) ENTRY(usage)
#else
#define OF_THE_CORE ENTRY(memory) ENTRY(bus) ENTRY(bus_in_handler) ENTRY(bus_locked) ENTRY(usage)
#endif
#endif

#if ATT_CFG_LOCK_PRIORITY != 0
static att_sem_t sem;

static void give(void)
{
    (void)att_sem_give(&sem);
}

CASE_OF(urgent, ATT_FAULT_TOO_URGENT, "TOO_URGENT: a call in a handler above the lock", {
    ((volatile uint32_t *)0xE000E400u)[ATT_BOARD_SPARE_IRQ / 4] = 0; /* the priority of reset */
    irq_raise(IRQ_KNOWN, give);
})
#define OF_THE_LOCK ENTRY(urgent)
#else
#define OF_THE_LOCK
#endif

#if ATT_CFG_STACK_GUARD
static volatile bool deeper = true;

static ATT_PORT_NOINLINE void go_deeper(volatile uint32_t *above)
{
    volatile uint32_t here[4] = {0};
    here[0] = *above;
    if (deeper) {
        go_deeper(here);
    }
    *above = here[0];
}
CASE_OF(overflow, ATT_FAULT_STACK_OVERFLOW, "STACK_OVERFLOW: a recursion that does not end", {
    volatile uint32_t end = 0;
    go_deeper(&end);
})
CASE_OF(overflow_locked, ATT_FAULT_STACK_OVERFLOW, "STACK_OVERFLOW: the same under lock", {
    volatile uint32_t end = 0;
    (void)att_lock();
    go_deeper(&end);
})
#define OF_THE_GUARD ENTRY(overflow) ENTRY(overflow_locked)
#else
#define OF_THE_GUARD
#endif

#if ATT_CFG_NEAR_RAM && ATT_CFG_CHECK >= 1
static void lock_twice(att_mutex_t *mutex) /* a free mutex needs no link */
{
    att_mutex_init(mutex, ATT_MUTEX_PLAIN);
    (void)att_mutex_lock(mutex, ATT_FOREVER);
    (void)att_mutex_lock(mutex, ATT_FOREVER);
}
CASE_OF(far_away, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mutex where it can not be linked to",
        { (void)att_mutex_lock((att_mutex_t *)0x20020000u, ATT_FOREVER); })
CASE_OF(at_the_beginning, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a mutex whose link would be none",
        { lock_twice((att_mutex_t *)0x20000000u); })
#define OF_NEAR_RAM ENTRY(far_away) ENTRY(at_the_beginning)
#else
#define OF_NEAR_RAM
#endif

PROVOKE_SUITE(ENTRY(hard) ENTRY_EARLY(early) ENTRY(no_handler)
                  OF_THE_CORE OF_THE_LOCK OF_THE_GUARD OF_NEAR_RAM)
