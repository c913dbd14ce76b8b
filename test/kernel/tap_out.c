/*
 * The harness's output alone, for images that run without its controller.
 */
#include "tap.h"

char tap_rom_char(const char *in_rom)
{
    char c;
    att_port_rom_load(&c, in_rom, 1);
    return c;
}

void tap_text(const char *in_rom)
{
    for (char c = tap_rom_char(in_rom); c != '\0'; c = tap_rom_char(++in_rom)) {
        att_board_console_put(c);
    }
}

void tap_number(uint32_t number)
{
    char digits[10];
    uint8_t count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (count != 0) {
        att_board_console_put(digits[--count]);
    }
}

void tap_result(bool ok, uint8_t number, const char *title_in_rom)
{
    if (!ok) {
        tap_text(TEXT("not "));
    }
    tap_text(TEXT("ok "));
    tap_number(number);
    tap_text(TEXT(" - "));
    tap_text(title_in_rom);
    att_board_console_put('\n');
}
