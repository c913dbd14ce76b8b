/* Registers: UART, dual timer (CMSDK), and what of the NVIC the board needs. */
#ifndef MPS2_H
#define MPS2_H

#include "board.h"

#ifdef ATT_BOARD_AN505
#define MPS2_TIMER_BASE 0x50002000u
#define MPS2_UART_BASE 0x50200000u
#else
#define MPS2_TIMER_BASE 0x40002000u
#define MPS2_UART_BASE 0x40004000u
#endif

typedef struct {
    volatile uint32_t load, value, control, interrupt_clear, interrupt_raw, interrupt_masked, background_load;
} mps2_timer_t;
#define MPS2_TIMER1 ((mps2_timer_t *)MPS2_TIMER_BASE)
#define MPS2_TIMER2 ((mps2_timer_t *)(MPS2_TIMER_BASE + 0x20))

typedef struct {
    volatile uint32_t data, state, control, interrupt, baud_divider;
} mps2_uart_t;
#define MPS2_UART0 ((mps2_uart_t *)MPS2_UART_BASE)

#define MPS2_NVIC_ENABLE (*(volatile uint32_t *)0xE000E100u) /* interrupts 0 to 31 */
#define MPS2_NVIC_PEND (*(volatile uint32_t *)0xE000E200u)
#define MPS2_NVIC_PRIORITY ((volatile uint32_t *)0xE000E400u)

#endif
