/* UART 0, transmit only, by waiting: for tests and examples, before and without any driver. */
#include "board.h"

#include <avr/io.h>

void att_board_console_start(void)
{
    UBRR0 = (uint16_t)((F_CPU + 4 * 115200UL) / (8 * 115200UL) - 1);
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(TXEN0);
}

void att_board_console_put(char byte)
{
    while ((UCSR0A & _BV(UDRE0)) == 0) {
    }
    UDR0 = (uint8_t)byte;
}
