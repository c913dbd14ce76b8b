/* Before main: what is at which address, and the interrupt controller. */
#include "board.h"
#include "start.h"

START_UP void att_board_init(void)
{
    att_board_map(0x70000000u, 8, ATT_BOARD_MEMORY);
    att_board_map(0x10000000u, 1, ATT_BOARD_DEVICE);
    att_board_map(0x1E000000u, 1, ATT_BOARD_DEVICE);
    att_board_map_on();
    att_board_gic_start();
}
