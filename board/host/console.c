/* Standard output, a line at a time, so that what was said before a crash is seen. */
#include "board.h"

#include <stdio.h>

void att_board_console_start(void)
{
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

void att_board_console_put(char byte)
{
    (void)putchar(byte);
}
