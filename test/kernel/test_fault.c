/*
 * The faults of threads, semaphores, references and timers, of the stack and of the kernel's own state.
 */
#include "provoke.h"

static att_sem_t sem;
static att_ref_t ref;

/* A thread of the test's own, with room below it for a stack pointer that leaves its stack. */
static struct {
    att_port_stack_t below[ATT_STACK_COUNT(TARGET_OVERFLOW + TARGET_STACK)];
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_STACK)];
} other;
#define OTHER_SIZE (sizeof(other) - offsetof(__typeof__(other), thread))

static void start_other(att_prio_t prio, att_entry_t entry)
{
    (void)att_thread_start(&other.thread, OTHER_SIZE, prio, entry, NULL);
}

static void suspend_entry(void *arg)
{
    (void)arg;
    (void)att_suspend(&ref, ATT_FOREVER);
}

static void spoil_pattern(void *arg)
{
    (void)arg;
    *(volatile uint8_t *)&other.stack[0] = 1;
    att_sleep(ATT_MS(2));
}

static void leave_stack(void *arg)
{
    volatile uint8_t big[ATT_STACK_MIN + TARGET_STACK + TARGET_OVERFLOW];
    (void)arg;
    __asm__ __volatile__("" ::"r"(big)); /* it is there, but not written */
    att_sleep(ATT_MS(2));
    __asm__ __volatile__("" ::"r"(big));
}

CASE_OF(overflow_pattern, ATT_FAULT_STACK_OVERFLOW, "STACK_OVERFLOW: the lowest word was written",
        { start_other(5, spoil_pattern); })
CASE_OF(overflow_pointer, ATT_FAULT_STACK_OVERFLOW, "STACK_OVERFLOW: the stack pointer is below",
        { start_other(5, leave_stack); })

static void wake_main(void)
{
    (void)att_resume(&ref, 0);
}

static void spoil_and_spin(void *arg)
{
    (void)arg;
    *(volatile uint8_t *)&other.stack[0] = 0xFF; /* more than the pattern, where the other is less */
    irq_later(IRQ_KNOWN, wake_main);
    for (;;) {
        (void)att_now();
    }
}

CASE_OF(overflow_preempted, ATT_FAULT_STACK_OVERFLOW, "STACK_OVERFLOW: found when a handler's switch leaves",
        {
            start_other(3, spoil_and_spin);
            (void)att_suspend(&ref, ATT_FOREVER);
        })

static void take_forever(void)
{
    (void)att_sem_take(&sem, ATT_FOREVER);
}
static void take_timed(void)
{
    (void)att_sem_take(&sem, 5);
}
static void take_until(void)
{
    (void)att_sem_take_until(&sem, att_now() + ATT_MS(2));
}
static void suspend_forever(void)
{
    (void)att_suspend(&ref, ATT_FOREVER);
}
static void suspend_timed(void)
{
    (void)att_suspend(&ref, 5);
}
static void suspend_until(void)
{
    (void)att_suspend_until(&ref, att_now() + ATT_MS(2));
}
static void sleep_some(void)
{
    att_sleep(5);
}
static void sleep_until(void)
{
    att_sleep_until(att_now() + ATT_MS(2));
}
static void join_forever(void)
{
    (void)att_join(&other.thread, ATT_FOREVER);
}
static void join_timed(void)
{
    (void)att_join(&other.thread, 5);
}
static void join_until(void)
{
    (void)att_join_until(&other.thread, att_now() + ATT_MS(2));
}
static void suspend_unlock_locked(void)
{
    const att_key_t outer = att_lock();
    (void)att_suspend_unlock(&ref, att_lock());
    att_unlock(outer);
}

static void start_waiting(void)
{
    start_other(5, suspend_entry);
}

CASES_OF_WAIT(take_forever, provoke_as_it_is)
CASES_OF_WAIT(take_timed, provoke_as_it_is)
CASES_OF_WAIT(take_until, provoke_as_it_is)
CASES_OF_WAIT(suspend_forever, provoke_as_it_is)
CASES_OF_WAIT(suspend_timed, provoke_as_it_is)
CASES_OF_WAIT(suspend_until, provoke_as_it_is)
CASES_OF_WAIT(sleep_some, provoke_as_it_is)
CASES_OF_WAIT(sleep_until, provoke_as_it_is)
CASES_OF_WAIT(att_exit, provoke_as_it_is)
CASES_OF_WAIT(join_forever, start_waiting)
CASES_OF_WAIT(join_timed, start_waiting)
CASES_OF_WAIT(join_until, start_waiting)
static void wake_and_take(void)
{
    (void)att_resume(&ref, 0);
    (void)att_sem_take(&sem, ATT_FOREVER);
}
CASE_OF(due_in_handler, ATT_FAULT_BLOCK_IN_HANDLER, "BLOCK_IN_HANDLER: after a call that made a switch due", {
    start_other(5, suspend_entry);
    irq_raise(IRQ_NESTED, wake_and_take);
})
CASE_OF(nested_handler, ATT_FAULT_BLOCK_IN_HANDLER, "BLOCK_IN_HANDLER: a nested handler",
        { irq_raise(IRQ_NESTED, take_timed); })
CASE_OF(door_locked, ATT_FAULT_BLOCK_LOCKED, "BLOCK_LOCKED: att_suspend_unlock under two locks",
        { suspend_unlock_locked(); })

CASE_OF(before_start, ATT_FAULT_BLOCK_IN_IDLE, "BLOCK_IN_IDLE: before att_start", { take_forever(); })

CASE_OF(null_take, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: take, null", { (void)att_sem_take(NULL, ATT_FOREVER); })
CASE_OF(null_take_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: take with a timeout, null",
        { (void)att_sem_take(NULL, 5); })
CASE_OF(null_take_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: take until, null",
        { (void)att_sem_take_until(NULL, 5); })
CASE_OF(null_give, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: give, null", { (void)att_sem_give(NULL); })
CASE_OF(null_reset, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: reset, null", { att_sem_reset(NULL, 0); })
CASE_OF(null_count, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: count, null", { (void)att_sem_count(NULL); })
CASE_OF(null_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: init, null", { att_sem_init(NULL, 0, 1); })
CASE_OF(wrong_tag, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: not a semaphore", {
    sem.tag = 0x33;
    (void)att_sem_give(&sem);
})
CASE_OF(null_suspend, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: suspend, null",
        { (void)att_suspend(NULL, ATT_FOREVER); })
CASE_OF(null_resume, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: resume, null", { (void)att_resume(NULL, 0); })
CASE_OF(null_priority, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: set_priority, null",
        { att_thread_set_priority(NULL, 3); })
CASE_OF(null_timer, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a timer, null", { att_timer_start(NULL, 5, 0); })
CASE_OF(null_timer_stop, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: timer stop, null", { att_timer_stop(NULL); })
CASE_OF(null_timer_skipped, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: what a timer skipped, null",
        { (void)att_timer_skipped(NULL); })

static att_timer_t no_callback;
CASE_OF(timer_no_callback, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a timer without a callback",
        { att_timer_start(&no_callback, 5, 0); })

CASE_OF(priority_0, ATT_FAULT_BAD_PRIORITY, "BAD_PRIORITY: start with 0", { start_other(0, suspend_entry); })
CASE_OF(priority_high, ATT_FAULT_BAD_PRIORITY, "BAD_PRIORITY: start with one too many",
        { start_other(ATT_PRIORITY_MAX + 1, suspend_entry); })
CASE_OF(change_0, ATT_FAULT_BAD_PRIORITY, "BAD_PRIORITY: set to 0",
        { att_thread_set_priority(att_thread_self(), 0); })
CASE_OF(change_high, ATT_FAULT_BAD_PRIORITY, "BAD_PRIORITY: set to one too many",
        { att_thread_set_priority(att_thread_self(), ATT_PRIORITY_MAX + 1); })

static void wake_none(void *arg)
{
    (void)arg;
    (void)att_resume(&ref, 0);
}
static void start_in_its_place(void *arg)
{
    (void)arg;
    start_other(6, wake_none);
}
CASE_OF(stack_small, ATT_FAULT_BAD_STACK, "BAD_STACK: too small", {
    (void)att_thread_start(&other.thread, sizeof(att_thread_t) + ATT_STACK_MIN - 1, 3, suspend_entry, NULL);
})
CASE_OF(stack_of_waiter, ATT_FAULT_BAD_STACK, "BAD_STACK: of a thread that waits", {
    start_other(5, suspend_entry);
    start_other(3, suspend_entry);
})
CASE_OF(stack_of_ready, ATT_FAULT_BAD_STACK, "BAD_STACK: of a thread that is ready", {
    start_other(3, suspend_entry);
    start_other(3, suspend_entry);
})
static void sleep_long(void *arg)
{
    (void)arg;
    att_sleep(ATT_MS(200));
}
CASE_OF(stack_of_sleeper, ATT_FAULT_BAD_STACK,
        "BAD_STACK: of a thread that sleeps, though one ended there before", {
            start_other(5, wake_none);
            start_other(5, sleep_long);
            start_other(5, sleep_long);
        })
CASE_OF(stack_of_caller, ATT_FAULT_BAD_STACK, "BAD_STACK: the caller's own",
        { start_other(5, start_in_its_place); })
CASE_OF(stack_null, ATT_FAULT_BAD_STACK, "BAD_STACK: no memory",
        { (void)att_thread_start(NULL, OTHER_SIZE, 3, suspend_entry, NULL); })

CASE_OF(timeout_take, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: take",
        { (void)att_sem_take(&sem, ATT_TIMEOUT_MAX + 1); })
CASE_OF(timeout_sleep, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: sleep", { att_sleep(ATT_FOREVER - 1); })
static void never(void *arg)
{
    (void)arg;
}
static att_timer_t timer = ATT_TIMER_INIT(never, NULL);
CASE_OF(timeout_timer, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: a timer's delay of 0",
        { att_timer_start(&timer, 0, 5); })
CASE_OF(timeout_period, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: a timer's period",
        { att_timer_start(&timer, 5, ATT_TIMEOUT_MAX + 1); })
CASE_OF(timeout_delay, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: a timer's delay",
        { att_timer_start(&timer, ATT_FOREVER, 0); })

CASE_OF(limit_0, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: 0", { att_sem_init(&sem, 0, 0); })
CASE_OF(limit_count, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: the count is above it", { att_sem_init(&sem, 3, 2); })
CASE_OF(limit_reset, ATT_FAULT_BAD_LIMIT, "BAD_LIMIT: reset above it", { att_sem_reset(&sem, 2); })

CASE_OF(join_self, ATT_FAULT_BAD_THREAD, "BAD_THREAD: joining oneself",
        { (void)att_join(att_thread_self(), ATT_FOREVER); })
CASE_OF(join_unborn, ATT_FAULT_BAD_THREAD, "BAD_THREAD: joining one that never started",
        { (void)att_join(&other.thread, ATT_FOREVER); })
CASE_OF(priority_unborn, ATT_FAULT_BAD_THREAD, "BAD_THREAD: the priority of one that never started",
        { att_thread_set_priority(&other.thread, 3); })
CASE_OF(priority_ended, ATT_FAULT_BAD_THREAD, "BAD_THREAD: the priority of one that has ended", {
    start_other(5, never);
    att_thread_set_priority(&other.thread, 3);
})
static att_thread_t *idle;
static void see_idle(void)
{
    idle = att_thread_self();
}
CASE_OF(priority_idle, ATT_FAULT_BAD_THREAD, "BAD_THREAD: idle's priority", {
    irq_later(IRQ_KNOWN, see_idle);
    att_sleep(ATT_MS(1));
    att_thread_set_priority(idle, 3);
})

#define BUSY(call)                                                                                           \
    CASE_OF(call##_busy, ATT_FAULT_REF_BUSY, "REF_BUSY: " #call, {                                           \
        start_waiting();                                                                                     \
        call();                                                                                              \
    })
static void suspend_door(void)
{
    (void)att_suspend_unlock(&ref, att_lock());
}
BUSY(suspend_forever)
BUSY(suspend_timed)
BUSY(suspend_until)
BUSY(suspend_door)

CASE_OF(start_twice, ATT_FAULT_STARTED, "STARTED: att_start by a thread", { att_start(); })

#if ATT_CFG_CHECK >= 2
static att_timer_t later = ATT_TIMER_INIT(never, NULL);
CASE_OF(invariant, ATT_FAULT_INVARIANT, "INVARIANT: an alarm's time was overwritten", {
    att_timer_start(&timer, ATT_MS(100), 0);
    att_timer_start(&later, ATT_MS(200), 0);
    timer.alarm.when = later.alarm.when + 1;
    att_sleep(ATT_MS(2));
})
#define INVARIANT ENTRY(invariant)
#else
#define INVARIANT
#endif

#define STACKS                                                                                               \
    ENTRY(overflow_pattern)                                                                                  \
    ENTRY(overflow_pointer)                                                                                  \
    ENTRY(overflow_preempted)                                                                                \
    ENTRY(stack_small)                                                                                       \
    ENTRY(stack_of_waiter)                                                                                   \
    ENTRY(stack_of_ready) ENTRY(stack_of_sleeper) ENTRY(stack_of_caller) ENTRY(stack_null)
#define WAITS                                                                                                \
    ENTRIES_OF_WAIT(take_forever)                                                                            \
    ENTRIES_OF_WAIT(take_timed)                                                                              \
    ENTRIES_OF_WAIT(take_until)                                                                              \
    ENTRIES_OF_WAIT(suspend_forever)                                                                         \
    ENTRIES_OF_WAIT(suspend_timed)                                                                           \
    ENTRIES_OF_WAIT(suspend_until)                                                                           \
    ENTRIES_OF_WAIT(sleep_some)                                                                              \
    ENTRIES_OF_WAIT(sleep_until)                                                                             \
    ENTRIES_OF_WAIT(att_exit)                                                                                \
    ENTRIES_OF_WAIT(join_forever)                                                                            \
    ENTRIES_OF_WAIT(join_timed)                                                                              \
    ENTRIES_OF_WAIT(join_until)                                                                              \
    ENTRY(due_in_handler)                                                                                    \
    ENTRY(nested_handler)                                                                                    \
    ENTRY(door_locked)                                                                                       \
    ENTRY_EARLY(before_start)                                                                                \
    ENTRY(suspend_forever_busy) ENTRY(suspend_timed_busy) ENTRY(suspend_until_busy) ENTRY(suspend_door_busy)
#define OBJECTS                                                                                              \
    ENTRY(null_take)                                                                                         \
    ENTRY(null_take_timed)                                                                                   \
    ENTRY(null_take_until)                                                                                   \
    ENTRY(null_give)                                                                                         \
    ENTRY(null_reset)                                                                                        \
    ENTRY(null_count)                                                                                        \
    ENTRY(null_init)                                                                                         \
    ENTRY(wrong_tag)                                                                                         \
    ENTRY(null_suspend)                                                                                      \
    ENTRY(null_resume)                                                                                       \
    ENTRY(null_priority)                                                                                     \
    ENTRY(null_timer) ENTRY(null_timer_stop) ENTRY(null_timer_skipped) ENTRY(timer_no_callback)
#define VALUES                                                                                               \
    ENTRY(timeout_take)                                                                                      \
    ENTRY(timeout_sleep)                                                                                     \
    ENTRY(timeout_timer)                                                                                     \
    ENTRY(timeout_period) ENTRY(timeout_delay) ENTRY(limit_0) ENTRY(limit_count) ENTRY(limit_reset)
#define THREADS                                                                                              \
    ENTRY(priority_0)                                                                                        \
    ENTRY(priority_high)                                                                                     \
    ENTRY(change_0)                                                                                          \
    ENTRY(change_high)                                                                                       \
    ENTRY(join_self)                                                                                         \
    ENTRY(join_unborn)                                                                                       \
    ENTRY(priority_unborn) ENTRY(priority_ended) ENTRY(priority_idle) ENTRY(start_twice) INVARIANT
PROVOKE_SUITE(STACKS WAITS OBJECTS VALUES THREADS)
