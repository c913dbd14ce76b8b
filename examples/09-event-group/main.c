/*
 * An event group and an event source: several threads wait for the same events.
 *
 * The group says what is true: the machine is ready when it is both warm and filled, and both workers wait
 * for that. They keep the flags, so that it stays true. The event source says what happens: each finished
 * piece is broadcast to all registered listeners, which the sender need not know.
 */
#include "say.h"

enum { WARM = 1, FILLED = 2 };
enum { PIECE = 1 };

static att_group_t machine;
static att_event_source_t finished;

static void work(void *arg)
{
    att_mask_t came;
    att_group_wait(&machine, WARM | FILLED, ATT_ALL | ATT_KEEP, &came, ATT_FOREVER);
    say((const char *)arg);
    say(" begins\n");
    for (;;) {
        att_sleep(ATT_MS(30));
        att_event_source_broadcast(&finished, PIECE);
    }
}

static void count(void *arg)
{
    static att_flags_t flags;
    static att_listener_t listener = ATT_LISTENER_INIT(&flags, 1, PIECE);
    att_mask_t came;
    uint16_t pieces = 0;
    (void)arg;
    att_event_source_register(&finished, &listener);
    for (;;) {
        att_flags_wait(&flags, 1, ATT_ANY, &came, ATT_FOREVER);
        if ((att_listener_fetch(&listener) & PIECE) != 0 && ++pieces % 10 == 0) {
            say_number(pieces);
            say(" pieces\n");
        }
    }
}

static void prepare(void *arg)
{
    (void)arg;
    att_sleep(ATT_MS(20));
    say("warm\n");
    att_group_set(&machine, WARM);
    att_sleep(ATT_MS(20));
    say("filled\n");
    att_group_set(&machine, FILLED);
}

static char left[] = "left", right[] = "right";
ATT_THREAD(left_worker, 2, ATT_STACK_MIN + 80, work, left);
ATT_THREAD(right_worker, 2, ATT_STACK_MIN + 80, work, right);
ATT_THREAD(counter, 3, ATT_STACK_MIN + 80, count, NULL);
ATT_THREAD(operator_, 1, ATT_STACK_MIN + 80, prepare, NULL);
ATT_SYSTEM(left_worker, right_worker, counter, operator_);

int main(void)
{
    att_board_console_start();
    att_start();
}
