/*
 * The simulated board: three interrupts of its own. Interrupts come at points only, so the registers that a
 * preempted thread holds are those that a call keeps, and machine_spin is machine_call around a few points.
 */
#include "machine.h"
#include "host.h"

enum { KNOWN = 3, NESTED = 4, FOREIGN = 5 };

static void nothing(void)
{
}
void (*volatile on_known)(void) = nothing;
void (*volatile on_nested)(void) = nothing;
void (*volatile on_foreign)(void) = nothing;

ATT_ISR(known)
{
    on_known();
}

ATT_ISR_NESTED(nested)
{
    on_nested();
}

static void foreign(void)
{
    on_foreign();
}

void machine_start(void)
{
    att_host_irq_attach(KNOWN, known);
    att_host_irq_attach(NESTED, nested);
    att_host_irq_attach(FOREIGN, foreign);
}

void machine_end(uint8_t status)
{
    att_host_exit(status);
}

void machine_raise_known(void)
{
    att_host_irq_raise(KNOWN);
}

void machine_raise_nested(void)
{
    att_host_irq_raise(NESTED);
}

void machine_raise_foreign(void)
{
    att_host_irq_raise(FOREIGN);
}

/* At one of the next points, which reach into idle, or at a time. */
void machine_raise_known_after(uint16_t step)
{
    if (step % 2 == 0) {
        att_host_at_point(att_host_points() + step / 2 % 16, machine_raise_known);
    } else {
        att_host_irq_at(KNOWN, att_now() + step % 64);
    }
}

void machine_storm(void)
{
    att_host_irq_random(KNOWN, 7);
    att_host_irq_random(NESTED, 11);
    att_host_irq_random(FOREIGN, 13);
}

void machine_calm(void)
{
    att_host_irq_random(KNOWN, 0);
    att_host_irq_random(NESTED, 0);
    att_host_irq_random(FOREIGN, 0);
}

static void moment(void)
{
    for (int i = 0; i < 4; i++) {
        att_host_point();
    }
}

uint8_t machine_spin_a(void)
{
    return machine_call(moment, 0x11);
}

uint8_t machine_spin_b(void)
{
    return machine_call(moment, 0xB8);
}

uint8_t machine_hold(uintptr_t word)
{
    return machine_call(machine_raise_known, (uint8_t)word);
}

bool machine_aligned(const void *frame)
{
    return (uintptr_t)frame % 16 == 0;
}
