/*
 * Threads: priorities, yields, starts and ends, joins, the lock, and registers. The caller starts the actors
 * that join it; they are more urgent, so they wait when the call is made.
 */
#include "inject.h"

static att_sem_t sem;

static uint8_t take(void)
{
    return att_sem_take(&sem, ATT_FOREVER);
}

static uint8_t take_long(void)
{
    return att_sem_take(&sem, LONG);
}

static uint8_t give(void)
{
    return att_sem_give(&sem);
}

static uint8_t start_6(void)
{
    return inject_start_c(6);
}

static uint8_t start_4(void)
{
    return inject_start_c(4);
}

static uint8_t start_3(void)
{
    return inject_start_c(3);
}

static uint8_t start_in_handler(void)
{
    return inject_start_c(6);
}

static uint8_t leave(void)
{
    att_exit();
}

static uint8_t yield(void)
{
    att_yield();
    return 0;
}

static uint8_t yield_locked(void)
{
    const att_key_t key = att_lock();
    att_yield();
    att_unlock(key);
    return 0;
}

static uint8_t lock_unlock(void)
{
    const att_key_t key = att_lock();
    const att_key_t again = att_lock();
    att_unlock(again);
    att_unlock(key);
    return 0;
}

static uint8_t self(void)
{
    return att_thread_self() != inject_caller;
}

static uint8_t my_priority(void)
{
    return (uint8_t)att_thread_priority(inject_caller);
}

static uint8_t a_has_ended(void)
{
    return att_thread_ended(inject_actor(0));
}

/* Priorities: of the caller, and of a, which waits or is ready or has ended. */
static uint8_t set(att_thread_t *thread, att_prio_t prio)
{
    const att_key_t key = att_lock();
    if (!att_thread_ended(thread)) {
        att_thread_set_priority(thread, prio);
    }
    att_unlock(key);
    return 0;
}

static uint8_t me_up(void)
{
    att_thread_set_priority(inject_caller, 6);
    return 0;
}

static uint8_t me_down(void)
{
    att_thread_set_priority(inject_caller, 2);
    return 0;
}

static uint8_t me_same(void)
{
    att_thread_set_priority(inject_caller, 4);
    return 0;
}

static uint8_t a_to_6(void)
{
    return set(inject_actor(0), 6);
}

static uint8_t a_to_4(void)
{
    return set(inject_actor(0), 4);
}

static uint8_t a_to_2(void)
{
    return set(inject_actor(0), 2);
}

static uint8_t join_a(void)
{
    return att_join(inject_actor(0), ATT_FOREVER);
}

static uint8_t join_a_soon(void)
{
    return att_join(inject_actor(0), SOON);
}

static uint8_t join_a_long(void)
{
    return att_join(inject_actor(0), LONG);
}

static uint8_t join_a_nowait(void)
{
    return att_join(inject_actor(0), ATT_NOWAIT);
}

static uint8_t join_a_until(void)
{
    return att_join_until(inject_actor(0), att_now() + LONG);
}

static uint8_t join_caller(void)
{
    return att_join(inject_caller, ATT_FOREVER);
}

static uint8_t join_caller_long(void)
{
    return att_join(inject_caller, LONG);
}

void inject_observe(void)
{
    put((char)('0' + att_sem_count(&sem)));
}

bool inject_sound(void)
{
    return sem.wait.head == NULL || sem.count == 0;
}

void inject_release(void)
{
    if (sem.wait.head != NULL) {
        (void)give();
    }
}

enum { GIVE = COMMON, START };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS, {"give", give}, {"start", start_in_handler}, {"", NULL}};

#define GENERAL (ON_CALLER | BIT(GIVE) | BIT(START))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    /* turns */
    {"yield", NULL, {NO_ACTORS}, yield, NULL, GENERAL},
    {"yield-equal", NULL, {READY(4, nothing)}, yield, NULL, WITH_A | HOT},
    {"yield-two-equal", NULL, {READY(4, nothing), READY(4, nothing)}, yield, NULL, WITH_B},
    {"yield-equal-waiting", NULL, {READY(4, nothing), WAITS(5, take)}, yield, NULL, WITH_B},
    {"yield-less", NULL, {READY(3, nothing)}, yield, NULL, WITH_A},
    {"yield-locked", NULL, {READY(4, nothing)}, yield_locked, NULL, WITH_A},
    /* starts and ends */
    {"start-urgent", NULL, {WAITS(5, take)}, start_6, NULL, ON_CALLER | ON_A | BIT(GIVE)},
    {"start-equal", NULL, {WAITS(5, take)}, start_4, NULL, ON_CALLER | ON_A | BIT(GIVE)},
    {"start-less", NULL, {WAITS(5, take)}, start_3, NULL, ON_CALLER | ON_A | BIT(GIVE)},
    {"exit", NULL, {WAITS(5, take)}, leave, NULL, WITH_A | WAITING},
    {"exit-ready", NULL, {READY(4, nothing), READY(2, nothing)}, leave, NULL, WITH_B | WAITING},
    {"exit-joined", NULL, {READY(6, join_caller)}, leave, NULL, WITH_A | WAITING},
    {"exit-joined-twice",
     NULL,
     {READY(6, join_caller), READY(5, join_caller)},
     leave,
     NULL,
     WITH_B | WAITING},
    {"exit-joined-timed", NULL, {READY(6, join_caller_long)}, leave, NULL, WITH_A | WAITING | BIT(EXPIRE)},
    {"exit-others-joined", NULL, {WAITS(5, take), WAITS(6, join_a)}, leave, NULL, WITH_B | WAITING},
    /* joins */
    {"join", NULL, {WAITS(5, take)}, join_a, give, WITH_A | WAITING},
    {"join-less", NULL, {WAITS(2, take)}, join_a, give, WITH_A | WAITING},
    {"join-ready", NULL, {READY(3, nothing)}, join_a, NULL, WITH_A | WAITING},
    {"join-ended", NULL, {WAITS(6, nothing)}, join_a, NULL, GENERAL | WAITING},
    {"join-nowait", NULL, {WAITS(5, take)}, join_a_nowait, NULL, WITH_A},
    {"join-soon", NULL, {WAITS(5, take)}, join_a_soon, pass_time, WITH_A | WAITING},
    {"join-long", NULL, {WAITS(5, take)}, join_a_long, give, WITH_A | WAITING | BIT(EXPIRE)},
    {"join-long-ready", NULL, {READY(3, nothing)}, join_a_long, NULL, WITH_A | WAITING | BIT(EXPIRE)},
    {"join-until", NULL, {WAITS(5, take)}, join_a_until, give, WITH_A | WAITING | BIT(EXPIRE)},
    {"join-two", NULL, {WAITS(2, take), WAITS(6, join_a)}, join_a, give, WITH_B | WAITING},
    {"end-joined-urgent", NULL, {WAITS(5, take), WAITS(6, join_a)}, give, NULL, WITH_B},
    {"end-joined-equal", NULL, {WAITS(6, take), WAITS(4, join_a)}, give, NULL, WITH_B},
    {"end-joined-less", NULL, {WAITS(6, take), WAITS(2, join_a)}, give, NULL, WITH_B | HOT},
    {"end-joined-timed", NULL, {WAITS(6, take), WAITS(2, join_a_long)}, give, NULL, WITH_B | BIT(EXPIRE)},
    {"end-joined-two", NULL, {WAITS(6, take), WAITS(3, join_a), WAITS(2, join_a_long)}, give, NULL, WITH_B},
    /* priorities */
    {"me-up", NULL, {WAITS(5, take)}, me_up, NULL, WITH_A},
    {"me-down", NULL, {WAITS(5, take)}, me_down, NULL, WITH_A},
    {"me-down-ready", NULL, {READY(3, nothing), READY(4, nothing)}, me_down, NULL, WITH_B},
    {"me-same-ready", NULL, {READY(4, nothing)}, me_same, NULL, WITH_A},
    {"ready-up", NULL, {READY(3, nothing), READY(3, nothing)}, a_to_6, NULL, WITH_B},
    {"ready-to-mine", NULL, {READY(3, nothing), READY(4, nothing)}, a_to_4, NULL, WITH_B},
    {"ready-down", NULL, {READY(4, nothing), READY(4, nothing)}, a_to_2, NULL, WITH_B},
    {"waiting-up", NULL, {WAITS(2, take), WAITS(5, take)}, a_to_6, give, WITH_B},
    {"waiting-down", NULL, {WAITS(6, take), WAITS(5, take)}, a_to_2, give, WITH_B},
    {"waiting-equal", NULL, {WAITS(3, take), WAITS(4, take), WAITS(4, take)}, a_to_4, give, WITH_B},
    {"waiting-timed", NULL, {WAITS(6, take_long), WAITS(5, take)}, a_to_2, give, WITH_B | BIT(EXPIRE)},
    {"joining", NULL, {READY(5, join_caller), READY(6, join_caller)}, a_to_2, NULL, WITH_B},
    /* the lock, and looks */
    {"lock-unlock", NULL, {WAITS(5, take)}, lock_unlock, NULL, WITH_A},
    {"self", NULL, {WAITS(5, take)}, self, NULL, WITH_A},
    {"priority", NULL, {WAITS(5, take)}, my_priority, NULL, GENERAL},
    {"ended", NULL, {WAITS(5, take)}, a_has_ended, NULL, WITH_A},
    {"registers", NULL, {WAITS(5, take), READY(4, nothing)}, machine_all, NULL, WITH_B | BIT(YIELD) | HOT},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
