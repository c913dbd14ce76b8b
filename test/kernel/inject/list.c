/*
 * The tables of an image, printed on request: a line for each situation, with the bits of its actions, and
 * one for each action.
 */
#include "inject.h"

static void print_line(char kind, const char *name, uint32_t bits)
{
    att_board_console_put(kind);
    att_board_console_put(' ');
    while (*name != '\0') {
        att_board_console_put(*name++);
    }
    att_board_console_put(' ');
    for (uint8_t bit = 0; bit < 32; bit++) {
        att_board_console_put((char)('0' + (bits >> bit & 1u)));
    }
    att_board_console_put('\n');
}

ATT_PORT_NORETURN void inject_list(void)
{
    situation_t situation;
    action_t action;
    for (uint8_t n = 0;
         att_port_rom_load(&situation, &inject_situations[n], sizeof(situation)), situation.name[0] != '\0';
         n++) {
        print_line('S', situation.name, situation.actions);
    }
    for (uint8_t n = 0;
         att_port_rom_load(&action, &inject_actions[n], sizeof(action)), action.name[0] != '\0'; n++) {
        print_line('A', action.name, 0);
    }
    machine_end(0);
}
