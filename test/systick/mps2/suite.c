/* The first of the dual timer's, as a one-shot. */
#include "board.h"

#ifdef ATT_BOARD_AN505
#define TIMER_BASE 0x50002000u
#else
#define TIMER_BASE 0x40002000u
#endif
typedef struct {
    volatile uint32_t load, value, control, interrupt_clear;
} timer_t;
#define TIMER ((timer_t *)TIMER_BASE)
#define NVIC_FORGET (*(volatile uint32_t *)0xE000E280u)

enum { ENABLE = 1 << 7, INTERRUPT = 1 << 5, BITS_32 = 1 << 1, ONE_SHOT = 1 << 0 };

void att_board_spare_timer_start(uint32_t cycles)
{
    TIMER->control = BITS_32 | ONE_SHOT;
    TIMER->load = cycles;
    TIMER->control = ENABLE | INTERRUPT | BITS_32 | ONE_SHOT;
}

void att_board_spare_timer_stop(void)
{
    TIMER->control = 0;
    TIMER->interrupt_clear = 1;
    NVIC_FORGET = 1u << ATT_BOARD_SPARE_TIMER_IRQ;
}
