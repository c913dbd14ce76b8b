/*
 * Pins that are outputs still raise pin change interrupts, and a write to PINx toggles one: PCINT0 is the
 * known interrupt, PCINT1 the nested, PCINT2 the foreign one. Timer 0 is the interrupt after a given time, in
 * cycles; in a storm timer 2 brings the known and timer 0 the foreign one.
 */
#include "machine.h"

#if defined(__AVR_ATmega2560__)
#define NESTED_DDR DDRJ
#define NESTED_PIN PINJ
#define NESTED_BIT 0 /* PCINT9 */
#define NESTED_MASK 1
#define FOREIGN_DDR DDRK
#define FOREIGN_PIN PINK
#else
#define NESTED_DDR DDRC
#define NESTED_PIN PINC
#define NESTED_BIT 0
#define NESTED_MASK 0
#define FOREIGN_DDR DDRD
#define FOREIGN_PIN PIND
#endif
#define FOREIGN_BIT 2

static void nothing(void)
{
}
void (*volatile on_known)(void) = nothing;
void (*volatile on_nested)(void) = nothing;
void (*volatile on_foreign)(void) = nothing;

static uint16_t noise = 0xACE1u;

static uint8_t next_noise(void)
{
    noise = (uint16_t)((noise >> 1) ^ ((noise & 1) != 0 ? 0xB400u : 0));
    return (uint8_t)noise;
}

ATT_ISR(PCINT0_vect)
{
    on_known();
}

ATT_ISR_NESTED(PCINT1_vect)
{
    on_nested();
}

ISR(PCINT2_vect)
{
    on_foreign();
}

ATT_ISR(TIMER2_COMPA_vect)
{
    OCR2A = (uint8_t)(20 + (next_noise() & 0x7F));
    on_known();
}

/* The interrupt after a given time. */
ATT_ISR(TIMER0_COMPA_vect)
{
    TIMSK0 = 0;
    on_known();
}

ISR(TIMER0_COMPB_vect)
{
    OCR0B = (uint8_t)(20 + (next_noise() & 0x3F));
    if ((noise & 0x300) == 0) {
        NESTED_PIN = _BV(NESTED_BIT);
    }
    on_foreign();
}

void machine_start(void)
{
    DDRB |= _BV(0);
    NESTED_DDR |= _BV(NESTED_BIT);
    FOREIGN_DDR |= _BV(FOREIGN_BIT);
    PCMSK0 = _BV(0);
    PCMSK1 = _BV(NESTED_MASK);
    PCMSK2 = _BV(FOREIGN_BIT);
    PCICR = _BV(0) | _BV(1) | _BV(2);
}

void machine_end(uint8_t status)
{
    cli();
    _SFR_IO8(0x31) = (uint8_t)(0x80 | status);
    for (;;) {
    }
}

/* A pin takes a few cycles from its write to the interrupt. */
static inline void settle(void)
{
    __asm__ __volatile__("nop\n nop\n nop\n nop\n nop\n nop" ::: "memory");
}

void machine_raise_known(void)
{
    PINB = _BV(0);
    settle();
}

void machine_raise_nested(void)
{
    NESTED_PIN = _BV(NESTED_BIT);
    settle();
}

void machine_raise_foreign(void)
{
    FOREIGN_PIN = _BV(FOREIGN_BIT);
    settle();
}

/* The timer counts eighths; the other cycles pass here. Each line takes one cycle more if its bit is set. */
void machine_raise_known_after(uint16_t step)
{
    const uint8_t cycles = (uint8_t)(7 - step % 8);
    TCCR0B = 0;
    TCCR0A = 0;
    TCNT0 = 0;
    OCR0A = (uint8_t)(step / 8 + 1);
    TIFR0 = _BV(OCF0A);
    TIMSK0 = _BV(OCIE0A);
    GTCCR = _BV(PSRSYNC);
    TCCR0B = _BV(CS01);
    __asm__ __volatile__("sbrc %0, 0\n rjmp .+0\n"
                         "sbrc %0, 1\n rjmp .+0\n sbrc %0, 1\n rjmp .+0\n"
                         "sbrc %0, 2\n rjmp .+0\n sbrc %0, 2\n rjmp .+0\n"
                         "sbrc %0, 2\n rjmp .+0\n sbrc %0, 2\n rjmp .+0"
                         :
                         : "r"(cycles));
}

void machine_storm(void)
{
    TCCR2A = _BV(WGM21);
    OCR2A = 77;
    TCNT2 = 0;
    TIMSK2 = _BV(OCIE2A);
    TCCR2B = _BV(CS21) | _BV(CS20);
    TCCR0B = 0;
    TCCR0A = _BV(WGM01);
    OCR0A = 150;
    OCR0B = 50;
    TCNT0 = 0;
    TIMSK0 = _BV(OCIE0B);
    TCCR0B = _BV(CS01) | _BV(CS00);
}

void machine_calm(void)
{
    TIMSK2 = 0;
    TIMSK0 = 0;
}

bool machine_aligned(const void *frame)
{
    return (uintptr_t)frame >= RAMSTART && (uintptr_t)frame <= RAMEND;
}
