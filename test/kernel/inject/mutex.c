/*
 * Mutexes with inheritance and with a ceiling, condition variables on one of them. Handlers own no mutex:
 * they change priorities, expire timeouts, signal, and read the owner.
 */
#include "inject.h"

#include "attacca/cond.h"
#include "attacca/mutex.h"

static att_mutex_t mutex, other;
static att_mutex_t ceiling = ATT_MUTEX_INIT(ATT_MUTEX_CEILING(6));
static att_mutex_t robust = ATT_MUTEX_INIT(ATT_MUTEX_ROBUST);
static att_cond_t cond;
static att_sem_t go;   /* actors that own the mutex wait here */
static att_sem_t last; /* the more urgent one of two, so that both begin to wait */

static uint8_t lock_and(att_mutex_t *which, att_time_t timeout)
{
    const att_status_t status = (att_mutex_lock)(which, timeout);
    if (status == ATT_OK) {
        event();
        att_mutex_unlock(which);
    }
    return status;
}

static uint8_t use(void)
{
    return lock_and(&mutex, ATT_FOREVER);
}

static uint8_t use_constant(void)
{
    const att_status_t status = att_mutex_lock(&mutex, ATT_FOREVER);
    event();
    att_mutex_unlock(&mutex);
    return status;
}

static uint8_t use_soon(void)
{
    return lock_and(&mutex, SOON);
}

static uint8_t use_long(void)
{
    return lock_and(&mutex, LONG);
}

static uint8_t use_until(void)
{
    const att_status_t status = att_mutex_lock_until(&mutex, att_now() + LONG);
    if (status == ATT_OK) {
        event();
        att_mutex_unlock(&mutex);
    }
    return status;
}

static uint8_t try_it(void)
{
    return lock_and(&mutex, ATT_NOWAIT);
}

static uint8_t use_other(void)
{
    return lock_and(&other, ATT_FOREVER);
}

static uint8_t use_robust(void)
{
    const att_status_t status = att_mutex_lock(&robust, ATT_FOREVER);
    event();
    att_mutex_unlock(&robust);
    return status;
}

static uint8_t use_robust_long(void)
{
    const att_status_t status = att_mutex_lock(&robust, LONG);
    if (status != ATT_TIMEOUT) {
        event();
        att_mutex_unlock(&robust);
    }
    return status;
}

static uint8_t use_ceiling(void)
{
    return lock_and(&ceiling, ATT_FOREVER);
}

static uint8_t lock(void)
{
    return att_mutex_lock(&mutex, ATT_FOREVER);
}

/* Hold it until `go`. */
static uint8_t hold(void)
{
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    event();
    const att_status_t status = att_sem_take(&go, ATT_FOREVER);
    event();
    att_mutex_unlock(&mutex);
    return status;
}

static uint8_t hold_ceiling(void)
{
    (void)att_mutex_lock(&ceiling, ATT_FOREVER);
    event();
    const att_status_t status = att_sem_take(&go, ATT_FOREVER);
    event();
    att_mutex_unlock(&ceiling);
    return status;
}

/* The thread ends as its owner. */
static uint8_t hold_robust(void)
{
    (void)att_mutex_lock(&robust, ATT_FOREVER);
    event();
    return att_sem_take(&go, ATT_FOREVER);
}

/* Hold the other one, and wait for the first: a link of a chain. */
static uint8_t hold_other_and_use(void)
{
    (void)att_mutex_lock(&other, ATT_FOREVER);
    event();
    const uint8_t status = use();
    event();
    att_mutex_unlock(&other);
    return status;
}

static uint8_t let_go(void)
{
    return att_sem_give(&go);
}

/* A step before the call locks the caller's mutex: `later` and actors see it locked. The call then lets the
 * waiters run up to the mutex and unlocks it. */
static uint8_t lock_wait_unlock(void)
{
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    event();
    (void)att_sem_give(&go);
    event();
    (void)att_sem_give(&go);
    event();
    att_mutex_unlock(&mutex);
    return (uint8_t)att_thread_priority(inject_caller);
}

/* The waiters of the one mutex and those of the other. */
static uint8_t lock_both_unlock_by(att_sem_t *first, att_sem_t *second)
{
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    event();
    (void)att_mutex_lock(&other, ATT_FOREVER);
    event();
    (void)att_sem_give(first);
    event();
    (void)att_sem_give(second);
    event();
    att_mutex_unlock(&mutex);
    const att_prio_t between = att_thread_priority(inject_caller);
    event();
    att_mutex_unlock(&other);
    return (uint8_t)(between - 1);
}

static uint8_t lock_both_unlock(void)
{
    return lock_both_unlock_by(&go, &go);
}

/* The less urgent one waits first. */
static uint8_t lock_both_unlock_lent(void)
{
    return lock_both_unlock_by(&go, &last);
}

static uint8_t last_and_use_long(void)
{
    (void)att_sem_take(&last, ATT_FOREVER);
    event();
    return use_long();
}

/* Released by a handler, it locks the mutex that the caller has found free. */
static uint8_t go_and_hold(void)
{
    (void)att_sem_take(&go, ATT_FOREVER);
    event();
    return hold();
}

static uint8_t go_and_use(void)
{
    (void)att_sem_take(&go, ATT_FOREVER);
    event();
    return use();
}

static uint8_t go_and_use_long(void)
{
    (void)att_sem_take(&go, ATT_FOREVER);
    event();
    return use_long();
}

static uint8_t go_and_use_other(void)
{
    (void)att_sem_take(&go, ATT_FOREVER);
    event();
    return use_other();
}

static uint8_t wait_for(att_time_t timeout)
{
    (void)att_mutex_lock(&mutex, ATT_FOREVER);
    event();
    const att_status_t status = (att_cond_wait)(&cond, &mutex, timeout);
    event();
    att_mutex_unlock(&mutex);
    return status;
}

static uint8_t await(void)
{
    return wait_for(ATT_FOREVER);
}

/* Its own priority, when it owns the mutex again. */
static uint8_t await_ceiling(void)
{
    (void)att_mutex_lock(&ceiling, ATT_FOREVER);
    event();
    (void)att_cond_wait(&cond, &ceiling, ATT_FOREVER);
    event();
    const att_prio_t prio = att_thread_priority(att_thread_self());
    att_mutex_unlock(&ceiling);
    return prio;
}

static uint8_t wait_soon(void)
{
    return wait_for(SOON);
}

static uint8_t wait_long(void)
{
    return wait_for(LONG);
}

static uint8_t announce(void)
{
    att_cond_signal(&cond);
    return 0;
}

static uint8_t broadcast(void)
{
    att_cond_broadcast(&cond);
    return 0;
}

static uint8_t signal_with_mutex(void)
{
    (void)lock();
    event();
    att_cond_signal(&cond);
    event();
    att_mutex_unlock(&mutex);
    return 0;
}

static uint8_t broadcast_with_mutex(void)
{
    (void)lock();
    event();
    att_cond_broadcast(&cond);
    event();
    att_mutex_unlock(&mutex);
    return 0;
}

static char owner_of(const att_mutex_t *which)
{
    const att_thread_t *owner = att_mutex_owner(which);
    if (owner == NULL) {
        return '-';
    }
    for (uint8_t n = 0; n < ACTORS; n++) {
        if (owner == inject_actor(n)) {
            return (char)('a' + n);
        }
    }
    return owner == inject_caller ? 'X' : '?';
}

static uint8_t owner(void)
{
    return owner_of(&mutex) == '?';
}

void inject_observe(void)
{
    put(owner_of(&mutex));
    put(owner_of(&other));
    put(owner_of(&ceiling));
    put(owner_of(&robust));
    put(cond.wait.head != NULL ? 'c' : '-');
    put((char)('0' + att_sem_count(&go)));
}

bool inject_sound(void)
{
    return mutex.wait.head == NULL || mutex.owner != NULL;
}

void inject_release(void)
{
    if (go.wait.head != NULL) {
        (void)att_sem_give(&go);
    }
    if (last.wait.head != NULL) {
        (void)att_sem_give(&last);
    }
    att_cond_broadcast(&cond);
}

enum { OWNER = COMMON, SIGNAL, BROADCAST, LET_GO };
const action_t inject_actions[] ATT_PORT_ROM = {COMMON_ACTIONS,       {"owner", owner},
                                                {"signal", announce}, {"broadcast", broadcast},
                                                {"let-go", let_go},   {"", NULL}};

#define GENERAL (ON_CALLER | WAITING)
#define WITH_A (GENERAL | ON_A | BIT(LET_GO))
#define WITH_B (WITH_A | BIT(B_UP))
#define SIGNALS (ON_CALLER | ON_A | BIT(LET_GO) | ON_COND) /* calls that do not wait */
#define ON_COND (BIT(SIGNAL) | BIT(BROADCAST))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"use", NULL, {NO_ACTORS}, use, NULL, GENERAL | BIT(OWNER)},
    {"use-constant", NULL, {NO_ACTORS}, use_constant, NULL, GENERAL | BIT(OWNER)},
    {"use-taken", NULL, {WAITS(6, go_and_hold)}, use_constant, let_go, WITH_A | HOT},
    {"use-held", NULL, {WAITS(2, hold)}, use, let_go, WITH_A | BIT(OWNER) | HOT},
    {"use-held-urgent", NULL, {WAITS(6, hold)}, use, let_go, WITH_A},
    {"use-held-behind", NULL, {WAITS(2, hold), WAITS(5, use)}, use, let_go, WITH_B},
    {"use-held-before", NULL, {WAITS(2, hold), WAITS(3, use)}, use, let_go, WITH_B},
    {"use-held-equal", NULL, {WAITS(2, hold), WAITS(4, use)}, use, let_go, WITH_B},
    {"use-chain", NULL, {WAITS(2, hold), WAITS(3, hold_other_and_use)}, use_other, let_go, WITH_B},
    {"use-soon", NULL, {WAITS(2, hold)}, use_soon, pass_time, WITH_A},
    {"use-long", NULL, {WAITS(2, hold)}, use_long, let_go, WITH_A | BIT(EXPIRE) | HOT},
    {"use-long-behind", NULL, {WAITS(2, hold), WAITS(5, use_long)}, use, let_go, WITH_B | BIT(EXPIRE)},
    {"use-until", NULL, {WAITS(2, hold)}, use_until, let_go, WITH_A | BIT(EXPIRE)},
    {"try", NULL, {NO_ACTORS}, try_it, NULL, ON_CALLER | BIT(OWNER)},
    {"try-held", NULL, {WAITS(2, hold)}, try_it, NULL, ON_CALLER | ON_A | BIT(LET_GO)},
    {"ceiling", NULL, {WAITS(5, go_and_use)}, use_ceiling, NULL, GENERAL | ON_A | BIT(LET_GO)},
    {"ceiling-held", NULL, {WAITS(2, hold_ceiling)}, use_ceiling, let_go, WITH_A},
    {"use-robust", NULL, {WAITS(2, hold_robust)}, use_robust, let_go, WITH_A | HOT},
    {"use-robust-behind", NULL, {WAITS(2, hold_robust), WAITS(5, use_robust)}, use_robust, let_go, WITH_B},
    {"use-robust-long", NULL, {WAITS(2, hold_robust)}, use_robust_long, let_go, WITH_A | BIT(EXPIRE)},
    {"unlock", NULL, {WAITS(6, go_and_use)}, lock_wait_unlock, NULL, WITH_A | BIT(OWNER)},
    {"unlock-two", NULL, {WAITS(6, go_and_use), WAITS(5, go_and_use)}, lock_wait_unlock, NULL, WITH_B | HOT},
    {"unlock-less", NULL, {WAITS(3, go_and_use)}, lock_wait_unlock, NULL, WITH_A},
    {"unlock-timed", NULL, {WAITS(6, go_and_use_long)}, lock_wait_unlock, NULL, WITH_A | BIT(EXPIRE)},
    {"unlock-first",
     NULL,
     {WAITS(6, go_and_use), WAITS(5, go_and_use_other)},
     lock_both_unlock,
     NULL,
     WITH_B},
    {"unlock-second",
     NULL,
     {WAITS(5, go_and_use), WAITS(6, go_and_use_other)},
     lock_both_unlock,
     NULL,
     WITH_B},
    {"unlock-lent",
     NULL,
     {WAITS(5, go_and_use_other), WAITS(6, last_and_use_long)},
     lock_both_unlock_lent,
     NULL,
     WITH_B | BIT(EXPIRE) | HOT},
    {"unlock-behind",
     NULL,
     {WAITS(5, go_and_use), WAITS(6, last_and_use_long)},
     lock_both_unlock_lent,
     NULL,
     WITH_B | BIT(EXPIRE)},
    {"owner", NULL, {WAITS(2, hold)}, owner, NULL, ON_CALLER | ON_A | BIT(LET_GO)},
    {"wait", NULL, {NO_ACTORS}, await, announce, GENERAL | ON_COND | HOT},
    {"wait-among", NULL, {WAITS(6, await), WAITS(2, await)}, await, broadcast, WITH_B | ON_COND},
    {"wait-wanted", NULL, {WAITS(6, go_and_use)}, await, announce, WITH_A | ON_COND},
    {"wait-ceiling", NULL, {NO_ACTORS}, await_ceiling, announce, GENERAL | ON_COND | HOT},
    {"wait-ceiling-among", NULL, {WAITS(2, await_ceiling)}, await_ceiling, broadcast, GENERAL | ON_COND},
    {"wait-soon", NULL, {NO_ACTORS}, wait_soon, pass_time, GENERAL | ON_COND},
    {"wait-long", NULL, {NO_ACTORS}, wait_long, announce, GENERAL | ON_COND | BIT(EXPIRE)},
    {"signal", NULL, {WAITS(6, await)}, announce, NULL, SIGNALS},
    {"signal-two", NULL, {WAITS(6, await), WAITS(3, await)}, announce, NULL, SIGNALS | BIT(B_UP)},
    {"signal-timed", NULL, {WAITS(6, wait_long)}, announce, NULL, SIGNALS | BIT(EXPIRE)},
    {"signal-held", NULL, {WAITS(6, await), WAITS(2, hold)}, announce, let_go, SIGNALS | BIT(B_UP)},
    {"signal-mine", NULL, {WAITS(6, await)}, signal_with_mutex, NULL, WITH_A | ON_COND},
    {"broadcast", NULL, {WAITS(6, await), WAITS(2, await)}, broadcast, NULL, SIGNALS | BIT(B_UP)},
    {"broadcast-timed", NULL, {WAITS(6, wait_long)}, broadcast, NULL, SIGNALS | BIT(EXPIRE)},
    {"broadcast-mine", NULL, {WAITS(6, await)}, broadcast_with_mutex, NULL, WITH_A | ON_COND},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
