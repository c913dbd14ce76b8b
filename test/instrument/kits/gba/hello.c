// Says hello, makes three shortest pulses on probe a, one edge on every other probe and on a cartridge's pin, ends well.
#include "kit.h"

static char words[] = "hello\n"; // in RAM

int main(void)
{
    outputs();
    GPIO_DIRECTION = 1;
    text(words);
    MARK(0x5a);
    for (unsigned i = 0; i < 3; ++i)
        __asm__ volatile("strh %0, [%2]\n\tstrh %1, [%2]" ::"r"(OUTPUTS | 1), "r"(OUTPUTS), "r"(&RCNT) : "memory");
    RCNT = OUTPUTS | 2;
    RCNT = OUTPUTS | 6;
    RCNT = OUTPUTS | 14;
    GPIO_DATA = 1;
    MARK(0x25);
    END(0);
}
