/*
 * From main to idle: main's stack becomes idle's, so there is no second one.
 */
#include "kernel.h"

/* Weak: a program that never asks for the time does not link the clock. */
__attribute__((weak)) void att_board_clock_start(void)
{
}

ATT_PORT_NORETURN static void idle(void)
{
    for (;;) {
        /* The port sleeps without a gap between the last look and the sleep. */
        (void)att_port_lock();
        att_port_idle(att_k.alarms != NULL ? &att_k.alarms->when : NULL);
    }
}

void att_start(void)
{
    (void)att_port_lock();
    ATT_EXPECT(att_port_top() == NULL, ATT_FAULT_STARTED);
    att_k.idle.wait.above = (att_prioset_t) ~(att_prioset_t)1;
#if ATT_CFG_CHECK >= 1
    att_k.idle.tag = ATT_K_THREAD_TAG;
#endif
    att_port_set_top(&att_k.idle);
    att_port_start();
    att_board_clock_start();
    const att_thread_def_t *const *entry = att_system;
    const att_thread_def_t *def; /* in ROM */
    while ((def = (const att_thread_def_t *)att_port_rom_word(entry++)) != NULL) {
        att_thread_t *thread = (att_thread_t *)att_port_rom_word(&def->thread);
        att_k_thread_init(thread, (size_t)att_port_rom_word(&def->size), att_port_rom_byte(&def->prio),
                          (att_entry_t)att_port_rom_word(&def->entry), (void *)att_port_rom_word(&def->arg));
        att_k_ready(thread);
    }
    att_unlock(att_port_enabled_key());
    idle();
}
