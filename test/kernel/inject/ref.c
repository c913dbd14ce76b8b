/*
 * References: suspend and resume. The value that a resume passes is part of the outcome (7: a wrong one).
 */
#include "inject.h"

static att_ref_t ref;

static uint8_t judged(att_status_t status)
{
    return status == ATT_OK && att_value() != 0x55AA && att_value() != 0xAA55 ? 7 : status;
}

static uint8_t suspend(void)
{
    return judged(att_suspend(&ref, ATT_FOREVER));
}

static uint8_t suspend_run_time(void)
{
    return judged((att_suspend)(&ref, ATT_FOREVER));
}

static uint8_t suspend_soon(void)
{
    return judged(att_suspend(&ref, SOON));
}

static uint8_t suspend_long(void)
{
    return judged(att_suspend(&ref, LONG));
}

static uint8_t suspend_until_long(void)
{
    return judged(att_suspend_until(&ref, att_now() + LONG));
}

static uint8_t suspend_nowait(void)
{
    return judged(att_suspend(&ref, ATT_NOWAIT));
}

/* The door: nothing can come between the look and the wait, so a flag set by the handler is never missed. */
static volatile bool flag;

static uint8_t wait_for_flag(void)
{
    const att_key_t key = att_lock();
    if (flag) {
        att_unlock(key);
        return 8;
    }
    return judged(att_suspend_unlock(&ref, key));
}

static uint8_t set_flag(void)
{
    const att_key_t key = att_lock();
    flag = true;
    const att_status_t status = att_resume(&ref, 0x55AA);
    att_unlock(key);
    return status;
}

static uint8_t resume(void)
{
    return att_resume(&ref, 0x55AA);
}

static uint8_t resume_other(void)
{
    return att_resume(&ref, 0xAA55);
}

static uint8_t resume_locked(void)
{
    const att_key_t key = att_lock();
    const att_status_t status = att_resume(&ref, 0x55AA);
    att_unlock(key);
    return status;
}

static uint8_t resume_twice(void)
{
    (void)att_resume(&ref, 0x55AA);
    event();
    return att_resume(&ref, 0x55AA);
}

void inject_observe(void)
{
    put(ref.wait.head != NULL ? 'r' : '-');
}

bool inject_sound(void)
{
    return true;
}

void inject_release(void)
{
    (void)resume();
}

enum { RESUME = COMMON, RESUME_OTHER, SET_FLAG };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS, {"resume", resume}, {"resume-other", resume_other}, {"set-flag", set_flag}, {"", NULL}};

#define GENERAL (BIT(RESUME) | BIT(RESUME_OTHER) | ON_CALLER)

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"resume", NULL, {NO_ACTORS}, resume, NULL, GENERAL},
    {"resume-urgent", NULL, {WAITS(6, suspend)}, resume, NULL, GENERAL | ON_A | HOT},
    {"resume-equal", NULL, {WAITS(4, suspend)}, resume, NULL, GENERAL | ON_A},
    {"resume-less", NULL, {WAITS(2, suspend)}, resume, NULL, GENERAL | ON_A},
    {"resume-urgent-ready",
     NULL,
     {WAITS(6, suspend), READY(4, nothing)},
     resume,
     NULL,
     GENERAL | ON_A | BIT(B_UP)},
    {"resume-urgent-timed", NULL, {WAITS(6, suspend_long)}, resume, NULL, GENERAL | ON_A | BIT(EXPIRE)},
    {"resume-less-timed", NULL, {WAITS(2, suspend_long)}, resume, NULL, GENERAL | BIT(EXPIRE)},
    {"resume-locked", NULL, {WAITS(6, suspend)}, resume_locked, NULL, GENERAL | ON_A},
    {"resume-twice", NULL, {WAITS(6, suspend)}, resume_twice, NULL, GENERAL | ON_A},
    {"suspend", NULL, {NO_ACTORS}, suspend, resume, GENERAL | WAITING | HOT},
    {"suspend-run-time", NULL, {NO_ACTORS}, suspend_run_time, resume, GENERAL | WAITING},
    {"suspend-ready", NULL, {READY(4, nothing), READY(3, resume)}, suspend, NULL, GENERAL | WAITING},
    {"suspend-equal", NULL, {READY(4, resume)}, suspend, NULL, GENERAL | ON_A | WAITING},
    {"suspend-soon", NULL, {NO_ACTORS}, suspend_soon, pass_time, GENERAL | WAITING},
    {"suspend-long", NULL, {NO_ACTORS}, suspend_long, resume, GENERAL | WAITING | BIT(EXPIRE)},
    {"suspend-alarms-long", NULL, {SLEEPERS}, suspend_long, resume, GENERAL | WAITING | BIT(EXPIRE)},
    {"suspend-until", NULL, {NO_ACTORS}, suspend_until_long, resume, GENERAL | WAITING | BIT(EXPIRE)},
    {"suspend-nowait", NULL, {NO_ACTORS}, suspend_nowait, NULL, GENERAL},
    {"suspend-unlock", NULL, {NO_ACTORS}, wait_for_flag, resume, GENERAL | WAITING | BIT(SET_FLAG)},
    {"suspend-unlock-ready",
     NULL,
     {READY(4, nothing)},
     wait_for_flag,
     resume,
     GENERAL | WAITING | BIT(SET_FLAG)},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
