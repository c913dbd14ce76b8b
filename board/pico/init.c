/*
 * Before main: from the ring oscillator to 125 MHz from the crystal, by the PLL (12 MHz * 125 / 6 / 2), the same
 * for the UART, and a tick of 1 MHz for the timer. A crystal that does not start is waited for: a board that runs
 * at another speed than its clock says is worse than one that stands still.
 */
#include "board.h"
#include "registers.h"
#include "start.h"

enum {
    MHZ_1_TO_15 = 0xAA0,
    XOSC_ENABLE = 0xFAB << 12,
    REF_FROM_XOSC = 2,
    SYS_FROM_REF = 0,
    SYS_FROM_PLL = 1,
    PLL_OFF = 1 << 0,
    PLL_OSCILLATOR_OFF = 1 << 5,
    PLL_DIVIDERS_OFF = 1 << 3,
    PERI_ENABLE = 1 << 11,
    TICK_ENABLE = 1 << 9,
};
#define STABLE (1u << 31) /* the crystal's and the PLL's */
#define USED (RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_PLL_SYS | RESET_TIMER | RESET_UART0)

START_UP void att_board_init(void)
{
    XOSC_CTRL = MHZ_1_TO_15;
    XOSC_STARTUP = 47; /* times 256 of its cycles: 1 ms */
    XOSC_CTRL = MHZ_1_TO_15 | XOSC_ENABLE;
    while ((XOSC_STATUS & STABLE) == 0) {
    }
    CLK_SYS_CTRL = SYS_FROM_REF; /* not from the PLL, after a restart */
    while ((CLK_SYS_SELECTED & 1u << SYS_FROM_REF) == 0) {
    }
    CLK_REF_CTRL = REF_FROM_XOSC;
    while ((CLK_REF_SELECTED & 1u << REF_FROM_XOSC) == 0) {
    }
    RP2040_SET(RESETS_RESET) = USED;
    RP2040_CLEAR(RESETS_RESET) = USED;
    while ((RESETS_DONE & USED) != USED) {
    }
    PLL_SYS_CS = 1; /* the crystal, undivided */
    PLL_SYS_FBDIV = 125;
    RP2040_CLEAR(PLL_SYS_PWR) = PLL_OFF | PLL_OSCILLATOR_OFF;
    while ((PLL_SYS_CS & STABLE) == 0) {
    }
    PLL_SYS_PRIM = 6u << 16 | 2u << 12;
    RP2040_CLEAR(PLL_SYS_PWR) = PLL_DIVIDERS_OFF;
    CLK_SYS_CTRL = SYS_FROM_PLL;
    while ((CLK_SYS_SELECTED & 1u << SYS_FROM_PLL) == 0) {
    }
    CLK_PERI_CTRL = PERI_ENABLE;
    WATCHDOG_TICK = TICK_ENABLE | 12;
}
