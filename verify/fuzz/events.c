/*
 * The kernel's trace events (ATT_TRACE) and what each means for the call in progress: a thread is woken, a
 * thread waits, a switch to a thread is made, an alarm is raised. An event occurs in the section with
 * interrupts masked that it describes.
 */
#include "drive.h"

enum { STEPS = 40 }; /* more than a call can take in one section with interrupts masked */

void drive_clock_read(void)
{
    op_t *op = drive_innermost();
    if (op != NULL && !op->has_read) {
        op->has_read = true;
        op->base = fuzz_now;
        if ((op->call->flags & UNTIL) == 0) {
            op->deadline = fuzz_now + op->timeout + 1;
        }
        if (op->waits && op->timeout != ATT_FOREVER) { /* in the section in which it begins to wait */
            model.thread[op->thread].deadline = op->deadline;
        }
    }
}

static void made_ready(uint8_t k, op_t *op)
{
    for (uint8_t steps = 0; steps < STEPS && op != NULL && !op->done; steps++) {
        if ((model.woken_count != 0 && model.woken[0] == k) || model.thread[k].life == READY) {
            break;
        }
        op->changed = op->wakes = true;
        op->woken = k;
        drive_step(op);
        op->wakes = false;
    }
    for (uint8_t i = 0; i < model.woken_count; i++) {
        if (model.woken[i] == k && i != 0) {
            fuzz_fail("thread %u is woken, and thread %u is first", k, model.woken[0]);
        }
    }
    if (model.woken_count != 0 && model.woken[0] == k) {
        model_woken_seen();
    } else if (model.thread[k].life != READY) {
        fuzz_fail("thread %u is woken, and nothing says why", k);
    } else {
        model.thread[k].order = model_stamp(); /* its time was up just before it began to wait */
    }
}

static void waits(uint8_t k, op_t *op)
{
    if (op == NULL || drive_depth() != 0 || k != fuzz_running() || op->done) {
        fuzz_fail("thread %u waits, and nothing says why", k);
    }
    op->waits = true;
    drive_step(op);
    if (model.thread[k].life != WAITING) {
        fuzz_fail("%s waits, and need not", op->call->name);
    }
}

static bool is_switching;
static uint8_t switching_to;

uint8_t fuzz_current(void)
{
    return is_switching ? switching_to : fuzz_running();
}

/* The switch ends a section with interrupts masked: no point comes before other threads run. It may have been
 * pending before the call; then the call did not wait. */
static void switches(uint8_t to, op_t *op)
{
    is_switching = true;
    switching_to = to;
    if (op != NULL && !op->done) {
        drive_section_over(op);
    }
    is_switching = false;
    while (op != NULL && drive_settles(op)) {
        drive_step(op);
    }
    if (!model_runs(to)) {
        fuzz_fail("a switch to thread %u, and it is thread %u's turn", to, model_top());
    }
}

void fuzz_due(bool armed, uint64_t deadline)
{
    if (!armed) {
        fuzz_fail("an alarm is raised, and is not armed");
    }
    if (deadline > fuzz_now) {
        fuzz_fail("the alarm for %u is raised too early", (att_time_t)deadline);
    }
    if (deadline > drive_first_deadline()) {
        fuzz_fail("the alarm for %u is raised before that for %u", (att_time_t)deadline,
                  (att_time_t)drive_first_deadline());
    }
}

static void alarm_raised(const void *alarm)
{
    for (const kind_t *const *kind = kinds; *kind != NULL; kind++) {
        if ((*kind)->alarm != NULL && (*kind)->alarm(alarm)) {
            return;
        }
    }
    fuzz_fail("an alarm is raised that no call has armed");
}

void fuzz_event(uint8_t event, const void *subject)
{
    const uint8_t k = fuzz_index(subject);
    op_t *op = drive_innermost();
    if (event == ATT_EVENT_ALARM) {
        alarm_raised(subject);
    } else if (event == ATT_EVENT_SWITCH) {
        switches(k, op);
    } else if (event == ATT_EVENT_LOCK && op != NULL && (op->call->flags & LOCKS) != 0) {
        cond_locks(op);
    } else if (event == ATT_EVENT_WAIT && op != NULL && (op->call->flags & ATTEMPTS) != 0) {
        drive_attempt(op);
    } else if (k == NO_THREAD) {
        return;
    } else if (event == ATT_EVENT_READY) {
        made_ready(k, op);
    } else if (event == ATT_EVENT_BLOCK) {
        waits(k, op);
    } else if (event == ATT_EVENT_END && op != NULL) {
        drive_step(op);
    }
}
