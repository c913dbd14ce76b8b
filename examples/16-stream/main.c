/*
 * A byte stream. A timer's handler plays the receiver of a serial line: it puts a byte every millisecond and
 * never waits. The thread reads lines of eight bytes; it runs once a line, not once a byte, and notices by
 * its timeout when the line falls silent.
 */
#include "say.h"

#define LINE 8

ATT_STREAM(received, 16, NULL);

static void receive(void *arg)
{
    static uint8_t millisecond, letter;
    (void)arg;
    if (millisecond++ % 64 < 44) {                                /* then it is silent for a while */
        (void)att_stream_put(&received, (uint8_t)('a' + letter)); /* ATT_FULL: the reader is too slow */
        letter = (uint8_t)((letter + 1) % 26);
    }
}

static att_timer_t line = ATT_TIMER_INIT(receive, NULL);

static void print_lines(void *arg)
{
    char text[LINE + 1];
    (void)arg;
    att_timer_start(&line, ATT_MS(1), ATT_MS(1));
    for (;;) {
        const size_t count = att_stream_read(&received, text, LINE, ATT_MS(15));
        text[count] = '\0';
        say(count == LINE ? "line " : "rest ");
        say(text);
        say("\n");
    }
}

ATT_THREAD(printer, 1, ATT_STACK_MIN + 140, print_lines, NULL);
ATT_SYSTEM(printer);

int main(void)
{
    att_board_console_start();
    att_start();
}
