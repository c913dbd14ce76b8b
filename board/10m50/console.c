/* The UART, transmit only, by waiting; the end of a run, and a restart: for tests and examples. */
#include "10m50.h"
#include "start.h"

void att_board_console_start(void)
{
}

void att_board_console_put(char byte)
{
    while ((MAX10_UART->line_status & TX_EMPTY) == 0) {
    }
    MAX10_UART->data = (uint8_t)byte;
}

/* The debugger's or the emulator's door. */
void att_board_exit(uint8_t status)
{
    register uint32_t operation __asm__("r4") = 0;
    register uint32_t argument __asm__("r5") = status;
    for (;;) {
        __asm__ __volatile__("break 1" ::"r"(operation), "r"(argument) : "memory");
    }
}

void att_board_restart(void)
{
    __asm__ __volatile__("wrctl status, zero");
    MAX10_UART->interrupt_enable = 0;
    MAX10_COUNTER->control = TIMER_STOP;
    MAX10_COUNTER->status = 0;
    MAX10_ALARM->control = TIMER_STOP;
    MAX10_ALARM->status = 0;
    att_board_reset();
}
