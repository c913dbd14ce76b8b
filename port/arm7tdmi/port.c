/*
 * The parts of the port that C can say. There is nothing to start: the processor has one interrupt, and the
 * board's start-up code sets the stacks of its modes.
 */
#include "kernel.h"

ATT_PORT_COLD void att_port_start(void)
{
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
