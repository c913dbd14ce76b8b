/*
 * From main to idle: main's stack becomes idle's, so there is no second one.
 */
#include "kernel.h"

/* A program that never asks for the time does not link the clock, and one that never joins not join.c. */
#if ATT_PORT_WEAK_CALLS
__attribute__((weak)) void att_board_clock_start(void);
#else
__attribute__((weak)) void att_board_clock_start(void)
{
}

__attribute__((weak)) void att_k_owner_ends(void)
{
}

__attribute__((weak)) void att_k_joiners_wake(const att_thread_t *ended)
{
    (void)ended;
}
#endif

ATT_PORT_NORETURN static void idle(void)
{
    for (;;) {
        /* The port sleeps without a gap between the last look and the sleep. */
        att_port_mask();
        att_port_idle(att_k.alarms != NULL ? &att_k.alarms->when : NULL);
    }
}

ATT_PORT_COLD void att_start(void)
{
    att_port_mask();
    ATT_EXPECT(att_port_top() == NULL, ATT_FAULT_STARTED);
    att_k.idle.wait.above = (att_prioset_t) ~(att_prioset_t)1;
#if ATT_CFG_CHECK >= 1
    att_k.idle.tag = ATT_K_THREAD_TAG;
#endif
    att_port_set_top(&att_k.idle);
    att_port_start();
    att_board_clock_start();
    const att_thread_def_t *const *entry = att_system; /* in ROM, and what it points to */
    const att_thread_def_t *def;
    while ((def = att_port_rom(*entry)) != NULL) {
        att_thread_t *thread = att_port_rom(def->thread);
        att_k_thread_init(thread, att_port_rom(def->extent), att_port_rom(def->prio),
                          att_port_rom(def->entry), att_port_rom(def->arg));
        att_k_ready(thread);
        entry++;
    }
    att_unlock(att_port_enabled_key());
    idle();
}
