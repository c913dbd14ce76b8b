/*
 * The order of threads when a call changes nothing: a priority is lent or set that equals the one before; a
 * thread leaves a list; a reset, a lock and a suspend-and-unlock while interrupts are masked.
 */
#include "irq.h"

static att_mutex_t plain;
static att_mutex_t at_own = ATT_MUTEX_INIT(ATT_MUTEX_CEILING(TAP_PRIORITY));
static att_mutex_t at_six = ATT_MUTEX_INIT(ATT_MUTEX_CEILING(6));

static att_prio_t prio(void)
{
    return att_thread_priority(att_thread_self());
}

static void lock_plain(void *arg)
{
    CHECK_EQ(att_mutex_lock(&plain, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&plain);
}

TEST(unlock_keeps_turn, "a thread that unlocks a mutex for an equal keeps its turn")
{
    CHECK_EQ(att_mutex_lock(&plain, ATT_FOREVER), ATT_OK);
    start(TAP_PRIORITY, lock_plain, ARG('w'));
    start(TAP_PRIORITY, run_token, ARG('e'));
    att_yield();
    token('c');
    att_mutex_unlock(&plain);
    token('d');
    finish();
    CHECK_TOKENS("ecdw");
}

TEST(ceiling_at_own, "a ceiling equal to the caller's priority takes no turn from it")
{
    start(TAP_PRIORITY, run_token, ARG('e'));
    CHECK_EQ(att_mutex_lock(&at_own, ATT_FOREVER), ATT_OK);
    token('c');
    att_mutex_unlock(&at_own);
    token('d');
    finish();
    CHECK_TOKENS("cde");
}

TEST(ceiling_below_loan, "a ceiling below a thread's inherited priority changes nothing")
{
    CHECK_EQ(att_mutex_lock(&plain, ATT_FOREVER), ATT_OK);
    start(7, lock_plain, ARG('w'));
    CHECK_EQ(prio(), 7);
    CHECK_EQ(att_mutex_lock(&at_six, ATT_FOREVER), ATT_OK);
    CHECK_EQ(prio(), 7);
    att_mutex_unlock(&at_six);
    CHECK_EQ(prio(), 7);
    att_mutex_unlock(&plain);
    CHECK_EQ(prio(), TAP_PRIORITY);
    CHECK_TOKENS("w");
}

static void lock_at_six(void *arg)
{
    CHECK_EQ(att_mutex_lock(&at_six, ATT_FOREVER), ATT_OK);
    CHECK_EQ(prio(), 6);
    att_thread_set_priority(att_thread_self(), 2);
    CHECK_EQ(prio(), 6);
    token((char)(uintptr_t)arg);
    att_mutex_unlock(&at_six);
    CHECK_EQ(prio(), 2);
}

TEST(ceiling_lasts,
     "a thread that was handed a ceiling mutex has the ceiling until it unlocks, whatever is set meanwhile")
{
    CHECK_EQ(att_mutex_lock(&at_six, ATT_FOREVER), ATT_OK);
    start(3, lock_at_six, ARG('w'));
    att_sleep(2);
    att_mutex_unlock(&at_six);
    finish();
    CHECK_TOKENS("w");
}

TEST(out_of_order,
     "whichever thread leaves a ready list, wherever it is in memory, the others keep their order")
{
    for (uint8_t which = 1; which <= 3; which++) {
        start(3, run_token, ARG('c')); /* into the chain */
        start(3, run_token, ARG('1'));
        start(3, run_token, ARG('2'));
        start(3, run_token, ARG('3'));
        att_thread_set_priority(started(1), 2);
        att_thread_set_priority(started(1), 3); /* 2, 3, 1 */
        att_thread_set_priority(started(which), 2);
        CHECK_EQ(att_k_check(), 0);
        finish();
    }
    CHECK_TOKENS("c231c312c213");
}

static att_thread_t *controller;

static void deepest(void *arg)
{
    att_thread_set_priority(controller, 3);
    CHECK_EQ(att_k_check(), 0);
    token((char)(uintptr_t)arg);
}

static void deeper(void *arg)
{
    start(7, deepest, ARG('a'));
    token((char)(uintptr_t)arg);
}

static void deep(void *arg)
{
    start(6, deeper, ARG('b'));
    token((char)(uintptr_t)arg);
}

TEST(deep_in_the_chain, "a thread in the middle of a chain of preempted threads is lowered")
{
    controller = att_thread_self();
    start(3, run_token, ARG('e'));
    start(5, deep, ARG('c'));
    token('d');
    att_thread_set_priority(controller, TAP_PRIORITY);
    finish();
    CHECK_TOKENS("abced");
}

static att_mutex_t again = ATT_MUTEX_INIT(ATT_MUTEX_RECURSIVE);

static void hold(void *arg)
{
    (void)arg;
    CHECK_EQ(att_mutex_lock(&again, ATT_FOREVER), ATT_OK);
    att_sleep(ATT_MS(4));
    att_mutex_unlock(&again);
}

static void try_in_vain(void *arg)
{
    (void)arg;
    att_sleep(ATT_MS(2));
    CHECK_EQ(att_mutex_lock(&again, ATT_NOWAIT), ATT_TIMEOUT);
}

TEST(owner_only, "only the owner of a recursive mutex can lock it again")
{
    start(5, hold, NULL);
    start(5, try_in_vain, NULL);
    finish();
    start(5, try_in_vain, NULL);
    start(5, hold, NULL);
    finish();
    CHECK(att_mutex_owner(&again) == NULL);
}

static void canceled(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_CANCELED);
    token((char)(uintptr_t)arg);
}

static void handler(void)
{
    token('h');
}

TEST(reset_under_lock, "no handler runs during a reset under lock")
{
    irq_start();
    for (irq_kind_t kind = IRQ_KNOWN; kind <= IRQ_FOREIGN; kind++) {
        start(3, canceled, ARG('a'));
        start(3, canceled, ARG('b'));
        settle();
        const att_key_t key = att_lock();
        irq_raise(kind, handler);
        att_sem_reset(&sem_a, 0);
        token('.');
        att_unlock(key);
        finish();
    }
    CHECK_TOKENS(".hab.hab");
}

static void through_the_door(void *arg)
{
    CHECK_EQ(att_suspend(&ref_b, 1), ATT_TIMEOUT);
    const att_key_t key = att_lock();
    CHECK_EQ(att_suspend_unlock(&ref_a, key), ATT_OK);
    token((char)(uintptr_t)arg);
}

TEST(behind_the_door,
     "a thread in att_suspend_unlock waits as others do, and does not get an earlier outcome")
{
    start(5, through_the_door, ARG('w'));
    att_sleep(5);
    CHECK_EQ(att_thread_state(started(0)), ATT_STATE_WAITING);
    att_thread_set_priority(started(0), 3);
    CHECK_EQ(att_thread_state(started(0)), ATT_STATE_WAITING);
    token('a');
    CHECK_EQ(att_resume(&ref_a, 0), ATT_OK);
    token('b');
    finish();
    CHECK_TOKENS("abw");
}

TAP_SUITE("test_turns.c", CASE(unlock_keeps_turn) CASE(ceiling_at_own) CASE(ceiling_below_loan)
                              CASE(ceiling_lasts) CASE(out_of_order) CASE(deep_in_the_chain) CASE(owner_only)
                                  CASE(reset_under_lock) CASE(behind_the_door))
