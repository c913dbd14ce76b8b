// Never ends: interrupts on, busy.
#include "kit.h"

int main(void)
{
    outputs();
    sei();
    for (;;) {
        GPIO_SET = 1;
        GPIO_CLEAR = 1;
    }
}
