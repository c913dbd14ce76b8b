// Says hello, makes three shortest pulses on probe a, one edge on every other probe and on D8, ends well.
#include "kit.h"

int main(void)
{
    DDRB = 0x3f;
    text("hello\n");
    MARK(0x5a);
    for (unsigned char i = 0; i < 3; ++i) {
        PORTB |= 1 << 5;
        PORTB &= (unsigned char)~(1 << 5);
    }
    PORTB |= 1 << 4;
    PORTB |= 1 << 3;
    PORTB |= 1 << 2;
    PORTB |= 1 << 0;
    MARK(0x25);
    END(0);
}
