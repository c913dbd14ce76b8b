/*
 * The clock is a timer that counts down through all its 32 bits, and whose interrupt counts the turns;
 * another one is loaded with the distance of an alarm. It counts that whatever happens meanwhile, so no alarm
 * is missed.
 *
 * att_board_clock_set keeps a difference, as other boards with a counter that nothing sets.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

#include "versatilepb.h"

static att_stamp_t offset; /* what the clock shows is this much ahead */
static uint32_t turns;

static att_stamp_t count(void)
{
    const uint32_t low = ~VERSATILEPB_CLOCK->value;
    uint32_t high = turns;
    if (VERSATILEPB_CLOCK->raw != 0 && low < 0x80000000u) {
        high++;
    }
    return (att_stamp_t)high << 32 | low;
}

void att_board_clock_start(void)
{
    att_board_alarm_off();
    VERSATILEPB_CLOCK->control = 0;
    VERSATILEPB_CLOCK->load = 0xFFFFFFFFu;
    VERSATILEPB_CLOCK->control = TIMER_ENABLE | TIMER_32_BITS | TIMER_INTERRUPT;
    VERSATILEPB_INTERRUPTS->enable = 1u << TIMER01_IRQ;
}

void att_board_clock_set(uint64_t units)
{
    const att_key_t key = att_lock();
    offset = units - count();
    att_unlock(key);
}

att_time_t att_board_now(void)
{
    return (att_time_t)(count() + offset);
}

att_stamp_t att_board_stamp(void)
{
    return count() + offset;
}

static void alarm_after(uint32_t units)
{
    att_board_alarm_off();
    VERSATILEPB_ALARM->load = units;
    VERSATILEPB_ALARM->control = TIMER_ENABLE | TIMER_32_BITS | TIMER_ONE_SHOT | TIMER_INTERRUPT;
}

bool att_board_alarm(att_time_t when)
{
    const int32_t distance = (int32_t)(when - att_board_now());
    if (distance <= 0) {
        return false;
    }
    alarm_after((uint32_t)distance);
    return true;
}

void att_board_alarm_now(void)
{
    alarm_after(1);
}

void att_board_alarm_off(void)
{
    VERSATILEPB_ALARM->control = 0;
    VERSATILEPB_ALARM->clear = 0;
}

ATT_ISR(Timer01_Handler)
{
    if (VERSATILEPB_CLOCK->masked != 0) {
        VERSATILEPB_CLOCK->clear = 0;
        turns++;
    }
    if (VERSATILEPB_ALARM->masked != 0) {
        att_board_alarm_off();
        att_clock_expired();
    }
}
