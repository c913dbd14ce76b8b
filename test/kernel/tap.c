/*
 * The harness: see tap.h. Its controller is a thread like any other, from the application's table.
 */
#include "tap.h"

typedef struct {
    att_thread_t thread; /* aligns */
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_STACK + TAP_STACK_MORE)];
} memory_t;

static memory_t memory[TAP_THREADS];
static uint8_t used;

att_sem_t sem_a, sem_b;
att_ref_t ref_a, ref_b, ref_c;

static char tokens[TAP_TOKENS];
static uint8_t token_count;

/* The first failure of the present test. */
static struct {
    uint16_t line; /* 0: none */
    bool has_values;
    uint32_t got;
    uint32_t want;
    char tokens[TAP_TOKENS]; /* those at a failed comparison */
} failure;

__attribute__((weak)) void tap_before_start(void)
{
}

void tap_check(bool condition, uint16_t line)
{
    if (!condition && failure.line == 0) {
        failure.line = line;
    }
}

void tap_check_equal(uint32_t got, uint32_t want, uint16_t line)
{
    if (got != want && failure.line == 0) {
        failure.line = line;
        failure.has_values = true;
        failure.got = got;
        failure.want = want;
    }
}

void tap_check_tokens(const char *want_in_rom, uint16_t line)
{
    uint8_t at = 0;
    while (at < token_count && tokens[at] == tap_rom_char(want_in_rom + at)) {
        at++;
    }
    if ((at != token_count || tap_rom_char(want_in_rom + at) != '\0') && failure.line == 0) {
        failure.line = line;
        for (at = 0; at < token_count; at++) {
            failure.tokens[at] = tokens[at];
        }
        failure.tokens[at] = '\0';
    }
    token_count = 0;
}

void token(char what)
{
    att_key_t key = att_lock();
    if (token_count < TAP_TOKENS - 1) {
        tokens[token_count++] = what;
    }
    att_unlock(key);
}

void run_token(void *arg)
{
    token((char)(uintptr_t)arg);
}

att_thread_t *started(uint8_t k)
{
    return &memory[k].thread;
}

att_thread_t *start(att_prio_t prio, att_entry_t entry, void *arg)
{
    uint8_t at = used;
    if (used < TAP_THREADS) {
        used++;
    } else {
        at = 0; /* one that has ended will do */
        while (at < TAP_THREADS && !att_thread_ended(&memory[at].thread)) {
            at++;
        }
    }
    if (at == TAP_THREADS) {
        tap_text(TEXT("Bail out! more threads than the harness has memory for\n"));
        target_end(127);
    }
    return att_thread_start(&memory[at], sizeof(memory[at]), prio, entry, arg);
}

void settle(void)
{
    att_thread_t *self = att_thread_self();
    const att_prio_t prio = att_thread_priority(self);
    att_thread_set_priority(self, 1); /* behind all ready threads */
    att_thread_set_priority(self, prio);
}

void finish(void)
{
    for (uint8_t k = 0; k < used; k++) {
        if (att_join(&memory[k].thread, ATT_MS(500)) != ATT_OK) {
            tap_text(TEXT("Bail out! a thread has not ended; last check failed at line "));
            tap_number(failure.line);
            att_board_console_put('\n');
            target_end(127);
        }
    }
    used = 0;
}

static void begin_case(void)
{
    const att_sem_t empty = ATT_SEM_INIT(0, 1);
    sem_a = sem_b = empty;
    ref_a.wait.head = ref_b.wait.head = ref_c.wait.head = NULL;
    failure.line = 0;
    failure.has_values = false;
    failure.tokens[0] = '\0';
}

static void end_case(void)
{
    finish();
    CHECK(sem_a.wait.head == NULL && sem_b.wait.head == NULL);
    CHECK(ref_a.wait.head == NULL && ref_b.wait.head == NULL && ref_c.wait.head == NULL);
    CHECK_EQ(att_thread_priority(att_thread_self()), TAP_PRIORITY);
    if (ATT_CFG_SLICE > 0) {
        att_sleep(2 * ATT_CFG_SLICE); /* the slice's alarm ends by itself */
    }
    CHECK(!target_alarm_armed());
    CHECK_EQ(att_k_check(), 0);
    token_count = 0;
}

/* The line identifies the check; a line of this file means that a test left something behind. */
static void explain(void)
{
    tap_text(TEXT("# "));
    tap_text(tap_suite.file);
    att_board_console_put(':');
    tap_number(failure.line);
    if (failure.has_values) {
        tap_text(TEXT(" got "));
        tap_number(failure.got);
        tap_text(TEXT(", want "));
        tap_number(failure.want);
    }
    if (failure.tokens[0] != '\0') {
        tap_text(TEXT(" tokens "));
        for (const char *c = failure.tokens; *c != '\0'; c++) {
            att_board_console_put(*c);
        }
    }
    att_board_console_put('\n');
}

void tap_controller(void *arg)
{
    uint8_t count = 0;
    uint8_t failed = 0;
    tap_case_t test;
    (void)arg;
    for (;; count++) {
        att_port_rom_load(&test, &tap_suite.cases[count], sizeof(test));
        if (test.run == NULL) {
            break;
        }
    }
    tap_text(TEXT("1.."));
    tap_number(count);
    att_board_console_put('\n');
    for (uint8_t at = 0; at < count; at++) {
        att_port_rom_load(&test, &tap_suite.cases[at], sizeof(test));
        begin_case();
        test.run();
        end_case();
        if (failure.line != 0) {
            failed++;
            explain();
        }
        tap_result(failure.line == 0, (uint8_t)(at + 1), test.title);
    }
    target_end(failed < 126 ? failed : 126);
}

#ifndef TAP_OWN_SYSTEM
ATT_THREAD(controller_thread, TAP_PRIORITY, ATT_STACK_MIN + TARGET_CONTROLLER_STACK, tap_controller, NULL);
ATT_SYSTEM(controller_thread);
#endif

int main(void)
{
    att_board_console_start();
    target_clock_set(0x100000000u - 4096); /* every image runs through a wrap of the clock */
    tap_before_start();
    att_start();
}
