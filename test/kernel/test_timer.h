/* What the tests of timers share. */
#ifndef TEST_TIMER_H
#define TEST_TIMER_H

#include "irq.h"

#include "attacca/port_api.h"

static uint8_t calls;
static att_time_t called_at;

static inline void count(void *arg)
{
    calls++;
    called_at = att_now();
    if (arg != NULL) {
        token((char)(uintptr_t)arg);
    }
}

static att_timer_t timer = ATT_TIMER_INIT(count, NULL);
static att_timer_t other;

static inline void begin(void)
{
    calls = 0;
    att_timer_stop(&timer);
}

static att_timer_t many[6];

#endif
