/*
 * The inlined header: the same calls mean the same, in one image with both kinds of callers. An interrupt
 * that gives at any distance from a take must not be lost between reading a count and writing it.
 */
#include "attacca/inline.h"
#include "irq.h"

static att_sem_t sem;
static att_mutex_t mutex;

TEST(counts, "giving and taking count, and end at the limit and at none")
{
    att_sem_init(&sem, 0, 3);
    CHECK_EQ(att_sem_take(&sem, ATT_NOWAIT), ATT_TIMEOUT);
    for (uint8_t i = 0; i < 3; i++) {
        CHECK_EQ(att_sem_give(&sem), ATT_OK);
    }
    CHECK_EQ(att_sem_give(&sem), ATT_FULL);
    for (uint8_t i = 0; i < 3; i++) {
        CHECK_EQ(att_sem_take(&sem, ATT_FOREVER), ATT_OK);
    }
    CHECK_EQ(att_sem_count(&sem), 0);
}

static void take(void *arg)
{
    (void)arg;
    CHECK_EQ(att_sem_take(&sem, ATT_FOREVER), ATT_OK);
    token('T');
}

TEST(hands_over, "a unit given while a thread waits is that thread's")
{
    att_sem_init(&sem, 0, 1);
    start(6, take, NULL);
    token('g');
    CHECK_EQ(att_sem_give(&sem), ATT_OK);
    token('G');
    CHECK_TOKENS("gTG");
    CHECK_EQ(att_sem_count(&sem), 0);
}

static volatile bool came;

static void give(void)
{
    CHECK_EQ(att_sem_give(&sem), ATT_OK);
    came = true;
}

TEST(interrupted, "a handler's unit is not lost, at whatever distance from a give and a take")
{
    irq_start();
    for (uint8_t ticks = 1; ticks < 40; ticks++) {
        att_sem_init(&sem, 1, 3);
        came = false;
        irq_tick(IRQ_KNOWN, give, ticks);
        CHECK_EQ(att_sem_take(&sem, ATT_FOREVER), ATT_OK);
        CHECK_EQ(att_sem_give(&sem), ATT_OK);
        CHECK_EQ(att_sem_take(&sem, ATT_FOREVER), ATT_OK);
        while (!came) {
            (void)att_now();
        }
        CHECK_EQ(att_sem_take(&sem, ATT_NOWAIT), ATT_OK); /* the handler's */
        CHECK_EQ(att_sem_count(&sem), 0);
    }
}

static void lock(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&mutex, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    CHECK(att_mutex_owner(&mutex) == att_thread_self());
    token('L');
    att_mutex_unlock(&mutex);
}

TEST(mutexes, "a mutex has one owner, is handed to its waiter, and lends its priority")
{
    att_mutex_init(&mutex, ATT_MUTEX_PLAIN);
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    CHECK(att_mutex_owner(&mutex) == att_thread_self());
    start(6, lock, NULL);
    CHECK_EQ(att_thread_priority(att_thread_self()), 6);
    token('u');
    att_mutex_unlock(&mutex);
    CHECK_TOKENS("uL");
    CHECK_EQ(att_thread_priority(att_thread_self()), TAP_PRIORITY);
    CHECK(att_mutex_owner(&mutex) == NULL);
}

TEST(kinds, "recursive ones count, and a ceiling raises")
{
    att_mutex_init(&mutex, ATT_MUTEX_RECURSIVE);
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    att_mutex_unlock(&mutex);
    CHECK(att_mutex_owner(&mutex) == att_thread_self());
    att_mutex_unlock(&mutex);
    CHECK(att_mutex_owner(&mutex) == NULL);
    att_mutex_init(&mutex, ATT_MUTEX_CEILING(6));
    CHECK_EQ(att_mutex_lock(&mutex, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_thread_priority(att_thread_self()), 6);
    att_mutex_unlock(&mutex);
    CHECK_EQ(att_thread_priority(att_thread_self()), TAP_PRIORITY);
}

TEST(under_lock, "a mutex locked where a switch is due is the caller's, not the more urgent thread's")
{
    att_sem_init(&sem, 0, 1);
    att_mutex_init(&mutex, ATT_MUTEX_PLAIN);
    start(6, take, NULL);
    const att_key_t key = att_lock();
    CHECK_EQ(att_sem_give(&sem), ATT_OK);
    CHECK_EQ(att_mutex_lock(&mutex, ATT_NOWAIT), ATT_OK);
    token('l');
    att_unlock(key);
    CHECK_TOKENS("lT");
    CHECK(att_mutex_owner(&mutex) == att_thread_self());
    att_mutex_unlock(&mutex);
}

TAP_SUITE("test_inline.c",
          CASE(counts) CASE(hands_over) CASE(interrupted) CASE(mutexes) CASE(kinds) CASE(under_lock))
