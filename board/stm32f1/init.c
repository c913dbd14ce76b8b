/*
 * Before main: from the internal oscillator's 8 MHz to 72 MHz from the crystal. Flash gets its two wait
 * states and its prefetch buffer before the clock gets fast. A crystal that does not start is waited for: a
 * board that runs at another speed than its clock says is worse than one that stands still.
 */
#include "board.h"
#include "start.h"

#if defined(STM32F107)
/* 25 MHz / 5 * 8 (PLL2) / 5 = 8 MHz into the PLL. */
static void feed_pll(void)
{
    RCC_CFGR2 = RCC_CFGR2_PREDIV1SRC | RCC_CFGR2_PLL2MUL_8 | RCC_CFGR2_PREDIV2_5 | RCC_CFGR2_PREDIV1_5;
    RCC_CR |= RCC_CR_PLL2ON;
    while ((RCC_CR & RCC_CR_PLL2RDY) == 0) {
    }
}
#else
/* The crystal has 8 MHz. */
static void feed_pll(void)
{
}
#endif

START_UP void att_board_init(void)
{
    FLASH_ACR = FLASH_ACR_PRFTBE | FLASH_ACR_LATENCY_2;
    RCC_CR |= RCC_CR_HSEON;
    while ((RCC_CR & RCC_CR_HSERDY) == 0) {
    }
    feed_pll();
    RCC_CFGR = RCC_CFGR_PLLMUL_9 | RCC_CFGR_PLLSRC | RCC_CFGR_PPRE1_2;
    RCC_CR |= RCC_CR_PLLON;
    while ((RCC_CR & RCC_CR_PLLRDY) == 0) {
    }
    RCC_CFGR |= RCC_CFGR_SW_PLL;
    while ((RCC_CFGR & RCC_CFGR_SWS) != RCC_CFGR_SWS_PLL) {
    }
}
