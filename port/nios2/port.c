/*
 * The parts of the port that C can say: which handler, and how a handler or a call lets interrupts in. An interrupt
 * leaves nothing in the processor that the next one overwrites: its entry pushes all.
 */
#include "kernel.h"
#include "offsets.h"

extern uint8_t att_handler_stack_end[]; /* by the linker script */
void *volatile att_port_handler_stack = att_handler_stack_end - HANDLER_STACK_TOP;
volatile uint8_t att_port_window;

ATT_PORT_COLD void att_port_start(void)
{
}

/* In a thread the exit of handlers makes no switch while att_port_window is set (port.S); in a handler it makes none
 * anyhow. */
void att_port_handler_window(void)
{
    const uint8_t before = att_port_window;
    att_port_window = 1;
    att_port_unlock(att_port_enabled_key());
    att_port_mask();
    att_port_window = before;
}

/* With interrupts enabled a handler looks like a thread. `from` tells: it names the interrupted thread, as if
 * a switch had been due and taken back, so that no call in the handler switches. The exit of the outermost
 * handler looks at it. */
void att_port_nested_begin(void)
{
    if (att_k.from == NULL) {
        att_k.from = att_port_top();
    }
    att_port_unlock(att_port_enabled_key());
}

/* Of the pending interrupts that are enabled the one with the lowest number is served. */
void att_port_interrupt(uint32_t pending);
void att_port_interrupt(uint32_t pending)
{
    extern void (*const att_port_handlers[])(void);
    void (*const *handler)(void) = att_port_handlers;
    for (; (pending & 1) == 0; pending >>= 1) {
        handler++;
    }
    (*handler)();
}

#if ATT_CFG_CHECK >= 1 || ATT_TRACED
/* A handler's exit is about to switch away from the thread that is saved at `sp`. */
void att_port_before_switch(const void *sp);
void att_port_before_switch(const void *sp)
{
#if ATT_CFG_CHECK >= 1
    att_k_stack_check(sp);
#endif
    (void)sp;
    ATT_TRACE(ATT_EVENT_RUN, att_port_top());
}
#endif
