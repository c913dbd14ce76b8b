/*
 * A lock whose priority has no bit that the processor implements masks nothing: att_start finds it.
 */
#include "tap.h"

static void entry(void *arg)
{
    (void)arg;
    tap_result(false, 1, TEXT("a lock that masks nothing is found"));
    target_end(1);
}

void att_fault_hook(const att_fault_record_t *fault)
{
    const bool right = fault->code == ATT_FAULT_BAD_PRIORITY && fault->pc != 0;
    tap_result(right, 1, TEXT("a lock that masks nothing is found"));
    target_end(!right);
}

ATT_THREAD(thread, 1, ATT_STACK_MIN + TARGET_STACK, entry, NULL);
ATT_SYSTEM(thread);

int main(void)
{
    att_board_console_start();
    tap_text(TEXT("1..1\n"));
    att_start();
}
