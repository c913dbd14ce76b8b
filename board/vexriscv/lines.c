/*
 * One interrupt for all lines: their functions by the lowest number that is pending. A line whose function another
 * line calls off meanwhile is none.
 */
#include "board.h"

typedef void (*handler_t)(void);

void Gpio_Handler(void) __attribute__((weak));
void Uart_Handler(void) __attribute__((weak));
void Delay_Handler(void) __attribute__((weak));
void Soft3_Handler(void) __attribute__((weak));
void Soft4_Handler(void) __attribute__((weak));
void Soft5_Handler(void) __attribute__((weak));
void Soft6_Handler(void) __attribute__((weak));
void Soft7_Handler(void) __attribute__((weak));
void MachineExternal_Handler(void);

static const handler_t handlers[] = {
    Gpio_Handler,  Uart_Handler,  Delay_Handler, Soft3_Handler,
    Soft4_Handler, Soft5_Handler, Soft6_Handler, Soft7_Handler,
};

void att_board_lines_start(void)
{
    uint32_t mask = 0;
    for (unsigned number = 0; number < sizeof(handlers) / sizeof(handlers[0]); number++) {
        mask |= (uint32_t)(handlers[number] != (handler_t)0) << number;
    }
    __asm__ __volatile__("csrw " LINES_MASK ", %0\n\tcsrs mie, %1" ::"r"(mask), "r"(1 << 11));
}

void MachineExternal_Handler(void)
{
    uint32_t pending;
    __asm__ __volatile__("csrr %0, " LINES_PENDING : "=r"(pending));
    for (const handler_t *handler = handlers; pending != 0; handler++, pending >>= 1) {
        if ((pending & 1) != 0) {
            (*handler)();
            return;
        }
    }
}
