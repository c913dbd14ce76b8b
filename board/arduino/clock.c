/*
 * The clock: Timer1 runs freely at F_CPU / 64 and is never written (but for tests); the overflow interrupt
 * counts its wraps, so that with nothing armed there are four interrupts a second. Compare unit A is the
 * alarm.
 *
 * A 16-bit register is read and written through one shared latch: here always with interrupts masked. The
 * wrap that is pending while masked is counted by whoever reads (TOV1 set and a small count). The compare
 * flag rises on the timer clock after the match, so OCR1A is one less than the alarm's time.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

static uint32_t wraps;

static inline __attribute__((always_inline)) att_time_t now(void)
{
    const uint16_t low = TCNT1;
    uint16_t high = (uint16_t)wraps;
    if ((TIFR1 & _BV(TOV1)) != 0 && (low & 0x8000u) == 0) {
        high++;
    }
    return (att_time_t)high << 16 | low;
}

void att_board_clock_start(void)
{
    TCCR1A = 0;
    TCCR1B = _BV(CS11) | _BV(CS10);
    TIFR1 = _BV(TOV1) | _BV(OCF1A);
    TIMSK1 = _BV(TOIE1);
}

void att_board_clock_set(uint64_t units)
{
    const att_key_t key = att_lock();
    wraps = (uint32_t)(units >> 16);
    TCNT1 = (uint16_t)units;
    TIFR1 = _BV(TOV1);
    att_unlock(key);
}

att_time_t att_board_now(void)
{
    return now();
}

att_stamp_t att_board_stamp(void)
{
    const uint16_t low = TCNT1;
    uint32_t high = wraps;
    if ((TIFR1 & _BV(TOV1)) != 0 && (low & 0x8000u) == 0) {
        high++;
    }
    return (att_stamp_t)high << 16 | low;
}

/*
 * Arm, read again, decide: if the clock still reads less than `when` after the write, the write came before
 * the timer clock that makes the match. For an alarm further away than one turn of the counter the match
 * comes whole turns too early; att_clock_expired then finds nothing due and arms again.
 */
bool att_board_alarm(att_time_t when)
{
    OCR1A = (uint16_t)(when - 1);
    TIFR1 = _BV(OCF1A);
    TIMSK1 = _BV(TOIE1) | _BV(OCIE1A);
    return att_time_after(when, now());
}

void att_board_alarm_off(void)
{
    TIMSK1 = _BV(TOIE1);
}

ATT_ISR(TIMER1_COMPA_vect)
{
    att_clock_expired();
}

ATT_ISR(TIMER1_OVF_vect)
{
    wraps++;
}
