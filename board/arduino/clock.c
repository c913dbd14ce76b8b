/*
 * The clock: Timer1 runs freely at F_CPU / 64 and is never written (but for tests); the overflow interrupt
 * counts its wraps, so that with nothing armed there are four interrupts a second. Compare unit A is the
 * alarm.
 *
 * A 16-bit register is read and written through one shared latch: here always with interrupts masked. What
 * the kernel's hot paths call is inline, in board.h.
 */
#include "attacca/attacca.h"
#include "attacca/port_api.h"

uint32_t att_board_wraps;

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
    att_board_wraps = (uint32_t)(units >> 16);
    TCNT1 = (uint16_t)units;
    TIFR1 = _BV(TOV1);
    att_unlock(key);
}

att_stamp_t att_board_stamp(void)
{
    union { /* a shift of 64 bits is a loop */
        struct {
            uint16_t low;
            uint32_t high;
            uint16_t none;
        } part;
        att_stamp_t whole;
    } time = {{TCNT1, att_board_wraps, 0}};
    if ((TIFR1 & _BV(TOV1)) != 0 && (time.part.low & 0x8000u) == 0) {
        time.part.high++;
    }
    return time.whole;
}

/* A match with the present count makes its flag rise when the count moves on: not, if it did so meanwhile. */
void att_board_alarm_now(void)
{
    uint16_t count;
    do {
        count = TCNT1;
        OCR1A = count;
    } while (TCNT1 != count);
    TIMSK1 = _BV(TOIE1) | _BV(OCIE1A);
}

ATT_ISR(TIMER1_COMPA_vect)
{
    att_clock_expired();
}

/* No ATT_ISR: it wakes no thread, and its event would read the clock before the count is right. */
ISR(TIMER1_OVF_vect)
{
    att_board_wraps++;
}
