/*
 * Threads that end while they own a mutex: robust ones go to the next owner, which is told.
 */
#include "test_mutex.h"

static att_mutex_t robust = ATT_MUTEX_INIT(ATT_MUTEX_ROBUST);
static att_mutex_t with_ceiling = ATT_MUTEX_INIT(ATT_MUTEX_ROBUST | ATT_MUTEX_CEILING(6));
static att_mutex_t again = ATT_MUTEX_INIT(ATT_MUTEX_ROBUST | ATT_MUTEX_RECURSIVE);
static att_cond_t cond;

TEST(like_others, "a robust mutex whose owner unlocks it is like any other")
{
    CHECK_EQ(att_mutex_lock(&robust, ATT_FOREVER), ATT_OK);
    CHECK(att_mutex_owner(&robust) == att_thread_self());
    CHECK_EQ(att_mutex_lock(&robust, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_k_check(), 0);
    att_mutex_unlock(&robust);
    CHECK(att_mutex_owner(&robust) == NULL);
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&robust, 2), ATT_OK);
    CHECK_EQ(prio(), TAP_PRIORITY);
    att_mutex_unlock(&m2);
    att_mutex_unlock(&robust);
}

static void end_with(void *arg)
{
    att_mutex_t *mutex = arg;
    CHECK_EQ(att_mutex_lock(mutex, ATT_FOREVER), ATT_OK);
    if (mutex == &again) {
        CHECK_EQ(att_mutex_lock(mutex, ATT_FOREVER), ATT_OK);
    }
}

TEST(told, "the first lock after its owner's end reports that end, once, whichever way it is locked")
{
    for (uint8_t way = 0; way < 4; way++) {
        start(5, end_with, &robust);
        CHECK(att_mutex_owner(&robust) == NULL);
        CHECK_EQ(way == 0   ? att_mutex_lock(&robust, ATT_FOREVER)
                 : way == 1 ? att_mutex_lock(&robust, ATT_NOWAIT)
                 : way == 2 ? att_mutex_lock(&robust, 5)
                            : att_mutex_lock_until(&robust, att_now()),
                 ATT_OWNER_DIED);
        CHECK(att_mutex_owner(&robust) == att_thread_self());
        att_mutex_unlock(&robust);
        CHECK_EQ(att_mutex_lock(&robust, ATT_FOREVER), ATT_OK);
        att_mutex_unlock(&robust);
        finish();
    }
}

static void wait_and_end(void *arg)
{
    CHECK_EQ(att_mutex_lock(arg, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token('e');
    att_exit();
}

static att_mutex_t *wanted;

static void want_it(void *arg)
{
    const att_status_t status =
        (uintptr_t)arg == 'w' ? att_mutex_lock(wanted, ATT_FOREVER) : att_mutex_lock(wanted, ATT_MS(50));
    CHECK(att_mutex_owner(wanted) == att_thread_self());
    token((char)(uintptr_t)arg);
    token(status == ATT_OWNER_DIED ? '!' : '.');
    att_mutex_unlock(wanted);
}

TEST(handed, "its owner ends: the first waiter owns it and is told, the others are not")
{
    att_mutex_t *const all[] = {&robust, &with_ceiling, &again};
    for (uint8_t k = 0; k < 3; k++) {
        wanted = all[k];
        start(2, wait_and_end, wanted);
        settle();
        start(5, want_it, ARG('w'));
        start(6, want_it, ARG('x'));
        start(5, want_it, ARG('y'));
        CHECK_EQ(att_thread_priority(started(0)), 6);
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        finish();
        CHECK_TOKENS("ex!w.y.");
        CHECK(att_mutex_owner(wanted) == NULL);
        CHECK_EQ(att_k_check(), 0);
    }
}

TEST(ceiling, "with a ceiling, and locked several times: all of it ends with its owner")
{
    start(5, end_with, &with_ceiling);
    CHECK_EQ(att_mutex_lock(&with_ceiling, ATT_FOREVER), ATT_OWNER_DIED);
    CHECK_EQ(prio(), 6);
    att_mutex_unlock(&with_ceiling);
    CHECK_EQ(prio(), TAP_PRIORITY);
    start(5, end_with, &again);
    CHECK_EQ(att_mutex_lock(&again, ATT_FOREVER), ATT_OWNER_DIED);
    CHECK_EQ(att_mutex_lock(&again, ATT_FOREVER), ATT_OK);
    att_mutex_unlock(&again);
    CHECK(att_mutex_owner(&again) == att_thread_self());
    att_mutex_unlock(&again);
    CHECK(att_mutex_owner(&again) == NULL);
}

static void end_with_three(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&robust, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&with_ceiling, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&again, ATT_FOREVER), ATT_OK);
}

TEST(several,
     "a thread that ends with several: each reports it; if the next owner ends, it is reported again")
{
    for (uint8_t k = 0; k < 2; k++) {
        start(5, end_with_three, NULL);
        finish();
        if (k == 0) {
            CHECK_EQ(att_mutex_lock(&robust, ATT_FOREVER), ATT_OWNER_DIED);
            CHECK_EQ(att_mutex_lock(&with_ceiling, ATT_FOREVER), ATT_OWNER_DIED);
            CHECK_EQ(att_mutex_lock(&again, ATT_FOREVER), ATT_OWNER_DIED);
            att_mutex_unlock(&robust);
            att_mutex_unlock(&again);
            att_mutex_unlock(&with_ceiling);
        }
    }
    CHECK_EQ(att_mutex_lock(&again, ATT_FOREVER), ATT_OWNER_DIED);
    CHECK_EQ(att_mutex_lock(&with_ceiling, ATT_FOREVER), ATT_OWNER_DIED);
    CHECK_EQ(att_mutex_lock(&robust, ATT_FOREVER), ATT_OWNER_DIED);
    CHECK_EQ(prio(), 6);
    att_mutex_unlock(&with_ceiling);
    att_mutex_unlock(&again);
    att_mutex_unlock(&robust);
    CHECK_EQ(prio(), TAP_PRIORITY);
}

static void wait_on_it(void *arg)
{
    CHECK_EQ(att_mutex_lock(&robust, ATT_FOREVER), ATT_OK);
    const att_status_t status =
        arg == NULL ? att_cond_wait(&cond, &robust, ATT_FOREVER) : att_cond_wait(&cond, &robust, ATT_MS(2));
    CHECK(att_mutex_owner(&robust) == att_thread_self());
    token(status == ATT_OWNER_DIED ? '!' : '.');
    att_mutex_unlock(&robust);
}

static void signal_and_end(void *arg)
{
    CHECK_EQ(att_mutex_lock(&robust, ATT_FOREVER), ATT_OK);
    if (arg == NULL) {
        att_cond_signal(&cond);
    } else {
        att_sleep(ATT_MS(4)); /* its time is up, and it wants the mutex */
    }
}

TEST(conditions, "a wait on a condition variable reports it, too, signalled or timed out")
{
    for (uint8_t late = 0; late < 2; late++) {
        start(6, wait_on_it, ARG(late));
        start(5, signal_and_end, ARG(late));
        finish();
        CHECK_TOKENS("!");
        CHECK_EQ(att_mutex_lock(&robust, ATT_FOREVER), ATT_OK);
        att_mutex_unlock(&robust);
    }
}

#if ATT_CFG_CHECK == 0
/* At the other levels it is a fault: test_fault_lock.c. */
static att_mutex_t orphan_ceiling = ATT_MUTEX_INIT(ATT_MUTEX_CEILING(6));

static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_STACK)];
} own;

static void end_with_both(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&orphan_ceiling, ATT_FOREVER), ATT_OK);
}

static void unlock_both(void *arg)
{
    (void)arg;
    att_mutex_unlock(&m1);
    att_mutex_unlock(&orphan_ceiling);
}

TEST(orphans, "level 0: what a thread has not unlocked stays locked, and all else continues")
{
    (void)att_thread_start(&own, sizeof(own), 5, end_with_both, NULL);
    CHECK(att_thread_ended(&own.thread));
    CHECK_EQ(att_mutex_lock(&m1, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_mutex_lock(&m1, 5), ATT_TIMEOUT);
    CHECK_EQ(att_mutex_lock(&orphan_ceiling, 5), ATT_TIMEOUT);
    start(7, lock_for_a_time, ARG(20));
    start(6, lock_for_a_time, ARG(40));
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    att_sleep(60);
    att_mutex_unlock(&m2);
    CHECK_TOKENS("tt");
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_EQ(att_k_check(), 0);
    (void)att_thread_start(&own, sizeof(own), 5, unlock_both, NULL); /* a thread in its memory owns them */
    CHECK_EQ(att_mutex_lock(&m1, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_mutex_lock(&orphan_ceiling, ATT_NOWAIT), ATT_OK);
    unlock_both(NULL);
}
#define ORPHANS CASE(orphans)
#else
#define ORPHANS
#endif

TAP_SUITE("test_mutex_ends.c",
          CASE(like_others) CASE(told) CASE(handed) CASE(ceiling) CASE(several) CASE(conditions) ORPHANS)
