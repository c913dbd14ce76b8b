/*
 * The clock is timer 2, the processor's clock by 64, with timer 3 as its upper half, whose interrupt counts
 * the turns. Timer 1 counts the distance of an alarm, whatever happens meanwhile, so no alarm is missed. It
 * has 16 bits: an alarm further away has the handler come too early, and arm again.
 *
 * att_board_clock_set keeps a difference, as other boards with a counter that nothing sets.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

#include "gba.h"

enum { ALARM = 1, LOW, HIGH };
#define MOST 0xFFFFu

static att_stamp_t offset; /* what the clock shows is this much ahead */
static uint32_t turns;

static uint32_t count(void)
{
    uint32_t high, low;
    do {
        high = GBA_TIMER_COUNT(HIGH);
        low = GBA_TIMER_COUNT(LOW);
    } while (high != GBA_TIMER_COUNT(HIGH));
    return high << 16 | low;
}

static att_stamp_t long_count(void)
{
    const uint32_t low = count();
    uint32_t high = turns;
    if ((GBA_IF >> (GBA_IRQ_TIMER0 + HIGH) & 1) != 0 && low < 0x80000000u) {
        high++;
    }
    return (att_stamp_t)high << 32 | low;
}

void att_board_clock_start(void)
{
    GBA_TIMER_CONTROL(ALARM) = 0;
    GBA_TIMER_CONTROL(LOW) = 0;
    GBA_TIMER_CONTROL(HIGH) = 0;
    GBA_TIMER(HIGH) = (GBA_TIMER_ENABLE | GBA_TIMER_INTERRUPT | GBA_TIMER_CASCADE) << 16;
    GBA_TIMER(LOW) = (GBA_TIMER_ENABLE | GBA_TIMER_BY_64) << 16;
    GBA_IE = (uint16_t)(GBA_IE | 1u << (GBA_IRQ_TIMER0 + ALARM) | 1u << (GBA_IRQ_TIMER0 + HIGH));
}

void att_board_clock_set(uint64_t units)
{
    const att_key_t key = att_lock();
    offset = units - long_count();
    att_unlock(key);
}

att_time_t att_board_now(void)
{
    return count() + (att_time_t)offset;
}

att_stamp_t att_board_stamp(void)
{
    return long_count() + offset;
}

static void alarm_after(uint32_t units)
{
    GBA_TIMER_CONTROL(ALARM) = 0;
    GBA_TIMER(ALARM) = (0x10000u - units) | (GBA_TIMER_ENABLE | GBA_TIMER_INTERRUPT | GBA_TIMER_BY_64) << 16;
}

bool att_board_alarm(att_time_t when)
{
    const int32_t distance = (int32_t)(when - att_board_now());
    if (distance <= 0) {
        return false;
    }
    alarm_after((uint32_t)distance < MOST ? (uint32_t)distance : MOST);
    return true;
}

void att_board_alarm_now(void)
{
    alarm_after(1);
}

void att_board_alarm_off(void)
{
    GBA_TIMER_CONTROL(ALARM) = 0;
}

ATT_ISR(Timer1_Handler)
{
    att_board_alarm_off();
    att_clock_expired();
}

ATT_ISR(Timer3_Handler)
{
    turns++;
}
