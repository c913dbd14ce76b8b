/* The UART, transmit only, by waiting; and a restart: for tests and examples. */
#include "realview.h"
#include "start.h"

enum { TX_FULL = 1 << 5 };

void att_board_console_start(void)
{
    REALVIEW_UART->divisor = 13; /* 24 MHz to 115200 baud */
    REALVIEW_UART->fraction = 1;
    REALVIEW_UART->line = 0x70; /* eight bits, buffers */
    REALVIEW_UART->control = 0x301;
}

void att_board_console_put(char byte)
{
    while ((REALVIEW_UART->flags & TX_FULL) != 0) {
    }
    REALVIEW_UART->data = (uint8_t)byte;
}

/* QEMU has no cache that holds what is not written yet; and its reset of this board sometimes does not end. */
void att_board_restart(void)
{
    __asm__ __volatile__("cpsid i");
    REALVIEW_COUNTER->control = REALVIEW_ALARM->control = REALVIEW_SPARE->control = 0;
    REALVIEW_COUNTER->clear = REALVIEW_ALARM->clear = REALVIEW_SPARE->clear = 1;
    REALVIEW_UART->mask = 0;
    att_board_reset();
}
