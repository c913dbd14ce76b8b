/*
 * The scheduler: chain, ready lists, and the deferred switch (kernel.h states the invariants).
 *
 * To wake a thread does not switch. It changes `top`, and stores the running thread in `from`: a switch is
 * pending. att_unlock() ends every call. In the outermost critical section of a thread it performs the
 * pending switch. Otherwise it leaves the switch to the outermost unlock, or to the end of the handler. A
 * software interrupt is pended too, for handlers that do not end in the kernel. So no switch is lost,
 * whatever the context, and no call needs a second version for handlers.
 *
 * Rejected: a `current` that changes only at the switch. A wake-up in a critical section must then remember
 * the most urgent of several threads, and the port must find it; here it is always `top`.
 */
#include "kernel.h"

att_kernel_t att_k;
ATT_PORT_DEFINE_SYMBOL(ATT_STRING(ATT_LAYOUT))

/* The bit of a thread's priority, from the set of priorities above it: that set shifted down once begins with
 * it. */
static att_prioset_t bit_of(const att_thread_t *thread)
{
    const att_prioset_t above = thread->wait.above;
    const att_prioset_t highest = (att_prioset_t)((att_prioset_t)1 << (sizeof(att_prioset_t) * 8 - 1));
    return (att_prioset_t)((att_prioset_t)((above >> 1) | highest) & (att_prioset_t)~above);
}

/* The pointer to the last thread of the list of a priority. */
static att_thread_t **list_of(att_prio_t prio)
{
    return &att_k.list[prio - 1];
}

/* Unlocks. */
static att_status_t list_append(att_thread_t *thread, att_key_t key)
{
    att_thread_t **last = list_of(thread->prio);
    att_thread_t *tail = *last;
    *last = thread;
    if (tail == NULL) {
        att_k.ready = (att_prioset_t)(att_k.ready | bit_of(thread));
        tail = thread;
    } else {
        thread->next = tail->next;
        thread->wait.prev = &tail->wait;
    }
    tail->next = thread;
#if ATT_CFG_SLICE > 0
    att_k_slice_start();
#endif
    att_port_unlock(key);
    return ATT_OK;
}

/* Removes the first thread of a list, given by its pointer to the last. */
static att_thread_t *list_pop(att_thread_t **last)
{
    att_thread_t *tail = *last;
    att_thread_t *first = tail->next;
    if (first == tail) {
        *last = NULL;
        att_k.ready = (att_prioset_t)(att_k.ready ^ bit_of(first));
    }
    tail->next = first->next;
    return first;
}

/* A thread is not the top any more. If it runs, a switch away from it is pending. */
static void leave(att_thread_t *top)
{
    if (att_k_running(top)) {
        att_k.from = top;
    }
}

/* The top was removed from the chain, and the thread below is the top: a list may have a more urgent one. */
ATT_PORT_NOINLINE void att_k_pick(void)
{
    att_thread_t *below = att_port_top();
    const att_prioset_t better = (att_prioset_t)(att_k.ready & below->wait.above);
    if (better != 0) {
        att_thread_t *first = list_pop(list_of(att_port_top_bit(better)));
        first->next = below;
        att_port_set_top(first);
    }
}

static void list_remove(att_thread_t *thread)
{
    att_thread_t **last = list_of(thread->prio);
    att_thread_t *next = thread->next;
    if ((*last)->next == thread) {
        (void)list_pop(last); /* the `prev` of the first thread is not maintained */
        return;
    }
    att_thread_t *prev = att_k_thread(thread->wait.prev);
    prev->next = next;
    next->wait.prev = &prev->wait;
    if (*last == thread) {
        *last = prev;
    }
}

void att_k_unready(att_thread_t *thread)
{
    att_thread_t *above = att_port_top();
    if (thread == above) {
        leave(above);
        att_port_set_top(above->next);
        att_k_pick();
        return;
    }
    /* The chain falls strictly, so this is one step a priority at most. */
    while (above->next->wait.above < thread->wait.above) {
        above = above->next;
    }
    if (above->next == thread) {
        above->next = thread->next;
    } else {
        list_remove(thread);
    }
}

void att_k_wake_with(att_thread_t *thread, att_status_t result)
{
    thread->result = result;
    att_k_ready(thread);
}

/* If the thread is more urgent than the one below the top, and the list of its priority is empty, it runs
 * next. It then goes into the chain, so that the top's next wait finds it there without a search of the
 * lists. */
ATT_PORT_NOINLINE att_status_t att_k_wake_behind(att_thread_t *thread, att_key_t key, att_thread_t *top)
{
    ATT_TRACE(ATT_EVENT_READY, thread);
    att_thread_t *below = top->next;
    if (ATT_K_LIKELY(thread->wait.above != top->wait.above) &&
        ATT_K_LIKELY(thread->wait.above < below->wait.above) &&
        ATT_K_LIKELY(ATT_PORT_IS_NULL(*list_of(thread->prio)))) {
        thread->next = below;
        top->next = thread;
        att_port_unlock(key);
        return ATT_OK;
    }
    return list_append(thread, key);
}

att_status_t att_k_wake_later(att_thread_t *thread, att_key_t key)
{
    att_thread_t *top = att_port_top();
    if (!ATT_K_LIKELY(thread->wait.above < top->wait.above)) {
        return att_k_wake_behind(thread, key, top);
    }
    ATT_TRACE(ATT_EVENT_READY, thread);
    thread->next = top;
    att_port_set_top(thread);
    if (ATT_K_LIKELY(ATT_PORT_IS_NULL(att_k.from))) {
        att_k.from = top;
        att_port_defer(key);
    }
    att_port_unlock(key);
    return ATT_OK;
}

ATT_PORT_WEAK att_status_t att_k_wake(att_thread_t *thread, att_key_t key)
{
    if (!att_k_direct(&key)) {
        return att_k_wake_later(thread, key);
    }
    att_thread_t *top = att_port_top();
    const att_prioset_t above = top->wait.above; /* read first: AVR has one pointer with displacement */
    if (thread->wait.above >= above) {
        return att_k_wake_behind(thread, att_port_enabled_key(), top);
    }
    ATT_TRACE(ATT_EVENT_READY, thread);
    thread->next = top;
    att_port_set_top(thread);
    return att_k_switch_to(thread, top);
}

static void list_prepend(att_thread_t *thread)
{
    att_thread_t *tail = *list_of(thread->prio);
    if (tail == NULL) {
        (void)list_append(thread, att_port_masked_key());
        return;
    }
    att_thread_t *first = tail->next;
    thread->next = first;
    first->wait.prev = &thread->wait;
    tail->next = thread;
}

/* Into the chain, before the threads of equal priority. One of them that is in the chain moves to the front
 * of the list. */
static void insert_before_equals(att_thread_t *thread)
{
    att_thread_t *above = att_port_top();
    if (above->wait.above >= thread->wait.above) {
        att_port_set_top(thread);
        leave(above);
        thread->next = above;
    } else {
        while (above->next->wait.above < thread->wait.above) {
            above = above->next;
        }
        thread->next = above->next;
        above->next = thread;
    }
    att_thread_t *below = thread->next;
    if (below->wait.above == thread->wait.above) {
        thread->next = below->next;
        list_prepend(below);
    }
}

void att_k_reinsert(att_thread_t *thread)
{
    if (thread->next == ATT_K_REINSERT_FIRST) {
        insert_before_equals(thread);
    } else {
        att_k_ready(thread);
    }
}

/* Is it the top, and stays the top with that priority? */
static bool stays_top(const att_thread_t *thread, att_prio_t prio)
{
    return thread == att_port_top() &&
           (prio > thread->prio ||
            ((att_k.ready & att_k_above((att_prio_t)(prio - 1))) == 0 && thread->next->prio < prio));
}

bool att_k_detach(att_thread_t *thread, att_prio_t prio, att_key_t key)
{
    if (att_k_detached(thread) || stays_top(thread, prio)) {
        return false;
    }
    att_k_unready(thread);
    thread->next = ATT_K_REINSERT_FIRST;
    att_k_preemption_point(key);
    return true;
}

static void set_and_mark(att_thread_t *thread, att_prio_t prio, att_thread_t *place)
{
    if (att_k_detached(thread)) {
        thread->next = place;
    }
    att_k_set_above(thread, prio);
}

void att_k_reprioritize(att_thread_t *thread, att_prio_t prio)
{
    set_and_mark(thread, prio, ATT_K_REINSERT_LAST);
}

void att_k_demote(att_thread_t *thread, att_prio_t prio)
{
    set_and_mark(thread, prio, ATT_K_REINSERT_FIRST);
}

/* Wakes the current waiters only. There is a preemption point after each; threads run after the last, by one
 * switch to the most urgent. */
void att_k_cancel_all(att_waitq_t *queue, att_key_t key)
{
    att_cursor_t cursor = {att_k.cursors, *queue, NULL, queue};
    att_k.cursors = &cursor;
    queue->head = NULL;
    if (att_port_key_enabled(key)) {
        att_port_windows_begin();
        att_k_cancel_each(&cursor.leaving, true);
        att_port_windows_end();
    } else {
        att_k_cancel_each(&cursor.leaving, false);
    }
    att_k.cursors = cursor.outer;
    att_unlock(key);
}

void att_k_preemption_point(att_key_t key)
{
    if (att_port_key_enabled(key)) {
        att_port_handler_window();
    }
}

att_thread_t *att_k_begin_wait(void)
{
    att_thread_t *self = att_k_self();
    att_k_unready(self); /* not the top if a switch is pending: the wait begins just before */
    att_k.from = self;
    self->next = NULL;
    self->queue = NULL;
    return self;
}

void att_k_enter(att_thread_t *self, att_waitq_t *queue)
{
    ATT_TRACE(ATT_EVENT_BLOCK, self);
    self->queue = queue;
    if (queue != NULL) {
        att_k_queue_insert(queue, &self->wait);
    }
}

att_status_t att_k_end_wait(att_thread_t *self)
{
    att_status_t status = ATT_OK;
    if (att_k.from != att_port_top()) {
        status = att_k_switch();
    } else { /* it was woken meanwhile, and nothing more urgent is ready */
        att_k.from = NULL;
        att_port_undue();
        status = self->result;
        self->result = ATT_OK;
        att_port_unlock(att_port_enabled_key());
    }
    return status;
}

/* Other threads wait, a list has a more urgent thread than the chain, or a switch is pending already. */
att_status_t att_k_block_slowly(att_waitq_t *queue, att_key_t key)
{
    att_k_expect_may_block(key);
    att_k_enter(att_k_begin_wait(), queue);
    return att_k_switch();
}

ATT_PORT_WEAK att_status_t att_k_block(att_waitq_t *queue, att_key_t key)
{
    att_thread_t *self = att_port_top();
    if (ATT_CFG_CHECK >= 1 && (self == NULL || self->next == NULL)) {
        return att_k_block_slowly(queue, key); /* before the start, or idle: a fault */
    }
    if (ATT_PORT_IS_NULL(queue) || !ATT_PORT_IS_NULL(queue->head) || !att_k_waits_directly(&key)) {
        return att_k_block_slowly(queue, key);
    }
    queue->head = &self->wait;
    att_thread_t *next = self->next;
    if ((att_k.ready & next->wait.above) != 0) {
        queue->head = NULL;
        return att_k_block_slowly(queue, key);
    }
    ATT_TRACE(ATT_EVENT_BLOCK, self);
    self->wait.next = NULL;
    self->next = NULL;
    self->queue = queue;
    att_port_set_top(next);
    return att_k_switch_to(next, self);
}

att_status_t att_k_wait_forever(void *object, att_k_attempt_t attempt, uintptr_t *word)
{
    att_key_t key = att_port_lock();
    att_waitq_t *queue = attempt(object, word);
    if (queue == NULL) {
        att_unlock(key); /* the attempt may have woken a thread */
        return ATT_OK;
    }
    att_thread_t *self = att_k_self();
    self->value = *word;
    const att_status_t status = att_k_block(queue, key);
    *word = self->value;
    return status;
}

att_status_t att_k_switch(void)
{
    att_thread_t *from = att_k.from;
    att_k.from = NULL;
    att_port_undue();
    return att_k_switch_to(att_port_top(), from);
}

static ATT_PORT_NOINLINE void unlock_due(att_key_t key)
{
    if (!att_port_key_enabled(key) || att_port_in_isr()) {
        att_port_pend();
    } else if (att_k.from != att_port_top()) {
        (void)att_k_switch(); /* returns with interrupts enabled, as key says */
        return;
    } else { /* the switch is not needed any more */
        att_k.from = NULL;
        att_port_undue();
    }
    att_port_unlock(key);
}

ATT_PORT_NOINLINE void att_unlock(att_key_t key)
{
    if (!ATT_PORT_IS_NULL(att_k.from)) {
        unlock_due(key);
        return;
    }
    att_port_unlock(key);
}

/* The first thread of the list takes the running thread's place in the chain; that one becomes the last of
 * the list. */
static ATT_PORT_INLINE att_thread_t *rotate(att_thread_t *self, att_thread_t *tail)
{
    *list_of(self->prio) = self;
    self->wait.prev = &tail->wait;
    att_thread_t *first = tail->next;
    att_thread_t *below = self->next;
    tail->next = self;
    self->next = first->next; /* itself, if the first was the only one */
    first->next = below;
    att_port_set_top(first);
    return first;
}

/* In a handler, in a critical section, or with a switch pending: only a running thread yields. It may be
 * idle, which has no list, or have yielded before and be the top again. */
static ATT_PORT_NOINLINE void yield_later(att_thread_t *self, att_key_t key)
{
    if (att_k_running(self) && (att_k.ready & bit_of(self)) != 0) {
        (void)rotate(self, *list_of(self->prio));
        att_k.from = self;
    }
    att_unlock(key);
}

void att_yield(void)
{
    att_key_t key = att_port_lock();
    att_thread_t *self = att_port_top();
    if (!ATT_K_LIKELY(att_k_direct(&key))) {
        yield_later(self, key);
        return;
    }
    att_thread_t *tail = *list_of(self->prio);
    if (!ATT_K_LIKELY(!ATT_PORT_IS_NULL(tail))) {
        att_port_unlock(key);
        return;
    }
    (void)att_k_switch_to(rotate(self, tail), self);
}

att_thread_t *att_thread_self(void)
{
    att_key_t key = att_port_lock();
    att_thread_t *self = att_k_self();
    att_port_unlock(key);
    return self;
}

#if ATT_CFG_CHECK >= 1
void att_k_expect_may_block(att_key_t key)
{
    ATT_EXPECT(!att_port_in_isr(), ATT_FAULT_BLOCK_IN_HANDLER);
    ATT_EXPECT(att_port_top() != NULL && att_k_self() != &att_k.idle, ATT_FAULT_BLOCK_IN_IDLE);
    ATT_EXPECT(att_port_key_enabled(key), ATT_FAULT_BLOCK_LOCKED);
}

void att_k_stack_check(const void *sp)
{
    att_k_stack_check_of(att_k_self(), sp);
}
#endif

#if ATT_CFG_CHECK >= 2
void att_k_expect_sound(void)
{
    ATT_INVARIANT(att_k_check() == 0);
}
#endif
