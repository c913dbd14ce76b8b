/* The examples' output: the board's console, which waits for every byte. */
#ifndef SAY_H
#define SAY_H

#include "attacca/attacca.h"

static inline void say(const char *text)
{
    while (*text != '\0') {
        att_board_console_put(*text++);
    }
}

static inline void say_number(uint32_t number)
{
    char digits[11];
    char *first = &digits[10];
    *first = '\0';
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    say(first);
}

#endif
