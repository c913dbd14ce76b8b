// Says hello, makes three shortest pulses on probe a, one edge on every other probe and on PB8, ends well.
#include "kit.h"

static char words[] = "hello\n"; // in RAM

int main(void)
{
    outputs();
    text(words);
    MARK(0x5a);
    for (unsigned i = 0; i < 3; ++i) {
        const uint32_t set = SET(12), clear = CLEAR(12);
        __asm__ volatile("str %0, [%2]\n\tstr %1, [%2]" ::"r"(set), "r"(clear), "r"(&GPIOB_BSRR) : "memory");
    }
    GPIOB_BSRR = SET(13);
    GPIOB_BSRR = SET(14);
    GPIOB_BSRR = SET(15);
    GPIOB_BSRR = SET(8);
    MARK(0x25);
    END(0);
}
