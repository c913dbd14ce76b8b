// The vector table, and what is done before main: .data is copied, .bss cleared, .noinit left as it is.
#include "kit.h"

int main(void);
extern uint32_t stack_top[], data_load[], data_begin[], data_end[], bss_begin[], bss_end[];

__attribute__((weak)) void tick(void)
{
}

void start(void)
{
    for (uint32_t *to = data_begin, *from = data_load; to < data_end;)
        *to++ = *from++;
    for (uint32_t *to = bss_begin; to < bss_end;)
        *to++ = 0;
    main();
    for (;;) {
    }
}

// No handler for faults: a firmware that makes one is at its end.
__attribute__((used, section(".vectors"))) static void (*const vectors[16 + 29])(void) = {
    [0] = (void (*)(void))stack_top,
    [1] = start,
    [16 + 28] = tick,
};
