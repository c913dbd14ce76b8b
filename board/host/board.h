/*
 * The simulated board: a clock of 1 µs a unit in virtual time, standard output as console, and interrupts at
 * given times. Time passes only at points (port/host/host.h), when the clock is read, and while idle waits.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#define ATT_BOARD_TIME_HZ 1000000

#ifdef __cplusplus
extern "C" {
#endif

/* The console: standard output. */
void att_board_console_start(void);
void att_board_console_put(char byte);

/* What the clock shows at the start; by default 4096 units before 32 bits wrap. Before att_start. */
void att_host_clock_set(uint64_t units);
/* A point, and a reading, take 1 to `most` 64ths of a unit (default 32); 0: no time, only idle moves the
 * clock. */
void att_host_clock_pace(uint32_t most);
/* The clock moves ahead by itself, as after a deep sleep; an alarm in between is missed. */
void att_host_clock_jump(uint32_t units);
/* Is the kernel's alarm armed? */
bool att_host_clock_armed(void);
/* Raise interrupt n (once) when the clock reads `when`; a time that has passed: at the next point. */
void att_host_irq_at(unsigned n, uint32_t when);

#ifdef __cplusplus
}
#endif

#endif
