// Never ends: interrupts on, busy.
#include "kit.h"

int main(void)
{
    sei();
    for (;;)
        PORTB ^= 1 << 5;
}
