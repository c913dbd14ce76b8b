/*
 * Inheritance in every order: the owner of two mutexes has the right priority after each lock that has to
 * wait and after each unlock, for all waiters, all their priorities, and both orders of unlocking. The test
 * computes the right priority and the order of service from a list of the waiters alone.
 */
#include "test_mutex.h"

enum { WAITERS = 3, PRIORITIES = 4, KINDS = PRIORITIES * 2 };

static const uint8_t priorities[PRIORITIES] = {3, TAP_PRIORITY, 5, 7};
static struct {
    att_prio_t prio;
    uint8_t which;
    bool served;
} waiter[WAITERS];

static att_mutex_t *mutex_of(uint8_t which)
{
    return which == 0 ? &m1 : &m2;
}

/* The most urgent of its waiters, of equals the first to come; WAITERS: none waits. */
static uint8_t first_of(uint8_t which)
{
    uint8_t first = WAITERS;
    for (uint8_t i = WAITERS; i-- > 0;) {
        if (waiter[i].which == which && !waiter[i].served &&
            (first == WAITERS || waiter[i].prio >= waiter[first].prio)) {
            first = i;
        }
    }
    return first;
}

/* To the controller, if it holds these. */
static att_prio_t due(bool first, bool second)
{
    att_prio_t most = TAP_PRIORITY;
    for (uint8_t i = 0; i < WAITERS; i++) {
        if (!waiter[i].served && (waiter[i].which == 0 ? first : second) && waiter[i].prio > most) {
            most = waiter[i].prio;
        }
    }
    return most;
}

static void use(void *arg)
{
    const uint8_t i = (uint8_t)(uintptr_t)arg;
    CHECK_EQ(att_mutex_lock(mutex_of(waiter[i].which), ATT_FOREVER), ATT_OK);
    CHECK_EQ(first_of(waiter[i].which), i);
    waiter[i].served = true;
    att_mutex_unlock(mutex_of(waiter[i].which));
}

static void begin(uint8_t i, uint8_t kind)
{
    waiter[i].prio = priorities[kind / 2];
    waiter[i].which = kind & 1;
    waiter[i].served = false;
    start(waiter[i].prio, use, ARG(i));
    att_sleep(ATT_MS(1)); /* the less urgent ones reach their lock, too */
    CHECK_EQ(prio(), due(true, true));
}

/* Exactly the waiters that are more urgent than the owner's remaining priority have had it, and the next one
 * owns it. */
static void unlock(uint8_t which, bool first_held, bool second_held)
{
    att_mutex_unlock(mutex_of(which));
    CHECK_EQ(prio(), due(first_held, second_held));
    for (uint8_t i = 0; i < WAITERS; i++) {
        CHECK(waiter[i].which != which || waiter[i].served == (waiter[i].prio > prio()));
    }
    const uint8_t next = first_of(which);
    CHECK(att_mutex_owner(mutex_of(which)) == (next < WAITERS ? started(next) : NULL));
    CHECK_EQ(att_k_check(), 0);
}

static void try_kinds(const uint8_t *kind, bool second_first)
{
    for (uint8_t i = 0; i < WAITERS; i++) {
        waiter[i].served = true;
    }
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&m2, ATT_FOREVER), ATT_OK);
    for (uint8_t i = 0; i < WAITERS; i++) {
        begin(i, kind[i]);
    }
    unlock(second_first ? 1 : 0, second_first, !second_first);
    unlock(second_first ? 0 : 1, false, false);
    finish();
    CHECK_EQ(first_of(0), WAITERS);
    CHECK_EQ(first_of(1), WAITERS);
    CHECK(m1.link == 0 && m2.link == 0);
}

TEST(orders, "three waiters for two mutexes, in every way, and both orders of unlocking")
{
    uint8_t kind[WAITERS];
    for (kind[0] = 0; kind[0] < KINDS; kind[0]++) {
        for (kind[1] = 0; kind[1] < KINDS; kind[1]++) {
            for (kind[2] = 0; kind[2] < KINDS; kind[2]++) {
                try_kinds(kind, false);
                try_kinds(kind, true);
            }
        }
    }
}

TAP_SUITE("test_mutex_orders.c", CASE(orders))
