/* Words and numbers on the console, for experiments whose result is not a pulse. Text lies in flash. */
#ifndef PRINT_H
#define PRINT_H

#include "attacca/attacca.h"

static inline void print_rom(const char *text)
{
    char byte;
    for (;;) {
        att_port_rom_load(&byte, text++, 1);
        if (byte == 0) {
            return;
        }
        att_board_console_put(byte);
    }
}

static inline void print_number(uint16_t number)
{
    if (number >= 10) {
        print_number(number / 10);
    }
    att_board_console_put((char)('0' + number % 10));
}

#define PRINT(literal)                                                                                       \
    do {                                                                                                     \
        static const char text_[] ATT_PORT_ROM = literal;                                                    \
        print_rom(text_);                                                                                    \
    } while (0)

#endif
