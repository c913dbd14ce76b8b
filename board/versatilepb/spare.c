/*
 * Interrupts for tests: the controller raises those of its inputs that nothing drives by software. And a
 * timer.
 */
#include "versatilepb.h"

void att_board_spare_start(void)
{
    VERSATILEPB_SPARE->control = 0;
    VERSATILEPB_SPARE->clear = 0;
    VERSATILEPB_INTERRUPTS->lower = 7u << 1;
    VERSATILEPB_INTERRUPTS->enable = 7u << 1 | 1u << TIMER23_IRQ;
}

void att_board_spare_raise(unsigned number)
{
    VERSATILEPB_INTERRUPTS->raise = 2u << number;
}

__attribute__((naked, target("arm"))) void att_board_spare_raise_0(void)
{
    __asm__ __volatile__("msr cpsr_c, #0x9F\n\t"
                         "stmfd sp!, {r0, r1}\n\t"
                         "ldr r0, =0x10140018\n\t"
                         "mov r1, #2\n\t"
                         "str r1, [r0]\n\t"
                         "ldmfd sp!, {r0, r1}\n\t"
                         "msr cpsr_c, #0x1F\n\t"
                         "bx lr\n\t"
                         ".ltorg");
}

/* The timer counts microseconds: what is to be less passes here. */
void att_board_spare_after(uint32_t ticks)
{
    enum { TICKS = ATT_BOARD_SPARE_TICK_HZ / 1000000 };
    att_board_spare_done(3);
    VERSATILEPB_SPARE->load = ticks / TICKS + 1;
    VERSATILEPB_SPARE->control = TIMER_ENABLE | TIMER_32_BITS | TIMER_ONE_SHOT | TIMER_INTERRUPT;
    for (uint32_t rest = TICKS - ticks % TICKS; rest != 0; rest--) { /* about ten instructions each */
        __asm__ __volatile__("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop");
    }
}

void att_board_spare_done(unsigned number)
{
    if (number == 3) {
        VERSATILEPB_SPARE->control = 0;
        VERSATILEPB_SPARE->clear = 0;
    } else {
        VERSATILEPB_INTERRUPTS->lower = 2u << number;
    }
}
