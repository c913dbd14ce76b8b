/* Before main: clocks for the watchdog, timer 0, UART 0 and its port. The processor's is the one of reset. */
#include "registers.h"
#include "start.h"

START_UP void att_board_init(void)
{
    SYSCTL_RCGC0 |= 1u << 3;
    SYSCTL_RCGC1 |= 1u << 16 | 1u << 0;
    SYSCTL_RCGC2 |= 1u << 0;
}
