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

static att_account_t handlers;
static uint32_t switches;
static att_stamp_t idle_before, began; /* what idle had, and when it was, at the reset */
static att_thread_t *running;          /* NULL: no switch yet */
static att_time_t booked;              /* up to here */
static uint8_t depth;                  /* of handlers */
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
    att_account_t *account = depth != 0 ? &handlers : &runner()->account;
    account->time += passed;
    account->carry += account->time < passed;
}

void att_statistics_event(uint8_t event, const void *subject)
{
    if (event == ATT_EVENT_RUN) {
        book();
        running = (att_thread_t *)(uintptr_t)subject;
        running->account.runs++;
        switches++;
    } else if (event == ATT_EVENT_ISR_ENTER) {
        book();
        depth++;
        handlers.runs++;
    } else if (event == ATT_EVENT_ISR_LEAVE) {
        book();
        depth--;
    } else if (event == ATT_EVENT_START) {
        ((att_thread_t *)(uintptr_t)subject)->account = (att_account_t){0, 0, 0};
    }
}

/* In two steps, so that interrupts are enabled: all that is read belongs to the last booking, whenever it
 * was.
 */
static void book_unlocked(void)
{
    att_key_t key = att_port_lock();
    book();
    att_port_unlock(key);
}

static att_stamp_t time_of(const att_account_t *account)
{
    return (att_stamp_t)account->carry << 32 | account->time;
}

static att_stamp_t stamp_of(att_time_t past)
{
    const att_stamp_t now = att_stamp();
    return now - (att_time_t)((att_time_t)now - past);
}

att_statistics_t att_statistics(void)
{
    book_unlocked();
    att_key_t key = att_port_lock();
    const att_time_t at = booked;
    const att_account_t idle = att_k.idle.account, inside = handlers;
    const uint32_t made = switches;
    att_port_unlock(key);
    return (att_statistics_t){stamp_of(at) - began, time_of(&idle) - idle_before, time_of(&inside), made,
                              inside.runs};
}

att_usage_t att_thread_usage(const att_thread_t *thread)
{
    ATT_EXPECT(thread != NULL, ATT_FAULT_BAD_THREAD);
    book_unlocked();
    att_key_t key = att_port_lock();
    const att_account_t account = thread->account;
    att_port_unlock(key);
    return (att_usage_t){time_of(&account), account.runs};
}

void att_statistics_reset(void)
{
    book_unlocked();
    att_key_t key = att_port_lock();
    const att_time_t at = booked;
    const att_account_t idle = att_k.idle.account;
    handlers = (att_account_t){0, 0, 0};
    switches = 0;
    att_port_unlock(key);
    idle_before = time_of(&idle);
    began = stamp_of(at);
}

#endif
