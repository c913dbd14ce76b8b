/* Registers: UART (16550), CLINT, and the device that ends a run. */
#ifndef VIRT_H
#define VIRT_H

#include "board.h"

typedef struct {
    volatile uint8_t data, interrupt_enable, fifo, line_control, modem_control, line_status;
} virt_uart_t;
#define VIRT_UART ((virt_uart_t *)0x10000000u)

typedef struct {
    volatile uint32_t low, high;
} virt_time_t;
#define VIRT_MTIMECMP ((virt_time_t *)0x02004000u)
#define VIRT_MTIME ((virt_time_t *)0x0200BFF8u)

#define VIRT_TEST (*(volatile uint32_t *)0x00100000u)

#endif
