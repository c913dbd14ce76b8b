/*
 * Event flags: one thread, a or the caller, waits for the first two of them. The outcome of a wait is 4 plus
 * the flags that came, or its status.
 */
#include "inject.h"

static att_flags_t flags;

static uint8_t came(att_status_t status, att_mask_t mask)
{
    return status == ATT_OK ? (uint8_t)(4 + mask) : (uint8_t)(status + (mask != 0 ? 7 : 0));
}

static uint8_t wait_for(uint8_t how, att_time_t timeout)
{
    att_mask_t mask = 8;
    const att_status_t status = (att_flags_wait)(&flags, 3, how, &mask, timeout);
    return came(status, mask);
}

static uint8_t wait_any(void)
{
    att_mask_t mask = 8;
    const att_status_t status = att_flags_wait(&flags, 3, ATT_ANY, &mask, ATT_FOREVER);
    return came(status, mask);
}

static uint8_t wait_all(void)
{
    att_mask_t mask = 8;
    const att_status_t status = att_flags_wait(&flags, 3, ATT_ALL, &mask, ATT_FOREVER);
    return came(status, mask);
}

static uint8_t wait_until(void)
{
    att_mask_t mask = 8;
    const att_status_t status = att_flags_wait_until(&flags, 3, ATT_ALL, &mask, att_now() + LONG);
    return came(status, mask);
}

STEP(wait_one, wait_for(ATT_ONE, ATT_FOREVER))
STEP(wait_keep, wait_for(ATT_ALL | ATT_KEEP, ATT_FOREVER))
STEP(wait_nowait, wait_for(ATT_ALL, ATT_NOWAIT))
STEP(wait_soon, wait_for(ATT_ALL, SOON))
STEP(wait_any_long, wait_for(ATT_ANY, LONG))
STEP(wait_all_long, wait_for(ATT_ALL, LONG))
STEP(get, att_flags_get(&flags))
STEP(clear_1, att_flags_clear(&flags, 1))

static uint8_t set_1(void)
{
    att_flags_signal(&flags, 1);
    return 0;
}

static uint8_t set_2(void)
{
    att_flags_signal(&flags, 2);
    return 0;
}

static uint8_t set_both(void)
{
    att_flags_signal(&flags, 3);
    return 0;
}

static uint8_t set_one_by_one(void)
{
    (void)set_2();
    event();
    return set_1();
}

static uint8_t reset(void)
{
    att_flags_reset(&flags);
    return 0;
}

void inject_observe(void)
{
    put((char)('0' + att_flags_get(&flags)));
}

bool inject_sound(void)
{
    return flags.wait.head == NULL || flags.set != 3;
}

void inject_release(void)
{
    if (flags.wait.head != NULL) {
        (void)set_both();
    }
}

enum { SET_1 = COMMON, SET_2, SET_BOTH, CLEAR, GET, RESET };
const action_t inject_actions[] ATT_PORT_ROM = {COMMON_ACTIONS,         {"set-1", set_1},   {"set-2", set_2},
                                                {"set-both", set_both}, {"clear", clear_1}, {"get", get},
                                                {"reset", reset},       {"", NULL}};

#define GENERAL (ON_CALLER | BIT(SET_1) | BIT(SET_2) | BIT(SET_BOTH) | BIT(CLEAR) | BIT(RESET))
#define WITH_A (GENERAL | ON_A)

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"signal", NULL, {NO_ACTORS}, set_1, NULL, GENERAL | BIT(GET) | HOT},
    {"signal-urgent", NULL, {WAITS(6, wait_any)}, set_1, NULL, WITH_A | HOT},
    {"signal-equal", NULL, {WAITS(4, wait_any)}, set_1, NULL, WITH_A},
    {"signal-less", NULL, {WAITS(2, wait_any)}, set_both, NULL, WITH_A},
    {"signal-one", NULL, {WAITS(6, wait_one)}, set_both, NULL, WITH_A},
    {"signal-keep", NULL, {WAITS(6, wait_keep)}, set_both, NULL, WITH_A | BIT(GET)},
    {"signal-part", NULL, {WAITS(6, wait_all)}, set_1, NULL, WITH_A | BIT(GET)},
    {"signal-rest", set_2, {WAITS(6, wait_all)}, set_1, NULL, WITH_A},
    {"signal-parts", NULL, {WAITS(6, wait_all)}, set_one_by_one, NULL, WITH_A},
    {"signal-timed", NULL, {WAITS(6, wait_any_long)}, set_1, NULL, WITH_A | BIT(EXPIRE)},
    {"signal-part-timed", NULL, {WAITS(6, wait_all_long)}, set_1, NULL, WITH_A | BIT(EXPIRE)},
    {"signal-ready", NULL, {WAITS(6, wait_any), READY(4, nothing)}, set_1, NULL, WITH_A | BIT(B_UP)},
    {"wait", set_both, {NO_ACTORS}, wait_any, set_1, GENERAL | WAITING},
    {"wait-any", NULL, {NO_ACTORS}, wait_any, set_both, GENERAL | WAITING | HOT},
    {"wait-all", set_2, {NO_ACTORS}, wait_all, set_both, GENERAL | WAITING},
    {"wait-one", NULL, {NO_ACTORS}, wait_one, set_both, GENERAL | WAITING},
    {"wait-keep", set_1, {NO_ACTORS}, wait_keep, set_both, GENERAL | WAITING},
    {"wait-ready", NULL, {READY(4, set_1), READY(3, set_2)}, wait_all, set_both, WITH_A | WAITING},
    {"wait-nowait", set_1, {NO_ACTORS}, wait_nowait, NULL, GENERAL},
    {"wait-soon", set_1, {NO_ACTORS}, wait_soon, pass_time, GENERAL | WAITING},
    {"wait-long", NULL, {NO_ACTORS}, wait_all_long, set_both, GENERAL | WAITING | BIT(EXPIRE)},
    {"wait-alarms-long", NULL, {SLEEPERS}, wait_all_long, set_both, GENERAL | WAITING | BIT(EXPIRE)},
    {"wait-until", NULL, {NO_ACTORS}, wait_until, set_both, GENERAL | WAITING | BIT(EXPIRE)},
    {"get", set_1, {NO_ACTORS}, get, NULL, GENERAL},
    {"clear", set_both, {NO_ACTORS}, clear_1, NULL, GENERAL | BIT(GET)},
    {"clear-waited", set_1, {WAITS(6, wait_all)}, clear_1, NULL, WITH_A},
    {"reset", set_1, {NO_ACTORS}, reset, NULL, GENERAL | BIT(GET)},
    {"reset-urgent", set_1, {WAITS(6, wait_all)}, reset, NULL, WITH_A},
    {"reset-less", NULL, {WAITS(2, wait_one)}, reset, NULL, WITH_A},
    {"reset-timed", NULL, {WAITS(6, wait_all_long)}, reset, NULL, WITH_A | BIT(EXPIRE)},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
