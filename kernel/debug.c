/*
 * The kernel's invariants 1 to 4 and 6 (kernel.h) as a program; lists are walked with a bound, so that a
 * broken one ends the walk.
 */
#include "kernel.h"

#define LIST_BOUND 1000u

/* Weak: mutex_inheritance.c has the real one. */
__attribute__((weak)) bool att_k_mutexes_sound(void)
{
    return true;
}

static bool chain_falls(void)
{
    unsigned bound = ATT_CFG_PRIORITIES;
    const att_thread_t *thread = att_port_top();
    while (thread->next != NULL && bound-- != 0) {
        if (thread->wait.above >= thread->next->wait.above) {
            return false;
        }
        thread = thread->next;
    }
    return thread == &att_k.idle;
}

/* One ready list: its bit and priorities are right, no thread is more urgent than the top, and it is well
 * linked. */
static bool list_sound(att_prio_t prio)
{
    const att_thread_t *last = att_k.list[prio - 1];
    const bool marked = ((uint32_t)att_k.ready >> prio & 1u) != 0;
    if (last == NULL || !marked) {
        return last == NULL && !marked;
    }
    const att_thread_t *thread = last;
    unsigned bound = LIST_BOUND;
    do {
        if (thread->prio != prio || thread->wait.above < att_port_top()->wait.above || bound-- == 0) {
            return false;
        }
        const att_thread_t *next = thread->next;
        if (thread != last && next->wait.prev != &thread->wait) {
            return false; /* the first one's prev alone is not maintained */
        }
        thread = next;
    } while (thread != last);
    return true;
}

static bool alarms_ordered(void)
{
    const att_alarm_t *first = att_k.alarms;
    for (const att_alarm_t *alarm = first; alarm != NULL;) {
        const att_alarm_t *next = alarm->next; /* sound links lead back to the first */
        if (next == NULL || next->prev != alarm) {
            return false;
        }
        if (next == first) {
            break;
        }
        if (att_time_after(alarm->when, next->when)) {
            return false;
        }
        alarm = next;
    }
    return true;
}

uint16_t att_alarm_count(void)
{
    uint16_t count = 0;
    att_key_t key = att_port_lock();
    const att_alarm_t *alarm = att_k.alarms;
    if (alarm != NULL) {
        do {
            count++;
            alarm = alarm->next;
        } while (alarm != att_k.alarms);
    }
    att_port_unlock(key);
    return count;
}

uint8_t att_k_check(void)
{
    uint8_t broken = 0;
    att_key_t key = att_port_lock();
    const att_thread_t *from = att_k.from;
    if (!chain_falls()) {
        broken = 1;
    } else if (from != NULL && !att_k_running(from)) {
        broken = 3;
    } else if (!alarms_ordered()) {
        broken = 4;
    } else if (!att_k_mutexes_sound()) {
        broken = 6;
    }
    for (att_prio_t prio = 1; broken == 0 && prio < ATT_CFG_PRIORITIES; prio++) {
        if (!list_sound(prio)) {
            broken = 2;
        }
    }
    att_port_unlock(key);
    return broken;
}

att_state_t att_thread_state(const att_thread_t *thread)
{
    att_key_t key = att_port_lock();
    att_state_t state = ATT_STATE_READY;
    if (thread == att_k_self()) {
        state = ATT_STATE_RUNNING;
    } else if (thread->queue == ATT_K_ENDED) {
        state = ATT_STATE_ENDED;
    } else if (thread->next == NULL && thread != &att_k.idle) {
        state = ATT_STATE_WAITING;
    }
    att_port_unlock(key);
    return state;
}
