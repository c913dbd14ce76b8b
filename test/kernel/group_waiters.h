/* The waiters of the tests of groups. */
#ifndef GROUP_WAITERS_H
#define GROUP_WAITERS_H

#include "irq.h"

static att_group_t group;
static bool quiet; /* no tokens: the order does not matter */

/* What each waiter wants, and what it got. */
static struct {
    att_mask_t wanted;
    uint8_t how;
    att_time_t timeout;
    att_mask_t came;
    att_status_t status;
} waiters[TAP_THREADS];

static void wait_entry(void *arg)
{
    const uint8_t k = (uint8_t)((uintptr_t)arg - 'A');
    waiters[k].status =
        waiters[k].timeout == ATT_FOREVER
            ? att_group_wait(&group, waiters[k].wanted, waiters[k].how, &waiters[k].came, ATT_FOREVER)
            : att_group_wait(&group, waiters[k].wanted, waiters[k].how, &waiters[k].came, waiters[k].timeout);
    if (!quiet) {
        token((char)(uintptr_t)arg);
    }
}

/* The k-th thread waits. */
static void wait_as(uint8_t k, att_prio_t prio, att_mask_t wanted, uint8_t how, att_time_t timeout)
{
    waiters[k].wanted = wanted;
    waiters[k].how = how;
    waiters[k].timeout = timeout;
    waiters[k].came = 0;
    waiters[k].status = 99;
    start(prio, wait_entry, ARG('A' + k));
    settle();
}

static void check_came(uint8_t k, att_mask_t want, uint16_t line)
{
    tap_check_equal(waiters[k].status, want != 0 ? ATT_OK : 99, line);
    tap_check_equal((uint32_t)waiters[k].came, (uint32_t)want, line);
}
#define CHECK_CAME(k, want) check_came((k), (want), __LINE__)

/* Release the threads that still wait. */
static void end(void)
{
    att_group_reset(&group);
    finish();
    CHECK(!target_alarm_armed());
    CHECK_EQ(att_group_get(&group), 0);
    quiet = false;
}

#endif
