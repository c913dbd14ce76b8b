// Says hello, makes three shortest pulses on probe a, one edge on every other probe and on P4, ends well.
#include "kit.h"

static char words[] = "hello\n"; // in RAM

int main(void)
{
    outputs();
    text(words);
    MARK(0x5a);
    for (unsigned i = 0; i < 3; ++i)
        __asm__ volatile("sw %0, 0(%1)\n\tsw %0, 4(%1)" ::"r"(1), "r"(&GPIO_SET) : "memory");
    GPIO_SET = 2;
    GPIO_SET = 4;
    GPIO_SET = 8;
    GPIO_SET = 16;
    MARK(0x25);
    END(0);
}
