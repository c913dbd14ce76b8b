// Never ends: interrupts on, busy.
#include "kit.h"

int main(void)
{
    sei();
    for (;;) {
        RCNT = OUTPUTS | 1;
        RCNT = OUTPUTS;
    }
}
