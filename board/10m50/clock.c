/*
 * The clock: one timer counts 2^31 ticks again and again; its interrupt at the end counts the turns. The other one, set
 * to the distance, is the alarm, once; and the tests' timer, since the machine has no third. Further away than it
 * counts, it ends too early, finds nothing due, and is armed again.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

#include "10m50.h"

enum { TURN_BITS = 31 };
#define LAST (((uint32_t)1 << TURN_BITS) - 1)

static uint32_t turns;
static att_stamp_t offset; /* what the clock shows is this much ahead of the counter */
static uint64_t alarm_at = MAX10_NEVER;
uint64_t max10_spare_at = MAX10_NEVER;
__attribute__((weak)) void ATT_BOARD_SPARE_HANDLER_3(void);

/* Ticks of this turn. The counter reads 2^31 - 1 to 0, in QEMU 2^31 to 1, and 0 before it is started. */
static uint32_t passed(void)
{
    MAX10_COUNTER->snapshot_low = 0;
    const uint32_t left = MAX10_COUNTER->snapshot_high << 16 | MAX10_COUNTER->snapshot_low;
    return -left & LAST;
}

uint64_t max10_ticks(void)
{
    uint32_t low = passed();
    uint32_t high = turns;
    if ((MAX10_COUNTER->status & 1) != 0) { /* it has not been counted yet; it came before the reading or after */
        low = passed();
        high++;
    }
    return (uint64_t)high << TURN_BITS | low;
}

void max10_arm(void)
{
    const uint64_t at = alarm_at < max10_spare_at ? alarm_at : max10_spare_at;
    const uint64_t now = max10_ticks();
    MAX10_ALARM->control = TIMER_STOP;
    MAX10_ALARM->status = 0;
    if (at != MAX10_NEVER) {
        const uint64_t distance = at <= now ? 1 : at - now;
        const uint32_t period = distance < LAST ? (uint32_t)distance : LAST;
        MAX10_ALARM->period_low = period & 0xFFFF;
        MAX10_ALARM->period_high = period >> 16;
        MAX10_ALARM->control = TIMER_INTERRUPT | TIMER_START;
    }
}

void att_board_clock_start(void)
{
    alarm_at = max10_spare_at = MAX10_NEVER;
    MAX10_COUNTER->period_low = LAST & 0xFFFF;
    MAX10_COUNTER->period_high = LAST >> 16;
    MAX10_COUNTER->control = TIMER_INTERRUPT | TIMER_AGAIN | TIMER_START;
    max10_interrupt_enable(COUNTER_NUMBER);
    max10_interrupt_enable(ALARM_NUMBER);
}

void att_board_clock_set(uint64_t units)
{
    const att_key_t key = att_lock();
    offset = units - (max10_ticks() >> STEP);
    att_unlock(key);
}

att_time_t att_board_now(void)
{
    return (att_time_t)att_board_stamp();
}

att_stamp_t att_board_stamp(void)
{
    return (max10_ticks() >> STEP) + offset;
}

bool att_board_alarm(att_time_t when)
{
    const uint64_t now = max10_ticks() >> STEP;
    const int32_t distance = (int32_t)(when - (att_time_t)(now + offset));
    if (distance <= 0) {
        return false;
    }
    alarm_at = (now + (uint32_t)distance) << STEP;
    max10_arm();
    return true;
}

void att_board_alarm_now(void)
{
    alarm_at = 0;
    max10_arm();
}

void att_board_alarm_off(void)
{
    alarm_at = MAX10_NEVER;
    max10_arm();
}

ATT_ISR(Interrupt0_Handler)
{
    MAX10_COUNTER->status = 0;
    turns++;
}

ATT_ISR(Interrupt5_Handler)
{
    MAX10_ALARM->status = 0;
    const uint64_t now = max10_ticks();
    const bool spare = max10_spare_at <= now;
    if (alarm_at <= now) {
        alarm_at = MAX10_NEVER;
        att_clock_expired();
    } else {
        max10_arm();
    }
    if (spare && max10_spare_at <= now) {
        ATT_BOARD_SPARE_HANDLER_3();
    }
}
