/*
 * Threads. The application's are declared with ATT_THREAD and named in one table, ATT_SYSTEM; others start at
 * run time in memory that the caller owns. The thread itself lies at the low end of its memory and its stack
 * above it, growing down towards it; nothing else is kept anywhere for a thread.
 */
#ifndef ATTACCA_THREAD_H
#define ATTACCA_THREAD_H

#include "attacca/base.h"
#include "attacca/statistics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*att_entry_t)(void *arg);

/* Opaque to applications; here so that the compiler knows its size. Member order: port/avr/README.md. Its
 * end, where the stack begins, is aligned as that. */
struct __attribute__((aligned(sizeof(att_port_stack_t)))) att_thread {
    att_wait_t wait;        /* first: a thread is the node by which it waits */
    att_prio_t prio;        /* current priority: the base priority, or an inherited one */
    att_thread_t *next;     /* the thread it preempted, or the next ready one; NULL exactly while it waits */
    att_waitq_t *queue;     /* the queue in which it waits; NULL: only for time */
    uintptr_t value;        /* the argument of its wait, then the result */
    att_port_flag_t result; /* outcome of its wait, until it runs again; else ATT_OK */
    att_prio_t base;        /* base priority */
#if ATT_CFG_CHECK >= 1
    uint16_t tag;
    uint8_t owns;  /* mutexes, and reader-writer locks that it writes; this and the next modulo 256 */
    uint8_t reads; /* reader-writer locks */
    bool limited;  /* it waits for a mutex with a timeout */
#endif
#if ATT_CFG_STATISTICS
    att_account_t account;
#endif
};

/* A thread's entry in the table, in ROM. */
typedef struct {
    att_thread_t *thread;
    att_entry_t entry;
    void *arg;
    uint16_t extent; /* of thread and stack together, in stack elements */
    att_prio_t prio;
} att_thread_def_t;

/* The stack that the kernel itself needs: a saved context, and an interrupt's frame on top (port README). */
#define ATT_STACK_MIN ATT_PORT_STACK_MIN

/* Of thread and stack together. */
#define ATT_K_EXTENT(size) ((size) / sizeof(att_port_stack_t))
#define ATT_K_STATIC_EXTENT(size)                                                                            \
    ATT_K_RANGE(ATT_K_EXTENT(size), ATT_K_EXTENT(sizeof(att_thread_t) + ATT_STACK_MIN), 65535)
#define ATT_K_PRIORITY(priority) ATT_K_RANGE(priority, 1, ATT_PRIORITY_MAX)

/* Number of stack elements for `bytes` of stack, rounded up to the port's alignment. */
#define ATT_STACK_COUNT(bytes) (((bytes) + sizeof(att_port_stack_t) - 1) / sizeof(att_port_stack_t))

/*
 * Define a thread: `name.thread` is the att_thread_t. `stack` is in bytes, ATT_STACK_MIN and the thread's own
 * need together, at most 65,535 stack elements with the att_thread_t. Less, more, and a priority that is not
 * 1 to ATT_PRIORITY_MAX do not compile. It starts when the application's table names it.
 */
#define ATT_THREAD(name, priority, stackbytes, function, argument)                                           \
    static struct {                                                                                          \
        att_thread_t thread;                                                                                 \
        att_port_stack_t stack[ATT_STACK_COUNT(stackbytes)];                                                 \
    } name;                                                                                                  \
    static const att_thread_def_t name##_def ATT_PORT_ROM = {                                                \
        &name.thread, (function), (argument), ATT_K_STATIC_EXTENT(sizeof(name)), ATT_K_PRIORITY(priority)}

/* The table of the application's threads, started by att_start in this order (the most urgent runs first all
 * the same): ATT_SYSTEM(blink, button); up to 16 names, none for an application that starts all at run time.
 */
#define ATT_SYSTEM(...)                                                                                      \
    ATT_PORT_EXTERN_C const att_thread_def_t *const att_system[] ATT_PORT_ROM = {ATT_K_DEFS(__VA_ARGS__) NULL}
extern const att_thread_def_t *const att_system[];

#define ATT_K_DEFS(...)                                                                                      \
    ATT_K_PICK(_, ##__VA_ARGS__, ATT_K_D16, ATT_K_D15, ATT_K_D14, ATT_K_D13, ATT_K_D12, ATT_K_D11,           \
               ATT_K_D10, ATT_K_D9, ATT_K_D8, ATT_K_D7, ATT_K_D6, ATT_K_D5, ATT_K_D4, ATT_K_D3, ATT_K_D2,    \
               ATT_K_D1, ATT_K_D0, _)                                                                        \
    (__VA_ARGS__)
#define ATT_K_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, x, ...) x
#define ATT_K_D0()
#define ATT_K_D1(a) &a##_def,
#define ATT_K_D2(a, ...) &a##_def, ATT_K_D1(__VA_ARGS__)
#define ATT_K_D3(a, ...) &a##_def, ATT_K_D2(__VA_ARGS__)
#define ATT_K_D4(a, ...) &a##_def, ATT_K_D3(__VA_ARGS__)
#define ATT_K_D5(a, ...) &a##_def, ATT_K_D4(__VA_ARGS__)
#define ATT_K_D6(a, ...) &a##_def, ATT_K_D5(__VA_ARGS__)
#define ATT_K_D7(a, ...) &a##_def, ATT_K_D6(__VA_ARGS__)
#define ATT_K_D8(a, ...) &a##_def, ATT_K_D7(__VA_ARGS__)
#define ATT_K_D9(a, ...) &a##_def, ATT_K_D8(__VA_ARGS__)
#define ATT_K_D10(a, ...) &a##_def, ATT_K_D9(__VA_ARGS__)
#define ATT_K_D11(a, ...) &a##_def, ATT_K_D10(__VA_ARGS__)
#define ATT_K_D12(a, ...) &a##_def, ATT_K_D11(__VA_ARGS__)
#define ATT_K_D13(a, ...) &a##_def, ATT_K_D12(__VA_ARGS__)
#define ATT_K_D14(a, ...) &a##_def, ATT_K_D13(__VA_ARGS__)
#define ATT_K_D15(a, ...) &a##_def, ATT_K_D14(__VA_ARGS__)
#define ATT_K_D16(a, ...) &a##_def, ATT_K_D15(__VA_ARGS__)

/*
 * Start the kernel: the threads of the table run, and the caller, usually main(), becomes idle on the stack
 * it has. Context: main, once, interrupts in any state. Never returns. Faults: STARTED, BAD_PRIORITY,
 * BAD_STACK.
 */
ATT_PORT_NORETURN void att_start(void);

/*
 * Start a thread in the caller's memory: `size` bytes at `memory` (aligned as att_port_stack_t), thread and
 * stack together: sizeof(att_thread_t) + the stack. The memory belongs to the kernel until the thread has
 * ended: starting another one there is fault BAD_STACK, if both begin at the same place; elsewhere in the
 * memory of a living thread it is not found. What start-up code does not clear must not hold a thread of an
 * earlier run. Context: any, after att_start. May switch. Returns the thread. Faults: BAD_PRIORITY,
 * BAD_STACK. Cost: constant, and the stack's fill with ATT_CFG_STACK_FILL.
 */
att_thread_t *att_thread_start(void *memory, size_t size, att_prio_t prio, att_entry_t entry, void *arg);

/* The thread that runs, or that this handler interrupted; idle is one. A handler that comes in the middle of
 * a switch may get the thread that is switched to. Context: any. Cost: constant. */
att_thread_t *att_thread_self(void);

/* Let the next ready thread of the same priority run. In a handler or a critical section: at its end, and not
 * at all if a more urgent thread is ready then. Context: any. May switch. Cost: constant. */
void att_yield(void);

/* End the calling thread, as returning from its entry does; its memory is the caller's again once a thread
 * that joined it has gone on, or once another thread of any priority has run. Context: an unlocked thread.
 * Never returns. Cost: a + b·n for n threads that wait in att_join. */
ATT_PORT_NORETURN void att_exit(void);

/*
 * Wait until a thread has ended; any number of threads may.
 * Context: an unlocked thread; any with ATT_NOWAIT. May switch. Returns ATT_OK or ATT_TIMEOUT.
 * Faults: BAD_THREAD (itself). Cost: as att_sem_take.
 */
att_status_t att_join(att_thread_t *thread, att_time_t timeout);
att_status_t att_join_forever(att_thread_t *thread);
#define att_join(thread, timeout)                                                                            \
    (ATT_K_FOREVER(timeout) ? att_join_forever(thread) : (att_join)((thread), (timeout)))
att_status_t att_join_until(att_thread_t *thread, att_time_t deadline);

/* Has it ended? Context: any. Cost: constant. */
bool att_thread_ended(const att_thread_t *thread);

/* The current priority, inheritance included; the base priority; and change the base priority: a ready thread
 * then comes after the other ready threads of its new priority, a waiting one after the waiters of that
 * priority. While it inherits a higher priority, its place does not change. Context: any. May switch. Faults:
 * BAD_PRIORITY, BAD_THREAD. Cost: constant, at most a step for each priority; with mutexes as locking one,
 * interrupts enabled at each step unless the caller masked them. */
att_prio_t att_thread_priority(const att_thread_t *thread);
att_prio_t att_thread_base_priority(const att_thread_t *thread);
void att_thread_set_priority(att_thread_t *thread, att_prio_t prio);

/*
 * Suspend and resume by reference: the cheapest way to wait for another thread or for a handler. A reference
 * holds one waiting thread, or none. A resume before the suspend is lost: test the condition under att_lock
 * and wait with att_suspend_unlock, or use a semaphore.
 */
typedef struct {
    att_waitq_t wait;
} att_ref_t;

/* Wait in a reference. Context: an unlocked thread. Switches. Returns ATT_OK (resumed: att_value() has the
 * value) or ATT_TIMEOUT. Faults: REF_BUSY. Cost: constant; a timeout adds arming an alarm (time.h). */
att_status_t att_suspend(att_ref_t *ref, att_time_t timeout);
att_status_t att_suspend_forever(att_ref_t *ref);
#define att_suspend(ref, timeout)                                                                            \
    (ATT_K_FOREVER(timeout) ? att_suspend_forever(ref) : (att_suspend)((ref), (timeout)))
att_status_t att_suspend_until(att_ref_t *ref, att_time_t deadline);

/* Wait and unlock in one step, to build objects on: no resume can come between the test that the caller makes
 * after `key = att_lock()` and the wait. Returns unlocked. There is no timeout: the caller's object ends the
 * wait in its own way. Context: a thread that has called att_lock once. Faults: REF_BUSY, BLOCK_LOCKED. Cost:
 * constant. */
att_status_t att_suspend_unlock(att_ref_t *ref, att_key_t key);

/* Wake the thread that waits in the reference, with a value. Context: any. May switch.
 * Returns ATT_OK, or ATT_EMPTY if no thread waits there. Cost: constant. */
att_status_t att_resume(att_ref_t *ref, uintptr_t value);

/* The value that the last att_resume() passed to the calling thread; valid until it waits again, on any
 * object. Context: a thread. Cost: constant. */
uintptr_t att_value(void);

/* Bytes of a thread's stack that were never used; needs ATT_CFG_STACK_FILL. Context: any. Cost: a + b·bytes,
 * interrupts enabled. */
size_t att_thread_stack_unused(const att_thread_t *thread);

#ifdef __cplusplus
}
#endif

#endif
