/*
 * The clock: one timer counts down freely in 32 bits; its interrupt at zero counts the wraps. Another one, loaded with
 * the distance, is the alarm, once. They share an interrupt.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

#include "realview.h"

static uint32_t wraps;
static att_stamp_t offset; /* what the clock shows is this much ahead of the counter */

/* Masked. */
static att_stamp_t ticks(void)
{
    uint32_t low = ~REALVIEW_COUNTER->value;
    uint32_t high = wraps;
    if (REALVIEW_COUNTER->raw != 0) { /* it has not been counted yet; it came before the reading or after */
        low = ~REALVIEW_COUNTER->value;
        high++;
    }
    return (att_stamp_t)high << 32 | low;
}

void att_board_clock_start(void)
{
    REALVIEW_COUNTER->control = TIMER_ON | TIMER_INTERRUPT | TIMER_32_BITS;
    att_board_interrupt_enable(CLOCK_INTERRUPT, CLOCK_PRIORITY);
}

void att_board_clock_set(uint64_t units)
{
    const att_key_t key = att_lock();
    offset = units - ticks();
    att_unlock(key);
}

att_time_t att_board_now(void)
{
    return ~REALVIEW_COUNTER->value + (att_time_t)offset;
}

att_stamp_t att_board_stamp(void)
{
    return ticks() + offset;
}

bool att_board_alarm(att_time_t when)
{
    const int32_t distance = (int32_t)(when - att_board_now());
    if (distance <= 0) {
        return false;
    }
    REALVIEW_ALARM->control = TIMER_32_BITS;
    REALVIEW_ALARM->load = (uint32_t)distance;
    REALVIEW_ALARM->control = TIMER_ON | TIMER_INTERRUPT | TIMER_32_BITS | TIMER_ONCE;
    return true;
}

void att_board_alarm_now(void)
{
    att_board_interrupt_pend(CLOCK_INTERRUPT);
}

void att_board_alarm_off(void)
{
    REALVIEW_ALARM->control = TIMER_32_BITS;
    REALVIEW_ALARM->clear = 1;
}

ATT_ISR(Interrupt36_Handler)
{
    if (REALVIEW_COUNTER->raw != 0) {
        REALVIEW_COUNTER->clear = 1;
        wraps++;
    }
    REALVIEW_ALARM->clear = 1;
    att_clock_expired();
}
