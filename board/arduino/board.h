/*
 * Arduino Uno (ATmega328P) and Mega 2560: the clock is Timer1, free running at F_CPU / 64: 4 µs a unit at 16
 * MHz. README.md says what that takes from Servo and PWM.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <stdint.h>

#ifndef F_CPU
#define F_CPU 16000000UL
#endif
#define ATT_BOARD_TIME_HZ (F_CPU / 64)

#ifdef __cplusplus
extern "C" {
#endif

/* The console: UART 0 at 115200 baud, 8N1, written by waiting. */
void att_board_console_start(void);
void att_board_console_put(char byte);

/* For tests: what the clock shows. Before att_start, or with no alarm armed. */
void att_board_clock_set(uint64_t units);

#ifdef __cplusplus
}
#endif

#endif
