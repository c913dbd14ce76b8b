/*
 * What the input's bytes mean, and the fuzzer's entry.
 *
 * Whoever runs takes the next bytes: a thread for its next call, a handler or callback for its calls, idle
 * for what ends its sleep, and after each interrupt the distance to the next one, in points. Input that is
 * used up reads as zeros: threads then end, and no interrupt comes any more but those of alarms.
 *
 * A run is over when idle runs and nothing is left to come. It is left by a jump back to the entry, on idle's
 * stack, which is the fuzzer's own; the threads' stacks are forgotten where they are.
 */
#include "kernel.h"
#include "drive.h"
#include "host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#if ATT_PORT_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

enum { KNOWN = 3, FOREIGN = 4, NESTED = 5, DEEPEST = 5, TAIL = 40, STACK = ATT_STACK_MIN + 32768 };

ATT_SYSTEM();

static struct {
    att_thread_t thread;
    att_port_stack_t stack[STACK / sizeof(att_port_stack_t)];
} memory[THREADS];
att_thread_t *const fuzz_thread[THREADS] = {&memory[0].thread, &memory[1].thread, &memory[2].thread,
                                            &memory[3].thread, &memory[4].thread};

static const uint8_t *input, *input_end;
static jmp_buf home;
static uint16_t gap; /* points to the next interrupt */
static uint8_t tail; /* alarms since the input ended */
static bool booted;
bool fuzz_listing;

/* --- output --- */

void fuzz_say(const char *format, ...)
{
    if (fuzz_listing) {
        va_list arguments;
        va_start(arguments, format);
        (void)vprintf(format, arguments);
        va_end(arguments);
    }
}

void fuzz_fail(const char *format, ...)
{
    va_list arguments;
    (void)fflush(stdout);
    (void)fputs("FAILED: ", stderr);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    abort();
}

void att_fault_hook(const att_fault_record_t *fault)
{
    fuzz_fail("fault 0x%04X", fault->code);
}

static void say_who(void)
{
    if (!fuzz_listing) {
        return;
    }
    printf("%10u %*s", (att_time_t)fuzz_now, 4 * drive_depth(), "");
    if (drive_depth() == 0) {
        const uint8_t k = fuzz_running();
        if (k != NOBODY) {
            printf("thread %u (priority %u): ", k, model.thread[k].prio);
        }
    }
}

static void say_call(const op_t *op)
{
    if (!fuzz_listing) {
        return;
    }
    const call_t *call = op->call;
    const char *comma = "";
    say_who();
    printf("%s(", call->name);
    if (call->objects != 0) {
        printf("%u", op->object);
        comma = ", ";
    }
    if (call->values != 0) {
        printf("%s%u", comma, op->value);
        comma = ", ";
    }
    if ((call->flags & UNTIL) != 0) {
        printf("%suntil %u", comma, (att_time_t)op->deadline);
    } else if ((call->flags & WAITS) != 0) {
        printf(op->timeout == ATT_FOREVER ? "%sforever" : "%sfor %u", comma, op->timeout);
    }
    printf(")\n");
}

static void say_result(const op_t *op)
{
    static const char *const names[] = {"OK", "TIMEOUT", "CANCELED", "FULL", "EMPTY"};
    if (!fuzz_listing) {
        return;
    }
    say_who();
    if ((op->call->flags & STATUS) != 0 && op->got < sizeof(names) / sizeof(names[0])) {
        printf("%s: %s\n", op->call->name, names[op->got]);
    } else if ((op->call->flags & NUMBER) != 0) {
        printf("%s: %u\n", op->call->name, op->got);
    } else {
        printf("%s returned\n", op->call->name);
    }
}

/* --- input --- */

static bool used_up(void)
{
    return input == input_end;
}

static uint8_t next(void)
{
    return used_up() ? 0 : *input++;
}

static void next_gap(void)
{
    const uint8_t byte = next();
    gap = byte < 0xC0 ? byte & 15 : byte;
}

static const call_t *next_call(void)
{
    unsigned total = 0;
    for (const kind_t *const *kind = kinds; *kind != NULL; kind++) {
        total += (*kind)->count;
    }
    unsigned number = next() % total;
    const kind_t *const *kind = kinds;
    while (number >= (*kind)->count) {
        number -= (*kind++)->count;
    }
    return &(*kind)->calls[number];
}

/* 0: not at all; most: a few units; rarely very long, and for ever. */
static att_time_t timeout_of(uint8_t byte)
{
    return byte < 0x80 ? byte & 31 : byte < 0x84 ? ATT_TIMEOUT_MAX : ATT_FOREVER;
}

/* One call of whoever runs; `locked`: it must not wait. */
static void call_next(bool locked)
{
    op_t *op = drive_op(locked);
    op->call = next_call();
    const uint8_t a = next();
    const uint8_t b = next();
    const uint8_t flags = op->call->flags;
    if ((locked || drive_depth() != 0) && (flags & (THREAD | UNTIL)) != 0) {
        return;
    }
    op->object = op->call->objects != 0 ? a % op->call->objects : 0;
    op->value = op->call->values != 0 ? (uint8_t)(op->call->least + b % op->call->values) : 0;
    if ((flags & UNTIL) != 0) {
        op->timeout = 1;
        op->deadline = fuzz_now + (b & 31) - 2;
    } else if ((flags & WAITS) != 0) {
        op->timeout = locked || drive_depth() != 0 ? ATT_NOWAIT : timeout_of(b);
    }
    say_call(op);
    if (drive_call(op)) {
        say_result(op);
    }
}

/* --- threads --- */

uint8_t fuzz_index(const void *address)
{
    const uintptr_t offset = (uintptr_t)address - (uintptr_t)memory;
    return offset < sizeof(memory) ? (uint8_t)(offset / sizeof(memory[0])) : NOBODY;
}

uint8_t fuzz_running(void)
{
    return fuzz_index(__builtin_frame_address(0));
}

/* Up to four calls under lock, or one. */
static void thread_step(void)
{
    const uint8_t what = next();
    if (what < 0xE0) {
        call_next(false);
        return;
    }
    say_who();
    fuzz_say("lock\n");
    const att_key_t key = att_lock();
    for (uint8_t i = what & 3; i != 0xFF; i--) {
        call_next(true);
    }
    say_who();
    fuzz_say("unlock\n");
    att_unlock(key);
}

/* The model must know of it: no return from the entry. */
static void end(void)
{
    op_t *op = NULL;
    for (uint8_t i = 0; mutex_held(fuzz_running()); i++) {
        op = drive_op(false);
        op->call = mutex_unlock_call;
        op->object = i % op->call->objects;
        (void)drive_call(op);
    }
    op = drive_op(false);
    op->call = thread_exit_call;
    say_call(op);
    (void)drive_call(op);
}

static void thread(void *arg)
{
    drive_thread_begins((uint8_t)(uintptr_t)arg);
    while (!used_up()) {
        thread_step();
        drive_between();
    }
    end();
}

void fuzz_start(uint8_t k, att_prio_t prio)
{
    ASAN_UNPOISON_MEMORY_REGION(&memory[k], sizeof(memory[k]));
    (void)att_thread_start(&memory[k], sizeof(memory[k]), prio, thread, (void *)(uintptr_t)k);
}

/* --- interrupts --- */

/* The first interrupt starts all threads. */
static void boot(void)
{
    booted = true;
    for (uint8_t k = 0; k < THREADS; k++) {
        op_t *op = drive_op(false);
        op->call = thread_start_call;
        op->object = k;
        op->value = (uint8_t)(1 + next() % ATT_PRIORITY_MAX);
        say_call(op);
        (void)drive_call(op);
    }
}

static void handle(const char *who)
{
    say_who();
    fuzz_say("%s\n", who);
    if (!booted) {
        boot();
    }
    for (uint8_t calls = next() & 3; calls != 0 && !used_up(); calls--) {
        call_next(false);
    }
}

void fuzz_handle(const char *who)
{
    drive_handler_enter();
    handle(who);
    drive_handler_leave();
}

ATT_ISR(fuzz_known)
{
    fuzz_handle("interrupt");
}

/* An ATT_ISR_NESTED spelt out: its first point is not the interrupted call's. */
static void nested(void)
{
    drive_handler_enter();
    att_port_handler_enter(true);
    handle("nested interrupt");
    drive_handler_leave();
    att_port_handler_leave(true);
}

static void foreign(void)
{
    fuzz_handle("foreign interrupt");
}

static void interrupt(uint8_t what)
{
    switch (what & 7) {
    case 0:
    case 1:
        att_host_irq_raise(KNOWN);
        break;
    case 2:
        att_host_irq_raise(FOREIGN);
        break;
    case 3:
        att_host_irq_raise(NESTED);
        break;
    case 4:
        att_host_irq_raise(FOREIGN);
        att_host_irq_raise(NESTED);
        break;
    case 5:
        att_host_irq_raise(KNOWN);
        att_host_irq_raise(FOREIGN);
        break;
    default:
        fuzz_clock_advance(1 + (what >> 3));
    }
}

static void point(uint64_t number)
{
    (void)number;
    drive_point();
    if (!booted || used_up() || drive_depth() >= DEEPEST) {
        return;
    }
    if (gap != 0) {
        gap--;
    } else {
        const uint8_t what = next();
        next_gap();
        interrupt(what);
    }
}

void fuzz_idle(uint64_t alarm_at, const uint32_t *deadline)
{
    drive_idle(deadline);
    if (!booted) {
        interrupt(KNOWN - KNOWN);
        return;
    }
    if (used_up() && (alarm_at == NEVER || ++tail > TAIL)) {
        longjmp(home, 1);
    }
    const uint8_t what = next();
    if (alarm_at != NEVER && (what & 1) == 0) {
        say_who();
        fuzz_say("idle\n");
        fuzz_clock_advance((uint32_t)(alarm_at - fuzz_now));
    } else {
        interrupt(what >> 1);
    }
}

/* --- entry --- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < SETUP) {
        return -1;
    }
    input = data + SETUP;
    input_end = data + size;
    tail = 0;
    booted = false;
    fuzz_listing = getenv("ATTACCA_FUZZ_LIST") != NULL;
    att_k = (att_kernel_t){0};
    fuzz_clock_reset(5 * (data[2] & 3)); /* slower, or a short period would never be kept up with */
    drive_reset(data);
    next_gap();
    att_host_seed(data[3]);
    for (unsigned n = 0; n < ATT_HOST_IRQ_SWITCH; n++) {
        att_host_irq_clear(n);
    }
    att_host_irq_attach(KNOWN, fuzz_known);
    att_host_irq_attach(FOREIGN, foreign);
    att_host_irq_attach(NESTED, nested);
    att_host_on_point(point);
    if (setjmp(home) == 0) {
        att_start();
    }
    return 0;
}
