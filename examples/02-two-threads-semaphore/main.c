/*
 * Two threads and a semaphore. The producer makes one item every 100 ms, three at once now and then; the
 * consumer waits for them, and gets each unit as soon as it is given.
 */
#include "say.h"

/* No unit now, at most 3 kept. All zero would be a valid one too: binary, empty. */
static att_sem_t made = ATT_SEM_INIT(0, 3);

static void produce(void *arg)
{
    (void)arg;
    for (uint8_t round = 1;; round++) {
        att_sleep(ATT_MS(100));
        for (uint8_t i = round % 4 == 0 ? 3 : 1; i > 0; i--) {
            att_sem_give(&made); /* ATT_FULL if 3 are kept already */
        }
    }
}

static void consume(void *arg)
{
    (void)arg;
    uint32_t number = 0;
    for (;;) {
        if (att_sem_take(&made, ATT_MS(250)) == ATT_OK) {
            say("consumed ");
            say_number(++number);
            say("\n");
        } else {
            say("nothing for 250 ms\n"); /* never: see produce() */
        }
    }
}

/* The consumer is the more urgent one: a higher number. */
ATT_THREAD(producer, 1, ATT_STACK_MIN + 56, produce, NULL);
ATT_THREAD(consumer, 2, ATT_STACK_MIN + 80, consume, NULL);
ATT_SYSTEM(producer, consumer);

int main(void)
{
    att_board_console_start();
    att_start();
}
