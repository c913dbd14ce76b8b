/*
 * Start-up: what a board may do before main.
 */
#ifndef ATTACCA_BOARD_START_H
#define ATTACCA_BOARD_START_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A section of its own, so that what a program takes is told from what the board takes before it. */
#define START_UP __attribute__((section(".startup")))

__attribute__((noreturn)) void att_board_reset(void);

/* What else must be before main runs; memory is initialised. Every board has its own, empty or not, and
 * START_UP before it. */
void att_board_init(void);

/* Map megabytes to themselves; what is not mapped is a fault. Then turn translation and caches on. */
typedef enum { ATT_BOARD_MEMORY, ATT_BOARD_DEVICE } att_board_kind_t;
void att_board_map(uintptr_t from, uint32_t megabytes, att_board_kind_t kind);
void att_board_map_on(void);

#ifdef __cplusplus
}
#endif

#endif
