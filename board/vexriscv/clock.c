/*
 * The clock is the timer, which counts µs, and its alarm. Both are in board.h; what is rarer is here.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

enum { TIMER = 1 << 7 };

uint64_t att_board_offset;

static uint64_t count(void)
{
    uint32_t high;
    uint32_t low;
    do {
        high = TIMER_HIGH;
        low = TIMER_LOW;
    } while (high != TIMER_HIGH);
    return (uint64_t)high << 32 | low;
}

void att_board_clock_start(void)
{
    att_board_alarm_off();
    __asm__ __volatile__("csrs mie, %0" ::"r"(TIMER));
}

void att_board_clock_set(uint64_t units)
{
    const att_key_t key = att_lock();
    att_board_offset = units - count();
    att_unlock(key);
}

att_stamp_t att_board_stamp(void)
{
    return count() + att_board_offset;
}

void att_board_alarm_now(void)
{
    TIMER_ALARM = TIMER_LOW;
}

ATT_ISR(MachineTimer_Handler)
{
    att_board_alarm_off();
    att_clock_expired();
}
