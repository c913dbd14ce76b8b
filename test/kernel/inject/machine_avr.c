/*
 * AVR: the question comes as eight bytes on the console, at the UART's highest speed, so that question and
 * answer are short. The handlers are those of the three pin-change interrupts: software raises one by
 * toggling an output pin, the instrument raises any of them at any instruction.
 */
#include "inject.h"

#include <avr/interrupt.h>
#include <avr/io.h>

extern uint8_t machine_damaged; /* registers.S */

void machine_ask(void)
{
    uint8_t *bytes = (uint8_t *)&question;
    UBRR0 = 0;
    UCSR0A = _BV(U2X0);
    UCSR0B = _BV(TXEN0) | _BV(RXEN0);
    target_mark(LISTENS);
    for (uint8_t n = 0; n < sizeof(question); n++) {
        while ((UCSR0A & _BV(RXC0)) == 0) {
        }
        bytes[n] = UDR0;
    }
}

void machine_start(void)
{
    DDRB |= _BV(0);
    DDRC |= _BV(0);
    DDRD |= _BV(4);
    PCMSK0 = _BV(0);
    PCMSK1 = _BV(0);
    PCMSK2 = _BV(4);
    PCIFR = _BV(PCIF0) | _BV(PCIF1) | _BV(PCIF2);
    PCICR = _BV(PCIE0) | _BV(PCIE1) | _BV(PCIE2);
}

ATT_ISR(PCINT0_vect)
{
    inject_handler(KNOWN);
}

ISR(PCINT1_vect)
{
    inject_handler(FOREIGN);
}

ATT_ISR_NESTED(PCINT2_vect)
{
    inject_handler(NESTED);
}

void machine_raise(uint8_t kind)
{
    if (kind == KNOWN) {
        PINB = _BV(0);
    } else if (kind == FOREIGN) {
        PINC = _BV(0);
    } else {
        PIND = _BV(4);
    }
    __asm__ __volatile__("nop\n nop\n nop\n nop\n nop\n nop" ::: "memory"); /* the pin's synchroniser */
}

void machine_close(void)
{
    target_mark(2);
}

bool machine_kept(void)
{
    return machine_damaged == 0;
}

void machine_answer(const char *text)
{
    while (*text != '\0') {
        att_board_console_put(*text++);
    }
}

void machine_end(uint8_t failed)
{
    target_end(failed);
}
