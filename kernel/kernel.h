/*
 * The core's private header: the kernel's state, and what its files ask of each other. What objects tell each
 * other stands in objects.h, which the core does not see.
 *
 * All functions here are called with interrupts masked unless they say otherwise.
 *
 * The scheduler's idea is a chain. The running thread and those it preempted form a linked stack of strictly
 * falling priority, `top` first and idle last. Waking a thread more urgent than `top` is a push, blocking is
 * a pop; the ready lists (one FIFO a priority, and a bitmap of those that are not empty) hold only the other
 * ready threads, and one comparison says whether to look there.
 *
 * Invariants; att_k_check() walks 1 to 4 and 6, and returns the number of one that is broken:
 *  1. chain priorities fall strictly from the top to idle; every ready thread is in the chain or in the list
 * of its priority, never in both, or it is lifted, and nobody runs who could miss it.
 *  2. a ready list is circular and sound, its bit is set while it is not empty, and it holds no thread more
 * urgent than the top.
 *  3. `from` is NULL, or the thread whose registers are in the processor although it is not the top any more
 * (or not again): a switch is due. Who masked interrupts first makes it when he unmasks, a handler at its
 * exit.
 *  4. alarms are ordered by time; the board's alarm is armed for the first, or earlier.
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

/* Waiters that are on their way out of a queue, or somebody's place in one, while handlers are let in.
 * Threads are not: while anybody is leaving a queue, nobody comes to it. */
typedef struct att_cursor {
    struct att_cursor *outer;
    att_waitq_t leaving; /* those that were detached from it; each still names it */
    att_wait_t *at;      /* the next that a walk looks at */
    att_waitq_t *queue;
} att_cursor_t;

/* The chain's top stands apart: a port may keep it in registers of its own (att_port_top, att_port_set_top).
 */
typedef struct {
    ATT_PORT_TOP_MEMBER
    att_thread_t *from;
    att_prioset_t ready; /* bit p: list of priority p not empty */
    bool raising;        /* att_clock_expired is at work, and will arm the board's alarm at its end */
    att_alarm_t *alarms;
    att_walk_t *walks;
    att_waitq_t joiners; /* `value`: the thread that each waits for */
    att_cursor_t *cursors;
    att_thread_t *list[ATT_CFG_PRIORITIES - 1]; /* the last of each circular list, priority 1 first */
    att_thread_t idle;
#if ATT_CFG_SLICE > 0
    att_alarm_t slice;
#endif
} att_kernel_t;
extern att_kernel_t att_k;

/* `queue` of a thread that has ended, and of one that waits on several objects. */
#define ATT_K_ENDED ((att_waitq_t *)(void *)&att_k)
#define ATT_K_SEVERAL ((att_waitq_t *)(void *)&att_k.alarms)
/* `next` of a ready thread that is on its way from one place in chain or list to another: it will come behind
 * its equals there, or before them. */
#define ATT_K_REINSERT_LAST ((att_thread_t *)(void *)&att_k)
#define ATT_K_REINSERT_FIRST ((att_thread_t *)(void *)&att_k.alarms)
/* `above` of a node that is not a thread's. */
#define ATT_K_WAITABLE ((att_prioset_t) ~(att_prioset_t)0)
#define ATT_K_THREAD_TAG 0x7EADu

/* The straight way is laid out without a branch taken. */
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

/* Several windows of one call, one after the other: a port may set up once for all of them. */
#ifndef ATT_PORT_WINDOWS
#define att_port_windows_begin() ((void)0)
#define att_port_window() att_port_handler_window()
#define att_port_windows_end() ((void)0)
#endif

/* Of a thread that waits on several objects: `sp` is the thread. */
static inline bool att_k_is_waitable(const att_wait_t *node)
{
    return node->above == ATT_K_WAITABLE;
}

/* Where it stands in its queue. A choice's place is its own: its thread's priority may have changed since. */
static inline att_prioset_t att_k_urgency(const att_wait_t *node)
{
    return att_k_is_waitable(node) ? ((const att_waitable_t *)(const void *)node)->above : node->above;
}

/* What went into the wait, until its thread is woken. */
static inline uintptr_t *att_k_word(att_wait_t *node)
{
    return att_k_is_waitable(node) ? &((att_waitable_t *)(void *)node)->word : &att_k_thread(node)->value;
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

/* Of a ready thread. */
static inline bool att_k_detached(const att_thread_t *thread)
{
    return thread->next == ATT_K_REINSERT_LAST || thread->next == ATT_K_REINSERT_FIRST;
}

/* The thread whose registers are in the processor, or lie under the running handler's frame. */
static inline att_thread_t *att_k_self(void)
{
    return ATT_K_LIKELY(ATT_PORT_IS_NULL(att_k.from)) ? att_port_top() : att_k.from;
}

/* A port may have a function of the same name in its assembly, which the linker then takes instead. */
#define ATT_PORT_WEAK __attribute__((weak))

/*
 * How a call waits, and how it wakes: it looks at its object, masked, and ends in one of these two as a tail
 * call, so that it has no frame of its own. They unlock, switch if they can, and return the outcome: that with
 * which the thread was woken, or ATT_OK.
 *
 * att_k_block: the caller enters the queue, for ever (NULL: none), and another thread runs. What goes into the
 * wait and comes out of it travels in the thread's `value`, set before.
 * att_k_wake: a thread that was taken out of its queue is ready.
 */
att_status_t att_k_block(att_waitq_t *queue, att_key_t key);
att_status_t att_k_wake(att_thread_t *thread, att_key_t key);
/* Parts of these two: what is not the straight way. A wake-up under a lock, in a handler, or with a switch due
 * already; and of a thread that is not more urgent than the top. */
att_status_t att_k_block_slowly(att_waitq_t *queue, att_key_t key);
att_status_t att_k_wake_later(att_thread_t *thread, att_key_t key);
att_status_t att_k_wake_behind(att_thread_t *thread, att_key_t key, att_thread_t *top);
/* Is the first waiter the only one, and a thread's own node? Then the queue is emptied in one store. (A macro, as
 * att_k_direct: gcc for AVR makes a function's truth a number first, and jumps only then.) */
#define att_k_alone(first)                                                                                   \
    (ATT_K_LIKELY(ATT_PORT_IS_NULL((first)->next)) && ATT_K_LIKELY(!att_k_is_waitable(first)))
/* time.c; apart, so that a program without limits links neither the clock nor its handlers. With ATT_NOWAIT,
 * or a deadline that is past: ATT_TIMEOUT at once. */
att_status_t att_k_block_for(att_waitq_t *queue, att_time_t timeout, att_key_t key);
att_status_t att_k_block_until(att_waitq_t *queue, att_time_t deadline, att_key_t key);

/* With a word for the thread's `value`, which is not touched where the call does not wait: a handler's NOWAIT
 * must leave that of the thread it interrupted. */
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

/* One unit more than asked for: the present one has begun already. Masked. */
static inline att_time_t att_k_deadline(att_time_t timeout)
{
    ATT_EXPECT(timeout <= ATT_TIMEOUT_MAX, ATT_FAULT_BAD_TIMEOUT);
    return att_board_now() + timeout + 1;
}

/* An attempt does what is asked for and returns NULL, or changes nothing and returns the queue to wait in.
 * `word` is what goes in or comes out. For what waits on several objects (wait_set.h), for composites, and for
 * objects that no program calls often, which wait by these. */
typedef att_waitq_t *(*att_k_attempt_t)(void *object, uintptr_t *word);
att_status_t att_k_wait_forever(void *object, att_k_attempt_t attempt, uintptr_t *word); /* sched.c */
att_status_t att_k_wait(void *object, att_k_attempt_t attempt, uintptr_t *word, att_time_t timeout);
att_status_t att_k_wait_until(void *object, att_k_attempt_t attempt, uintptr_t *word, att_time_t deadline);

att_thread_t *att_k_queue_pop(att_waitq_t *queue); /* the first waiter; NULL: nobody waits (any more) */
/* The same for a call that has changed nothing yet: interrupts are let in, as key allows, after each waiter
 * that chose something else meanwhile. */
att_thread_t *att_k_queue_pop_first(att_waitq_t *queue, att_key_t key);
/* With several to wake, or another outcome than ATT_OK: these, and att_unlock at the end. */
static inline void att_k_ready(att_thread_t *thread) /* behind others of its priority */
{
    (void)att_k_wake_later(thread, att_port_masked_key());
}
void att_k_wake_with(att_thread_t *thread, att_status_t result);
void att_k_cancel_each(att_waitq_t *queue, bool windows);
/* Wake all that wait now with ATT_CANCELED, letting interrupts in after each; unlocks. */
void att_k_cancel_all(att_waitq_t *queue, att_key_t key);

/* Between two pieces of a call's work, and what is to be seen is sound: handlers come in, if key allows,
 * threads do not. A handler may wake any thread that waits, change any priority, the caller's too; but nobody
 * ends, begins to wait, locks or unlocks a mutex. */
void att_k_preemption_point(att_key_t key); /* sched.c */

/* sched.c: ready and not. */
void att_k_unready(att_thread_t *thread); /* take a ready thread out of chain or list */
/* A change of a ready thread's priority: lift, one of the two in the middle, and put if lift says so. Lifting
 * lets handlers in as key allows, so what is due is to be looked at again after it. A waiting thread is
 * requeued. */
bool att_k_detach(att_thread_t *thread, att_prio_t prio, att_key_t key); /* false: it keeps its place so far */
void att_k_reprioritize(att_thread_t *thread, att_prio_t prio);        /* behind its equals */
void att_k_demote(att_thread_t *thread, att_prio_t prio);              /* before them */
void att_k_reinsert(att_thread_t *thread);
/* The caller waits, in no queue yet, and goes on: att_k_end_wait comes at last, which switches if it still
 * waits, unlocks, and returns the outcome. For waits that let handlers in before they are complete. */
att_thread_t *att_k_begin_wait(void);
void att_k_enter(att_thread_t *self, att_waitq_t *queue); /* NULL: none */
att_status_t att_k_end_wait(att_thread_t *self);
att_status_t att_k_end_wait_until(att_thread_t *self, att_time_t deadline); /* with a limit; time.c */
/* The set of the priorities more urgent than this one. */
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
/* The switch that is due, from a thread that holds no lock. Unmasks; returns the outcome of the caller's wait,
 * ATT_OK if it did not wait. */
att_status_t att_k_switch(void);
#if ATT_CFG_CHECK >= 1
void att_k_expect_may_block(att_key_t key);
#else
#define att_k_expect_may_block(key) ((void)(key))
#endif
/* The running thread's stack; ports call it before they save an interrupted thread, at check level >= 1. */
void att_k_stack_check(const void *sp);

#if ATT_CFG_CHECK >= 1
static ATT_PORT_INLINE void att_k_stack_check_of(const att_thread_t *thread, const void *sp)
{
    const att_port_stack_t *lowest = (const att_port_stack_t *)(const void *)(thread + 1);
    if (thread != &att_k.idle) {
        ATT_EXPECT((const char *)sp > (const char *)lowest, ATT_FAULT_STACK_OVERFLOW);
        if (ATT_CFG_STACK_FILL) {
            ATT_EXPECT(*lowest == ATT_PORT_STACK_PATTERN, ATT_FAULT_STACK_OVERFLOW);
        }
    }
}
#endif

/* fault.c; a port may supply att_fault itself (ATT_PORT_FAULT_ENTRY), where C can not tell who called. */
ATT_PORT_NORETURN void att_k_fault(att_fault_code_t code, uintptr_t pc);

/* waitq.c, waitq_ends.c */
static inline void att_k_queue_mend(const att_waitq_t *queue) /* before `prev` is read */
{
    att_wait_t *head = queue->head;
    if (head != NULL && head->next == NULL) {
        head->prev = head;
    }
}
/* The link to the first node that is not more urgent. */
static inline att_wait_t **att_k_queue_group(att_waitq_t *queue, att_prioset_t above)
{
    att_wait_t **link = &queue->head;
    while (*link != NULL && att_k_urgency(*link) < above) {
        link = &(*link)->prev->next;
    }
    return link;
}
void att_k_queue_insert(att_waitq_t *queue, att_wait_t *node);
/* Returns the queue that it was in: another one than it names, if it was leaving that. */
att_waitq_t *att_k_queue_remove(att_waitq_t *queue, att_wait_t *node);
void att_k_restart_walks(att_waitq_t *queue);                       /* a node of it moved: walks begin anew */
void att_k_queue_leave(att_thread_t *thread);                    /* out of what it waits on, if anything */
void att_k_queue_requeue(att_thread_t *thread, att_prio_t prio); /* a waiting thread's priority changes */

/* wait_set.c: `node` came first; its thread if that still waits. Weak: a program in which nobody waits on
 * several objects links neither, has no such node, and calls neither. */
__attribute__((weak)) att_thread_t *att_k_claim(att_wait_t *node);
__attribute__((weak)) void att_k_wait_set_requeue(att_thread_t *thread, att_prio_t prio);
/* Waiting for several, in this order: begin, try (and enter the queues; with `self` NULL only try), block if
 * the attempt still says so, end (leave the queues; false: nothing came, try again unless the time is up). */
att_thread_t *att_k_wait_set_begin(att_waitable_t *set);
bool att_k_wait_set_try(att_waitable_t *set, uint8_t count, uint8_t *which, att_thread_t *self);
bool att_k_wait_set_still(const att_waitable_t *set, const att_thread_t *self);
att_thread_t *att_k_wait_set_block(void);
bool att_k_wait_set_end(att_waitable_t *set, uint8_t count, uint8_t *which, att_thread_t *self);

/* Hooks of mutex.c: a waiter left this queue; and a thread's own priority has changed, so it gets what is due
 * to it, behind its equals. */
void att_k_queue_changed(att_waitq_t *queue, att_key_t key);
void att_k_base_changed(att_thread_t *thread, att_key_t key);
/* Hook of rwlock.c: a waiter has another place in this queue. */
void att_k_order_changed(const att_waitq_t *queue, att_key_t key);
bool att_k_mutexes_sound(void); /* for att_k_check(): what all of them lend */
/* Called unmasked by a thread that is going to end: it unlocks its robust mutexes. */
#if ATT_PORT_WEAK_CALLS
__attribute__((weak))
#endif
void att_k_owner_ends(void);

/* alarm.c */
/* `when` and `raise` are set, and it is not in the list. Lets interrupts in as key allows, while a long list is
 * walked; handlers only, if a switch is due or the caller waits. */
void att_k_alarm_place(att_alarm_t *alarm, att_key_t key);
/* One that was just raised, a period later; or, if `now` is that time or later, as many periods as it takes
 * to come after `now`. Returns how many more than one; ATT_K_REMOVED: a handler that this let in removed it. The
 * caller sets `raise` then. */
#define ATT_K_REMOVED ((att_time_t) ~(att_time_t)0)
att_time_t att_k_alarm_again(att_alarm_t *alarm, att_time_t now, const att_time_t *period);
void att_k_alarm_remove(att_alarm_t *alarm); /* if armed */

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
/* Callable unmasked; it is not ready yet. `extent`: of thread and stack, in stack elements. Inlined: a
 * program has one place that starts threads, or two. */
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

/* Is the caller a thread that holds no lock, and no switch due? Then what falls due is switched to at once. The
 * key may say more after it, and is as good as before. */
#ifndef ATT_PORT_DIRECT
#define ATT_PORT_DIRECT(key, from) (att_port_key_enabled(key) && !att_port_in_isr() && (from) == NULL)
#if ATT_CFG_CHECK == 0
#define ATT_PORT_THREAD_DIRECT(key, from) (att_port_key_enabled(key) && (from) == NULL)
#define ATT_PORT_WAITS_DIRECTLY(key, from) ((void)(key), (from) == NULL)
#endif
#endif
/* The same for calls that only a thread may make, and only one that holds no lock, since it may have to wait:
 * level 1 finds out whether it is one. */
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

/* What each switch out of a call does before the port saves the thread. */
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
