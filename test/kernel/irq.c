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
    const uint8_t sreg = SREG;
    cli(); /* two bytes: an interrupt that the instrument makes up must not find one of them */
    actions[kind] = action;
    SREG = sreg;
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

#elif defined(ATT_PORT_CORTEX_M)
/* Interrupts that the board leaves free, and SysTick for the delayed ones, or a timer where SysTick is the clock. They run one after the other, and
 * in the clock's handler where that enables them, as on machines where a handler begins masked; all of them
 * preempt the nested one. */
#define NVIC_ENABLE ((volatile uint32_t *)0xE000E100u)
#define NVIC_PEND ((volatile uint32_t *)0xE000E200u)
#define NVIC_FORGET ((volatile uint32_t *)0xE000E280u)
#define NVIC_PRIORITY ((volatile uint32_t *)0xE000E400u)
#define SHPR3 (*(volatile uint32_t *)0xE000ED20u)
#define ICSR (*(volatile uint32_t *)0xE000ED04u)
#define SYSTICK_CONTROL (*(volatile uint32_t *)0xE000E010u)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014u)
#define SYSTICK_COUNT (*(volatile uint32_t *)0xE000E018u)
#define TICK (BOARD_CLOCK_HZ / 12000000u) /* cycles: a twelfth of a µs, or a little less */

static void prioritise(unsigned number, uint8_t priority)
{
    const unsigned shift = number % 4 * 8;
    volatile uint32_t *word = &NVIC_PRIORITY[number / 4];
    *word = (*word & ~((uint32_t)0xFF << shift)) | (uint32_t)priority << shift;
}

static unsigned number_of(irq_kind_t kind)
{
    return ATT_BOARD_SPARE_IRQ + (unsigned)kind;
}

static void write_bit(volatile uint32_t *set, unsigned number)
{
    set[number / 32] = (uint32_t)1 << number % 32;
}

void irq_start(void)
{
    const uint8_t first = ATT_CFG_LOCK_PRIORITY; /* or they could not call the kernel */
#ifdef ATT_BOARD_SPARE_TIMER_IRQ
    SHPR3 = (SHPR3 & 0x00FFFFFFu) | (first + 0x40u) << 24;
    prioritise(ATT_BOARD_SPARE_TIMER_IRQ, first);
    write_bit(NVIC_ENABLE, ATT_BOARD_SPARE_TIMER_IRQ);
#else
    SHPR3 = (SHPR3 & 0x00FFFFFFu) | (uint32_t)first << 24;
    prioritise(ATT_BOARD_CLOCK_IRQ, first + 0x40);
#endif
    prioritise(number_of(IRQ_KNOWN), first);
    prioritise(number_of(IRQ_FOREIGN), first);
    prioritise(number_of(IRQ_NESTED), first + 0x80);
    for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++) {
        write_bit(NVIC_FORGET, number_of(kind));
        write_bit(NVIC_ENABLE, number_of(kind));
    }
}

void irq_stop(void)
{
    for (irq_kind_t kind = IRQ_KNOWN; kind < IRQ_KINDS; kind++) {
        write_bit(NVIC_FORGET, number_of(kind));
    }
}

ATT_ISR(ATT_BOARD_SPARE_HANDLER_0)
{
    act(IRQ_KNOWN);
}

void ATT_BOARD_SPARE_HANDLER_1(void);
void ATT_BOARD_SPARE_HANDLER_1(void)
{
    act(IRQ_FOREIGN);
}

ATT_ISR_NESTED(ATT_BOARD_SPARE_HANDLER_2)
{
    act(IRQ_NESTED);
}

void irq_raise(irq_kind_t kind, irq_action_t action)
{
    actions[kind] = action;
    write_bit(NVIC_PEND, number_of(kind));
    __asm__ __volatile__("dsb\n\tisb" ::: "memory");
}

#ifdef ATT_BOARD_SPARE_TIMER_IRQ
#define TICK_HANDLER ATT_BOARD_SPARE_TIMER_HANDLER
#else
#define TICK_HANDLER SysTick_Handler
static void att_board_spare_timer_start(uint32_t cycles)
{
    SYSTICK_RELOAD = cycles;
    SYSTICK_COUNT = 0;
    SYSTICK_CONTROL = 7; /* the processor's clock, interrupt, go */
}

static void att_board_spare_timer_stop(void)
{
    SYSTICK_CONTROL = 0;
    ICSR = (uint32_t)1 << 25; /* PENDSTCLR */
}
#endif

ATT_ISR(TICK_HANDLER)
{
    irq_tick_cancel(); /* it may have come twice */
    tick_action();
}

static void after(irq_action_t action, uint32_t cycles)
{
    irq_tick_cancel();
    tick_action = action;
    att_board_spare_timer_start(cycles);
}

/* The kernel knows no handler, so both kinds are the same. */
void irq_tick(irq_kind_t kind, irq_action_t action, uint8_t ticks)
{
    (void)kind;
    after(action, TICK * (uint32_t)ticks);
}

void irq_tick_cancel(void)
{
    att_board_spare_timer_stop();
}

void irq_later(irq_kind_t kind, irq_action_t action)
{
    (void)kind;
    after(action, BOARD_CLOCK_HZ / 10000u);
}

#elif defined(ATT_BOARD_SPARE_TICK_HZ)
/* Interrupts that the board leaves free, and a timer for the delayed ones. */
enum { TICK = 3, TICKS_LATER = ATT_BOARD_SPARE_TICK_HZ / 10000 };

void irq_start(void)
{
    att_board_spare_start();
}

void irq_stop(void)
{
    for (unsigned kind = 0; kind < IRQ_KINDS; kind++) {
        att_board_spare_done(kind);
    }
}

ATT_ISR(ATT_BOARD_SPARE_HANDLER_0)
{
    att_board_spare_done(IRQ_KNOWN);
    act(IRQ_KNOWN);
}

#if defined(ATT_PORT_VECTORED) && ATT_PORT_VECTORED
__attribute__((interrupt("machine"))) void ATT_BOARD_SPARE_VECTOR_1(void);
void ATT_BOARD_SPARE_VECTOR_1(void)
#else
void ATT_BOARD_SPARE_HANDLER_1(void);
void ATT_BOARD_SPARE_HANDLER_1(void)
#endif
{
    att_board_spare_done(IRQ_FOREIGN);
    act(IRQ_FOREIGN);
}

/* Quiet before others are let in. */
static void nested(void);
void ATT_BOARD_SPARE_HANDLER_2(void);
void ATT_BOARD_SPARE_HANDLER_2(void)
{
    att_board_spare_done(IRQ_NESTED);
    nested();
}

ATT_ISR_NESTED(nested)
{
    act(IRQ_NESTED);
}

void irq_raise(irq_kind_t kind, irq_action_t action)
{
    actions[kind] = action;
    att_board_spare_raise(kind);
}

ATT_ISR(ATT_BOARD_SPARE_HANDLER_3)
{
    att_board_spare_done(TICK);
    tick_action();
}

/* One timer, and its handler is of the kernel's kind. */
void irq_tick(irq_kind_t kind, irq_action_t action, uint8_t ticks)
{
    (void)kind;
    irq_tick_cancel();
    tick_action = action;
    att_board_spare_after(ticks);
}

void irq_tick_cancel(void)
{
    att_board_spare_done(TICK);
}

void irq_later(irq_kind_t kind, irq_action_t action)
{
    (void)kind;
    irq_tick_cancel();
    tick_action = action;
    att_board_spare_after(TICKS_LATER);
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
