/*
 * A fault of the application's own, at every check level: the record, the hook, the stop.
 */
#include "tap.h"

static bool before_right;

#ifdef TRACED
static const void *traced;

void trace_event(uint8_t event, const void *subject)
{
    if (event == ATT_EVENT_FAULT) {
        traced = subject;
    }
}
#endif

void att_fault_hook(const att_fault_record_t *fault)
{
    tap_text(TEXT("1..2\n"));
    tap_result(before_right, 1, TEXT("before a fault there is no record, nor after it was forgotten"));
#ifdef TRACED
    before_right = before_right && traced == fault;
#endif
    const bool right = fault == att_fault_last() && fault->magic == ATT_FAULT_MAGIC &&
                       fault->code == 0x8001 && fault->thread == att_thread_self() && fault->pc != 0;
    tap_result(right, 2, TEXT("the hook gets the record of an application's fault"));
    target_end(!(before_right && right));
}

static void faulty(void *arg)
{
    (void)arg;
    att_fault_clear();
    before_right = att_fault_last() == NULL;
    att_fault(0x8001);
}

ATT_THREAD(faulty_thread, 1, ATT_STACK_MIN + TARGET_STACK, faulty, NULL);
ATT_SYSTEM(faulty_thread);

int main(void)
{
    att_board_console_start();
    att_start();
}
