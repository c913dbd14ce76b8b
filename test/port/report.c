/* See report.h. */
#include "report.h"

char trail[24];
volatile uint8_t length;
uint8_t number;
uint8_t failed;

void put_rom(const char *text)
{
    char c;
    for (att_port_rom_load(&c, text, 1); c != '\0'; att_port_rom_load(&c, ++text, 1)) {
        att_board_console_put(c);
    }
}

void put_number(uint32_t value)
{
    char digits[10];
    uint8_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (count != 0) {
        att_board_console_put(digits[--count]);
    }
}

void report(bool ok, const char *title)
{
    static const char not_text[] ATT_PORT_ROM = "not ";
    static const char ok_text[] ATT_PORT_ROM = "ok ";
    static const char dash[] ATT_PORT_ROM = " - ";
    if (!ok) {
        failed++;
        put_rom(not_text);
    }
    put_rom(ok_text);
    put_number(++number);
    put_rom(dash);
    put_rom(title);
    att_board_console_put('\n');
}

void token(char c)
{
    const att_key_t key = att_lock();
    if (length < sizeof(trail) - 1) {
        trail[length++] = c;
    }
    att_port_unlock(key);
}

bool tokens(const char *want)
{
    uint8_t at = 0;
    char c;
    for (att_port_rom_load(&c, want, 1); c != '\0'; att_port_rom_load(&c, want + at, 1)) {
        if (at >= length || trail[at] != c) {
            break;
        }
        at++;
    }
    const bool same = c == '\0' && at == length;
    if (!same) {
        att_board_console_put('#');
        att_board_console_put(' ');
        for (at = 0; at < length; at++) {
            att_board_console_put(trail[at]);
        }
        att_board_console_put('\n');
    }
    length = 0;
    return same;
}
