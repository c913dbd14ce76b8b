/*
 * The kernel's only private header: its state, and what its files ask of each other.
 *
 * All functions here are called with interrupts masked unless they say otherwise.
 *
 * The scheduler's idea is a chain. The running thread and those it preempted form a linked stack of strictly
 * falling priority, `top` first and idle last. Waking a thread more urgent than `top` is a push, blocking is
 * a pop; the ready lists (one FIFO a priority, and a bitmap of those that are not empty) hold only the other
 * ready threads, and one comparison says whether to look there.
 *
 * Invariants; att_k_check() walks the first four and returns the number of one that is broken:
 *  1. chain priorities fall strictly from the top to idle; every ready thread is in the chain or in the list
 * of its priority, never in both.
 *  2. a ready list is circular and sound, its bit is set while it is not empty, and it holds no thread more
 * urgent than the top.
 *  3. `from` is NULL, or the thread whose registers are in the processor although it is not the top any more
 * (or not again): a switch is due. Who masked interrupts first makes it when he unmasks, a handler at its
 * exit.
 *  4. alarms are ordered by time; the board's alarm is armed for the first.
 *  5. a thread's `next` is NULL exactly while it waits (or has ended), and its saved stack pointer exactly
 * while it runs; idle's `next` is NULL too.
 *  6. each wait queue is ordered by priority, and each of its threads names it in `queue`.
 */
#ifndef ATTACCA_KERNEL_H
#define ATTACCA_KERNEL_H

#include "attacca/attacca.h"
#include "attacca/debug.h"
#include "attacca/port_api.h"

/* Somebody's place in the alarm list while he has let interrupts in between two steps of his walk. */
typedef struct att_walk {
    struct att_walk *outer;
    att_alarm_t *at; /* the last alarm known to come before his; NULL: none yet */
} att_walk_t;

/* The chain's top stands apart: a port may keep it in registers of its own (att_port_top, att_port_set_top).
 */
typedef struct {
    ATT_PORT_TOP_MEMBER
    att_thread_t *from;
    att_prioset_t ready; /* bit p: list of priority p not empty */
    bool raising;        /* att_clock_expired is at work, and will arm the board's alarm at its end */
    att_alarm_t *alarms;
    att_walk_t *walks;
    att_waitq_t joiners;                        /* `value`: the thread that each waits for */
    att_thread_t *list[ATT_CFG_PRIORITIES - 1]; /* the last of each circular list, priority 1 first */
    att_thread_t idle;
#if ATT_CFG_SLICE > 0
    att_alarm_t slice;
#endif
} att_kernel_t;
extern att_kernel_t att_k;

/* A port may replace the hot path of a call by assembly; the C body then is att_k_<call>, reached by a jump
 * whenever the path is not the hot one, with arguments and interrupt state as the caller left them. Waits for
 * ever it replaces whole. */
#if ATT_PORT_FAST
#define ATT_HOT(call) att_k_##call
att_status_t att_k_sem_give(att_sem_t *sem);
att_status_t att_k_resume(att_ref_t *ref, uintptr_t value);
void att_k_yield(void);
#else
#define ATT_HOT(call) att_##call
#endif

/* `queue` of a thread that has ended. */
#define ATT_K_ENDED ((att_waitq_t *)(void *)&att_k)
/* `result` of a thread that the port's assembly blocked: its outcome goes through att_port_fast_result(). */
#define ATT_K_FAST_WAIT 0x80u
#define ATT_K_THREAD_TAG 0x7EADu

/* The node is the thread's first member. */
static inline att_thread_t *att_k_thread(att_wait_t *node)
{
    return (att_thread_t *)(void *)node;
}

/* Of a thread that has not ended, and is not idle. */
static inline bool att_k_waiting(const att_thread_t *thread)
{
    return thread->next == NULL;
}

static inline bool att_k_running(const att_thread_t *thread)
{
    return ATT_PORT_IS_NULL(thread->wait.sp);
}

/* The thread whose registers are in the processor, or lie under the running handler's frame. */
static inline att_thread_t *att_k_self(void)
{
    return att_k.from != NULL ? att_k.from : att_port_top();
}

/* sched.c: ready and not. */
void att_k_ready(
    att_thread_t *thread); /* make ready, behind others of its priority; ends a wait with ATT_OK */
void att_k_unready(att_thread_t *thread); /* take a ready thread out of chain or list */
void att_k_wake_with(att_thread_t *thread, att_status_t result); /* the same for one whose wait failed */
att_key_t att_k_lock_running(void);                              /* how calls that may block begin */
/* The caller waits. Both return unmasked, with the outcome; the first wants no switch to be due. */
att_status_t att_k_block(att_waitq_t *queue);
att_status_t att_k_block_locked(att_waitq_t *queue);
void att_k_set_above(att_thread_t *thread, att_prio_t prio);
att_thread_t *
att_k_end(void); /* the caller, no switch due, is not ready any more: att_k_switch() comes next */
void att_k_pick(void);
void att_k_switch(void);
/* The same for one that never comes back. */
#define att_k_switch_for_good() (att_k_switch(), att_port_unreachable())
void att_k_expect_may_block(att_key_t key);
void att_k_stack_check(const void *sp); /* ports call it before they save a context, at check level >= 1 */

/* fault.c; a port may supply att_fault itself (ATT_PORT_FAULT_ENTRY), where C can not tell who called. */
ATT_PORT_NORETURN void att_k_fault(att_fault_code_t code, uintptr_t pc);

/* waitq.c */
void att_k_queue_insert(att_waitq_t *queue, att_thread_t *thread);
/* Not on an empty one. The new first one's prev is not maintained, so only the head is written. */
static inline att_thread_t *att_k_queue_pop(att_waitq_t *queue)
{
    att_wait_t *node = queue->head;
    queue->head = node->next;
    return att_k_thread(node);
}
void att_k_queue_remove(att_thread_t *thread); /* out of its `queue`, if that is not NULL */

/* alarm.c */
/* `when` and `raise` are set, and it is not in the list. Lets interrupts in as key allows. */
void att_k_alarm_add(att_alarm_t *alarm, att_key_t key);
void att_k_alarm_remove(att_alarm_t *alarm); /* if armed */

/* time.c
 * `attempt` is asked again whenever interrupts were let in between the caller's own try and the wait. */
typedef bool (*att_k_attempt_t)(att_waitq_t *queue);
/* Both return unmasked. `attempt` may be NULL: there is nothing to try. */
att_status_t att_k_wait(att_waitq_t *queue, att_k_attempt_t attempt, att_time_t timeout, att_key_t key);
att_status_t att_k_wait_until(att_waitq_t *queue, att_k_attempt_t attempt, att_time_t deadline,
                              att_key_t key);

/* slice.c */
#if ATT_CFG_SLICE > 0
void att_k_slice_start(void);
#endif

/* sem.c */
bool att_k_sem_attempt(att_waitq_t *queue);
static inline void att_k_expect_sem(const att_sem_t *sem)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(sem != NULL && (sem->tag == 0 || sem->tag == ATT_TAG_SEM), ATT_FAULT_BAD_OBJECT);
#else
    (void)sem;
#endif
}

/* ref.c */
static inline void att_k_expect_free(const att_ref_t *ref)
{
    ATT_EXPECT(ref != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(ref->wait.head == NULL, ATT_FAULT_REF_BUSY);
    (void)ref;
}

/* thread.c */
static inline void att_k_expect_live(const att_thread_t *thread)
{
#if ATT_CFG_CHECK >= 1
    ATT_EXPECT(thread != NULL, ATT_FAULT_BAD_OBJECT);
    ATT_EXPECT(thread->tag == ATT_K_THREAD_TAG && thread->queue != ATT_K_ENDED, ATT_FAULT_BAD_THREAD);
#else
    (void)thread;
#endif
}
void att_k_thread_init(const att_thread_def_t *def); /* callable unmasked; not ready yet */

/* join.c */
bool att_k_join_begin(att_thread_t *thread);
void att_k_joiners_wake(const att_thread_t *ended);

#endif
