/*
 * An arena: memory that is allocated from one end and freed all at once. Each request uses as many pieces as
 * it needs, none is freed by itself, and the mark from before the request frees all of them: nothing can
 * leak, and the memory does not fragment. No call searches.
 */
#include "say.h"

typedef struct digit {
    struct digit *next;
    char text[2];
} digit_t;

ATT_ARENA(arena, 96);

/* A number's digits as a list, for as long as the request lasts. */
static digit_t *split(uint32_t number)
{
    digit_t *list = NULL;
    do {
        digit_t *digit = att_arena_alloc(&arena, sizeof(digit_t));
        if (digit == NULL) {
            return NULL; /* too long a number for this arena */
        }
        digit->next = list;
        digit->text[0] = (char)('0' + number % 10);
        digit->text[1] = '\0';
        list = digit;
        number /= 10;
    } while (number != 0);
    return list;
}

static void serve(void *arg)
{
    (void)arg;
    for (uint32_t number = 1;; number = number < 100000 ? number * 7 : 1) {
        const att_arena_mark_t mark = att_arena_mark(&arena);
        for (const digit_t *digit = split(number); digit != NULL; digit = digit->next) {
            say(digit->text);
            say(digit->next != NULL ? "-" : "\n");
        }
        att_arena_release(&arena, mark);
        att_sleep(ATT_MS(50));
    }
}

ATT_THREAD(server, 1, ATT_STACK_MIN + 90, serve, NULL);
ATT_SYSTEM(server);

int main(void)
{
    att_board_console_start();
    att_start();
}
