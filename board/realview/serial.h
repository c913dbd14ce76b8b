/*
 * The UART by interrupts, for examples and first programs: a handler that takes what has come and sends what waits. Its
 * buffers hold 16 bytes each way; its interrupt says that something has come, or that there is room to send.
 */
#ifndef ATTACCA_BOARD_SERIAL_H
#define ATTACCA_BOARD_SERIAL_H

#include "board.h"
#include "realview.h"

/* The handler's name: ATT_ISR(ATT_BOARD_SERIAL) { ... } */
#define ATT_BOARD_SERIAL Interrupt44_Handler

enum {
    SERIAL_INTERRUPT = 44, SERIAL_EMPTY = 1 << 4, SERIAL_FULL = 1 << 5, /* flags */
    SERIAL_RECEIVED = 1 << 4, SERIAL_SENT = 1 << 5, SERIAL_PAUSE = 1 << 6, /* causes */
};

/* Bytes that come ask for an interrupt from now on. */
static inline void att_board_serial_start(void)
{
    att_board_console_start();
    REALVIEW_UART->mask = SERIAL_RECEIVED | SERIAL_PAUSE;
    att_board_interrupt_enable(SERIAL_INTERRUPT, 0xA0);
}

/* The oldest byte that has come; -1: none. */
static inline int att_board_serial_get(void)
{
    return (REALVIEW_UART->flags & SERIAL_EMPTY) != 0 ? -1 : (int)(REALVIEW_UART->data & 0xFF);
}

static inline bool att_board_serial_has_room(void)
{
    return (REALVIEW_UART->flags & SERIAL_FULL) == 0;
}

static inline void att_board_serial_put(uint8_t byte)
{
    REALVIEW_UART->data = byte;
}

/* Ask for an interrupt when there is room, or do not. */
static inline void att_board_serial_more(bool more)
{
    REALVIEW_UART->mask = SERIAL_RECEIVED | SERIAL_PAUSE | (more ? SERIAL_SENT : 0);
}

#endif
