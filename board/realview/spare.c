/*
 * Interrupts for tests: three of the controller's that software raises, and a timer of the second device. That counts
 * microseconds; a tenth of one is about twelve instructions, as QEMU is started.
 */
#include "realview.h"

enum { TENTHS = 10, LOOPS = 6 /* of two instructions */ };

void att_board_spare_start(void)
{
    att_board_interrupt_enable(0, 0x40);
    att_board_interrupt_enable(1, 0x20);
    att_board_interrupt_enable(2, 0xC0);
    att_board_interrupt_enable(SPARE_INTERRUPT, 0x40);
}

void att_board_spare_raise(unsigned number)
{
    att_board_interrupt_raise(number);
}

void att_board_spare_after(uint32_t ticks)
{
    REALVIEW_SPARE->control = TIMER_32_BITS;
    REALVIEW_SPARE->load = ticks / TENTHS + 1;
    REALVIEW_SPARE->control = TIMER_ON | TIMER_INTERRUPT | TIMER_32_BITS | TIMER_ONCE;
    for (uint32_t rest = (TENTHS - ticks % TENTHS) * LOOPS; rest != 0; rest--) {
        __asm__ __volatile__("");
    }
}

void att_board_spare_done(unsigned number)
{
    if (number == 3) {
        REALVIEW_SPARE->control = TIMER_32_BITS;
        REALVIEW_SPARE->clear = 1;
    }
}

/* Takes two registers, and gives them back. */
__attribute__((naked)) void att_board_spare_raise_0(void)
{
    __asm__ __volatile__("push {r1, r2}\n\t"
                         "movw r1, #0x1F00\n\t"
                         "movt r1, #0x1E00\n\t"
                         "mov r2, #0x02000000\n\t"
                         "str r2, [r1]\n\t"
                         "dsb\n\t"
                         "isb\n\t"
                         "pop {r1, r2}\n\t"
                         "bx lr");
}
