/*
 * The core's private header: the state of the kernel, and the functions that its files share. What the
 * objects share is in objects.h, which the core does not include.
 *
 * All functions here are called with interrupts masked, unless their comment says otherwise.
 *
 * Ready threads are in the chain or in a ready list. The chain is a stack: the running thread and the threads
 * that it preempted, linked by `next`, with strictly falling priority. `top` is the first, idle is the last.
 * To wake a thread that is more urgent than the top is to push it; to block is to pop. All other ready
 * threads are in the ready lists: one FIFO for each priority, and a bitmap of those that are not empty. One
 * comparison tells whether a list has a more urgent thread than the chain.
 *
 * A switch is pending (or due) when the top is not the thread whose registers are in the processor. The
 * outermost unlock performs the pending switch; a handler performs it at its exit.
 *
 * A long operation has preemption points: it enables interrupts for a moment, so that handlers run. Threads
 * do not run there. Other calls of the kernel, made by handlers, may change the lists that the operation
 * walks; a cursor (att_cursor_t, att_alarm_cursor_t) marks its place, and a call that removes the node at a
 * cursor moves the cursor on.
 *
 * Invariants. att_k_check() tests 1 to 4 and 6, and returns the number of a broken one:
 *  1. Priorities fall strictly along the chain, from the top to idle. A ready thread is in the chain or in
 *     the list of its priority, never in both; or it is detached while its priority changes, and then no
 *     thread switch happens until it is reinserted.
 *  2. A ready list is circular and well linked. Its bit is set exactly while it is not empty. No thread in a
 *     list is more urgent than the top.
 *  3. `from` is NULL, or a switch is pending: `from` is then the thread whose registers are in the processor.
 *     It is not the top, or it is the top again and nothing is left to do.
 *  4. Alarms are a ring that is ordered by time. The board's alarm is armed for the first one, or earlier.
 *  5. The `next` of a thread is NULL exactly while it waits or has ended (and always in idle). Its saved
 *     stack pointer is NULL exactly while it runs.
 *  6. A wait queue is ordered by priority, and each thread in it names the queue in `queue`.
 */
#ifndef ATTACCA_KERNEL_H
#define ATTACCA_KERNEL_H

#include "attacca/attacca.h"
#include "attacca/debug.h"
#include "attacca/port_api.h"

/* The cursor of a walk along the ring of alarms, at a preemption point. */
typedef struct att_alarm_cursor {
    struct att_alarm_cursor *outer;
    att_alarm_t *at; /* the last alarm that the walk has passed or begins at; NULL: it is to begin */
    bool backward;
} att_alarm_cursor_t;

/* The cursor of an operation on a wait queue that has preemption points: its place in the queue, or the
 * waiters that it has detached from the queue and wakes one by one. Threads do not run meanwhile, so no
 * thread enters the queue. */
typedef struct att_cursor {
    struct att_cursor *outer;
    att_waitq_t leaving; /* the detached waiters; their threads still name the old queue */
    att_wait_t *at;      /* the next node of a walk */
    att_waitq_t *queue;
} att_cursor_t;

/* The chain's top is a member of its own: a port may keep it in registers (att_port_top, att_port_set_top).
 */
typedef struct {
    ATT_PORT_TOP_MEMBER
    att_thread_t *from;  /* a switch away from it is pending; NULL: none is */
    att_prioset_t ready; /* bit p: the list of priority p is not empty */
    uint8_t raising;     /* ATT_K_NOT_RAISING, ATT_K_HANDLING or ATT_K_CORRECTING */
    att_alarm_t *alarms; /* the first of the ring */
    att_alarm_cursor_t *alarm_cursors;
    att_waitq_t joiners; /* `value`: the thread that each waits for */
    att_cursor_t *cursors;
    att_thread_t *list[ATT_CFG_PRIORITIES - 1]; /* the last of each circular list, priority 1 first */
    att_thread_t idle;
#if ATT_CFG_SLICE > 0
    att_alarm_t slice;
#endif
} att_kernel_t;
extern att_kernel_t att_k;

/* Which call raises alarms: none, att_clock_expired, att_clock_corrected. At its end it arms the board's. */
enum { ATT_K_NOT_RAISING, ATT_K_HANDLING, ATT_K_CORRECTING };

/* `queue` of a thread that has ended, and of one that waits on several objects. */
#define ATT_K_ENDED ((att_waitq_t *)(void *)&att_k)
#define ATT_K_SEVERAL ((att_waitq_t *)(void *)&att_k.alarms)
/* `next` of a detached thread: a ready one that is neither in the chain nor in a list while its priority
 * changes. att_k_reinsert places it after the threads of equal priority (LAST), or before them (FIRST). */
#define ATT_K_REINSERT_LAST ((att_thread_t *)(void *)&att_k)
#define ATT_K_REINSERT_FIRST ((att_thread_t *)(void *)&att_k.alarms)
/* `above` of a node that is an att_waitable_t, not a thread (wait_set.h). */
#define ATT_K_WAITABLE ((att_prioset_t) ~(att_prioset_t)0)
#define ATT_K_THREAD_TAG 0x7EADu

/* The likely path is compiled to code without a taken branch. */
#define ATT_K_LIKELY(condition) __builtin_expect(!!(condition), 1)

/* The node is the thread's first member. */
static inline att_thread_t *att_k_thread(att_wait_t *node)
{
    return (att_thread_t *)(void *)node;
}

/* From unmasked. */
#ifndef att_port_mask
#define att_port_mask() ((void)att_port_lock())
#endif

/* Several preemption points of one call: a port may set up once for all of them. */
#ifndef ATT_PORT_WINDOWS
#define att_port_windows_begin() ((void)0)
#define att_port_window() att_port_handler_window()
#define att_port_windows_end() ((void)0)
#endif

/* A node of a thread that waits on several objects: its `sp` is the thread. */
static inline bool att_k_is_waitable(const att_wait_t *node)
{
    return node->above == ATT_K_WAITABLE;
}

/* The urgency by which the queue is ordered. A waitable keeps that with which it entered: the priority of its
 * thread may have changed since. */
static inline att_prioset_t att_k_urgency(const att_wait_t *node)
{
    return att_k_is_waitable(node) ? ((const att_waitable_t *)(const void *)node)->above : node->above;
}

/* The argument of the wait, until its thread is woken. */
static inline uintptr_t *att_k_word(att_wait_t *node)
{
    return att_k_is_waitable(node) ? &((att_waitable_t *)(void *)node)->word : &att_k_thread(node)->value;
}

/* For a thread that has not ended and is not idle. */
static inline bool att_k_waiting(const att_thread_t *thread)
{
    return thread->next == NULL;
}

static inline bool att_k_running(const att_thread_t *thread)
{
    return ATT_PORT_IS_NULL(thread->wait.sp);
}

/* For a ready thread. */
static inline bool att_k_detached(const att_thread_t *thread)
{
    return thread->next == ATT_K_REINSERT_LAST || thread->next == ATT_K_REINSERT_FIRST;
}

/* The thread that runs, or that the running handler interrupted. */
static inline att_thread_t *att_k_self(void)
{
    return ATT_K_LIKELY(ATT_PORT_IS_NULL(att_k.from)) ? att_port_top() : att_k.from;
}

/* A port may have a function of the same name in its assembly, which the linker then takes instead. */
#define ATT_PORT_WEAK __attribute__((weak))

/*
 * How a call blocks, and how it wakes a thread: it tests its object with interrupts masked, and ends in a
 * tail call of one of these two, so that it needs no frame. They unlock, switch if the caller may, and return
 * the status with which the thread was woken, or ATT_OK.
 *
 * att_k_block: the caller enters the queue (NULL: none) without a timeout, and another thread runs. The
 * argument and the result of the wait are in the thread's `value`, which the caller sets before. att_k_wake:
 * a thread that was removed from its queue becomes ready.
 */
att_status_t att_k_block(att_waitq_t *queue, att_key_t key);
att_status_t att_k_wake(att_thread_t *thread, att_key_t key);
/* The rare paths of these two. att_k_wake_later: in a critical section, in a handler, or with a switch
 * pending. att_k_wake_behind: the thread is not more urgent than the top. */
att_status_t att_k_block_slowly(att_waitq_t *queue, att_key_t key);
att_status_t att_k_wake_later(att_thread_t *thread, att_key_t key);
att_status_t att_k_wake_behind(att_thread_t *thread, att_key_t key, att_thread_t *top);
/* Is the first waiter the only one, and a thread's own node? Then one store empties the queue. (A macro, like
 * att_k_direct: avr-gcc turns the result of an inline function into a number before it branches.) */
#define att_k_alone(first)                                                                                   \
    (ATT_K_LIKELY(ATT_PORT_IS_NULL((first)->next)) && ATT_K_LIKELY(!att_k_is_waitable(first)))
/* time.c: with a timeout. A separate file, so that a program without timeouts links neither the clock nor its
 * handlers. With ATT_NOWAIT, or a deadline that has passed, they return ATT_TIMEOUT at once. */
att_status_t att_k_block_for(att_waitq_t *queue, att_time_t timeout, att_key_t key);
att_status_t att_k_block_until(att_waitq_t *queue, att_time_t deadline, att_key_t key);

/* With a word for the thread's `value`. It is written only if the call waits: a call with ATT_NOWAIT in a
 * handler must not change the `value` of the interrupted thread. */
static ATT_PORT_INLINE att_status_t att_k_block_with(att_waitq_t *queue, uintptr_t value, att_time_t timeout,
                                                     att_key_t key)
{
    if (timeout == ATT_NOWAIT) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    att_k_self()->value = value;
    return att_k_block_for(queue, timeout, key);
}

static ATT_PORT_INLINE att_status_t att_k_block_with_until(att_waitq_t *queue, uintptr_t value,
                                                           att_time_t deadline, att_key_t key)
{
    if (!att_time_after(deadline, att_board_now())) {
        att_port_unlock(key);
        return ATT_TIMEOUT;
    }
    att_k_self()->value = value;
    return att_k_block_until(queue, deadline, key);
}

/* The deadline is one unit later than the timeout says, because the current unit has already begun. Masked. A
 * board may define it in fewer instructions. */
#ifndef att_board_deadline
#define att_board_deadline(timeout) (att_board_now() + (timeout) + 1)
#endif
static inline att_time_t att_k_deadline(att_time_t timeout)
{
    ATT_EXPECT(timeout <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    return att_board_deadline(timeout);
}

/* An attempt performs the operation and returns NULL, or changes nothing and returns the queue to wait in.
 * `word` holds the argument, and receives the result. Used by wait sets (wait_set.h), by objects that are
 * built of other objects, and by objects that are not called often. */
typedef att_waitq_t *(*att_k_attempt_t)(void *object, uintptr_t *word);
att_status_t att_k_wait_forever(void *object, att_k_attempt_t attempt, uintptr_t *word); /* sched.c */
att_status_t att_k_wait(void *object, att_k_attempt_t attempt, uintptr_t *word, att_time_t timeout);
att_status_t att_k_wait_until(void *object, att_k_attempt_t attempt, uintptr_t *word, att_time_t deadline);

att_thread_t *att_k_queue_pop(att_waitq_t *queue); /* the first waiter; NULL: no thread waits (any more) */
/* The same, for a call that has changed nothing yet: a preemption point, if the key allows, after each
 * waitable whose thread has been served by another object. */
att_thread_t *att_k_queue_pop_first(att_waitq_t *queue, att_key_t key);
/* To wake several threads, or with another status than ATT_OK: these, and att_unlock at the end. */
static inline void att_k_ready(att_thread_t *thread) /* after the threads of equal priority */
{
    (void)att_k_wake_later(thread, att_port_masked_key());
}
void att_k_wake_with(att_thread_t *thread, att_status_t result);
void att_k_cancel_each(att_waitq_t *queue, bool windows);
/* Wake all current waiters with ATT_CANCELED, with a preemption point after each; unlocks. */
void att_k_cancel_all(att_waitq_t *queue, att_key_t key);

/* A preemption point: handlers run, if the key allows; threads do not. All invariants hold here. A handler
 * may wake any waiting thread and change any priority, that of the caller included. No thread ends, begins to
 * wait, locks or unlocks a mutex meanwhile. */
void att_k_preemption_point(att_key_t key); /* sched.c */

/* sched.c */
void att_k_unready(att_thread_t *thread); /* remove a ready thread from the chain or its list */
/* To change the priority of a ready thread: att_k_detach, then att_k_reprioritize or att_k_demote, then
 * att_k_reinsert if att_k_detach returned true. att_k_detach has a preemption point, if the key allows, so
 * the new priority is to be computed again after it. A waiting thread is requeued instead
 * (att_k_queue_requeue). */
bool att_k_detach(att_thread_t *thread, att_prio_t prio, att_key_t key); /* false: it keeps its place */
void att_k_reprioritize(att_thread_t *thread, att_prio_t prio); /* then after the threads of equal priority */
void att_k_demote(att_thread_t *thread, att_prio_t prio);       /* then before them */
void att_k_reinsert(att_thread_t *thread);
/* A wait in two parts, for calls with preemption points before they are complete. After att_k_begin_wait the
 * caller is a waiting thread, in no queue yet, and still runs. att_k_end_wait switches if the thread still
 * waits, unlocks, and returns the status of the wait. */
att_thread_t *att_k_begin_wait(void);
void att_k_enter(att_thread_t *self, att_waitq_t *queue); /* NULL: no queue */
att_status_t att_k_end_wait(att_thread_t *self);
att_status_t att_k_end_wait_until(att_thread_t *self, att_time_t deadline); /* time.c */
/* The caller waits already, and another thread is the top: links its alarm, in the same masked stretch if its place
 * is near, and switches. As att_k_end_wait. */
att_status_t att_k_switch_until(att_thread_t *self, att_time_t deadline); /* time.c */
/* The set of the priorities that are more urgent than this one. */
static inline att_prioset_t att_k_above(att_prio_t prio)
{
    return (att_prioset_t)((att_prioset_t) ~(att_prioset_t)1 << prio);
}
static inline void att_k_set_above(att_thread_t *thread, att_prio_t prio)
{
    thread->prio = prio;
    thread->wait.above = att_k_above(prio);
}
void att_k_pick(void);
/* Perform the pending switch, at the end of the outermost critical section of a thread. Unmasks. Returns the
 * status of the caller's wait, or ATT_OK if it did not wait. */
att_status_t att_k_switch(void);
#if ATT_CFG_CHECK >= 1
void att_k_expect_may_block(att_key_t key);
#else
#define att_k_expect_may_block(key) ((void)(key))
#endif
/* Check the running thread's stack. At check level 1 and up, ports call it before they save a preempted
 * thread, or look at the stack in the same way. */
void att_k_stack_check(const void *sp);

#if ATT_CFG_CHECK >= 1
static ATT_PORT_INLINE void att_k_stack_check_of(const att_thread_t *thread, const void *sp)
{
    const att_port_stack_t *lowest = (const att_port_stack_t *)(const void *)(thread + 1);
    if (thread != &att_k.idle) {
        ATT_EXPECT((const char *)sp > (const char *)lowest, ATT_FAULT_STACK_OVERFLOW);
        if (ATT_CFG_STACK_FILL) {
            ATT_EXPECT((uintptr_t)*lowest == (uintptr_t)ATT_PORT_STACK_PATTERN, ATT_FAULT_STACK_OVERFLOW);
        }
    }
}
#endif

/* fault.c; a port supplies att_fault itself (ATT_PORT_FAULT_ENTRY) where C cannot read the return address. */
ATT_PORT_NORETURN void att_k_fault(att_fault_code_t code, uintptr_t pc);

/* waitq.c, waitq_ends.c */
static inline void att_k_queue_mend(const att_waitq_t *queue) /* before `prev` is read */
{
    att_wait_t *head = queue->head;
    if (head != NULL && head->next == NULL) {
        head->prev = head;
    }
}
/* The link to the first node that is not more urgent than `above`. */
static inline att_wait_t **att_k_queue_group(att_waitq_t *queue, att_prioset_t above)
{
    att_wait_t **link = &queue->head;
    while (*link != NULL && att_k_urgency(*link) < above) {
        link = &(*link)->prev->next;
    }
    return link;
}
void att_k_queue_insert(att_waitq_t *queue, att_wait_t *node);
/* Returns the queue that the node was in: not `queue`, if it was among detached waiters (att_cursor_t). */
att_waitq_t *att_k_queue_remove(att_waitq_t *queue, att_wait_t *node);
void att_k_restart_walks(att_waitq_t *queue);                       /* a node of it moved: walks begin again */
void att_k_queue_leave(att_thread_t *thread);                    /* leave the queue that it waits in, if any */
void att_k_queue_requeue(att_thread_t *thread, att_prio_t prio); /* a waiting thread's priority changes */

/* wait_set.c: `node` is served first; returns its thread, or NULL if that does not wait any more. Weak: a
 * program without wait sets links neither, has no such node, and calls neither. */
__attribute__((weak)) att_thread_t *att_k_claim(att_wait_t *node);
__attribute__((weak)) void att_k_wait_set_requeue(att_thread_t *thread, att_prio_t prio);
/* The steps of a wait on several objects. begin; try each object, and enter its queue (with `self` NULL only
 * try); block, if the wait still holds (`still`); end: leave the queues. end returns false if no object was
 * had: begin again, unless the time is up. */
att_thread_t *att_k_wait_set_begin(att_waitable_t *set);
bool att_k_wait_set_try(att_waitable_t *set, uint8_t count, uint8_t *which, att_thread_t *self);
bool att_k_wait_set_still(const att_waitable_t *set, const att_thread_t *self);
att_thread_t *att_k_wait_set_block(void);
bool att_k_wait_set_end(att_waitable_t *set, uint8_t count, uint8_t *which, att_thread_t *self);

/* Hooks of mutex_inheritance.c. A waiter has left this queue. And: the base priority of a thread has changed,
 * so its priority is computed again, and it goes after the threads of equal priority. */
void att_k_queue_changed(att_waitq_t *queue, att_key_t key);
void att_k_base_changed(att_thread_t *thread, att_key_t key);
/* Hook of rwlock.c: the order of the waiters in this queue has changed. */
void att_k_order_changed(const att_waitq_t *queue, att_key_t key);
bool att_k_mutexes_sound(void); /* for att_k_check(): are all inherited priorities right? */
/* Called unmasked by a thread that is about to end: unlocks its robust mutexes. */
#if ATT_PORT_WEAK_CALLS
__attribute__((weak))
#endif
void att_k_owner_ends(void);

/* slice.c */
#if ATT_CFG_SLICE > 0
void att_k_slice_start(void);
#endif

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
/* May be called unmasked: the thread is not ready yet. `extent`: the size of thread and stack, in stack
 * elements. Inlined, since a program has one or two places that start threads. */
static ATT_PORT_INLINE void att_k_thread_init(att_thread_t *thread, size_t extent, att_prio_t prio,
                                              att_entry_t entry, void *arg)
{
    ATT_EXPECT(prio >= 1 && prio <= ATT_PRIORITY_MAX, ATT_FAULT_BAD_PRIORITY);
    ATT_EXPECT(extent >= ATT_K_EXTENT(sizeof(att_thread_t) + ATT_STACK_MIN), ATT_FAULT_BAD_STACK);
    ATT_EXPECT((uintptr_t)thread % sizeof(att_port_stack_t) == 0, ATT_FAULT_BAD_STACK);
    att_port_stack_t *end = (att_port_stack_t *)(void *)thread + extent;
    if (ATT_CFG_STACK_FILL) {
        for (att_port_stack_t *at = (att_port_stack_t *)(void *)(thread + 1); at < end; at++) {
            *at = ATT_PORT_STACK_PATTERN;
        }
    }
    thread->queue = NULL;
    thread->result = ATT_OK;
#if ATT_CFG_CHECK >= 1
    thread->tag = ATT_K_THREAD_TAG;
    thread->owns = thread->reads = 0;
#endif
    thread->base = prio;
    thread->wait.sp = att_port_frame(end, entry, arg);
    ATT_TRACE(ATT_EVENT_START, thread);
    att_k_set_above(thread, prio);
}

/* join.c */
att_waitq_t *att_k_join_attempt(void *object, uintptr_t *word);
#if ATT_PORT_WEAK_CALLS
__attribute__((weak))
#endif
void att_k_joiners_wake(const att_thread_t *ended);

/* Is the caller a thread, outside of any other critical section, and no switch pending? Then it may switch at
 * once. att_port_context may replace the key by one that tells more, and is as good for unlocking. */
#ifndef ATT_PORT_DIRECT
#define ATT_PORT_DIRECT(key, from) (att_port_key_enabled(key) && !att_port_in_isr() && (from) == NULL)
#if ATT_CFG_CHECK == 0
#define ATT_PORT_THREAD_DIRECT(key, from) (att_port_key_enabled(key) && (from) == NULL)
#define ATT_PORT_WAITS_DIRECTLY(key, from) ((void)(key), (from) == NULL)
#endif
#endif
/* The same for calls that may block, so that only a thread outside of critical sections may make them. Level
 * 0 does not test that; level 1 does. */
#ifndef ATT_PORT_WAITS_DIRECTLY
#define ATT_PORT_THREAD_DIRECT(key, from) ATT_PORT_DIRECT(key, from)
#define ATT_PORT_WAITS_DIRECTLY(key, from) ATT_PORT_DIRECT(key, from)
#endif
#ifndef att_port_context
#define att_port_context(key) (key)
#endif
#define att_k_direct(key) (*(key) = att_port_context(*(key)), ATT_PORT_DIRECT(*(key), att_k.from))
#define att_k_waits_directly(key)                                                                            \
    (*(key) = att_port_context(*(key)), ATT_PORT_WAITS_DIRECTLY(*(key), att_k.from))

/* At level 2: the kernel's invariants hold. */
#if ATT_CFG_CHECK >= 2
void att_k_expect_sound(void);
#else
#define att_k_expect_sound() ((void)0)
#endif

/* Every switch out of a call of the kernel goes through here, before the port saves the thread. */
static ATT_PORT_INLINE att_status_t att_k_switch_to(att_thread_t *to, att_thread_t *from)
{
#if ATT_CFG_CHECK >= 1
    att_k_stack_check_of(from, att_port_sp());
#endif
    att_k_expect_sound();
    ATT_TRACE(ATT_EVENT_SWITCH, to);
    ATT_TRACE(ATT_EVENT_RUN, to);
    return att_port_switch(to, from);
}

#endif
