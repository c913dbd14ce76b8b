/*
 * Waiters that leave a queue by timeout: neighbours, one after the other, and waiters that a walk has not
 * reached yet, wherever they are in memory.
 */
#include "irq.h"

#include "attacca/port_api.h"

static void take(void *arg)
{
    const char name = (char)(uintptr_t)arg;
    const att_time_t timeout = name == 'b' ? ATT_MS(2) : name == 'c' ? ATT_MS(4) : ATT_FOREVER;
    token(att_sem_take(&sem_a, timeout) == ATT_OK ? name : '-');
}

TEST(neighbours, "two waiters, one behind the other, leave one after the other; the rest keep their order")
{
    static const char orders[][5] = {"abcd", "acbd", "bcad", "cbad", "adbc", "adcb", "bacd"};
    for (uint8_t which = 0; which < sizeof(orders) / sizeof(orders[0]); which++) {
        for (uint8_t k = 0; k < 4; k++) {
            start(3, take, ARG(orders[which][k]));
        }
        att_sleep(ATT_MS(8));
        CHECK_EQ(att_k_check(), 0);
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
        CHECK_EQ(att_sem_count(&sem_a), 0);
        finish();
        CHECK_TOKENS("--ad");
    }
}

static att_group_t group;
static uint8_t served, timed_out;

static void wait_for_flag(void *arg)
{
    att_mask_t came;
    const bool leaves = arg != NULL;
    const att_status_t status = leaves ? att_group_wait(&group, 2, ATT_ANY, &came, ATT_MS(20))
                                       : att_group_wait(&group, 1, ATT_ANY, &came, ATT_FOREVER);
    CHECK_EQ(status, leaves ? ATT_TIMEOUT : ATT_OK);
    CHECK_EQ(came, leaves ? 0 : 1);
    const att_key_t key = att_lock();
    served = (uint8_t)(served + !leaves);
    timed_out = (uint8_t)(timed_out + leaves);
    att_unlock(key);
}

static void oversleep(void)
{
    target_clock_jump(ATT_MS(50));
    att_clock_corrected();
}

TEST(behind_a_walk,
     "the time of a waiter that a set has not reached yet is up: those before it are not missed")
{
    irq_start();
    for (uint8_t step = 0; step < 80; step++) {
        const bool low = (step & 2) != 0; /* in memory, though it is the last in the queue */
        served = timed_out = 0;
        if (low) {
            start(2, wait_for_flag, ARG(1));
        }
        for (uint8_t k = 0; k < 4; k++) {
            start(3, wait_for_flag, NULL);
        }
        if (!low) {
            start(3, wait_for_flag, ARG(1));
        }
        settle();
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, oversleep, (uint8_t)TARGET_TICKS(2 + step / 4));
        att_group_set(&group, 1);
        irq_tick_cancel();
        settle();
        CHECK_EQ(served, 4);
        oversleep(); /* if it has not come yet */
        finish();
        CHECK_EQ(timed_out, 1);
        CHECK_EQ(att_group_get(&group), 0);
        CHECK_EQ(att_k_check(), 0);
    }
}

static uint8_t ready_then;

static void count_ready(void)
{
    for (uint8_t k = 0; k < 5; k++) {
        ready_then = (uint8_t)(ready_then + (att_thread_state(started(k)) == ATT_STATE_READY));
    }
}

TEST(comes_in, "a handler runs when some of the threads that a set wakes are ready, and others still wait")
{
    uint8_t in_between = 0;
    for (uint8_t step = 1; step < 60; step++) {
        for (uint8_t k = 0; k < 5; k++) {
            start(3, wait_for_flag, NULL);
        }
        settle();
        ready_then = 0;
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, count_ready, (uint8_t)TARGET_TICKS(step / 2));
        att_group_set(&group, 1);
        irq_tick_cancel();
        finish();
        in_between = (uint8_t)(in_between + (ready_then > 0 && ready_then < 5));
    }
    CHECK(in_between >= 4);
}

static att_sem_t sems[2];

static void take_elsewhere(void *arg)
{
    const char name = (char)(uintptr_t)arg;
    att_sem_t *sem = &sems[name == 'x' || name == 'y'];
    const att_time_t timeout = name == 'x' || name == 'X' ? ATT_MS(20) : ATT_FOREVER;
    const att_status_t status = att_sem_take(sem, timeout);
    token(status == ATT_OK ? name : status == ATT_TIMEOUT ? '-' : '*');
}

static bool has_come;

static void oversleep_once(void)
{
    if (!has_come) {
        has_come = true;
        oversleep();
    }
}

TEST(beside_a_reset,
     "the time of a waiter of another object is up during a reset, wherever both are in memory")
{
    for (uint8_t step = 0; step < 100; step++) {
        const bool second = (step & 2) != 0; /* is reset */
        start(3, take_elsewhere, ARG(second ? 'X' : 'x'));
        start(3, take_elsewhere, ARG(second ? 'Y' : 'y'));
        for (uint8_t k = 0; k < 3; k++) {
            start(2, take_elsewhere, ARG(second ? 'y' : 'Y'));
        }
        settle();
        has_come = false;
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, oversleep_once, (uint8_t)TARGET_TICKS(1 + step / 4));
        att_sem_reset(&sems[second], 0);
        irq_tick_cancel();
        oversleep_once();
        settle();
        CHECK_EQ(att_sem_give(&sems[!second]), ATT_OK);
        finish();
        CHECK_EQ(att_sem_count(&sems[!second]), 0);
        if (second) {
            CHECK_TOKENS("-***Y");
        } else {
            CHECK_TOKENS("-***y");
        }
    }
}

TEST(comes_in_a_reset, "and when some of the threads that a reset cancels are ready, and others are not yet")
{
    uint8_t in_between = 0;
    for (uint8_t step = 1; step < 60; step++) {
        for (uint8_t k = 0; k < 5; k++) {
            start(2, take_elsewhere, ARG('Y'));
        }
        settle();
        ready_then = 0;
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, count_ready, (uint8_t)TARGET_TICKS(step / 2));
        att_sem_reset(&sems[0], 0);
        irq_tick_cancel();
        finish();
        CHECK_TOKENS("*****");
        in_between = (uint8_t)(in_between + (ready_then > 0 && ready_then < 5));
    }
    CHECK(in_between >= 4);
}

static att_group_t groups[2];

static void wait_in(void *arg)
{
    att_mask_t came;
    CHECK_EQ(att_group_wait(&groups[(uintptr_t)arg], 1, ATT_ANY, &came, ATT_FOREVER), ATT_OK);
    served++;
}

static void raise_first(void)
{
    att_thread_set_priority(started(0), 3);
}

TEST(beside_a_set,
     "the priority of a waiter of another group changes during a set, wherever both are in memory")
{
    for (uint8_t step = 0; step < 60; step++) {
        const uint8_t which = step & 1; /* is set */
        served = 0;
        start(2, wait_in, ARG(!which));
        for (uint8_t k = 0; k < 4; k++) {
            start(2, wait_in, ARG(which));
        }
        settle();
        irq_tick(step & 2 ? IRQ_KNOWN : IRQ_FOREIGN, raise_first, (uint8_t)TARGET_TICKS(1 + step / 3));
        att_group_set(&groups[which], 1);
        irq_tick_cancel();
        settle();
        CHECK_EQ(served, 4);
        CHECK_EQ(att_thread_state(started(0)), ATT_STATE_WAITING);
        att_group_set(&groups[!which], 1);
        finish();
        CHECK_EQ(served, 5);
    }
}

static att_mutex_t mutex;
static att_cond_t cond;

static void wait_for_signal(void *arg)
{
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_cond_wait(&cond, &mutex, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&mutex);
}

static void take_locked(void *arg)
{
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_sem_take(&sems[0], ATT_FOREVER), ATT_CANCELED);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&mutex);
}

static void broadcast_once(void)
{
    if (!has_come) {
        has_come = true;
        att_cond_broadcast(&cond);
    }
}

TEST(walk_in_a_walk,
     "a broadcast in the middle of a reset lends a priority to a waiter that the reset has not reached yet")
{
    for (uint8_t step = 0; step < 80; step++) {
        start(6, wait_for_signal, ARG('w'));
        start(3, take_elsewhere, ARG('X'));
        start(3, take_locked, ARG('o'));
        start(3, take_elsewhere, ARG('Y'));
        settle();
        has_come = false;
        irq_tick(step & 1 ? IRQ_KNOWN : IRQ_FOREIGN, broadcast_once, (uint8_t)TARGET_TICKS(1 + step / 3));
        att_sem_reset(&sems[0], 0);
        irq_tick_cancel();
        broadcast_once();
        CHECK_EQ(att_k_check(), 0);
        finish();
        CHECK(sems[0].wait.head == NULL);
        CHECK_TOKENS("ow**");
    }
}

TAP_SUITE("test_leaving.c", CASE(neighbours) CASE(behind_a_walk) CASE(comes_in) CASE(beside_a_reset)
                                CASE(comes_in_a_reset) CASE(beside_a_set) CASE(walk_in_a_walk))
