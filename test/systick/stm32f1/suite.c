/* TIM2 as a one-shot, at the processor's clock. */
#include "board.h"

#define ONE_PULSE (1u << 3)
#define NVIC_FORGET (*(volatile uint32_t *)0xE000E280u)

void att_board_spare_timer_start(uint32_t cycles)
{
    RCC_APB1ENR |= RCC_APB1ENR_TIM2;
    TIM2_CR1 = TIM_CR1_URS;
    TIM2_PSC = 0;
    TIM2_ARR = cycles;
    TIM2_EGR = TIM_UI; /* from 0; with URS it requests nothing */
    TIM2_SR = 0;
    TIM2_DIER = TIM_UI;
    TIM2_CR1 = TIM_CR1_URS | ONE_PULSE | TIM_CR1_CEN;
}

void att_board_spare_timer_stop(void)
{
    TIM2_DIER = 0; /* its clock may be off: then nothing has come either */
    TIM2_CR1 = 0;
    TIM2_SR = 0;
    NVIC_FORGET = 1u << ATT_BOARD_SPARE_TIMER_IRQ;
}
