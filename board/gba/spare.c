/*
 * Interrupts for tests. No register requests one: a DMA channel that copies a halfword at once does, a few
 * cycles later.
 */
#include "board.h"

static uint16_t halfword;

void att_board_spare_start(void)
{
    for (unsigned number = 0; number < 3; number++) {
        GBA_DMA_SOURCE(number) = (uint32_t)(uintptr_t)&halfword;
        GBA_DMA_DESTINATION(number) = (uint32_t)(uintptr_t)&halfword;
    }
    GBA_TIMER_CONTROL(0) = 0;
    GBA_IF = 7u << GBA_IRQ_DMA0 | 1u << GBA_IRQ_TIMER0;
    GBA_IE = (uint16_t)(GBA_IE | 7u << GBA_IRQ_DMA0 | 1u << GBA_IRQ_TIMER0);
}

void att_board_spare_raise(unsigned number)
{
    GBA_DMA_CONTROL(number) = GBA_DMA_GO_INTERRUPT;
    for (unsigned i = 0; i < 4; i++) {
        __asm__ __volatile__("nop\n\tnop\n\tnop\n\tnop");
    }
}

__attribute__((naked, target("arm"))) void att_board_spare_raise_0(void)
{
    __asm__ __volatile__("msr cpsr_c, #0x9F\n\t"
                         "stmfd sp!, {r0, r1}\n\t"
                         "ldr r0, =0x040000B8\n\t"
                         "ldr r1, =0xC0000001\n\t"
                         "str r1, [r0]\n\t"
                         "ldmfd sp!, {r0, r1}\n\t"
                         "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\t"
                         "msr cpsr_c, #0x1F\n\t"
                         "bx lr\n\t"
                         ".ltorg");
}

void att_board_spare_after(uint32_t ticks)
{
    GBA_TIMER_CONTROL(0) = 0;
    GBA_TIMER(0) = (0x10000u - 16 * ticks) | (GBA_TIMER_ENABLE | GBA_TIMER_INTERRUPT) << 16;
}

void att_board_spare_done(unsigned number)
{
    if (number == 3) {
        GBA_TIMER_CONTROL(0) = 0;
        GBA_IF = 1u << GBA_IRQ_TIMER0;
    } else {
        GBA_IF = (uint16_t)(1u << (GBA_IRQ_DMA0 + number));
    }
}
