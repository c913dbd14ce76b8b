// Recurses until the stack meets the guard.
#include "kit.h"

static unsigned data[256] __attribute__((used)); // what a stack without a guard destroys
unsigned char stack_guard[64] __attribute__((used, section(".noinit")));

__attribute__((noinline)) unsigned descend(unsigned depth)
{
    volatile unsigned here = depth;
    return depth == 0xffff ? 0 : descend(depth + 1) + here;
}

int main(void)
{
    END(descend(0) & 0x7f);
}
