// Sleeps from tick to tick of 16384 cycles, twenty times.
#include "kit.h"

static volatile unsigned count;

void tick(void)
{
    MARK(++count);
}

int main(void)
{
    sei();
    TM0CNT = (0x10000 - 16384) | 0xC0u << 16;
    while (count < 20)
        sleep();
    END(0);
}
