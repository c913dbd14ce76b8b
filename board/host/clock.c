/*
 * Virtual time, in 64ths of a unit: points and readings take a random few of them, so that a wait begins
 * anywhere in a unit; idle jumps to the next event. Events are the alarm and one time for each interrupt;
 * passing one raises it.
 *
 * The clock starts shortly before its 32 bits wrap, so that whatever compares times without thinking fails
 * soon.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"
#include "host.h"

#define TICKS 64u /* a unit */

static uint64_t ticks = (0x100000000u - 4096u) * TICKS;
static uint32_t pace = 32;
static uint32_t armed; /* bit n: at[n] is to come; the alarm is one of them */
static uint64_t at[ATT_HOST_IRQS];

static att_stamp_t units(void)
{
    return ticks / TICKS;
}

static void move_to(uint64_t then)
{
    ticks = then;
    for (uint32_t set = armed; set != 0; set &= set - 1) {
        const unsigned n = (unsigned)__builtin_ctz(set);
        if (at[n] <= units()) {
            armed &= ~((uint32_t)1 << n);
            att_host_irq_raise(n);
        }
    }
}

static void take_time(void)
{
    if (pace != 0) {
        move_to(ticks + 1 + att_host_below(pace));
    }
}

static void arm(unsigned n, att_time_t when)
{
    at[n] = units() + (att_stamp_t)(int64_t)(int32_t)(when - (att_time_t)units());
    armed |= (uint32_t)1 << n;
}

static void disarm(unsigned n)
{
    armed &= ~((uint32_t)1 << n);
    att_host_irq_clear(n);
}

ATT_ISR(att_host_clock_handler)
{
    att_clock_expired();
}

void att_board_clock_start(void)
{
    att_host_irq_attach(ATT_HOST_IRQ_CLOCK, att_host_clock_handler);
}

att_time_t att_board_now(void)
{
    take_time();
    return (att_time_t)units();
}

att_stamp_t att_board_stamp(void)
{
    take_time();
    return units();
}

/* The first look comes before arming: a time that has passed is the caller's to see, and raises nothing. */
bool att_board_alarm(att_time_t when)
{
    disarm(ATT_HOST_IRQ_CLOCK);
    if (!att_time_after(when, (att_time_t)units())) {
        return false;
    }
    arm(ATT_HOST_IRQ_CLOCK, when);
    return att_time_after(when, att_board_now());
}

void att_board_alarm_now(void)
{
    disarm(ATT_HOST_IRQ_CLOCK);
    att_host_irq_raise(ATT_HOST_IRQ_CLOCK);
}

void att_board_alarm_off(void)
{
    disarm(ATT_HOST_IRQ_CLOCK);
}

void att_host_board_point(void)
{
    take_time();
}

/* Idle is told the first alarm's time; one for it or before it must be armed. */
bool att_host_board_wait(const uint32_t *deadline)
{
    if (deadline != NULL &&
        (!att_host_clock_armed() || att_time_after((att_time_t)at[ATT_HOST_IRQ_CLOCK], *deadline))) {
        att_host_die(ATT_HOST_EXIT_CONTRACT, "board: idle is told %u, and no alarm is armed for it",
                     *deadline);
    }
    if (armed == 0) {
        return false;
    }
    uint64_t first = UINT64_MAX;
    for (uint32_t set = armed; set != 0; set &= set - 1) {
        const uint64_t when = at[__builtin_ctz(set)];
        first = when < first ? when : first;
    }
    move_to(first * TICKS > ticks ? first * TICKS : ticks);
    return true;
}

void att_host_clock_set(uint64_t value)
{
    ticks = value * TICKS;
}

void att_host_clock_pace(uint32_t most)
{
    pace = most;
}

void att_host_clock_jump(uint32_t distance)
{
    att_key_t key = att_port_lock();
    ticks += (uint64_t)distance * TICKS;
    if (att_host_clock_armed() && at[ATT_HOST_IRQ_CLOCK] <= units()) {
        disarm(ATT_HOST_IRQ_CLOCK);
    }
    move_to(ticks);
    att_port_unlock(key);
}

bool att_host_clock_armed(void)
{
    return (armed >> ATT_HOST_IRQ_CLOCK & 1) != 0;
}

void att_host_irq_at(unsigned n, uint32_t when)
{
    att_key_t key = att_port_lock();
    arm(n, when);
    att_port_unlock(key);
}
