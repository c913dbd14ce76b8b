/* TIMER0 at 16 MHz, from 0 to its compare register. */
#include "board.h"
#include "registers.h"

#define TIMER_STOP NRF51(0x40008004u)
#define TIMER_CLEAR NRF51(0x4000800Cu)
#define NVIC_FORGET NRF51(0xE000E280u)

void att_board_spare_timer_start(uint32_t cycles)
{
    TIMER_STOP = 1;
    TIMER_CLEAR = 1;
    TIMER_BITMODE = 3;
    TIMER_PRESCALER = 0;
    TIMER_CC(0) = cycles;
    TIMER_COMPARE(0) = 0;
    TIMER_INTENSET = TIMER_INT(0);
    TIMER_START = 1;
}

void att_board_spare_timer_stop(void)
{
    TIMER_INTENCLR = TIMER_INT(0);
    TIMER_STOP = 1;
    TIMER_COMPARE(0) = 0;
    NVIC_FORGET = 1u << ATT_BOARD_SPARE_TIMER_IRQ;
}
