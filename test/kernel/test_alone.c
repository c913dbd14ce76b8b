/*
 * A program that uses only a semaphore, and prints by itself: without join and without time. test_config.py
 * checks that the linker drops the rest. At the end a thread ends that no thread can join.
 */
#include "tap.h"

#if defined(ATT_PORT_HOST)
/* The simulated board's clock also keeps its time; here it has neither. */
#include "host.h"

void att_host_board_point(void)
{
}

bool att_host_board_wait(const uint32_t *deadline)
{
    return deadline != NULL;
}
#endif

static att_sem_t go, done;

static void worker(void *arg)
{
    (void)arg;
    for (uint8_t round = 0; round < 10; round++) {
        (void)att_sem_take_forever(&go);
        (void)att_sem_give(&done);
    }
    att_exit();
}

static void judge(void *arg)
{
    uint8_t right = 0;
    (void)arg;
    for (uint8_t round = 0; round < 10; round++) {
        right = (uint8_t)(right + (att_sem_give(&go) == ATT_OK && att_sem_take_forever(&done) == ATT_OK));
    }
    tap_text(TEXT("1..1\n"));
    tap_result(right == 10, 1, TEXT("a program without joins and without time"));
    target_end(right != 10);
}

ATT_THREAD(worker_thread, 2, ATT_STACK_MIN + TARGET_STACK, worker, NULL);
ATT_THREAD(judge_thread, 1, ATT_STACK_MIN + TARGET_STACK, judge, NULL);
ATT_SYSTEM(worker_thread, judge_thread);

int main(void)
{
    att_board_console_start();
    att_start();
}
