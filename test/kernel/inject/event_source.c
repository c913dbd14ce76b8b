/*
 * Event sources: a, b and the caller may each wait for flags of their own, which a listener of each signals.
 * The outcome of a wait is 4 plus the events heard, or its status.
 */
#include "inject.h"

static att_event_source_t source;
static att_flags_t flags[3];
static att_listener_t listeners[] = {ATT_LISTENER_INIT(&flags[0], 1, 1), ATT_LISTENER_INIT(&flags[1], 1, 3),
                                     ATT_LISTENER_INIT(&flags[2], 1, 2)};

static uint8_t listen(uint8_t n, att_time_t timeout)
{
    att_mask_t mask;
    const att_status_t status = (att_flags_wait)(&flags[n], 1, ATT_ANY, &mask, timeout);
    event();
    return (uint8_t)(status == ATT_OK ? 4 + att_listener_fetch(&listeners[n]) : status);
}

STEP(listen_a, listen(0, ATT_FOREVER))
STEP(listen_a_long, listen(0, LONG))
STEP(listen_b, listen(1, ATT_FOREVER))
STEP(listen_caller, listen(2, ATT_FOREVER))
STEP(fetch_caller, att_listener_fetch(&listeners[2]))

static uint8_t enter(uint8_t n)
{
    const att_key_t key = att_lock();
    const bool there = listeners[n].link != NULL;
    if (!there) {
        att_event_source_register(&source, &listeners[n]);
    }
    att_unlock(key);
    return there;
}

static uint8_t enter_caller(void)
{
    att_event_source_register(&source, &listeners[2]);
    return 0;
}

static uint8_t all(void)
{
    return (uint8_t)(enter(0) + enter(1) + enter(2));
}

static uint8_t two(void)
{
    return (uint8_t)(enter(0) + enter(1));
}

STEP(enter_b, enter(1))

static uint8_t leave(uint8_t n)
{
    att_event_source_unregister(&source, &listeners[n]);
    return 0;
}

STEP(leave_a, leave(0))
STEP(leave_b, leave(1))

static uint8_t tell(att_mask_t what)
{
    att_event_source_broadcast(&source, what);
    return 0;
}

STEP(tell_1, tell(1))
STEP(tell_2, tell(2))
STEP(tell_both, tell(3))
STEP(tell_nothing, tell(0))

void inject_observe(void)
{
    for (uint8_t n = 0; n < 3; n++) {
        put(listeners[n].link != NULL ? 'l' : '-');
        put((char)('0' + listeners[n].heard));
        put((char)('0' + flags[n].set));
    }
}

bool inject_sound(void)
{
    return source.walks == NULL;
}

void inject_release(void)
{
    for (uint8_t n = 0; n < 3; n++) {
        att_flags_signal(&flags[n], 1);
    }
}

enum { TELL_1 = COMMON, TELL_2, TELL_NOTHING, LEAVE_A, LEAVE_B, ENTER_B };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS,       {"tell-1", tell_1},   {"tell-2", tell_2},   {"tell-nothing", tell_nothing},
    {"leave-a", leave_a}, {"leave-b", leave_b}, {"enter-b", enter_b}, {"", NULL}};

#define GENERAL (ON_CALLER | BIT(TELL_1) | BIT(TELL_2) | BIT(TELL_NOTHING) | BIT(LEAVE_A) | BIT(LEAVE_B))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"tell-none", NULL, {NO_ACTORS}, tell_1, NULL, GENERAL | BIT(ENTER_B)},
    {"tell-urgent", all, {WAITS(6, listen_a)}, tell_1, NULL, WITH_A | HOT},
    {"tell-two", all, {WAITS(6, listen_a), WAITS(5, listen_b)}, tell_both, NULL, WITH_B},
    {"tell-less", all, {WAITS(2, listen_a), WAITS(6, listen_b)}, tell_1, NULL, WITH_B},
    {"tell-filtered", all, {WAITS(6, listen_a), WAITS(5, listen_b)}, tell_2, NULL, WITH_B},
    {"tell-nothing", all, {WAITS(6, listen_a), WAITS(2, listen_b)}, tell_nothing, NULL, WITH_B},
    {"tell-timed", all, {WAITS(6, listen_a_long)}, tell_1, NULL, WITH_A | BIT(EXPIRE)},
    {"listen", all, {NO_ACTORS}, listen_caller, tell_2, GENERAL | WAITING},
    {"enter", two, {WAITS(6, listen_a)}, enter_caller, tell_both, WITH_A},
    {"leave", all, {WAITS(6, listen_a)}, leave_a, tell_both, WITH_A},
    {"leave-heard", all, {READY(4, tell_1)}, leave_b, tell_both, WITH_A},
    {"fetch", all, {READY(4, tell_2)}, fetch_caller, tell_both, WITH_A},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
