/*
 * The clock: TIMER counts microseconds in 64 bits and is never written. Its first alarm compares the lower half,
 * and comes when they become equal; INTF requests the same interrupt by software.
 *
 * Only the upper half can change between two readings, and wraps are 71 minutes apart: it is read twice.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

#include "registers.h"

enum { ALARM = 1 << 0 };

static att_stamp_t offset; /* what the clock shows is this much ahead of the timer */

void att_board_clock_start(void)
{
    TIMER_INTE = ALARM;
    NVIC_ISER = 1u << ATT_BOARD_CLOCK_IRQ;
}

static att_stamp_t count(void)
{
    uint32_t high = TIMER_RAWH, low, before;
    do {
        before = high;
        low = TIMER_RAWL;
        high = TIMER_RAWH;
    } while (high != before);
    return (att_stamp_t)high << 32 | low;
}

void att_board_clock_set(uint64_t units)
{
    const att_key_t key = att_lock();
    offset = units - count();
    att_unlock(key);
}

att_time_t att_board_now(void)
{
    return TIMER_RAWL + (att_time_t)offset;
}

att_stamp_t att_board_stamp(void)
{
    return count() + offset;
}

bool att_board_alarm(att_time_t when)
{
    TIMER_ALARM0 = when - (att_time_t)offset;
    return (int32_t)(att_board_now() - when) < 0;
}

void att_board_alarm_now(void)
{
    TIMER_INTF = ALARM;
}

void att_board_alarm_off(void)
{
    TIMER_ARMED = ALARM; /* a one written disarms */
}

ATT_ISR(TIMER_IRQ_0_Handler)
{
    const att_key_t key = att_lock();
    TIMER_INTF = 0;
    TIMER_INTR = ALARM;
    att_clock_expired();
    att_port_unlock(key);
}
