/*
 * Statistics. The time since the last event that matters belongs to one account: the running thread's, or the
 * handlers' while one is in progress. At each such event it is booked there, and the next begins; nothing is
 * lost or counted twice, whatever the clock's unit.
 *
 * Rejected: sampling by a timer (an interrupt more, and it sees only what is in phase with it); a table of
 * threads beside them (a search at each switch).
 */
#include "kernel.h"

#if ATT_CFG_STATISTICS

static att_statistics_t counted; /* `idle` is in idle's own account, of which `idle_before` is not counted */
static att_stamp_t idle_before;
static att_stamp_t began;
static att_thread_t *running; /* NULL: no switch yet */
static att_time_t booked;     /* up to here */
static uint8_t depth;         /* of handlers */
static bool begun;

static att_thread_t *runner(void)
{
    return running != NULL ? running : &att_k.idle;
}

static void book(void)
{
    const att_time_t now = att_board_now();
    if (!begun) {
        begun = true;
        began = att_board_stamp();
        booked = now;
    }
    const att_time_t passed = now - booked;
    booked = now;
    *(depth != 0 ? &counted.handlers : &runner()->usage.time) += passed;
}

void att_statistics_event(uint8_t event, const void *subject)
{
    if (event == ATT_EVENT_RUN) {
        book();
        running = (att_thread_t *)(uintptr_t)subject;
        running->usage.runs++;
        counted.switches++;
    } else if (event == ATT_EVENT_ISR_ENTER) {
        book();
        depth++;
        counted.interrupts++;
    } else if (event == ATT_EVENT_ISR_LEAVE) {
        book();
        depth--;
    } else if (event == ATT_EVENT_START) {
        ((att_thread_t *)(uintptr_t)subject)->usage = (att_usage_t){0, 0};
    }
}

att_statistics_t att_statistics(void)
{
    att_key_t key = att_port_lock();
    book();
    att_statistics_t now = counted;
    now.since = att_board_stamp() - began;
    now.idle = att_k.idle.usage.time - idle_before;
    att_port_unlock(key);
    return now;
}

att_usage_t att_thread_usage(const att_thread_t *thread)
{
    ATT_EXPECT(thread != NULL, ATT_FAULT_BAD_THREAD);
    att_key_t key = att_port_lock();
    book();
    const att_usage_t usage = thread->usage;
    att_port_unlock(key);
    return usage;
}

void att_statistics_reset(void)
{
    att_key_t key = att_port_lock();
    book();
    counted = (att_statistics_t){0, 0, 0, 0, 0};
    idle_before = att_k.idle.usage.time;
    began = att_board_stamp();
    att_port_unlock(key);
}

#endif
