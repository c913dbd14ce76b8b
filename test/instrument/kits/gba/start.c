// The cartridge's head, and what is done before main: the program is copied to RAM, .bss cleared, .noinit left as it is.
#include "kit.h"

int main(void);
extern uint32_t text_load[], text_begin[], text_end[], bss_begin[], bss_end[];

__attribute__((weak)) void tick(void)
{
}

__attribute__((naked, section(".header"))) void header(void)
{
    __asm__ volatile("b begin\n\t.space 0xBC");
}

// r0 is 0x04000000, by the boot ROM: IE and IF, before anything else.
__attribute__((naked)) static void handler(void)
{
    __asm__ volatile("ldr r1, =0x00080008\n\tstr r1, [r0, #0x200]\n\tb tick\n\t.ltorg");
}

__attribute__((noreturn, section(".header"))) void begin(void)
{
    for (uint32_t *to = text_begin, *from = text_load; to < text_end;)
        *to++ = *from++;
    for (uint32_t *to = bss_begin; to < bss_end;)
        *to++ = 0;
    HANDLER = handler;
    IF = 0xFFFF;
    IE = TIMER0;
    IME = 1;
    int (*volatile go)(void) = main;
    go();
    for (;;) {
    }
}
