/*
 * QEMU's machine versatilepb (ARM926EJ-S). For function, not for time. The clock counts microseconds.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#define ATT_BOARD_TIME_HZ 1000000u

#ifdef __cplusplus
extern "C" {
#endif

/* The console: the UART, written by waiting. */
void att_board_console_start(void);
void att_board_console_put(char byte);

/* The end of a run, with a status. */
__attribute__((noreturn)) void att_board_exit(uint8_t status);
/* From the beginning, as after a reset; what start-up code does not write stays. */
__attribute__((noreturn)) void att_board_restart(void);

/* For tests: what the clock shows. Before att_start, or with no alarm armed. */
void att_board_clock_set(uint64_t units);

/* For tests: three interrupts that software raises, 0 to 2, and a timer, 3, which comes once after so many
 * ticks, each about ten instructions. Each handler calls att_board_spare_done first. */
#define ATT_BOARD_SPARE_HANDLER_0 Interrupt1_Handler
#define ATT_BOARD_SPARE_HANDLER_1 Interrupt2_Handler
#define ATT_BOARD_SPARE_HANDLER_2 Interrupt3_Handler
#define ATT_BOARD_SPARE_HANDLER_3 Timer23_Handler
#define ATT_BOARD_SPARE_TICK_HZ 12000000u
void att_board_spare_start(void);
void att_board_spare_raise(unsigned number);
void att_board_spare_raise_0(void); /* the first; takes no register but the return address */
void att_board_spare_after(uint32_t ticks);
void att_board_spare_done(unsigned number);

#ifdef __cplusplus
}
#endif

#endif
