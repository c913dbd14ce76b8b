/*
 * The parts of the port that C can say: its start, the software interrupt, and how a handler or a call lets
 * interrupts in.
 *
 * What an interrupt leaves in the processor, mepc and two fields of mstatus, the next one overwrites. So
 * whatever enables interrupts in a handler saves mepc; the fields are the same for all interrupts.
 */
#include "kernel.h"
#include "offsets.h"

#define GET(csr, value) __asm__ __volatile__("csrr %0, " #csr : "=r"(value)::"memory")
#define SET_BITS(csr, value) __asm__ __volatile__("csrs " #csr ", %0" ::"rK"(value) : "memory")
#define CLEAR_BITS(csr, value) __asm__ __volatile__("csrc " #csr ", %0" ::"rK"(value) : "memory")

extern uint8_t att_handler_stack_end[]; /* by the linker script */
void *volatile att_port_handler_stack = att_handler_stack_end - HANDLER_STACK_TOP;

ATT_PORT_COLD void att_port_start(void)
{
    att_port_msip = 0;
    SET_BITS(mie, SOFTWARE);
}

/* Its exit, as that of any handler, makes the switch that is due. */
void MachineSoftware_Handler(void);
void MachineSoftware_Handler(void)
{
    att_port_msip = 0;
}

static void restore(uintptr_t pc)
{
    att_port_mask();
    __asm__ __volatile__("csrw mepc, %0" ::"r"(pc));
    SET_BITS(mstatus, RETURN_ENABLED);
}

/* In a thread: that the software interrupt is off tells the handlers' exit that it must not switch (port.S).
 */
void att_port_handler_window(void)
{
    if (att_port_in_isr()) {
        uintptr_t pc;
        GET(mepc, pc);
        SET_BITS(mstatus, MIE);
        restore(pc);
    } else {
        CLEAR_BITS(mie, SOFTWARE);
        SET_BITS(mstatus, MIE);
        att_port_mask();
        SET_BITS(mie, SOFTWARE);
    }
}

/* With interrupts enabled a handler looks like a thread. `from` tells: it names the interrupted thread, as if
 * a switch had been due and taken back, so that no call in the handler switches. The exit of the outermost
 * handler looks at it. */
uintptr_t att_port_nested_begin(void)
{
    uintptr_t pc;
    GET(mepc, pc);
    if (att_k.from == NULL) {
        att_k.from = att_port_top();
    }
    SET_BITS(mstatus, MIE);
    return pc;
}

void att_port_nested_end(uintptr_t pc)
{
    restore(pc);
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
