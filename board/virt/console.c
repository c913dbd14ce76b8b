/* The UART, transmit only, by waiting; and the end of a run: for tests and examples. */
#include "start.h"
#include "virt.h"

enum { TX_EMPTY = 1 << 5, FAIL = 0x3333 };

void att_board_console_start(void)
{
}

void att_board_console_put(char byte)
{
    while ((VIRT_UART->line_status & TX_EMPTY) == 0) {
    }
    VIRT_UART->data = (uint8_t)byte;
}

void att_board_exit(uint8_t status)
{
    VIRT_TEST = (uint32_t)status << 16 | FAIL;
    for (;;) {
    }
}

void att_board_restart(void)
{
    VIRT_MTIMECMP->high = 0xFFFFFFFFu;
    att_board_reset();
}
