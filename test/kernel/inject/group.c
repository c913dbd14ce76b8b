/*
 * Event groups, with two flags. The outcome of a wait is 4 plus the flags that came, or its status.
 */
#include "inject.h"

static att_group_t group;

static uint8_t came(att_status_t status, att_mask_t mask)
{
    return status == ATT_OK ? (uint8_t)(4 + mask) : (uint8_t)(status + (mask != 0 ? 7 : 0));
}

static uint8_t wait_for(att_mask_t wanted, uint8_t how, att_time_t timeout)
{
    att_mask_t mask = 8;
    const att_status_t status = (att_group_wait)(&group, wanted, how, &mask, timeout);
    return came(status, mask);
}

static uint8_t wait_any(void)
{
    att_mask_t mask = 8;
    const att_status_t status = att_group_wait(&group, 3, ATT_ANY, &mask, ATT_FOREVER);
    return came(status, mask);
}

static uint8_t wait_until(void)
{
    att_mask_t mask = 8;
    const att_status_t status = att_group_wait_until(&group, 3, ATT_ALL, &mask, att_now() + LONG);
    return came(status, mask);
}

STEP(wait_1, wait_for(1, ATT_ANY, ATT_FOREVER))
STEP(wait_2, wait_for(2, ATT_ANY, ATT_FOREVER))
STEP(wait_1_long, wait_for(1, ATT_ANY, LONG))
STEP(wait_all, wait_for(3, ATT_ALL, ATT_FOREVER))
STEP(wait_one, wait_for(3, ATT_ONE, ATT_FOREVER))
STEP(wait_keep, wait_for(1, ATT_ANY | ATT_KEEP, ATT_FOREVER))
STEP(wait_nowait, wait_for(3, ATT_ALL, ATT_NOWAIT))
STEP(wait_soon, wait_for(3, ATT_ALL, SOON))
STEP(wait_long, wait_for(3, ATT_ALL, LONG))
STEP(get, att_group_get(&group))
STEP(clear_1, att_group_clear(&group, 1))

static uint8_t set_1(void)
{
    att_group_set(&group, 1);
    return 0;
}

static uint8_t set_2(void)
{
    att_group_set(&group, 2);
    return 0;
}

static uint8_t set_both(void)
{
    att_group_set(&group, 3);
    return 0;
}

static uint8_t reset(void)
{
    att_group_reset(&group);
    return 0;
}

void inject_observe(void)
{
    put((char)('0' + att_group_get(&group)));
}

bool inject_sound(void)
{
    return group.wait.head == NULL || group.set != 3;
}

void inject_release(void)
{
    if (group.wait.head != NULL) {
        (void)set_both();
    }
}

enum { SET_1 = COMMON, SET_2, SET_BOTH, CLEAR, RESET };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS,     {"set-1", set_1}, {"set-2", set_2}, {"set-both", set_both},
    {"clear", clear_1}, {"reset", reset}, {"", NULL}};

#define GENERAL (ON_CALLER | BIT(SET_1) | BIT(SET_2) | BIT(SET_BOTH) | BIT(CLEAR) | BIT(RESET))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"set", NULL, {NO_ACTORS}, set_1, NULL, GENERAL},
    {"set-urgent", NULL, {WAITS(6, wait_any)}, set_1, NULL, WITH_A | HOT},
    {"set-equal", NULL, {WAITS(4, wait_one)}, set_both, NULL, WITH_A},
    {"set-less", NULL, {WAITS(2, wait_any)}, set_both, NULL, WITH_A},
    {"set-part", NULL, {WAITS(6, wait_all)}, set_1, NULL, WITH_A},
    {"set-same", NULL, {WAITS(6, wait_1), WAITS(5, wait_1)}, set_1, NULL, WITH_B},
    {"set-two", NULL, {WAITS(6, wait_1), WAITS(3, wait_2)}, set_both, NULL, WITH_B},
    {"set-second", NULL, {WAITS(6, wait_all), WAITS(5, wait_1)}, set_1, NULL, WITH_B},
    {"set-three", NULL, {WAITS(5, wait_keep), WAITS(5, wait_1), WAITS(2, wait_any)}, set_1, NULL, WITH_B},
    {"set-timed", NULL, {WAITS(6, wait_1_long), WAITS(5, wait_1_long)}, set_1, NULL, WITH_B | BIT(EXPIRE)},
    {"wait", set_both, {NO_ACTORS}, wait_any, set_1, GENERAL | WAITING},
    {"wait-any", NULL, {NO_ACTORS}, wait_any, set_both, GENERAL | WAITING | HOT},
    {"wait-all", set_2, {NO_ACTORS}, wait_all, set_both, GENERAL | WAITING},
    {"wait-one", NULL, {NO_ACTORS}, wait_one, set_both, GENERAL | WAITING},
    {"wait-keep", NULL, {NO_ACTORS}, wait_keep, set_both, GENERAL | WAITING},
    {"wait-among", NULL, {WAITS(6, wait_1), WAITS(2, wait_any)}, wait_all, set_both, WITH_B | WAITING},
    {"wait-ready", NULL, {READY(4, set_1), READY(3, set_2)}, wait_all, set_both, WITH_A | WAITING},
    {"wait-nowait", set_1, {NO_ACTORS}, wait_nowait, NULL, GENERAL},
    {"wait-soon", set_1, {NO_ACTORS}, wait_soon, pass_time, GENERAL | WAITING},
    {"wait-long", NULL, {NO_ACTORS}, wait_long, set_both, GENERAL | WAITING | BIT(EXPIRE)},
    {"wait-until", NULL, {NO_ACTORS}, wait_until, set_both, GENERAL | WAITING | BIT(EXPIRE)},
    {"get", set_1, {NO_ACTORS}, get, NULL, GENERAL},
    {"clear", set_both, {WAITS(6, wait_1)}, clear_1, NULL, WITH_A},
    {"reset", set_1, {NO_ACTORS}, reset, NULL, GENERAL},
    {"reset-two", set_1, {WAITS(6, wait_all), WAITS(4, wait_2)}, reset, NULL, WITH_B},
    {"reset-timed", NULL, {WAITS(6, wait_long)}, reset, NULL, WITH_A | BIT(EXPIRE)},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
