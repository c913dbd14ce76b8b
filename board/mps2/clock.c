/*
 * The clock: the first of the dual timers counts down freely in 32 bits and is never written; its interrupt
 * at zero counts the wraps, for the stamp. The second one, loaded with the distance, is the alarm, once. Both
 * share an interrupt.
 *
 * A timer cannot be set, so att_board_clock_set keeps a difference.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

#include "mps2.h"

enum {
    ENABLE = 1 << 7,
    INTERRUPT = 1 << 5,
    SIXTEENTH = 1 << 2,
    BITS_32 = 1 << 1,
    ONE_SHOT = 1 << 0,
};

static att_time_t offset; /* what the clock shows is this much ahead */
static uint32_t wraps;    /* of the timer */
static uint32_t high;     /* what the stamp shows is this much ahead, in wraps */

static uint32_t count(void)
{
    return ~MPS2_TIMER1->value;
}

void att_board_clock_start(void)
{
    MPS2_TIMER1->control = 0;
    MPS2_TIMER1->load = 0xFFFFFFFFu;
    MPS2_TIMER1->interrupt_clear = 1;
    MPS2_TIMER1->control = ENABLE | INTERRUPT | SIXTEENTH | BITS_32;
    MPS2_NVIC_PRIORITY[ATT_BOARD_CLOCK_IRQ / 4] |= (uint32_t)ATT_CFG_LOCK_PRIORITY
                                                   << ATT_BOARD_CLOCK_IRQ % 4 * 8;
    MPS2_NVIC_ENABLE = 1u << ATT_BOARD_CLOCK_IRQ;
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
    if (MPS2_TIMER1->interrupt_masked !=
        0) { /* a wrap that has not been counted yet, before the reading or after */
        low = count();
        turns++;
    }
    return ((att_stamp_t)(turns + high) << 32 | low) + offset;
}

bool att_board_alarm(att_time_t when)
{
    const int32_t distance = (int32_t)(when - att_board_now());
    if (distance <= 0) {
        return false;
    }
    MPS2_TIMER2->control = SIXTEENTH | BITS_32 | ONE_SHOT;
    MPS2_TIMER2->load = (uint32_t)distance;
    MPS2_TIMER2->control = ENABLE | INTERRUPT | SIXTEENTH | BITS_32 | ONE_SHOT;
    return true;
}

void att_board_alarm_now(void)
{
    MPS2_TIMER2->control = 0;
    MPS2_NVIC_PEND = 1u << ATT_BOARD_CLOCK_IRQ;
}

void att_board_alarm_off(void)
{
    MPS2_TIMER2->control = 0;
    MPS2_TIMER2->interrupt_clear = 1;
}

/* A wrap finds no alarm due, mostly; that is harmless. */
ATT_ISR(ATT_BOARD_CLOCK_HANDLER)
{
    const att_key_t key = att_lock();
    if (MPS2_TIMER1->interrupt_masked != 0) {
        MPS2_TIMER1->interrupt_clear = 1;
        wraps++;
    }
    MPS2_TIMER2->interrupt_clear = 1;
    att_clock_expired();
    att_port_unlock(key);
}
