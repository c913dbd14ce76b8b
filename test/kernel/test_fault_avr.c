/*
 * A plain handler that enables interrupts and calls the kernel, at each moment of a switch (provoke.h).
 */
#include "provoke.h"

static att_sem_t urgent;
static att_ref_t ref;
static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_STACK)];
} other;

static void take(void *arg)
{
    (void)arg;
    for (;;) {
        (void)att_sem_take(&urgent, ATT_FOREVER);
    }
}

ISR(TIMER0_COMPA_vect, ISR_NOBLOCK)
{
    TIMSK0 = 0;
    (void)att_sem_give(&urgent);
}

/* In eights of cycles. */
static void come_after(uint8_t time)
{
    TCCR0B = 0;
    TCNT0 = 0;
    OCR0A = time;
    TIFR0 = _BV(OCF0A);
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01);
}

CASE_OF(open_handler, ATT_FAULT_OPEN_HANDLER, "OPEN_HANDLER: a call with interrupts enabled, in a switch", {
    (void)att_thread_start(&other, sizeof(other), 5, take, NULL);
    for (uint8_t time = 1; time != 0; time++) {
        come_after(time);
        (void)att_suspend(&ref, ATT_MS(5));
    }
})

PROVOKE_SUITE(ENTRY(open_handler))
