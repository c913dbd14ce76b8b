/*
 * A heap: blocks of any size out of an array of the program. Two threads build texts of unknown length; the
 * heap locks itself with a mutex and leaves interrupts enabled. It returns NULL when no block is large
 * enough, and reports its state.
 */
#include "say.h"

ATT_HEAP(heap, 160);

static void build(void *arg)
{
    const char letter = *(const char *)arg;
    for (;;) {
        char *text = NULL;
        for (uint8_t length = 0; length < 60; length++) {
            char *more = att_heap_realloc(&heap, text, length + 2u);
            if (more == NULL) {
                break; /* `text` is unchanged */
            }
            text = more;
            text[length] = letter;
            text[length + 1] = '\0';
            att_sleep(ATT_MS(1));
        }
        if (text != NULL) {
            say(text);
            say("\n");
            att_heap_free(&heap, text);
        }
        att_sleep(ATT_MS(20));
    }
}

static void watch(void *arg)
{
    (void)arg;
    for (;;) {
        att_sleep(ATT_MS(200));
        const att_heap_status_t status = att_heap_status(&heap);
        say("free: ");
        say_number((uint32_t)status.free);
        say(" bytes in ");
        say_number((uint32_t)status.fragments);
        say(att_heap_sound(&heap) ? " blocks\n" : " blocks, spoilt\n");
    }
}

static char a[] = "a", b[] = "b";
/* Of one priority, so that none preempts another in the middle of a line. */
ATT_THREAD(first, 2, ATT_STACK_MIN + 110, build, a);
ATT_THREAD(second, 2, ATT_STACK_MIN + 110, build, b);
ATT_THREAD(watcher, 2, ATT_STACK_MIN + 110, watch, NULL);
ATT_SYSTEM(first, second, watcher);

int main(void)
{
    att_board_console_start();
    att_start();
}
