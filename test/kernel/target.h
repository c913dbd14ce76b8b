/*
 * What differs between the machines that run the suite, and no kernel header names: how a run ends, how much stack
 * compiled tests need, how late a woken thread may look at the clock, and whether an alarm is armed.
 */
#ifndef TARGET_H
#define TARGET_H

#include "attacca/attacca.h"

#if defined(__AVR__)
#include <avr/io.h>

/* The test's own need on top of ATT_STACK_MIN. */
#define TARGET_STACK (ATT_CFG_CHECK >= 1 ? 110 : 80)
#define TARGET_CONTROLLER_STACK 200
#define TARGET_PAD 8 /* some of it */
#define TARGET_TICKS(step) (2 * (step)) /* of irq_tick */
/* Units between an alarm's time and the instruction that reads the clock afterwards, at most. */
#define TARGET_LATENCY (ATT_CFG_CHECK >= 2 ? 80 : 24)

/* The debug register: with its top bit set, the end and its status. */
ATT_PORT_NORETURN static inline void target_end(uint8_t status)
{
    cli();
    _SFR_IO8(0x31) = (uint8_t)(0x80 | status);
    for (;;) {
    }
}

/* Below 0x80, a mark for the instrument. */
static inline void target_mark(uint8_t mark)
{
    _SFR_IO8(0x31) = mark;
}

static inline bool target_alarm_armed(void)
{
    return (TIMSK1 & _BV(OCIE1A)) != 0;
}

static inline void target_clock_set(uint64_t units)
{
    att_board_clock_set(units);
}

/* The clock moves ahead, as after a deep sleep. */
static inline void target_clock_jump(att_time_t units)
{
    const att_key_t key = att_lock();
    att_board_clock_set(att_stamp() + units);
    att_unlock(key);
}

#else
#include "host.h"

#define TARGET_STACK 16384
#define TARGET_CONTROLLER_STACK 16384
#define TARGET_PAD 2048
#define TARGET_TICKS(step) (1 + (step) % 15)
#define TARGET_LATENCY 24

ATT_PORT_NORETURN static inline void target_end(uint8_t status)
{
    att_host_exit(status);
}

static inline void target_mark(uint8_t mark)
{
    (void)mark;
}

static inline bool target_alarm_armed(void)
{
    return att_host_clock_armed();
}

static inline void target_clock_set(uint64_t units)
{
    att_host_clock_set(units);
}

static inline void target_clock_jump(att_time_t units)
{
    att_host_clock_jump(units);
}
#endif

#endif
