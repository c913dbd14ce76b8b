/*
 * Arduino Uno (ATmega328P) and Mega 2560: the clock is Timer1, free running at F_CPU / 64: 4 µs a unit at 16
 * MHz. README.md says what that takes from Servo and PWM.
 */
#ifndef ATTACCA_BOARD_H
#define ATTACCA_BOARD_H

#include <avr/io.h>
#include <stdbool.h>
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

/*
 * The kernel's clock (port_api.h), inline because a call of it would cost more than it does; masked, like all
 * of it. A wrap that is pending while masked is counted by the reader: TOV1 set, and a small count.
 */
#define ATT_BOARD_CLOCK_INLINE 1
extern uint32_t att_board_wraps;

static inline __attribute__((always_inline)) uint32_t att_board_now(void)
{
    union {
        uint16_t half[2];
        uint32_t whole;
    } time;
    time.half[0] = TCNT1;
    time.half[1] = (uint16_t)att_board_wraps;
    if ((TIFR1 & _BV(TOV1)) != 0 && (time.half[0] & 0x8000u) == 0) {
        time.half[1]++;
    }
    return time.whole;
}

/*
 * Arm, read again, decide: if the clock still reads less than `when` after the write, the write came before
 * the timer clock that makes the match: the flag rises one such clock after it, so OCR1A is one less than the
 * alarm's time. For an alarm further away than one turn of the counter the match comes whole turns too early;
 * att_clock_expired then finds nothing due and arms again.
 */
static inline __attribute__((always_inline)) bool att_board_alarm(uint32_t when)
{
    OCR1A = (uint16_t)((uint16_t)when - 1u);
    TIFR1 = _BV(OCF1A);
    TIMSK1 = _BV(TOIE1) | _BV(OCIE1A);
    return (int32_t)(att_board_now() - when) < 0;
}

static inline __attribute__((always_inline)) void att_board_alarm_off(void)
{
    TIMSK1 = _BV(TOIE1);
}

/* For tests: what the clock shows. Before att_start, or with no alarm armed. */
void att_board_clock_set(uint64_t units);

#ifdef __cplusplus
}
#endif

#endif
