// From reset to main: .data is copied, .bss cleared, .noinit left as it is. Every interrupt is the timer's; an exception
// leads to where no code is, since the firmware that makes one is at its end.
#include "kit.h"

int main(void);
extern uint32_t data_load[], data_begin[], data_end[], bss_begin[], bss_end[];

__attribute__((weak)) void tick(void)
{
}

__attribute__((interrupt("machine"), aligned(4), used)) static void trap(void)
{
    int32_t cause;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    if (cause >= 0)
        ((void (*)(void))0)();
    tick();
}

__attribute__((used)) static void begin(void)
{
    for (uint32_t *to = data_begin, *from = data_load; to < data_end;)
        *to++ = *from++;
    for (uint32_t *to = bss_begin; to < bss_end;)
        *to++ = 0;
    __asm__ volatile("csrw mtvec, %0" ::"r"(trap));
    main();
    for (;;) {
    }
}

__attribute__((naked, section(".vectors"))) void start(void)
{
    __asm__ volatile("csrci mstatus, 8\n\tla sp, stack_top\n\tj begin");
}
