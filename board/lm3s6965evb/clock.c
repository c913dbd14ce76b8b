/*
 * The clock: the watchdog counts down freely in 32 bits and is never written; its interrupt at zero counts
 * the wraps. Timer 0, loaded with the distance, is the alarm, once.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

#include "registers.h"

enum { TICKS = BOARD_CLOCK_HZ / ATT_BOARD_TIME_HZ }; /* a unit */

static uint32_t wraps;
static att_stamp_t offset; /* what the clock shows is this much ahead of the counter */

static att_stamp_t ticks(void)
{
    uint32_t low = ~WDT_VALUE;
    uint32_t high = wraps;
    if (WDT_MIS != 0) { /* it has not been counted yet; it came before the reading or after */
        low = ~WDT_VALUE;
        high++;
    }
    return (att_stamp_t)high << 32 | low;
}

void att_board_clock_start(void)
{
    WDT_LOAD = 0xFFFFFFFFu;
    WDT_CTL = WDT_CTL_INTEN;
    TIMER0_CFG = 0;
    TIMER0_TAMR = TIMER_TAMR_ONE_SHOT;
    TIMER0_IMR = TIMER_TATO;
    NVIC_IPR[WDT_IRQ] = ATT_CFG_LOCK_PRIORITY;
    NVIC_IPR[TIMER0A_IRQ] = ATT_CFG_LOCK_PRIORITY;
    NVIC_ISER = 1u << WDT_IRQ | 1u << TIMER0A_IRQ;
}

void att_board_clock_set(uint64_t units)
{
    const att_key_t key = att_lock();
    offset = units - ticks() / TICKS;
    att_unlock(key);
}

att_time_t att_board_now(void)
{
    return (att_time_t)att_board_stamp();
}

att_stamp_t att_board_stamp(void)
{
    return ticks() / TICKS + offset;
}

/* Further away than the timer counts: it ends too early, finds nothing due, and is armed again. */
bool att_board_alarm(att_time_t when)
{
    const int32_t distance = (int32_t)(when - att_board_now());
    const int32_t most = INT32_MAX / TICKS;
    if (distance <= 0) {
        return false;
    }
    TIMER0_CTL = 0;
    TIMER0_TAILR = (uint32_t)((distance < most ? distance : most) * TICKS);
    TIMER0_CTL = TIMER_CTL_TAEN;
    return true;
}

void att_board_alarm_now(void)
{
    TIMER0_CTL = 0;
    NVIC_ISPR = 1u << TIMER0A_IRQ;
}

void att_board_alarm_off(void)
{
    TIMER0_CTL = 0;
    TIMER0_ICR = TIMER_TATO;
}

ATT_ISR(Interrupt18_Handler)
{
    const att_key_t key = att_lock();
    WDT_ICR = 1;
    wraps++;
    att_unlock(key);
}

ATT_ISR(Interrupt19_Handler)
{
    const att_key_t key = att_lock();
    TIMER0_ICR = TIMER_TATO;
    att_clock_expired();
    att_port_unlock(key);
}
