/* Text, and the end of a run: for tests and examples. */
#include "board.h"
#include "start.h"

static uint8_t column;

void att_board_console_start(void)
{
    GBA_TEXT_ENABLE = 0xC0DE;
}

/* The emulator shows whole lines; the instrument takes the bytes. */
void att_board_console_put(char byte)
{
    GBA_TEXT[column++] = (uint8_t)byte;
    if (byte == '\n' || column == 255) {
        GBA_TEXT_SHOW = 0x104;
        column = 0;
    }
}

void att_board_exit(uint8_t status)
{
    for (;;) {
        GBA_MARK = (uint8_t)(0x80 | status);
    }
}

void att_board_restart(void)
{
    GBA_IME = 0;
    GBA_IE = 0;
    for (unsigned i = 0; i < 4; i++) {
        GBA_TIMER_CONTROL(i) = 0;
    }
    GBA_IF = 0xFFFF;
    att_board_reset();
}
