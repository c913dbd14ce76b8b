// Never ends: interrupts on, busy.
#include "kit.h"

int main(void)
{
    outputs();
    sei();
    for (;;) {
        GPIOB_BSRR = SET(12);
        GPIOB_BSRR = CLEAR(12);
    }
}
