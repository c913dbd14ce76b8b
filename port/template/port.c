/*
 * Stubs: each traps. port.h states what each must do. Of the kernel a port sees att_k.from, the chain's top,
 * a thread's first member, and the calls named there.
 */
#include "kernel.h"

att_port_key_t att_port_lock(void)
{
    __builtin_trap();
}

void att_port_unlock(att_port_key_t key)
{
    (void)key;
    __builtin_trap();
}

uint8_t att_port_switch(struct att_thread *to, struct att_thread *from)
{
    (void)from;
    (void)to;
    __builtin_trap();
}

void att_port_undue(void)
{
    __builtin_trap();
}

void att_port_pend(void)
{
    __builtin_trap();
}

bool att_port_in_isr(void)
{
    __builtin_trap();
}

void att_port_handler_window(void)
{
    __builtin_trap();
}

void *att_port_frame(att_port_stack_t *end, void (*entry)(void *arg), void *arg)
{
    (void)end;
    (void)entry;
    (void)arg;
    __builtin_trap();
}

void att_port_start(void)
{
    __builtin_trap();
}

void att_port_idle(const uint32_t *deadline)
{
    (void)deadline;
    __builtin_trap();
}

void att_port_halt(void)
{
    __builtin_trap();
}

void att_port_isr_exit(void)
{
    __builtin_trap();
}
