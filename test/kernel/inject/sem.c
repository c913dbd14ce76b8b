/*
 * Semaphores. `sem` has a limit of 3; the situation's set-up sets the initial count.
 */
#include "inject.h"

static att_sem_t sem = ATT_SEM_INIT(0, 3);

static uint8_t one(void)
{
    return att_sem_give(&sem);
}

static uint8_t two(void)
{
    (void)att_sem_give(&sem);
    return att_sem_give(&sem);
}

static uint8_t full(void)
{
    (void)two();
    return att_sem_give(&sem);
}

static uint8_t give(void)
{
    return att_sem_give(&sem);
}

static uint8_t give_twice(void)
{
    (void)att_sem_give(&sem);
    event();
    return att_sem_give(&sem);
}

static uint8_t give_locked(void)
{
    const att_key_t key = att_lock();
    const att_status_t status = att_sem_give(&sem);
    att_unlock(key);
    return status;
}

static uint8_t give_two_locked(void)
{
    const att_key_t key = att_lock();
    (void)att_sem_give(&sem);
    const att_key_t again = att_lock();
    const att_status_t status = att_sem_give(&sem);
    att_unlock(again);
    att_unlock(key);
    return status;
}

static uint8_t take(void)
{
    return att_sem_take(&sem, ATT_FOREVER);
}

static uint8_t take_forever_at_run_time(void)
{
    return (att_sem_take)(&sem, ATT_FOREVER);
}

static uint8_t take_nowait(void)
{
    return att_sem_take(&sem, ATT_NOWAIT);
}

static uint8_t take_soon(void)
{
    return att_sem_take(&sem, SOON);
}

static uint8_t take_long(void)
{
    return att_sem_take(&sem, LONG);
}

static uint8_t take_at_once(void)
{
    return att_sem_take(&sem, 1);
}

static uint8_t take_until_long(void)
{
    return att_sem_take_until(&sem, att_now() + LONG);
}

static uint8_t take_until_passed(void)
{
    return att_sem_take_until(&sem, att_now() - 1);
}

static uint8_t take_and_give(void)
{
    const att_status_t status = att_sem_take(&sem, ATT_FOREVER);
    event();
    (void)att_sem_give(&sem);
    return status;
}

static uint8_t reset_0(void)
{
    att_sem_reset(&sem, 0);
    return 0;
}

static uint8_t reset_2(void)
{
    att_sem_reset(&sem, 2);
    return 0;
}

static uint8_t count(void)
{
    return (uint8_t)att_sem_count(&sem);
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

enum { GIVE = COMMON, TAKE, RESET_0, RESET_2, COUNT };
const action_t inject_actions[] ATT_PORT_ROM = {COMMON_ACTIONS,
                                                {"give", give},
                                                {"take-nowait", take_nowait},
                                                {"reset-0", reset_0},
                                                {"reset-2", reset_2},
                                                {"count", count},
                                                {"", NULL}};

#define ON_SEM (BIT(GIVE) | BIT(TAKE) | BIT(RESET_0) | BIT(RESET_2))
#define GENERAL (ON_SEM | ON_CALLER)

const situation_t inject_situations[] ATT_PORT_ROM = {
    /* give */
    {"give", NULL, {NO_ACTORS}, give, NULL, GENERAL | BIT(COUNT)},
    {"give-full", full, {NO_ACTORS}, give, NULL, GENERAL},
    {"give-urgent", NULL, {WAITS(6, take)}, give, NULL, GENERAL | HOT | ON_A | BIT(YIELD)},
    {"give-equal", NULL, {WAITS(4, take)}, give, NULL, GENERAL | ON_A},
    {"give-less", NULL, {WAITS(2, take)}, give, NULL, GENERAL | ON_A},
    {"give-two-urgent", NULL, {WAITS(5, take), WAITS(6, take)}, give, NULL, GENERAL | ON_A | BIT(B_UP)},
    {"give-urgent-and-less", NULL, {WAITS(6, take), WAITS(3, take)}, give, NULL, GENERAL | ON_A | BIT(B_UP)},
    {"give-two-equal", NULL, {WAITS(4, take), WAITS(4, take)}, give, NULL, GENERAL | ON_A | BIT(B_UP)},
    {"give-urgent-ready", NULL, {WAITS(6, take), READY(4, nothing)}, give, NULL, GENERAL | ON_A | BIT(B_UP)},
    {"give-urgent-timed", NULL, {WAITS(6, take_long)}, give, NULL, GENERAL | ON_A | BIT(EXPIRE)},
    {"give-equal-timed", NULL, {WAITS(4, take_long)}, give, NULL, GENERAL | BIT(EXPIRE)},
    {"give-two-timed", NULL, {WAITS(6, take_long), WAITS(5, take_long)}, give, NULL, GENERAL | BIT(EXPIRE)},
    {"give-locked", NULL, {WAITS(6, take)}, give_locked, NULL, GENERAL | ON_A},
    {"give-two-locked", NULL, {WAITS(5, take), WAITS(6, take)}, give_two_locked, NULL, GENERAL | ON_A},
    {"give-twice", NULL, {WAITS(6, take), WAITS(2, take)}, give_twice, NULL, GENERAL | ON_A},
    {"give-to-giver", NULL, {WAITS(6, take_and_give), WAITS(5, take)}, give, NULL, GENERAL},
    /* take */
    {"take", one, {NO_ACTORS}, take, give, GENERAL | WAITING},
    {"take-two", two, {NO_ACTORS}, take, give, GENERAL | WAITING},
    {"take-empty", NULL, {NO_ACTORS}, take, give, GENERAL | HOT | BIT(COUNT) | WAITING},
    {"take-empty-ready",
     NULL,
     {READY(4, nothing), READY(3, give)},
     take,
     give,
     GENERAL | ON_A | BIT(YIELD) | WAITING},
    {"take-empty-equal", NULL, {READY(4, give)}, take, NULL, GENERAL | ON_A | WAITING},
    {"take-behind", NULL, {WAITS(6, take)}, take, give, GENERAL | ON_A | WAITING},
    {"take-before", NULL, {WAITS(2, take)}, take, give, GENERAL | ON_A | WAITING},
    {"take-among",
     NULL,
     {WAITS(6, take), WAITS(4, take), WAITS(2, take)},
     take,
     give,
     GENERAL | ON_A | BIT(B_UP) | WAITING},
    {"take-run-time", NULL, {NO_ACTORS}, take_forever_at_run_time, give, GENERAL | WAITING},
    {"take-nowait", NULL, {NO_ACTORS}, take_nowait, NULL, GENERAL},
    {"take-nowait-one", one, {NO_ACTORS}, take_nowait, NULL, GENERAL},
    /* take with a limit */
    {"take-timed", one, {NO_ACTORS}, take_soon, pass_time, GENERAL | WAITING},
    {"take-soon", NULL, {NO_ACTORS}, take_soon, pass_time, GENERAL | WAITING},
    {"take-at-once", NULL, {NO_ACTORS}, take_at_once, pass_time, GENERAL | BRIEF | WAITING},
    {"take-long", NULL, {NO_ACTORS}, take_long, give, GENERAL | HOT | BIT(EXPIRE) | WAITING},
    {"take-long-among",
     NULL,
     {WAITS(6, take_long), WAITS(2, take_long)},
     take_long,
     give,
     GENERAL | ON_A | BIT(EXPIRE) | BIT(B_UP) | WAITING},
    {"take-alarms-long",
     NULL,
     {SLEEPERS},
     take_long,
     give,
     GENERAL | HOT | BIT(COUNT) | BIT(YIELD) | BIT(EXPIRE) | WAITING},
    {"take-equals-long",
     NULL,
     {WAITS(4, take_long), WAITS(4, take_long), WAITS(4, take_long)},
     take_long,
     give,
     GENERAL | ON_A | BIT(EXPIRE) | BIT(B_UP) | WAITING},
    {"take-long-ready",
     NULL,
     {READY(4, nothing), READY(3, give)},
     take_long,
     give,
     GENERAL | BIT(EXPIRE) | WAITING},
    {"take-until", NULL, {NO_ACTORS}, take_until_long, give, GENERAL | BIT(EXPIRE) | WAITING},
    {"take-until-passed", NULL, {NO_ACTORS}, take_until_passed, NULL, GENERAL | WAITING},
    /* reset, count */
    {"reset", one, {NO_ACTORS}, reset_0, NULL, GENERAL | BIT(COUNT)},
    {"reset-urgent", NULL, {WAITS(6, take)}, reset_2, NULL, GENERAL | ON_A},
    {"reset-equal", NULL, {WAITS(4, take)}, reset_0, NULL, GENERAL | ON_A},
    {"reset-less", NULL, {WAITS(2, take)}, reset_2, NULL, GENERAL | ON_A},
    {"reset-three",
     NULL,
     {WAITS(6, take), WAITS(5, take), WAITS(2, take)},
     reset_0,
     NULL,
     GENERAL | ON_A | BIT(B_UP)},
    {"reset-three-timed",
     NULL,
     {WAITS(6, take_long), WAITS(5, take_long), WAITS(2, take_long)},
     reset_2,
     NULL,
     GENERAL | BIT(EXPIRE)},
    {"count", one, {NO_ACTORS}, count, NULL, GENERAL},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
