/*
 * The clock: TIMER0 runs freely at 1 MHz in 32 bits and is never written. It is read by capturing it; compare
 * channel 0 is the alarm, channel 2 counts the wraps for the stamp.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

#include "registers.h"

enum { ALARM, READING, WRAP };

static att_time_t offset; /* what the clock shows is this much ahead of the timer */
static uint32_t wraps;
static uint32_t high; /* and the stamp so many wraps */

static uint32_t count(void)
{
    TIMER_CAPTURE(READING) = 1;
    return TIMER_CC(READING);
}

void att_board_clock_start(void)
{
    TIMER_BITMODE = 3;
    TIMER_PRESCALER = 4;
    TIMER_CC(WRAP) = 0;
    TIMER_START = 1;
    while (count() == 0) {
    }
    TIMER_COMPARE(WRAP) = 0;
    TIMER_INTENSET = TIMER_INT(WRAP);
    NVIC_ISER = (uint32_t)1 << ATT_BOARD_CLOCK_IRQ;
}

void att_board_clock_set(uint64_t units)
{
    const att_key_t key = att_lock();
    offset = (att_time_t)units - count();
    high = 0;
    high = (uint32_t)(units >> 32) - (uint32_t)(att_board_stamp() >> 32);
    att_unlock(key);
}

att_time_t att_board_now(void)
{
    return count() + offset;
}

att_stamp_t att_board_stamp(void)
{
    uint32_t low = count();
    uint32_t turns = wraps;
    if (TIMER_COMPARE(WRAP) != 0) { /* it has not been counted yet; it came before the reading or after */
        low = count();
        turns++;
    }
    return ((att_stamp_t)(turns + high) << 32 | low) + offset;
}

/* The event comes when the counter becomes equal: not, if it is that already. */
bool att_board_alarm(att_time_t when)
{
    TIMER_CC(ALARM) = when - offset;
    TIMER_COMPARE(ALARM) = 0;
    TIMER_INTENSET = TIMER_INT(ALARM);
    return (int32_t)(att_board_now() - when) < 0;
}

void att_board_alarm_now(void)
{
    NVIC_ISPR = (uint32_t)1 << ATT_BOARD_CLOCK_IRQ;
}

void att_board_alarm_off(void)
{
    TIMER_INTENCLR = TIMER_INT(ALARM);
}

ATT_ISR(TIMER0_IRQHandler)
{
    const att_key_t key = att_lock();
    if (TIMER_COMPARE(WRAP) != 0) {
        TIMER_COMPARE(WRAP) = 0;
        wraps++;
    }
    TIMER_COMPARE(ALARM) = 0;
    att_clock_expired();
    att_port_unlock(key);
}
