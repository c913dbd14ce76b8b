/*
 * A fault without a hook: the processor stops (test_config.py).
 */
#include "target.h"

static void faulty(void *arg)
{
    (void)arg;
    att_fault(0x8002);
}

ATT_THREAD(faulty_thread, 1, ATT_STACK_MIN + TARGET_STACK, faulty, NULL);
ATT_SYSTEM(faulty_thread);

int main(void)
{
    att_start();
}
