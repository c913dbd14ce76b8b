/*
 * Without a hook a fault stops the processor. The simulated machine ends its process with status 2 then,
 * which another process sees; on a board an instrument does (test_config.py).
 */
#include "tap.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void faulty(void *arg)
{
    (void)arg;
    att_fault(0x8002);
}

ATT_THREAD(faulty_thread, 1, ATT_STACK_MIN + TARGET_STACK, faulty, NULL);
ATT_SYSTEM(faulty_thread);

int main(void)
{
    int status = 0;
    att_board_console_start();
    const pid_t child = fork();
    if (child == 0) {
        (void)freopen("/dev/null", "w", stderr);
        att_start();
    }
    (void)waitpid(child, &status, 0);
    const bool right = WIFEXITED(status) && WEXITSTATUS(status) == ATT_HOST_EXIT_FAULT;
    tap_text(TEXT("1..1\n"));
    tap_result(right, 1, TEXT("without a hook a fault stops the processor"));
    target_end(!right);
}
