/*
 * Threads that start and end at run time, in memory that the caller owns: here one block, used again and
 * again. The caller owns it again when att_join has returned.
 */
#include "say.h"

static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + 80)];
} memory;

static void add_up(void *arg)
{
    uint32_t *sum = arg;
    for (uint32_t i = 1, last = *sum; i < last; i++) {
        *sum += i;
    }
    att_sleep(ATT_MS(50));
} /* returning ends the thread; att_exit() does it from further down */

static void direct(void *arg)
{
    (void)arg;
    for (uint32_t number = 1;; number++) {
        uint32_t sum = number; /* on this thread's stack: it waits here until the other has ended */
        att_thread_t *helper = att_thread_start(&memory, sizeof(memory), 1, add_up, &sum);
        att_join(helper, ATT_FOREVER);
        say("1 to ");
        say_number(number);
        say(" make ");
        say_number(sum);
        say("\n");
    }
}

ATT_THREAD(director, 2, ATT_STACK_MIN + 80, direct, NULL);
ATT_SYSTEM(director);

int main(void)
{
    att_board_console_start();
    att_start();
}
