/* QEMU's clocks run. */
#include "start.h"

void att_board_init(void)
{
}
