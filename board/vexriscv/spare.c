/* Interrupts for tests: lines that software raises, and the timer that comes once. */
#include "board.h"

enum { CYCLES_OF_TICK = BOARD_CLOCK_HZ / ATT_BOARD_SPARE_TICK_HZ, TIMER = 3 };

void att_board_spare_start(void)
{
    SOFT_CLEAR = 0xFFFFFFFFu;
    TIMER_DELAY = 0;
    att_board_lines_start();
}

/* The interrupt comes within the four instructions behind the write. */
#define SETTLE "\n\tnop\n\tnop\n\tnop\n\tnop"

void att_board_spare_raise(unsigned number)
{
    SOFT_RAISE = 1u << (LINE_SOFT + number);
    __asm__ __volatile__(SETTLE ::: "memory");
}

/* ra first holds the address, then what it held. */
__attribute__((naked)) void att_board_spare_raise_0(void)
{
    __asm__ __volatile__("addi sp, sp, -16\n\tsw t0, 0(sp)\n\tsw t1, 4(sp)\n\t"
                         "lui t0, 0xF0003\n\tli t1, 8\n\tsw t1, 0(t0)\n\t"
                         "lw t0, 0(sp)\n\tlw t1, 4(sp)\n\taddi sp, sp, 16" SETTLE "\n\tret");
}

void att_board_spare_after(uint32_t ticks)
{
    TIMER_DELAY = ticks * CYCLES_OF_TICK;
}

void att_board_spare_done(unsigned number)
{
    if (number == TIMER) {
        TIMER_DELAY = 0;
    } else {
        SOFT_CLEAR = 1u << (LINE_SOFT + number);
    }
}
