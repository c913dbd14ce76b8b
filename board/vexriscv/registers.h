/* Registers of the system around the core; instrument/vexriscv/README.md has their meaning. */
#ifndef ATTACCA_BOARD_REGISTERS_H
#define ATTACCA_BOARD_REGISTERS_H

#include <stdint.h>

#define BOARD_REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define TIMER_LOW BOARD_REGISTER(0xF0000000u) /* of a count of µs */
#define TIMER_HIGH BOARD_REGISTER(0xF0000004u)
#define TIMER_ALARM BOARD_REGISTER(0xF0000008u)
#define TIMER_ALARM_OFF BOARD_REGISTER(0xF000000Cu)
#define TIMER_DELAY BOARD_REGISTER(0xF0000020u) /* cycles to the line "delay"; a write clears it */

#define GPIO_BASE 0xF0001000u
#define GPIO_OUT BOARD_REGISTER(GPIO_BASE)
#define GPIO_SET BOARD_REGISTER(GPIO_BASE + 0x04)
#define GPIO_CLEAR BOARD_REGISTER(GPIO_BASE + 0x08)
#define GPIO_IN BOARD_REGISTER(GPIO_BASE + 0x0C)
#define GPIO_DIRECTION BOARD_REGISTER(GPIO_BASE + 0x10) /* 1: output */
#define GPIO_RISING BOARD_REGISTER(GPIO_BASE + 0x14)    /* edges that interrupt */
#define GPIO_FALLING BOARD_REGISTER(GPIO_BASE + 0x18)
#define GPIO_PENDING BOARD_REGISTER(GPIO_BASE + 0x1C) /* cleared by writing 1 */

#define UART_DATA BOARD_REGISTER(0xF0002000u)
#define UART_STATUS BOARD_REGISTER(0xF0002004u)
#define UART_INTERRUPT BOARD_REGISTER(0xF0002008u)
#define UART_READY 1u
#define UART_AVAILABLE 2u

#define SOFT_RAISE BOARD_REGISTER(0xF0003000u)
#define SOFT_CLEAR BOARD_REGISTER(0xF0003004u)

#define BOARD_MARK (*(volatile uint8_t *)0xF0004000u)

/* Lines, by number. */
#define LINE_GPIO 0
#define LINE_UART 1
#define LINE_DELAY 2
#define LINE_SOFT 3 /* to 7 */

/* The core's own: which lines may interrupt, and which of those do. */
#define LINES_MASK "0xBC0"
#define LINES_PENDING "0xFC0"

#endif
