/*
 * Calls from interrupt handlers: handlers that the kernel knows, plain ones, and nested ones. A switch that a
 * handler requests is made at its end or, under lock, at the unlock; it is never lost.
 */
#include "irq.h"

#define EACH_KIND(kind) for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++)

static void take_token(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
    token((char)(uintptr_t)arg);
}

static void give_a(void)
{
    token('i');
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    token('j');
}

TEST(give_urgent, "a handler gives to a more urgent thread: it runs at the handler's end")
{
    irq_start();
    EACH_KIND(kind)
    {
        start(6, take_token, ARG('B'));
        token('A');
        irq_raise(kind, give_a);
        token('C');
        finish();
        CHECK_EQ(att_k_check(), 0);
    }
    CHECK_TOKENS("AijBCAijBCAijBC");
}

TEST(give_less_urgent, "a handler gives to a less urgent or equal thread: the interrupted one continues")
{
    EACH_KIND(kind)
    {
        start(3, take_token, ARG('B'));
        settle();
        irq_raise(kind, give_a);
        token('C');
        finish();
        start(4, take_token, ARG('D'));
        att_yield();
        irq_raise(kind, give_a);
        token('E');
        att_yield();
        token('/');
    }
    CHECK_TOKENS("ijCBijED/ijCBijED/ijCBijED/");
}

TEST(give_to_count, "a handler gives to the count, takes and counts without waiting")
{
    EACH_KIND(kind)
    {
        irq_raise(kind, give_a);
        CHECK_EQ(att_sem_count(&sem_a), 1);
        CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_OK);
    }
    CHECK_TOKENS("ijijij");
}

static void no_wait_calls(void)
{
    CHECK_EQ(att_sem_take(&sem_b, ATT_NOWAIT), ATT_TIMEOUT);
    CHECK_EQ(att_sem_take_until(&sem_b, att_now()), ATT_TIMEOUT);
    CHECK_EQ(att_sem_give(&sem_b), ATT_OK);
    CHECK_EQ(att_sem_give(&sem_b), ATT_FULL);
    CHECK_EQ(att_sem_count(&sem_b), 1);
    CHECK_EQ(att_sem_take(&sem_b, ATT_NOWAIT), ATT_OK);
    CHECK_EQ(att_resume(&ref_a, 1), ATT_EMPTY);
    CHECK_EQ(att_join(started(0), ATT_NOWAIT), ATT_TIMEOUT);
    CHECK(!att_thread_ended(started(0)));
    CHECK_EQ(att_thread_priority(started(0)), 2);
    CHECK(att_thread_self() == att_thread_self());
    const att_time_t now = att_now();
    CHECK(!att_time_after(now, att_now()));
    CHECK(att_stamp() > 0);
    att_yield();
    CHECK_EQ(att_k_check(), 0);
    token('h');
}

TEST(without_waiting, "every call that does not wait works in a handler")
{
    start(2, take_token, ARG('t'));
    EACH_KIND(kind)
    {
        irq_raise(kind, no_wait_calls);
    }
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    finish();
    CHECK_TOKENS("hhht");
}

static att_thread_t *seen_self;

static void see_self(void)
{
    seen_self = att_thread_self();
}

TEST(self, "in a handler the running thread is the interrupted one; idle is one")
{
    EACH_KIND(kind)
    {
        irq_raise(kind, see_self);
        CHECK(seen_self == att_thread_self());
    }
    irq_later(IRQ_KNOWN, see_self);
    att_sleep(ATT_MS(2));
    CHECK(!IRQ_COMES_LATER || (seen_self != att_thread_self() && att_thread_priority(seen_self) == 0));
}

static void suspend_token(void *arg)
{
    CHECK_EQ(att_suspend(&ref_a, ATT_FOREVER), ATT_OK);
    CHECK_EQ(att_value(), 0x1234);
    token((char)(uintptr_t)arg);
}

static void resume_a(void)
{
    CHECK_EQ(att_resume(&ref_a, 0x1234), ATT_OK);
    CHECK_EQ(att_resume(&ref_a, 0x4321), ATT_EMPTY);
    token('i');
}

TEST(resume, "a handler resumes a thread, with a value")
{
    EACH_KIND(kind)
    {
        start(6, suspend_token, ARG('B'));
        irq_raise(kind, resume_a);
        token('C');
        start(2, suspend_token, ARG('E'));
        settle();
        irq_raise(kind, resume_a);
        token('D');
        finish();
    }
    CHECK_TOKENS("iBCiDEiBCiDEiBCiDE");
}

static void yield_i(void)
{
    att_yield();
    token('i');
}

TEST(yield, "a yield in a handler is made at its end, for the interrupted thread")
{
    EACH_KIND(kind)
    {
        start(4, run_token, ARG('B'));
        start(4, run_token, ARG('C'));
        start(3, run_token, ARG('E'));
        token('A');
        irq_raise(kind, yield_i);
        token('D');
        finish();
    }
    CHECK_TOKENS("AiBCDEAiBCDEAiBCDE");
}

static att_thread_t *interrupted;

static void lower(void)
{
    att_thread_set_priority(interrupted, 2);
    token('i');
}

static void raise_first(void)
{
    att_thread_set_priority(started(0), 5);
    token('i');
}

TEST(set_priority, "a handler lowers the interrupted thread, or raises another above it")
{
    interrupted = att_thread_self();
    EACH_KIND(kind)
    {
        start(3, run_token, ARG('B'));
        irq_raise(kind, lower);
        token('C');
        att_thread_set_priority(interrupted, 4);
        finish();
        start(3, run_token, ARG('D'));
        irq_raise(kind, raise_first);
        token('E');
        finish();
    }
    CHECK_TOKENS("iBCiDEiBCiDEiBCiDE");
}

static void start_two(void)
{
    start(5, run_token, ARG('B'));
    start(6, run_token, ARG('A'));
    start(3, run_token, ARG('D'));
    token('i');
}

TEST(start_threads, "a handler starts threads")
{
    EACH_KIND(kind)
    {
        irq_raise(kind, start_two);
        token('C');
        finish();
    }
    CHECK_TOKENS("iABCDiABCDiABCD");
}

static void two_units(void)
{
    att_key_t key = att_lock();
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_sem_give(&sem_a), ATT_OK);
    CHECK_EQ(att_resume(&ref_a, 0x1234), ATT_OK);
    att_unlock(key);
    token('i');
}

TEST(several, "several threads woken by one handler run by urgency")
{
    EACH_KIND(kind)
    {
        start(5, take_token, ARG('C'));
        start(6, take_token, ARG('B'));
        start(7, suspend_token, ARG('A'));
        irq_raise(kind, two_units);
        token('D');
        finish();
    }
    CHECK_TOKENS("iABCDiABCDiABCD");
}

TEST(under_lock, "an interrupt under lock waits for the unlock, and so does its switch")
{
    EACH_KIND(kind)
    {
        start(6, take_token, ARG('B'));
        const att_key_t key = att_lock();
        irq_raise(kind, give_a);
        token('A');
        att_unlock(key);
        token('C');
        finish();
    }
    CHECK_TOKENS("AijBCAijBCAijBC");
}

static void start_and_lower(void)
{
    start(6, run_token, ARG('B'));
    att_thread_set_priority(started(0), 1);
    token('i');
}

TEST(taken_back, "a switch that became pending and was withdrawn is not made")
{
    EACH_KIND(kind)
    {
        irq_raise(kind, start_and_lower);
        token('A');
        CHECK_EQ(att_k_check(), 0);
        finish();
    }
    CHECK_TOKENS("iABiABiAB");
}

static void canceled(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_CANCELED);
    token((char)(uintptr_t)arg);
}

static void canceled_in_time(void *arg)
{
    CHECK_EQ(att_sem_take(&sem_a, ATT_MS(100)), ATT_CANCELED);
    token((char)(uintptr_t)arg);
}

static void reset_a(void)
{
    att_sem_reset(&sem_a, 1);
    token('i');
}

TEST(reset, "a handler resets a semaphore: waiters with and without a timeout are canceled")
{
    EACH_KIND(kind)
    {
        start(5, canceled_in_time, ARG('B'));
        start(6, canceled, ARG('A'));
        start(3, canceled, ARG('D'));
        settle();
        irq_raise(kind, reset_a);
        token('C');
        CHECK_EQ(att_sem_take(&sem_a, ATT_NOWAIT), ATT_OK);
        finish();
    }
    CHECK_TOKENS("iABCDiABCDiABCD");
}

TEST(from_idle, "a handler wakes threads from idle, without a timer")
{
    for (irq_kind_t kind = IRQ_KNOWN; kind <= IRQ_FOREIGN; kind++) {
        irq_later(kind, give_a);
        CHECK_EQ(att_sem_take(&sem_a, ATT_FOREVER), ATT_OK);
        token('A');
    }
    CHECK_TOKENS("ijAijA");
}

static irq_kind_t inner;

static void outer_body(void)
{
    token('(');
    irq_raise(inner, give_a);
    token(')');
}

TEST(nested, "a handler within a handler: the switch comes at the end of the outer one")
{
    for (inner = IRQ_KNOWN; inner <= IRQ_FOREIGN; inner++) {
        start(6, take_token, ARG('B'));
        irq_raise(IRQ_NESTED, outer_body);
        token('C');
        finish();
    }
    CHECK_TOKENS("(ij)BC(ij)BC");
}

static void give_then_nest(void)
{
    CHECK_EQ(att_resume(&ref_a, 0x1234), ATT_OK);
    token('(');
    irq_raise(inner, give_a);
    token(')');
}

TEST(nested_both, "both handlers wake a thread: the more urgent runs first")
{
    for (inner = IRQ_KNOWN; inner <= IRQ_FOREIGN; inner++) {
        start(6, take_token, ARG('A'));
        start(5, suspend_token, ARG('B'));
        irq_raise(IRQ_NESTED, give_then_nest);
        token('C');
        finish();
    }
    CHECK_TOKENS("(ij)ABC(ij)ABC");
}

TEST(before_a_timed_wait, "a handler wakes a more urgent thread when a wait with a timeout begins: it runs first")
{
    static att_sem_t empty;
    for (uint8_t round = 0; round < 4; round++) {
        const uint8_t step = (uint8_t)(25 + (round & 1)); /* on the host at the call's first points */
        (void)step;
        start(6, take_token, ARG('B'));
        irq_tick(round < 2 ? IRQ_FOREIGN : IRQ_KNOWN, give_a, (uint8_t)TARGET_TICKS(step));
        CHECK_EQ(att_sem_take(&empty, ATT_MS(2)), ATT_TIMEOUT);
        token('C');
        finish();
    }
    CHECK_TOKENS("ijBCijBCijBCijBC");
}

TAP_SUITE("test_isr.c",
          CASE(give_urgent) CASE(give_less_urgent) CASE(give_to_count) CASE(without_waiting) CASE(self)
              CASE(resume) CASE(yield) CASE(set_priority) CASE(start_threads) CASE(several) CASE(under_lock)
                  CASE(taken_back) CASE(reset) CASE(from_idle) CASE(nested) CASE(nested_both)
                      CASE(before_a_timed_wait))
