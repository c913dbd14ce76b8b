/*
 * What the input's bytes mean, and the fuzzer's entry.
 *
 * The running code takes the next bytes: a thread for its next call, a handler or callback for its calls,
 * idle for the event that ends its sleep. After each interrupt they give the distance to the next one, in
 * points. Input that is used up reads as zeros: threads then end, and the only interrupts left are those of
 * alarms.
 *
 * A run is over when idle runs and no event is left. It ends with a jump back to the entry, on idle's stack,
 * which is the fuzzer's own; the threads' stacks are discarded.
 */
#include "kernel.h"
#include "drive.h"
#include "host.h"

#include <setjmp.h>
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

static const uint8_t *first_byte, *input, *input_end;
static uint8_t
    *reduced; /* NULL, or: the same input with numbers of calls instead of the bytes that select them */
static const kind_t *chosen[16];
static uint8_t chosen_count;
static jmp_buf home;
static uint16_t gap; /* points to the next interrupt */
static uint8_t tail; /* alarms since the input ended */
static bool booted;

/* --- input --- */

static bool used_up(void)
{
    return input == input_end;
}

static uint8_t next(void)
{
    return used_up() ? 0 : *input++;
}

/* The same below a limit; the reduced number means the same, also with a higher limit. */
static uint8_t next_below(unsigned limit)
{
    const uint8_t number = (uint8_t)(next() % limit);
    if (reduced != NULL && input > first_byte) {
        reduced[input - first_byte - 1] = number;
    }
    return number;
}

static void next_gap(void)
{
    const uint8_t byte = next();
    gap = byte < 0xC0 ? byte & 15 : byte;
}

/* Which kinds the input is about: two, and threads; 0: all of them. */
static void choose_kinds(uint8_t byte)
{
    uint8_t all = 0;
    while (kinds[all] != NULL) {
        all++;
    }
    const uint8_t one = (byte & 15) % all;
    const uint8_t other = (byte >> 4) % all;
    chosen_count = 0;
    for (uint8_t i = 0; i < all; i++) {
        if (i == 0 || i == one || i == other || (one == 0 && other == 0)) {
            chosen[chosen_count++] = kinds[i];
        }
    }
    if (reduced != NULL) {
        reduced[SETUP_KINDS] = (uint8_t)(other << 4 | one);
    }
}

static const call_t *next_call(void)
{
    unsigned total = 0;
    for (uint8_t i = 0; i < chosen_count; i++) {
        total += chosen[i]->count;
    }
    unsigned number = next_below(total);
    const kind_t *const *kind = chosen;
    while (number >= (*kind)->count) {
        number -= (*kind++)->count;
    }
    return &(*kind)->calls[number];
}

/* 0: no wait; mostly a few units; rarely very long, or for ever. */
static att_time_t timeout_of(uint8_t byte)
{
    return byte < 0x80 ? byte & 31 : byte < 0x84 ? ATT_TIMEOUT_MAX : ATT_FOREVER;
}

/* One call of the running code; `locked`: it must not wait. */
static void call_next(bool locked)
{
    op_t *op = drive_op(locked);
    op->call = next_call();
    const uint8_t a = next();
    const uint8_t b = next();
    const uint16_t flags = op->call->flags;
    const uint8_t limit = (flags & WAITS) != 0 && op->call->values != 0 ? next() : b;
    if ((locked || drive_depth() != 0) && (flags & (THREAD | UNTIL)) != 0) {
        return;
    }
    op->object = op->call->objects != 0 ? a % op->call->objects : 0;
    op->value = op->call->values != 0 ? (uint8_t)(op->call->least + b % op->call->values) : 0;
    if ((flags & UNTIL) != 0) {
        op->timeout = 1;
        op->deadline = fuzz_now + (limit & 31) - 2;
    } else if ((flags & WAITS) != 0) {
        op->timeout = locked || drive_depth() != 0 ? ATT_NOWAIT : timeout_of(limit);
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
    return offset < sizeof(memory) ? (uint8_t)(offset / sizeof(memory[0])) : NO_THREAD;
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
    say_context();
    fuzz_say("lock\n");
    const att_key_t key = att_lock();
    for (uint8_t i = what & 3; i != 0xFF; i--) {
        call_next(true);
    }
    say_context();
    fuzz_say("unlock\n");
    att_unlock(key);
}

/* The model must see the exit, so the entry function does not return. */
static void end(void)
{
    op_t *op = NULL;
    for (uint8_t i = 0; mutex_held(fuzz_running()); i++) {
        op = drive_op(false);
        op->call = mutex_unlock_call;
        op->object = i % op->call->objects;
        (void)drive_call(op);
    }
    for (uint8_t i = 0; rwlock_held(fuzz_running()); i++) {
        op = drive_op(false);
        op->call = rwlock_unlock_call;
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

/* As after power-up: there is no thread. */
static void forget_threads(void)
{
    for (uint8_t k = 0; k < THREADS; k++) {
        ASAN_UNPOISON_MEMORY_REGION(&memory[k], sizeof(memory[k]));
        memory[k].thread = (att_thread_t){0};
    }
}

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

static void handle(const char *context)
{
    say_context();
    fuzz_say("%s\n", context);
    if (!booted) {
        boot();
    }
    for (uint8_t calls = next() & 3; calls != 0 && !used_up(); calls--) {
        call_next(false);
    }
}

void fuzz_handle(const char *context)
{
    drive_handler_enter();
    handle(context);
    drive_handler_leave();
}

ATT_ISR(fuzz_known)
{
    fuzz_handle("interrupt");
}

/* An ATT_ISR_NESTED written out: its first point does not belong to the interrupted call. */
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

/* To the model a change of priority is one step: no interrupt occurs while a thread is out of its queue.
 * test_moments.c and the scenarios cover interrupts at that point. */
static bool one_is_lifted(void)
{
    static bool held;
    bool lifted = false;
    for (uint8_t k = 0; k < THREADS; k++) {
        lifted |= att_k_detached(fuzz_thread[k]);
    }
    if (lifted && att_host_irq_raised(ATT_HOST_IRQ_CLOCK)) {
        att_host_irq_clear(ATT_HOST_IRQ_CLOCK);
        held = true;
    } else if (!lifted && held) {
        att_host_irq_raise(ATT_HOST_IRQ_CLOCK);
        held = false;
    }
    return lifted;
}

static void point(uint64_t number)
{
    (void)number;
    if (one_is_lifted()) {
        return;
    }
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
        say_context();
        fuzz_say("idle\n");
        fuzz_clock_advance((uint32_t)(alarm_at - fuzz_now));
    } else {
        interrupt(what >> 1);
    }
}

/* --- entry --- */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    say_begin();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < SETUP) {
        return -1;
    }
    static uint8_t copy[1024];
    reduced = getenv("ATTACCA_FUZZ_REDUCE") != NULL && size <= sizeof(copy) ? copy : NULL;
    if (reduced != NULL) {
        memcpy(reduced, data, size);
    }
    first_byte = data;
    input = data + SETUP;
    input_end = data + size;
    tail = 0;
    booted = false;
    att_k = (att_kernel_t){0};
    forget_threads();
    fuzz_clock_reset(5 * (data[2] & 3)); /* slower, or a thread could not keep up with a short period */
    drive_reset(data);
    choose_kinds(data[SETUP_KINDS]);
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
    if (reduced != NULL) {
        say_reduced(reduced, size);
    }
    return 0;
}
