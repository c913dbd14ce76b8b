// Waits from tick to tick of 1 ms, twenty times.
#include "kit.h"

static volatile unsigned count;
static uint32_t next;

void tick(void)
{
    if (++count > 1) // then all of it is in the cache
        MARK(count);
    TIMER_ALARM = next += 1000;
    if (count == 20)
        END(0);
}

int main(void)
{
    TIMER_ALARM = next = 1000;
    __asm__ volatile("csrs mie, %0" ::"r"(1 << 7));
    sei();
    for (;;)
        __asm__ volatile("wfi\n\tnop\n\tnop");
}
