/* What the tests of mutexes share. */
#ifndef TEST_MUTEX_H
#define TEST_MUTEX_H

#include "irq.h"

#include "attacca/port_api.h"

static att_mutex_t m1, m2;

/* What a thread of a test does: it takes its steps as it gets turns, the controller (4) last. */
static inline void lock_token(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m1, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&m1);
}

static inline att_prio_t prio(void)
{
    return att_thread_priority(att_thread_self());
}

static inline void lock_for_a_time(void *arg)
{
    CHECK_EQ(att_mutex_lock(&m1, (att_time_t)(uintptr_t)arg), ATT_TIMEOUT);
    token('t');
}

static inline void wait_token(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

#endif
