/*
 * The clock is mtime, and mtimecmp the alarm: the interrupt is requested for as long as mtime is not less, so
 * no match is missed.
 *
 * att_board_clock_set keeps a difference, as other boards with a counter that nothing sets.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

#include "virt.h"

enum { STEP = 3, TIMER = 1 << 7 };
#define NEVER 0xFFFFFFFFu

static att_stamp_t offset; /* what the clock shows is this much ahead */

static uint64_t count(void)
{
    uint32_t high;
    uint32_t low;
    do {
        high = VIRT_MTIME->high;
        low = VIRT_MTIME->low;
    } while (high != VIRT_MTIME->high);
    return ((uint64_t)high << 32 | low) >> STEP;
}

static void compare(uint64_t time)
{
    VIRT_MTIMECMP->high = NEVER; /* or half of it could match */
    VIRT_MTIMECMP->low = (uint32_t)time;
    VIRT_MTIMECMP->high = (uint32_t)(time >> 32);
}

void att_board_clock_start(void)
{
    att_board_alarm_off();
    __asm__ __volatile__("csrs mie, %0" ::"r"(TIMER));
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

bool att_board_alarm(att_time_t when)
{
    const uint64_t now = count();
    const int32_t distance = (int32_t)(when - (att_time_t)(now + offset));
    if (distance <= 0) {
        return false;
    }
    compare((now + (uint32_t)distance) << STEP);
    return true;
}

void att_board_alarm_now(void)
{
    compare(0);
}

void att_board_alarm_off(void)
{
    VIRT_MTIMECMP->high = NEVER;
}

ATT_ISR(MachineTimer_Handler)
{
    att_board_alarm_off();
    att_clock_expired();
}
