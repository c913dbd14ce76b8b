/*
 * Synchronous messages: a server and its clients. A client sends a request and waits for the answer; the data
 * that the message points to stays on the client's stack, so nothing is copied and nothing can overflow. The
 * more urgent client is served first.
 */
#include "say.h"

typedef struct {
    uint8_t from, to; /* a span of the table */
} request_t;

static att_inbox_t inbox;

static void serve(void *arg)
{
    static const uint16_t table[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
    att_message_t message = ATT_MESSAGE_INIT;
    (void)arg;
    for (;;) {
        att_message_receive(&inbox, &message, ATT_FOREVER);
        const request_t *request = (const request_t *)message.word;
        uint16_t sum = 0;
        for (uint8_t at = request->from; at < request->to; at++) {
            sum = (uint16_t)(sum + table[at]);
        }
        att_sleep(ATT_MS(10)); /* as if it took long */
        att_message_reply(&message, sum);
    }
}

static void ask(void *arg)
{
    const uint8_t width = (uint8_t)(uintptr_t)arg;
    for (uint8_t from = 0;; from = (uint8_t)((from + 1) % 8)) {
        const request_t request = {from, (uint8_t)(from + width)};
        uintptr_t sum;
        att_message_send(&inbox, (uintptr_t)&request, &sum, ATT_FOREVER);
        say(width == 1 ? "one: " : "three: ");
        say_number((uint32_t)sum);
        say("\n");
        att_sleep(ATT_MS(30));
    }
}

ATT_THREAD(server, 3, ATT_STACK_MIN + 80, serve, NULL);
ATT_THREAD(one, 1, ATT_STACK_MIN + 80, ask, (void *)1);
ATT_THREAD(three, 2, ATT_STACK_MIN + 80, ask, (void *)3);
ATT_SYSTEM(server, one, three);

int main(void)
{
    att_board_console_start();
    att_start();
}
