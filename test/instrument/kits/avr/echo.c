// Copies the input pin to probe b, and what comes over the console's wire back onto the console until a full stop.
#include "kit.h"

int main(void)
{
    DDRB = 0x3f;
    UBRR0L = 0;
    UCSR0B = 1 << TXEN0 | 1 << RXEN0;
    MARK(1);
    for (;;) {
        if (PIND & 1 << 2)
            PORTB |= 1 << 4;
        else
            PORTB &= (unsigned char)~(1 << 4);
        if (UCSR0A & 1 << RXC0) {
            const unsigned char byte = UDR0;
            UDR0 = byte;
            if (byte == '.')
                END(0);
        }
    }
}
