/*
 * AVR: a plain handler that enables interrupts and calls the kernel is a part of the thread that it interrupts. It
 * comes at each moment of that thread's own switches.
 */
#include "irq.h"

static att_sem_t urgent;
static att_ref_t ref;
static volatile uint16_t taken;

static void take(void *arg)
{
    (void)arg;
    while (att_sem_take(&urgent, ATT_MS(20)) == ATT_OK) {
        taken++;
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

TEST(open_handler, "a plain handler that enables interrupts may call the kernel at any moment")
{
    start(TAP_PRIORITY + 1, take, NULL);
    for (uint8_t time = 1; time != 0; time++) {
        const uint16_t before = taken;
        come_after(time);
        CHECK_EQ(att_suspend(&ref, ATT_MS(5)), ATT_TIMEOUT);
        CHECK_EQ(taken, before + 1);
        CHECK_EQ(att_k_check(), 0);
    }
    finish();
}

TAP_SUITE("test_open_handler.c", CASE(open_handler))
