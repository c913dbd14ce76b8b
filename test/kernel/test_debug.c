/*
 * att_k_check finds each broken invariant: the test breaks one under lock, checks, and repairs it. It
 * accesses structures that are opaque to applications.
 */
#include "tap.h"

/* The result of att_k_check while `what`, a variable of the kernel, has another value. */
#define CHECK_BROKEN(want, what, value)                                                                      \
    do {                                                                                                     \
        const att_key_t key = att_lock();                                                                    \
        __typeof__(what) kept = (what);                                                                      \
        (what) = (value);                                                                                    \
        const uint8_t broken = att_k_check();                                                                \
        (what) = kept;                                                                                       \
        CHECK_EQ(broken, (want));                                                                            \
        CHECK_EQ(att_k_check(), 0);                                                                          \
        att_unlock(key);                                                                                     \
    } while (0)

static att_thread_t fakes[ATT_CFG_PRIORITIES + 2];

TEST(chain, "a chain whose priorities do not fall, or that ends nowhere or never, breaks invariant 1")
{
    att_thread_t *self = att_thread_self();
    CHECK_BROKEN(1, self->wait.above, self->next->wait.above);
    CHECK_BROKEN(1, self->next, NULL);
    for (uint8_t k = 0; k < ATT_CFG_PRIORITIES + 2; k++) {
        fakes[k].wait.above = (att_prioset_t)(self->wait.above + 1 + k);
        fakes[k].next = &fakes[(k + 1) % (ATT_CFG_PRIORITIES + 2)];
    }
    CHECK_BROKEN(1, self->next, fakes);
}

TEST(lists, "a ready list with a thread of another priority, or a broken link, breaks invariant 2")
{
    for (uint8_t k = 0; k < 5; k++) {
        start(3, run_token, ARG('A' + k)); /* the first one goes into the chain */
    }
    att_thread_t *first = started(1);
    att_thread_t *second = started(2);
    att_thread_t *third = started(3);
    CHECK_BROKEN(2, first->prio, 2);
    CHECK_BROKEN(2, third->prio, 5);
    CHECK_BROKEN(2, second->wait.above, 0);
    CHECK_BROKEN(2, second->wait.prev, &third->wait);
    att_key_t key = att_lock();
    second->next = first; /* a ring without the last */
    att_wait_t *kept = first->wait.prev;
    first->wait.prev = &second->wait;
    CHECK_EQ(att_k_check(), 2);
    second->next = third;
    first->wait.prev = kept;
    CHECK_EQ(att_k_check(), 0);
    att_unlock(key);
    finish();
    CHECK_TOKENS("ABCDE");
}

/* Preempted at once by the tester, whose priority it restores: so it is next in the chain. */
static void stay_below(void *arg)
{
    att_thread_set_priority(arg, TAP_PRIORITY);
}

TEST(bitmap, "a bit without a list, and a list without its bit, break invariant 2")
{
    for (att_prio_t prio = 2; prio <= 3; prio++) {
        start(3, stay_below, att_thread_self());
        att_thread_set_priority(att_thread_self(), 2);
        att_thread_t *one = start(prio, run_token, ARG('A'));
        att_thread_t *other = start((att_prio_t)(5 - prio), run_token, ARG('B'));
        const att_prioset_t above_one = one->wait.above;
        const att_key_t key = att_lock();
        one->wait.above = other->wait.above; /* so that leaving its list clears the wrong bit */
        att_thread_set_priority(one, 1);
        CHECK_EQ(att_k_check(), 2);
        other->wait.above = above_one; /* and now the other */
        att_thread_set_priority(other, 1);
        CHECK_EQ(att_k_check(), 0);
        att_unlock(key);
        finish();
    }
    CHECK_TOKENS("ABAB");
}

TEST(leaving, "a thread that leaves without running breaks invariant 3")
{
    att_thread_t *self = att_thread_self();
    start(4, run_token, ARG('A'));
    const att_key_t key = att_lock();
    att_yield();
    CHECK_EQ(att_k_check(), 0);
    void *kept = self->wait.sp;
    self->wait.sp = fakes + 1;
    CHECK_EQ(att_k_check(), 3);
    self->wait.sp = kept;
    CHECK_EQ(att_k_check(), 0);
    att_unlock(key);
    CHECK_TOKENS("A");
}

static void never(void *arg)
{
    (void)arg;
}

TEST(alarms, "alarms out of order, or badly linked, break invariant 4")
{
    att_timer_t early = ATT_TIMER_INIT(never, NULL);
    att_timer_t late = ATT_TIMER_INIT(never, NULL);
    att_timer_t last = ATT_TIMER_INIT(never, NULL);
    att_timer_start(&early, ATT_MS(300), 0);
    att_timer_start(&late, ATT_MS(400), 0);
    att_timer_start(&last, ATT_MS(400), 0);
    CHECK_EQ(att_k_check(), 0);
    CHECK_BROKEN(4, early.alarm.when, late.alarm.when + 1);
    CHECK_BROKEN(4, late.alarm.prev, NULL);
    CHECK_BROKEN(4, late.alarm.next, NULL);
    const att_key_t key = att_lock();
    att_alarm_t *const first = last.alarm.next;
    const att_time_t when = last.alarm.when;
    last.alarm.next = &late.alarm; /* a ring without the first */
    late.alarm.prev = &last.alarm;
    last.alarm.when = late.alarm.when;
    CHECK_EQ(att_k_check(), 4);
    last.alarm.next = first;
    late.alarm.prev = &early.alarm;
    last.alarm.when = when;
    CHECK_EQ(att_k_check(), 0);
    att_unlock(key);
    att_timer_stop(&early);
    att_timer_stop(&late);
    att_timer_stop(&last);
}

static void lock_quickly(void *arg)
{
    att_mutex_t *mutex = arg;
    CHECK_EQ(att_mutex_lock(mutex, ATT_FOREVER), ATT_OK);
    att_mutex_unlock(mutex);
}

TEST(loans, "a mutex that lends without an owner, or whose owner does not inherit, breaks invariant 6")
{
    static att_mutex_t mutex;
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    start(6, lock_quickly, &mutex);
    CHECK_BROKEN(6, att_thread_self()->prio, TAP_PRIORITY);
    CHECK_BROKEN(6, att_thread_self()->prio, 7);
    CHECK_BROKEN(6, mutex.owner, NULL);
    att_mutex_unlock(&mutex);
    CHECK_EQ(att_thread_priority(att_thread_self()), TAP_PRIORITY);
}

static void wait_token(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(sound, "threads in every state, alarms and waiters: nothing is broken")
{
    start(5, wait_token, ARG('C'));
    start(3, wait_token, ARG('D'));
    start(3, run_token, ARG('A'));
    settle();
    start(2, run_token, ARG('E'));
    token('B');
    CHECK_EQ(att_k_check(), 0);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    finish();
    CHECK_TOKENS("ABCDE");
}

TAP_SUITE("test_debug.c",
          CASE(chain) CASE(lists) CASE(bitmap) CASE(leaving) CASE(alarms) CASE(loans) CASE(sound))
