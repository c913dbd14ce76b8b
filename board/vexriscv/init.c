/* The clocks run. */
#include "start.h"

START_UP void att_board_init(void)
{
}
