/*
 * Start-up: what a board may do before main.
 */
#ifndef ATTACCA_BOARD_START_H
#define ATTACCA_BOARD_START_H

#ifdef __cplusplus
extern "C" {
#endif

/* A section of its own, so that what a program takes is told from what the board takes before it. */
#define START_UP __attribute__((section(".startup")))

__attribute__((noreturn)) void att_board_reset(void);

/* What else must be before main runs; memory is initialised. Every board has its own, with interrupts enabled
 * at its end as far as the processor goes. */
void att_board_init(void);

#ifdef __cplusplus
}
#endif

#endif
