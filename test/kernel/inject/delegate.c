/*
 * Delegates. A function returns its argument plus 1: 5 is the caller's argument, 6 and 7 those of actors. A
 * caller's outcome is that result, a server's the status.
 */
#include "inject.h"

static att_delegate_t delegate = ATT_DELEGATE_INIT;
static att_sem_t go = ATT_SEM_INIT(0, 1);

static uintptr_t add_one(void *argument)
{
    event();
    return (uintptr_t)argument + 1;
}

static uintptr_t add_one_slowly(void *argument)
{
    (void)att_sem_take(&go, ATT_FOREVER);
    return add_one(argument);
}

static uint8_t call_for(att_delegated_t function, uintptr_t number, att_time_t timeout)
{
    uintptr_t result = 0;
    const att_status_t status = (att_delegate_call)(&delegate, function, (void *)number, &result, timeout);
    return status == ATT_OK ? (uint8_t)result : status;
}

static uint8_t call(void)
{
    uintptr_t result = 0;
    const att_status_t status = att_delegate_call(&delegate, add_one, (void *)5, &result, ATT_FOREVER);
    return status == ATT_OK ? (uint8_t)result : status;
}

STEP(call_run_time, call_for(add_one, 5, ATT_FOREVER))
STEP(call_soon, call_for(add_one, 5, SOON))
STEP(call_long, call_for(add_one, 5, LONG))
STEP(call_nowait, call_for(add_one, 5, ATT_NOWAIT))
STEP(call_slow, call_for(add_one_slowly, 5, ATT_FOREVER))
STEP(call_slow_long, call_for(add_one_slowly, 5, LONG))
STEP(call_6, call_for(add_one, 6, ATT_FOREVER))
STEP(call_6_long, call_for(add_one, 6, LONG))
STEP(call_7, call_for(add_one, 7, ATT_FOREVER))

STEP(serve, att_delegate_serve(&delegate, ATT_FOREVER))
STEP(serve_run_time, (att_delegate_serve)(&delegate, ATT_FOREVER))
STEP(serve_soon, att_delegate_serve(&delegate, SOON))
STEP(serve_long, att_delegate_serve(&delegate, LONG))
STEP(serve_nowait, att_delegate_serve(&delegate, ATT_NOWAIT))
STEP(let_go, att_sem_give(&go))

static uint8_t serve_twice(void)
{
    const uint8_t status = serve();
    return (uint8_t)(status + serve());
}

static uint8_t reset(void)
{
    att_delegate_reset(&delegate);
    return 0;
}

void inject_observe(void)
{
    put(delegate.inbox.senders.head != NULL ? 's' : '-');
    put(delegate.inbox.receivers.head != NULL ? 'r' : '-');
    put(go.wait.head != NULL ? 'w' : '-');
}

bool inject_sound(void)
{
    return delegate.inbox.senders.head == NULL || delegate.inbox.receivers.head == NULL;
}

void inject_release(void)
{
    reset();
    if (go.wait.head != NULL) {
        (void)let_go();
    }
}

enum { SERVE = COMMON, RESET, LET_GO };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS, {"serve", serve_nowait}, {"reset", reset}, {"let-go", let_go}, {"", NULL}};

#define UNSERVED (ON_CALLER | BIT(RESET))
#define GENERAL (UNSERVED | BIT(SERVE))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))
/* A handler may not call a function that waits. */
#define SLOW (UNSERVED | ON_A | BIT(LET_GO))

const situation_t inject_situations[] ATT_PORT_ROM = {
    /* call */
    {"call", NULL, {NO_ACTORS}, call, serve_nowait, GENERAL | WAITING},
    {"call-run-time", NULL, {NO_ACTORS}, call_run_time, serve_nowait, GENERAL | WAITING},
    {"call-urgent", NULL, {WAITS(6, serve)}, call, serve_nowait, WITH_A | WAITING | HOT},
    {"call-equal", NULL, {WAITS(4, serve)}, call, serve_nowait, WITH_A | WAITING},
    {"call-less", NULL, {WAITS(2, serve)}, call, serve_nowait, WITH_A | WAITING},
    {"call-two", NULL, {WAITS(6, serve), WAITS(5, serve)}, call, serve_nowait, WITH_B | WAITING},
    {"call-ready", NULL, {READY(4, nothing), READY(3, serve)}, call, serve_nowait, WITH_A | WAITING},
    {"call-among", NULL, {WAITS(6, call_6), WAITS(2, call_7)}, call, serve_nowait, WITH_B | WAITING},
    {"call-served-long", NULL, {WAITS(6, serve_long)}, call, NULL, WITH_A | WAITING | BIT(EXPIRE)},
    {"call-slow", NULL, {WAITS(6, serve)}, call_slow, let_go, SLOW | WAITING},
    {"call-slow-long", NULL, {WAITS(2, serve)}, call_slow_long, let_go, SLOW | WAITING | BIT(EXPIRE)},
    {"call-soon", NULL, {NO_ACTORS}, call_soon, pass_time, GENERAL | WAITING},
    {"call-long", NULL, {NO_ACTORS}, call_long, serve_nowait, GENERAL | WAITING | BIT(EXPIRE)},
    {"call-nowait", NULL, {WAITS(6, serve)}, call_nowait, NULL, WITH_A},
    /* serve */
    {"serve", NULL, {NO_ACTORS}, serve, reset, GENERAL | WAITING},
    {"serve-run-time", NULL, {NO_ACTORS}, serve_run_time, reset, GENERAL | WAITING},
    {"serve-urgent", NULL, {WAITS(6, call_6)}, serve, NULL, WITH_A | WAITING | HOT},
    {"serve-equal", NULL, {WAITS(4, call_6)}, serve, NULL, WITH_A | WAITING},
    {"serve-less", NULL, {WAITS(2, call_6), WAITS(3, call_7)}, serve, NULL, WITH_B | WAITING},
    {"serve-two", NULL, {WAITS(2, call_6), WAITS(6, call_7)}, serve_twice, reset, WITH_B | WAITING},
    {"serve-timed", NULL, {WAITS(6, call_6_long)}, serve, reset, WITH_A | WAITING | BIT(EXPIRE)},
    {"serve-ready", NULL, {READY(3, call_6)}, serve, reset, WITH_A | WAITING},
    {"serve-among", NULL, {WAITS(6, serve), WAITS(2, serve)}, serve, reset, WITH_B | WAITING},
    {"serve-soon", NULL, {NO_ACTORS}, serve_soon, pass_time, GENERAL | WAITING},
    {"serve-long", NULL, {NO_ACTORS}, serve_long, reset, GENERAL | WAITING | BIT(EXPIRE)},
    {"serve-nowait", NULL, {WAITS(6, call_6)}, serve_nowait, NULL, WITH_A},
    /* reset */
    {"reset", NULL, {NO_ACTORS}, reset, NULL, GENERAL},
    {"reset-callers", NULL, {WAITS(6, call_6), WAITS(2, call_7)}, reset, NULL, WITH_B},
    {"reset-servers", NULL, {WAITS(6, serve), WAITS(4, serve)}, reset, NULL, WITH_B},
    {"reset-served", NULL, {WAITS(2, serve), WAITS(6, call_slow)}, reset, let_go, SLOW | BIT(B_UP)},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
