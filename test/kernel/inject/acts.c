/*
 * Actions and steps that the scenarios of all files share.
 */
#include "inject.h"

#include "attacca/port_api.h"

uint8_t act_yield(void)
{
    att_yield();
    return 0;
}

static uint8_t set_priority(att_thread_t *thread, att_prio_t prio)
{
    const att_key_t key = att_lock();
    if (inject_lives(thread)) {
        att_thread_set_priority(thread, prio);
    }
    att_unlock(key);
    return 0;
}

uint8_t act_caller_down(void)
{
    return set_priority(inject_caller, 2);
}

uint8_t act_caller_up(void)
{
    return set_priority(inject_caller, 6);
}

uint8_t act_a_down(void)
{
    return set_priority(inject_actor(0), 3);
}

uint8_t act_a_up(void)
{
    return set_priority(inject_actor(0), 7);
}

uint8_t act_b_up(void)
{
    return set_priority(inject_actor(1), 7);
}

uint8_t act_expire(void)
{
    target_clock_jump(JUMP);
    event();
    att_clock_corrected();
    return 0;
}

uint8_t nothing(void)
{
    return 0;
}

uint8_t pass_time(void)
{
    att_sleep(SOME);
    return 0;
}

uint8_t sleep_long(void)
{
    att_sleep(LONG);
    return 0;
}

static void no_call(void *arg)
{
    (void)arg;
}
static att_timer_t later = ATT_TIMER_INIT(no_call, NULL);

uint8_t sleep_before(void)
{
    att_timer_start(&later, (att_time_t)2 * LONG, 0);
    return sleep_long();
}
