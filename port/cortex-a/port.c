/*
 * The parts of the port that C can say: its start, and how a handler or a call lets interrupts in. An interrupt leaves
 * nothing in the processor that the next one overwrites: its entry pushes all.
 */
#include "kernel.h"
#include "offsets.h"

extern uint8_t att_handler_stack_end[]; /* by the linker script */
void *volatile att_port_handler_stack = att_handler_stack_end - HANDLER_STACK_TOP;
volatile uint8_t att_port_window;

#define LET_IN() __asm__ __volatile__("cpsie i\n\tisb\n\tcpsid i" ::: "memory")

ATT_PORT_COLD void att_port_start(void)
{
}

/* In a thread: the exit of handlers makes no switch while att_port_window is set (port.S). */
void att_port_handler_window(void)
{
    if (att_port_in_isr()) {
        LET_IN();
    } else {
        att_port_window = 1;
        LET_IN();
        att_port_window = 0;
    }
}

/* With interrupts enabled a handler looks like a thread. `from` tells: it names the interrupted thread, as if
 * a switch had been due and taken back, so that no call in the handler switches. The exit of the outermost
 * handler looks at it. */
void att_port_nested_begin(void)
{
    if (att_k.from == NULL) {
        att_k.from = att_port_top();
    }
    __asm__ __volatile__("cpsie i" ::: "memory");
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
