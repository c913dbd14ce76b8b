/*
 * The board: a clock that the input advances, and no console. A reading may take time too: with a pace of n,
 * each n-th reading advances the clock by one unit, so that calls and alarms race.
 *
 * Rejected: the simulated board's clock: the model could not follow its random 64ths of a unit exactly.
 */
#include "drive.h"

#include "attacca/port_api.h"
#include "host.h"

uint64_t fuzz_now;
static uint64_t alarm_at; /* NEVER: not armed */
static uint8_t pace, readings;

ATT_ISR(fuzz_clock_handler)
{
    drive_handler_enter();
    att_clock_expired();
    drive_handler_leave();
}

/* Shortly before 32 bits wrap. */
void fuzz_clock_reset(uint8_t new_pace)
{
    fuzz_now = 0x100000000u - 64;
    alarm_at = NEVER;
    pace = new_pace;
    readings = 0;
}

void fuzz_clock_advance(uint32_t units)
{
    fuzz_now += units;
    if (alarm_at <= fuzz_now) {
        alarm_at = NEVER;
        att_host_irq_raise(ATT_HOST_IRQ_CLOCK);
    }
}

void fuzz_clock_jump(uint32_t units)
{
    fuzz_now += units;
    if (alarm_at <= fuzz_now) {
        alarm_at = NEVER;
    }
}

static void reading(void)
{
    if (pace != 0 && ++readings >= pace) {
        readings = 0;
        fuzz_clock_advance(1);
    }
}

void att_board_clock_start(void)
{
    att_host_irq_attach(ATT_HOST_IRQ_CLOCK, fuzz_clock_handler);
}

att_time_t att_board_now(void)
{
    reading();
    drive_clock_read();
    return (att_time_t)fuzz_now;
}

att_stamp_t att_board_stamp(void)
{
    reading();
    return fuzz_now;
}

/* Time may pass between the two readings, as on a board. */
bool att_board_alarm(att_time_t when)
{
    att_host_irq_clear(ATT_HOST_IRQ_CLOCK);
    alarm_at = NEVER;
    const int32_t ahead = (int32_t)(when - (att_time_t)fuzz_now);
    if (ahead <= 0) {
        return false;
    }
    alarm_at = fuzz_now + (uint32_t)ahead;
    reading();
    return (int32_t)(when - (att_time_t)fuzz_now) > 0;
}

void att_board_alarm_now(void)
{
    alarm_at = NEVER;
    att_host_irq_raise(ATT_HOST_IRQ_CLOCK);
}

void att_board_alarm_off(void)
{
    alarm_at = NEVER;
    att_host_irq_clear(ATT_HOST_IRQ_CLOCK);
}

void att_host_board_point(void)
{
}

/* The alarm may be armed for an earlier time than the first one needs: for an alarm that was removed. */
bool att_host_board_wait(const uint32_t *deadline)
{
    if (deadline != NULL && (alarm_at == NEVER || att_time_after((att_time_t)alarm_at, *deadline))) {
        fuzz_fail("idle is told %u, and no alarm is armed for it", *deadline);
    }
    fuzz_idle(alarm_at, deadline);
    return true;
}
