/*
 * Game Boy Advance: an ARM7TDMI at 16.78 MHz. The clock is timers 2 and 3: 32 bits, the processor's clock by
 * 64. README.md says what else the board takes.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "gba.h"

#define BOARD_CLOCK_HZ 16777216u
#define ATT_BOARD_TIME_HZ 262144u

#ifdef __cplusplus
extern "C" {
#endif

/* The console: text of the emulator, a byte at a time. */
void att_board_console_start(void);
void att_board_console_put(char byte);

/* The end of a run, with a status: for the instrument. */
__attribute__((noreturn)) void att_board_exit(uint8_t status);
/* From the beginning, as after a reset; what start-up code does not write stays. */
__attribute__((noreturn)) void att_board_restart(void);

/* For tests: what the clock shows. Before att_start, or with no alarm armed. */
void att_board_clock_set(uint64_t units);

/* For tests: three interrupts that software raises, 0 to 2, and a timer, 3, which comes once after so many
 * times 16 cycles. Each handler calls att_board_spare_done first. */
#define ATT_BOARD_SPARE_HANDLER_0 Dma0_Handler
#define ATT_BOARD_SPARE_HANDLER_1 Dma1_Handler
#define ATT_BOARD_SPARE_HANDLER_2 Dma2_Handler
#define ATT_BOARD_SPARE_HANDLER_3 Timer0_Handler
#define ATT_BOARD_SPARE_TICK_HZ (BOARD_CLOCK_HZ / 16)
void att_board_spare_start(void);
void att_board_spare_raise(unsigned number);
void att_board_spare_raise_0(void); /* the first; takes no register but the return address */
void att_board_spare_after(uint32_t ticks);
void att_board_spare_done(unsigned number);

#ifdef __cplusplus
}
#endif

#endif
