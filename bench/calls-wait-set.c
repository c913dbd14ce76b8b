/* Wait sets; n: threads that wait for the same objects. */
#include "calls.h"

static att_sem_t one, two;
static att_ref_t ref;
static att_waitable_t mine[] = {ATT_WAITABLE_SEM(&one), ATT_WAITABLE_SEM(&two), ATT_WAITABLE_REF(&ref)};
static const att_waitable_t both[] = {ATT_WAITABLE_SEM(&one), ATT_WAITABLE_SEM(&two)};
static att_waitable_t theirs[CALLS_N][2];
static uint8_t next, which;

static void give_one(void)
{
    (void)att_sem_give(&one);
}

static void give_two(void)
{
    (void)att_sem_give(&two);
}

static void reset(void)
{
    att_sem_reset(&two, 0);
}

static void wait_any(void *arg)
{
    att_waitable_t *own = theirs[next++ % CALLS_N];
    uint8_t came;
    own[0] = both[0];
    own[1] = both[1];
    if (arg == NULL) {
        (void)att_wait_any(own, 2, &came, ATT_FOREVER);
    } else {
        (void)att_wait_any(own, 2, &came, ATT_MS(20));
    }
}

static void resume(void *arg)
{
    (void)arg;
    (void)att_resume(&ref, 1);
}

static void alone(void)
{
    give_two();
    (void)att_wait_any(mine, 3, &which, ATT_NOWAIT);
    (void)att_wait_any(mine, 3, &which, ATT_NOWAIT);
    (void)att_wait_any(mine, 3, &which, ATT_MS(1));
    (void)att_wait_any_until(mine, 3, &which, att_now() + ATT_MS(1));
    (void)att_wait_any_until(mine, 3, &which, att_now() - 1);
    give_two();
    (void)att_wait_any(mine, 3, &which, ATT_FOREVER);
}

/* One that is not served yet: a waiter that was lowered is no longer the first. */
static void move(uint8_t index, att_prio_t prio)
{
    if (!att_thread_ended(calls_thread(index))) {
        att_thread_set_priority(calls_thread(index), prio);
    }
}

static void others_wait(att_prio_t prio, void *how)
{
    for (uint8_t way = 0; way < 5; way++) {
        calls_start(prio, wait_any, how);
        for (uint8_t i = 0; way < 4 && i < CALLS_N; i++) {
            if (way == 0) {
                give_two();
            } else if (way == 1) {
                calls_in_handler(give_two);
            } else if (way == 2) {
                move(i, CALLS_PRIORITY + 1);
                give_one();
            } else {
                move(i, CALLS_PRIORITY - 1);
                give_one();
                give_two();
            }
        }
        if (way == 4) {
            reset();
        }
        calls_join();
        att_sem_reset(&one, 0);
        att_sem_reset(&two, 0);
    }
}

void calls(void)
{
    att_sem_init(&one, 0, 9);
    att_sem_init(&two, 0, 9);
    alone();
    calls_start(CALLS_LESS, resume, NULL);
    CALLS_EACH_PRIORITY(prio)
    {
        others_wait(prio, NULL);
        others_wait(prio, &one);
    }
}
