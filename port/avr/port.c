/*
 * The parts of the port that C can say: first frame, halt, the software interrupt.
 */
#include "kernel.h"

void att_port_thread_entry(void);

/* A code address as a return address lies: the low byte at the highest address. avr-gcc's pointers are words,
 * and point to a jump below 128 KB where the target is higher up. */
static uint8_t *push_pc(uint8_t *sp, void (*code)(void))
{
    *sp-- = (uint8_t)(uintptr_t)code;
    *sp-- = (uint8_t)((uintptr_t)code >> 8);
#ifdef __AVR_3_BYTE_PC__
    *sp-- = 0;
#endif
    return sp;
}

/* The frame that the switch restores: r28 r29 r2 ... r17, r17 lowest. `entry` travels in r17:r16, `arg` in
 * r15:r14. */
void *att_port_frame(att_port_stack_t *end, void (*entry)(void *arg), void *arg)
{
    uint8_t *sp = push_pc(end - 1, att_port_thread_entry) - 18;
    sp[1] = (uint8_t)((uintptr_t)entry >> 8);
    sp[2] = (uint8_t)(uintptr_t)entry;
    sp[3] = (uint8_t)((uintptr_t)arg >> 8);
    sp[4] = (uint8_t)(uintptr_t)arg;
    return sp;
}

/* A handler's exit makes the switch. */
att_thread_t *att_port_take_due(void);
att_thread_t *att_port_take_due(void)
{
    att_thread_t *from = att_k.from;
    att_k.from = NULL;
    att_port_undue();
    if (from == att_port_top()) {
        return NULL;
    }
    ATT_TRACE(ATT_EVENT_RUN, att_port_top());
    return from;
}

void att_port_nested_end(void)
{
    GPIOR0 = (uint8_t)(GPIOR0 - 2);
    if (GPIOR0 == 1 && att_k.from == NULL) {
        GPIOR0 = 0;
    }
}

void att_port_halt(void)
{
    SMCR = _BV(SE);
    for (;;) {
        __asm__ __volatile__("cli\n sleep");
    }
}
