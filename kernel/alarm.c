/*
 * Alarms: a ring ordered by time; `att_k.alarms` is the first, and `prev` of an alarm that is not armed is
 * NULL. The board's alarm is armed for the first, or for an earlier time: a removal leaves it, and the
 * handler that then finds nothing due arms it anew. An alarm is linked and armed in one masked stretch; a
 * preemption in between would make it late. All alarms are raised in the clock's handler, while they are
 * still linked.
 *
 * A place before the first, behind the last or near the first takes a few comparisons. For any other the ring
 * is walked from the end that is nearer in time. Every few steps there is a preemption point (if the caller
 * had interrupts enabled); removals mend the walk's cursor, so no step is lost. An alarm whose place is
 * looked for has no `next`, and its `prev` points to the cursor, until another call stops the alarm or
 * inserts it anew.
 *
 * Rejected: a heap or a tree: slower for few alarms, more memory for each, and a masked stretch that grows
 * with their number. An unordered list searched at expiry: the search delays the very alarm that is due.
 */
#include "alarm.h"

/* Steps in one masked stretch: from the first; and in a walk, where a port may set fewer. */
#define NEAR 1
#ifndef ATT_PORT_STEPS
#define ATT_PORT_STEPS 7
#endif
/* 1: a window in a handler admits handlers of higher urgency only, and an exit that is followed by the next
 * handler is cheap. The clock's handler then raises one alarm, ends, and is entered again for the next. */
#ifndef ATT_PORT_HANDLERS_CHAIN
#define ATT_PORT_HANDLERS_CHAIN 0
#endif

/* An alarm leaves the ring: a cursor at it goes one step back. At the end where its walk began, the walk begins
 * anew. */
static void mend_cursors(const att_alarm_t *alarm)
{
    for (att_alarm_cursor_t *cursor = att_k.alarm_cursors; cursor != NULL; cursor = cursor->outer) {
        if (cursor->at == alarm) {
            att_alarm_t *at = cursor->backward ? alarm->next : alarm->prev;
            cursor->at = (cursor->backward ? at : alarm) == att_k.alarms ? NULL : at;
        }
    }
}

static ATT_PORT_NOINLINE void remove_mending(att_alarm_t *alarm)
{
    if (alarm->next == NULL) {
        alarm->prev = NULL; /* its place is being looked for */
    } else {
        mend_cursors(alarm);
        att_k_alarm_unlink(alarm);
    }
}

void att_k_alarm_remove(att_alarm_t *alarm)
{
    if (ATT_PORT_IS_NULL(alarm->prev)) {
        return;
    }
    if (!ATT_PORT_IS_NULL(att_k.alarm_cursors)) {
        remove_mending(alarm);
        return;
    }
    att_k_alarm_unlink(alarm);
}

/* Out of line, so that the caller saves no registers for it. */
ATT_PORT_NOINLINE bool att_k_alarm_place_beside(att_alarm_t *alarm)
{
    const att_time_t when = alarm->when;
    att_alarm_t *prev = att_k.alarms, *next = prev->next;
    for (uint8_t steps = NEAR; !att_k_later(&next->when, when); steps--) {
        if (steps == 0) {
            return false;
        }
        prev = next;
        next = next->next;
    }
    att_k_alarm_link_between(alarm, prev, next);
    return true;
}

bool att_k_alarm_place_near(att_alarm_t *alarm)
{
    return att_k_alarm_place_first(alarm) || att_k_alarm_place_beside(alarm);
}

/*
 * A walk begins at the end that is nearer in time. Each function takes the steps of one masked stretch; true: the
 * alarm is linked. They are out of line, to have nothing on the stack at a preemption point.
 */
static ATT_PORT_NOINLINE bool walk_from_end(att_alarm_cursor_t *cursor, att_alarm_t *alarm)
{
    const att_time_t when = alarm->when;
    att_alarm_t *first = att_k.alarms;
    if (first == NULL || att_k_later(&first->when, when)) {
        return att_k_alarm_place_near(alarm);
    }
    att_alarm_t *last = first->prev;
    if (!att_k_later(&last->when, when)) {
        att_k_alarm_link_between(alarm, last, first);
        return true;
    }
    cursor->backward = last->when - when < when - first->when;
    cursor->at = cursor->backward ? last : first;
    return false;
}

/* The alarm at the cursor is later. The first is not, or the walk begins anew: handlers have run. */
static ATT_PORT_NOINLINE bool walk_backward(att_alarm_cursor_t *cursor, att_alarm_t *alarm)
{
    const att_time_t when = alarm->when;
    att_alarm_t *at = NULL;
    if (!att_k_later(&att_k.alarms->when, when)) {
        at = cursor->at;
        uint_fast8_t steps = ATT_PORT_STEPS;
        do {
            att_alarm_t *next = at;
            at = at->prev;
            if (!att_k_later(&at->when, when)) {
                att_k_alarm_link_between(alarm, at, next);
                return true;
            }
        } while (--steps != 0);
    }
    cursor->at = at;
    return false;
}

/* The alarm at the cursor is not later, and the last is, or the walk begins anew: handlers have run. */
static ATT_PORT_NOINLINE bool walk_forward(att_alarm_cursor_t *cursor, att_alarm_t *alarm)
{
    const att_time_t when = alarm->when;
    att_alarm_t *at = cursor->at;
    if (att_k_later(&at->when, when) || !att_k_later(&att_k.alarms->prev->when, when)) {
        cursor->at = NULL;
        return false;
    }
    uint_fast8_t steps = ATT_PORT_STEPS;
    do {
        att_alarm_t *prev = at;
        at = at->next;
        if (att_k_later(&at->when, when)) {
            att_k_alarm_link_between(alarm, prev, at);
            return true;
        }
    } while (--steps != 0);
    cursor->at = at;
    return false;
}

static ATT_PORT_INLINE bool walk_on(att_alarm_cursor_t *cursor, att_alarm_t *alarm)
{
    if (cursor->at == NULL) {
        return walk_from_end(cursor, alarm);
    }
    return cursor->backward ? walk_backward(cursor, alarm) : walk_forward(cursor, alarm);
}

/* If the caller waits, or has been woken since, handlers run, and threads do not. If not, a pending switch is
 * performed: a window would consume the request for it, and nothing would repeat that. */
static void preemption_point(bool waits, att_key_t key)
{
    if (waits) {
        att_k_preemption_point(key);
    } else {
        att_port_unlock(key);
        att_port_mask();
    }
}

/* The alarm is not linked; the walk looks for its place. */
static void walk_begin(att_alarm_cursor_t *cursor, att_alarm_t *alarm)
{
    cursor->outer = att_k.alarm_cursors;
    cursor->at = NULL;
    att_k.alarm_cursors = cursor;
    alarm->next = NULL;
    alarm->prev = (att_alarm_t *)(void *)cursor;
}

/* False: another call has stopped the alarm or inserted it anew. */
static bool walk_counts(const att_alarm_cursor_t *cursor, const att_alarm_t *alarm)
{
    return (const void *)alarm->prev == cursor;
}

static void walk_end(const att_alarm_cursor_t *cursor)
{
    /* Not always the first: threads of one priority may take turns here. */
    att_alarm_cursor_t **place = &att_k.alarm_cursors;
    while (*place != cursor) {
        place = &(*place)->outer;
    }
    *place = cursor->outer;
}

/* A window in the clock's handler may have consumed a request for a switch. */
static void request_again(void)
{
    if (!ATT_PORT_IS_NULL(att_k.from)) {
        att_port_pend();
    }
}

ATT_PORT_NOINLINE bool att_k_alarm_place_far(att_alarm_t *alarm, bool waits, att_key_t key)
{
    att_alarm_cursor_t cursor;
    walk_begin(&cursor, alarm);
    bool counts;
    do {
        preemption_point(waits, key);
        counts = walk_counts(&cursor, alarm);
    } while (counts && !walk_on(&cursor, alarm));
    walk_end(&cursor);
    return counts;
}

static void window_while_raising(void)
{
    if (att_k.raising == ATT_K_HANDLING) {
        att_port_handler_window();
        request_again();
    }
}

bool att_k_alarm_again(att_alarm_t *alarm)
{
    if (att_k_alarm_place(alarm, alarm->when)) {
        return true;
    }
    const att_key_t key = att_k.raising == ATT_K_HANDLING ? att_port_enabled_key() : att_port_lock();
    const bool counts = att_k_alarm_place_far(alarm, true, key);
    request_again();
    return counts;
}

/* One step for each bit, since a division takes long on a processor without the instruction. */
ATT_PORT_NOINLINE att_time_t att_k_alarm_skip(att_alarm_t *alarm, att_time_t late, const att_time_t *period)
{
    att_time_t span = *period, count = 0;
    uint8_t doubled = 0;
    att_alarm_cursor_t cursor;
    walk_begin(&cursor, alarm);
    for (; span <= late; span <<= 1) {
        doubled++;
        window_while_raising();
    }
    for (; doubled != 0 && walk_counts(&cursor, alarm); doubled--) {
        span >>= 1;
        count <<= 1;
        if (span <= late) {
            late -= span;
            alarm->when += span;
            count++;
        }
        window_while_raising();
    }
    walk_end(&cursor);
    if (!walk_counts(&cursor, alarm)) {
        return ATT_K_REMOVED;
    }
    alarm->when += *period;
    return count + 1;
}

/* Inlined, so that it has nothing on the stack below a callback. */
static ATT_PORT_INLINE void raise_first(att_alarm_t *first, att_time_t now)
{
    ATT_TRACE(ATT_EVENT_ALARM, first);
    first->raise(first, now);
}

/* False: its time has come. */
static ATT_PORT_INLINE bool arm_first(void)
{
    att_alarm_t *first = att_k.alarms;
    if (ATT_K_LIKELY(!ATT_PORT_IS_NULL(first))) {
        return att_board_alarm(first->when);
    }
    att_board_alarm_off();
    return true;
}

static ATT_PORT_INLINE void raise_if_due(void)
{
    att_alarm_t *first = att_k.alarms;
    if (ATT_K_LIKELY(!ATT_PORT_IS_NULL(first))) {
        const att_time_t now = att_board_now();
        if (ATT_K_LIKELY(!att_k_later(&first->when, now))) {
            raise_first(first, now);
        }
    }
}

/* The time of the next one has come already. */
static ATT_PORT_NOINLINE void raise_more(void)
{
    if (ATT_PORT_HANDLERS_CHAIN) {
        att_board_alarm_now();
    } else {
        do {
            window_while_raising(); /* a handler that runs there may change the ring */
            raise_if_due();
        } while (!arm_first());
    }
    att_k.raising = ATT_K_NOT_RAISING;
}

/* Without a loop, for which registers would be saved. */
void att_clock_expired(void)
{
    if (att_k.raising != ATT_K_NOT_RAISING) {
        return; /* the call that raises alarms arms the board */
    }
    att_k.raising = ATT_K_HANDLING;
    raise_if_due();
    if (!arm_first()) {
        raise_more();
        return;
    }
    att_k.raising = ATT_K_NOT_RAISING;
}

void att_clock_corrected(void)
{
    const att_key_t key = att_port_lock();
    while (att_k.raising == ATT_K_NOT_RAISING) {
        att_alarm_t *first = att_k.alarms;
        const att_time_t now = att_board_now();
        if (first == NULL || att_time_after(first->when, now)) {
            break;
        }
        att_k.raising = ATT_K_CORRECTING;
        raise_first(first, now);
        att_k.raising = ATT_K_NOT_RAISING;
        att_unlock(key);
        att_port_mask();
    }
    if (!arm_first()) {
        att_board_alarm_now();
    }
    att_unlock(key);
}
