/*
 * Simulated interrupts: a set of raised ones, a table of handlers, and the points at which they come.
 *
 * Serving is a loop around a call; it holds no state of its own across the call, for a handler's exit may
 * switch to another thread and come back much later. At a point before a lock the loop may stop after a
 * handler that the kernel does not know, one time in four: as on processors that run one more instruction
 * after a handler before they take the next interrupt, so that the caller masks with a switch pending.
 */
#include "attacca/base.h"
#include "host.h"
#include "irq.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool att_host_enabled;
uint8_t att_host_depth;

static bool due; /* a switch must wait for the exit of a handler, or for the software interrupt */
static uint32_t raised;
static void (*handlers[ATT_HOST_IRQS])(void);

static uint64_t points;
static void (*point_hook)(uint64_t point);
static uint64_t once_at;
static void (*once)(void);
static uint32_t random_set;
static uint32_t random_one_in[ATT_HOST_IRQS];

static uint64_t random_state;
static bool seeded;

void att_host_seed(uint64_t seed)
{
    random_state = seed;
    seeded = true;
}

uint64_t att_host_random(void)
{
    if (!seeded) {
        const char *text = getenv("ATTACCA_SEED");
        att_host_seed(text != NULL ? strtoull(text, NULL, 0) : 1);
    }
    uint64_t x = random_state += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

uint32_t att_host_below(uint32_t bound)
{
    return (uint32_t)((att_host_random() >> 32) * bound >> 32);
}

void att_host_exit(int status)
{
    exit(status);
}

void att_host_die(int status, const char *format, ...)
{
    va_list arguments;
    (void)fflush(stdout);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    att_host_exit(status);
}

static uint32_t bit(unsigned n)
{
    att_host_contract(n < ATT_HOST_IRQS, "an interrupt above 31");
    return (uint32_t)1 << n;
}

static uint32_t servable(void)
{
    uint32_t set = raised;
    while (set != 0 && handlers[__builtin_ctz(set)] == NULL && __builtin_ctz(set) != ATT_HOST_IRQ_SWITCH) {
        set &= set - 1;
    }
    return set;
}

/* No handler has performed the pending switch. */
static void software_interrupt(void)
{
    if (due) {
        att_host_isr_exit();
    }
}

static void serve(bool may_stop)
{
    for (uint32_t set; att_host_enabled && (set = servable()) != 0;) {
        const unsigned n = (unsigned)__builtin_ctz(set);
        raised &= ~bit(n);
        att_host_enabled = false;
        if (n == ATT_HOST_IRQ_SWITCH) {
            software_interrupt();
        } else {
            handlers[n]();
        }
        att_host_contract(!att_host_enabled, "a handler returned unmasked");
        att_host_enabled = true;
        if (may_stop && due && att_host_below(4) == 0) {
            return;
        }
    }
}

/* Masked: the hooks and the random interrupts of one point. */
static void sources(void)
{
    points++;
    if (once != NULL && points >= once_at) {
        void (*now)(void) = once;
        once = NULL;
        now();
    }
    if (point_hook != NULL) {
        point_hook(points);
    }
    for (uint32_t set = random_set; set != 0; set &= set - 1) {
        const unsigned n = (unsigned)__builtin_ctz(set);
        if (att_host_below(random_one_in[n]) == 0) {
            raised |= bit(n);
        }
    }
}

static void point(bool before_lock)
{
    att_host_enabled = false;
    att_host_board_point();
    sources();
    att_host_enabled = true;
    serve(before_lock);
}

void att_host_point(void)
{
    if (att_host_enabled) {
        point(false);
    }
}

void att_host_unmask(void)
{
    att_host_enabled = true;
    point(false);
}

void att_host_window(void)
{
    att_host_unmask();
    att_host_enabled = false;
}

att_port_key_t att_port_lock(void)
{
    if (!att_host_enabled) {
        return 0;
    }
    point(true);
    att_host_enabled = false;
    return 1;
}

void att_port_unlock(att_port_key_t key)
{
    if (key == 0) {
        att_host_enabled = false;
    } else if (!att_host_enabled) {
        att_host_unmask();
    }
}

bool att_port_in_isr(void)
{
    return att_host_depth != 0;
}

void att_port_pend(void)
{
    att_host_contract(!att_host_enabled, "att_port_pend unmasked");
    due = true;
    raised |= bit(ATT_HOST_IRQ_SWITCH);
}

void att_host_undue(void)
{
    due = false;
    raised &= ~bit(ATT_HOST_IRQ_SWITCH);
}

void att_port_handler_enter(bool nested)
{
    att_host_contract(!att_host_enabled, "an ATT_ISR was called with interrupts enabled");
    att_host_depth++;
    if (nested) {
        att_host_unmask();
    }
}

void att_port_handler_mask(bool nested)
{
    if (nested) {
        att_host_enabled = false;
    }
}

void att_port_handler_leave(bool nested)
{
    att_port_handler_mask(nested);
    att_host_depth--;
    if (due) {
        att_host_isr_exit();
    }
}

void att_port_handler_window(void)
{
    att_host_contract(!att_host_enabled, "att_port_handler_window unmasked");
    att_host_depth++;
    att_host_window();
    att_host_depth--;
}

void att_port_start(void)
{
    att_host_enabled = false;
    att_host_depth = 0;
    att_host_undue();
}

/* Masked throughout until something is raised: nothing can come between the look and the sleep. */
void att_port_idle(const uint32_t *deadline)
{
    att_host_contract(!att_host_enabled && att_host_depth == 0, "att_port_idle unmasked, or in a handler");
    while (servable() == 0 && !att_host_board_wait(deadline)) {
        if (once == NULL && random_set == 0) {
            att_host_die(ATT_HOST_EXIT_DEADLOCK, "deadlock: every thread waits and nothing is armed");
        }
        sources();
    }
    att_host_enabled = true;
    serve(false);
}

void att_host_irq_attach(unsigned n, void (*handler)(void))
{
    att_host_contract(n != ATT_HOST_IRQ_SWITCH, "interrupt 31 is the port's");
    (void)bit(n);
    handlers[n] = handler;
}

void att_host_irq_raise(unsigned n)
{
    raised |= bit(n);
    serve(false);
}

void att_host_irq_clear(unsigned n)
{
    raised &= ~bit(n);
}

bool att_host_irq_raised(unsigned n)
{
    return (raised & bit(n)) != 0;
}

void att_host_irq_random(unsigned n, uint32_t one_in)
{
    random_one_in[n] = one_in;
    random_set = one_in != 0 ? random_set | bit(n) : random_set & ~bit(n);
}

uint64_t att_host_points(void)
{
    return points;
}

void att_host_on_point(void (*hook)(uint64_t point))
{
    point_hook = hook;
}

void att_host_at_point(uint64_t n, void (*call)(void))
{
    once_at = n;
    once = call;
}
