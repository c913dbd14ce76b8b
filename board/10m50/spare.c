/*
 * Interrupts for tests. The machine has none that software raises; the UART's "transmitter empty" stands for three, and
 * its handler calls theirs.
 */
#include "attacca/attacca.h"

#include "10m50.h"

static volatile uint32_t raised __attribute__((used));

__attribute__((weak)) void ATT_BOARD_SPARE_HANDLER_0(void);
__attribute__((weak)) void ATT_BOARD_SPARE_HANDLER_1(void);
__attribute__((weak)) void ATT_BOARD_SPARE_HANDLER_2(void);

void att_board_spare_start(void)
{
    raised = 0;
    MAX10_UART->interrupt_enable = 0;
    max10_interrupt_enable(UART_INTERRUPT);
}

void att_board_spare_raise(unsigned number)
{
    const att_port_key_t key = att_port_lock();
    raised |= (uint32_t)1 << number;
    MAX10_UART->interrupt_enable = TX_EMPTY_INTERRUPT;
    att_port_unlock(key);
}

void Interrupt1_Handler(void);
void Interrupt1_Handler(void)
{
    static void (*const handlers[])(void) = {ATT_BOARD_SPARE_HANDLER_0, ATT_BOARD_SPARE_HANDLER_1,
                                             ATT_BOARD_SPARE_HANDLER_2};
    const uint32_t first = raised & -raised;
    raised ^= first;
    if (raised == 0) {
        MAX10_UART->interrupt_enable = 0;
    }
    if (first != 0) {
        handlers[first >> 1]();
    }
}

void att_board_spare_after(uint32_t ticks)
{
    const att_port_key_t key = att_port_lock();
    max10_spare_at = max10_ticks() + ticks * 15 / 2;
    max10_arm();
    att_port_unlock(key);
}

void att_board_spare_done(unsigned number)
{
    const att_port_key_t key = att_port_lock();
    if (number == 3) {
        max10_spare_at = MAX10_NEVER;
        max10_arm();
    } else {
        raised &= ~((uint32_t)1 << number);
    }
    att_port_unlock(key);
}

/* Takes two registers, and gives them back. */
__asm__(".section .text.att_board_spare_raise_0,\"ax\",@progbits\n"
        ".global att_board_spare_raise_0\n"
        ".type att_board_spare_raise_0, @function\n"
        "att_board_spare_raise_0:\n\t"
        "addi sp, sp, -8\n\t"
        "stw r8, 0(sp)\n\t"
        "stw r9, 4(sp)\n\t"
        "movi r9, 1\n\t"
        "movhi r8, %hiadj(raised)\n\t"
        "stw r9, %lo(raised)(r8)\n\t"
        "movhi r8, 0xF800\n\t"
        "movi r9, 2\n\t"
        "stw r9, 0x1604(r8)\n\t"
        "ldw r8, 0(sp)\n\t"
        "ldw r9, 4(sp)\n\t"
        "addi sp, sp, 8\n\t"
        "ret");
