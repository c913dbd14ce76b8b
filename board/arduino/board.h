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
    uint32_t time; /* in assembly, since gcc holds each half in two places */
    __asm__ __volatile__("lds %A0, %1\n lds %B0, %1+1\n lds %C0, %3\n lds %D0, %3+1\n"
                         "sbis %2, 0\n rjmp 1f\n sbrc %B0, 7\n rjmp 1f\n subi %C0, 0xFF\n sbci %D0, 0xFF\n1:"
                         : "=&d"(time)
                         : "n"(_SFR_MEM_ADDR(TCNT1)), "I"(_SFR_IO_ADDR(TIFR1)), "s"(&att_board_wraps)
                         : "memory");
    return time;
}

/* now + units + 1: the current unit has already begun. */
static inline __attribute__((always_inline)) uint32_t att_board_deadline(uint32_t units)
{
    uint16_t count;
    __asm__ __volatile__("lds %A1, %2\n lds %B1, %2+1\n sec\n adc %A0, %A1\n adc %B0, %B1\n"
                         "lds %A1, %4\n adc %C0, %A1\n lds %A1, %4+1\n adc %D0, %A1\n"
                         "sbis %3, 0\n rjmp 1f\n sbrc %B1, 7\n rjmp 1f\n subi %C0, 0xFF\n sbci %D0, 0xFF\n1:"
                         : "+d"(units), "=&r"(count)
                         : "n"(_SFR_MEM_ADDR(TCNT1)), "I"(_SFR_IO_ADDR(TIFR1)), "s"(&att_board_wraps)
                         : "memory");
    return units;
}
#define att_board_deadline(units) att_board_deadline(units)

/* when - now - 1: negative from that time on. */
static inline __attribute__((always_inline)) int8_t att_board_passed(uint32_t when)
{
    uint16_t count;
    __asm__ __volatile__("lds %A1, %2\n lds %B1, %2+1\n sec\n sbc %A0, %A1\n sbc %B0, %B1\n"
                         "lds %A1, %4\n sbc %C0, %A1\n lds %A1, %4+1\n sbc %D0, %A1\n"
                         "sbis %3, 0\n rjmp 1f\n sbrc %B1, 7\n rjmp 1f\n subi %C0, 1\n sbci %D0, 0\n1:"
                         : "+d"(when), "=&r"(count)
                         : "n"(_SFR_MEM_ADDR(TCNT1)), "I"(_SFR_IO_ADDR(TIFR1)), "s"(&att_board_wraps)
                         : "memory");
    return (int8_t)(when >> 24);
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
    return att_board_passed(when) >= 0;
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
