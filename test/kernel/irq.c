#include "irq.h"

static irq_action_t actions[IRQ_KINDS];
static irq_action_t tick_action;

/* An instrument may raise interrupts before the test has said what they do. */
static inline void act(irq_kind_t kind)
{
    if (actions[kind] != NULL) {
        actions[kind]();
    }
}

#if defined(__AVR__)
#if defined(__AVR_ATmega2560__)
#define PINS_1 PINJ
#define DDR_1 DDRJ
#define MASK_1 _BV(1) /* PCINT9 is PJ0 */
#define PINS_2 PINK
#define DDR_2 DDRK
#else
#define PINS_1 PINC
#define DDR_1 DDRC
#define MASK_1 _BV(0)
#define PINS_2 PIND
#define DDR_2 DDRD
#endif

void irq_start(void)
{
    DDRB |= _BV(0);
    DDR_1 |= _BV(0);
    DDR_2 |= _BV(4);
    PCMSK0 = _BV(0);
    PCMSK1 = MASK_1;
    PCMSK2 = _BV(4);
    PCIFR = _BV(PCIF0) | _BV(PCIF1) | _BV(PCIF2);
    PCICR = _BV(PCIE0) | _BV(PCIE1) | _BV(PCIE2);
    TCCR2A = 0;
    TCCR2B = _BV(CS21);
}

void irq_stop(void)
{
    PCICR = 0;
}

ATT_ISR(PCINT0_vect)
{
    act(IRQ_KNOWN);
}

ISR(PCINT1_vect)
{
    act(IRQ_FOREIGN);
}

ATT_ISR_NESTED(PCINT2_vect)
{
    act(IRQ_NESTED);
}

void irq_raise(irq_kind_t kind, irq_action_t action)
{
    actions[kind] = action;
    if (kind == IRQ_KNOWN) {
        PINB = _BV(0);
    } else if (kind == IRQ_FOREIGN) {
        PINS_1 = _BV(0);
    } else {
        PINS_2 = _BV(4);
    }
    __asm__ __volatile__("nop\n nop\n nop\n nop" ::: "memory"); /* the pin's synchroniser */
}

ATT_ISR(TIMER2_COMPA_vect)
{
    TIMSK2 = 0;
    tick_action();
}

ISR(TIMER2_COMPB_vect)
{
    TIMSK2 = 0;
    tick_action();
}

void irq_tick(irq_kind_t kind, irq_action_t action, uint8_t ticks)
{
    tick_action = action;
    TIMSK2 = 0;
    GTCCR = _BV(PSRASY);
    TCNT2 = 0;
    OCR2A = ticks;
    OCR2B = ticks;
    TIFR2 = _BV(OCF2A) | _BV(OCF2B);
    TIMSK2 = kind == IRQ_KNOWN ? _BV(OCIE2A) : _BV(OCIE2B);
}

void irq_tick_cancel(void)
{
    TIMSK2 = 0;
}

void irq_later(irq_kind_t kind, irq_action_t action)
{
    irq_tick(kind, action, 200);
}

#else
enum { FIRST = 3, TICK_KNOWN = 8, TICK_FOREIGN = 9 };

ATT_ISR(known)
{
    act(IRQ_KNOWN);
}

static void foreign(void)
{
    act(IRQ_FOREIGN);
}

ATT_ISR_NESTED(nested)
{
    act(IRQ_NESTED);
}

ATT_ISR(tick_known)
{
    tick_action();
}

static void tick_foreign(void)
{
    tick_action();
}

void irq_start(void)
{
    att_host_irq_attach(FIRST + IRQ_KNOWN, known);
    att_host_irq_attach(FIRST + IRQ_FOREIGN, foreign);
    att_host_irq_attach(FIRST + IRQ_NESTED, nested);
    att_host_irq_attach(TICK_KNOWN, tick_known);
    att_host_irq_attach(TICK_FOREIGN, tick_foreign);
}

void irq_raise(irq_kind_t kind, irq_action_t action)
{
    actions[kind] = action;
    att_host_irq_raise(FIRST + (unsigned)kind);
}

void irq_stop(void)
{
    for (unsigned kind = 0; kind < IRQ_KINDS; kind++) {
        att_host_irq_clear(FIRST + kind);
    }
}

static unsigned tick_number;

static void tick(void)
{
    att_host_irq_raise(tick_number);
}

void irq_tick(irq_kind_t kind, irq_action_t action, uint8_t ticks)
{
    tick_action = action;
    tick_number = kind == IRQ_KNOWN ? TICK_KNOWN : TICK_FOREIGN;
    att_host_at_point(att_host_points() + ticks, tick);
}

void irq_tick_cancel(void)
{
    att_host_at_point(0, NULL);
    att_host_irq_clear(tick_number);
}

void irq_later(irq_kind_t kind, irq_action_t action)
{
    tick_action = action;
    att_host_irq_at(kind == IRQ_KNOWN ? TICK_KNOWN : TICK_FOREIGN, att_now() + 100);
}
#endif
