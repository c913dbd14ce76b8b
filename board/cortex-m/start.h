/*
 * Start-up: what a board may do before main.
 */
#ifndef ATTACCA_BOARD_START_H
#define ATTACCA_BOARD_START_H

void Reset_Handler(void);

/* Clocks, and what else must be before main runs; memory is initialised. Every board has its own, empty or
 * not. */
void att_board_init(void);

#endif
