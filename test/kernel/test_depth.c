/*
 * Are ATT_STACK_MIN and ATT_PORT_STACK_TIMED the stack that the kernel needs? For a while a thread makes one
 * call again and again, with a timeout or for ever, a less urgent one wakes it, and a more urgent one sleeps
 * for times of all lengths, so that the clock's handler runs everywhere, and periodic timers with different
 * periods pass each other in it; then the test checks the pattern on the thread's stack.
 */
#include "tap.h"

enum {
    OWN = TARGET_DEPTH_OWN, /* of subject() and of the case's function */
    STACK = 260             /* entries; at every check level filled here, so that no kernel has to */
};
#define LIMIT(extra) (ATT_STACK_MIN + (extra) + OWN)

typedef struct {
    const char *title;
    void (*call)(void);
    void (*help)(void);
    bool timed;
} depth_case_t;

static att_sem_t sem;
static att_ref_t ref;
static att_flags_t flags;
static att_group_t group;
static att_inbox_t inbox;
static att_delegate_t delegate;
ATT_STREAM(stream, 4, NULL);
ATT_QUEUE(queue, uint16_t, 1);
static att_waitable_t wait_set[] = {ATT_WAITABLE_SEM(&sem), ATT_WAITABLE_REF(&ref)};

static uint16_t noise = 1;
static uint16_t item;
static uint8_t byte, bytes[6], which;
static uintptr_t word;
static att_mask_t came;

static att_time_t some(uint8_t most)
{
    noise = (uint16_t)(noise * 25173u + 13849u);
    return (att_time_t)(1 + (noise >> 7) % most);
}

/* clang-format off */
#define CALL(name, timeout, ...) static void name(void) { const att_time_t limit = (timeout); (void)limit; (void)__VA_ARGS__; }
#define HELP(name, ...) static void name(void) { (void)__VA_ARGS__; }
CALL(take, 0, att_sem_take(&sem, ATT_FOREVER))
CALL(take_timed, some(60), att_sem_take(&sem, limit))
HELP(give, att_sem_give(&sem))
CALL(suspend_timed, some(60), att_suspend(&ref, limit))
HELP(resume, att_resume(&ref, 0))
CALL(wait_flags_timed, some(60), att_flags_wait(&flags, 1, ATT_ANY, &came, limit))
HELP(signal, (att_flags_signal(&flags, 1), 0))
CALL(wait_group, 0, att_group_wait(&group, 3, ATT_ALL, &came, ATT_FOREVER))
CALL(wait_group_timed, some(60), att_group_wait(&group, 3, ATT_ALL, &came, limit))
HELP(set, (att_group_set(&group, 3), 0))
CALL(read, 0, att_stream_read(&stream, bytes, sizeof(bytes), ATT_FOREVER))
CALL(read_timed, some(60), att_stream_read(&stream, bytes, sizeof(bytes), limit))
HELP(put_byte, att_stream_put(&stream, byte))
CALL(get, 0, att_queue_get(&queue, &item, ATT_FOREVER))
CALL(get_timed, some(60), att_queue_get(&queue, &item, limit))
HELP(put_item, att_queue_put(&queue, &item, ATT_NOWAIT))
CALL(serve, 0, att_delegate_serve(&delegate, ATT_FOREVER))
CALL(receive_timed, some(60), att_message_send(&inbox, 1, &word, limit))
HELP(cancel, (att_delegate_reset(&delegate), att_inbox_reset(&inbox), 0))
CALL(any, 0, att_wait_any(wait_set, 2, &which, ATT_FOREVER))
CALL(any_timed, some(60), att_wait_any(wait_set, 2, &which, limit))
/* clang-format on */

#define TITLE(name) static const char name##_title[] ATT_PORT_ROM = #name;
#define ROW(name, help, timed) {name##_title, name, help, timed},
#define ROWS(X)                                                                                              \
    X(take, give, false)                                                                                     \
    X(take_timed, give, true)                                                                                \
    X(suspend_timed, resume, true)                                                                           \
    X(wait_flags_timed, signal, true)                                                                        \
    X(wait_group, set, false)                                                                                \
    X(wait_group_timed, set, true)                                                                           \
    X(read, put_byte, false)                                                                                 \
    X(read_timed, put_byte, true)                                                                            \
    X(get, put_item, false)                                                                                  \
    X(get_timed, put_item, true)                                                                             \
    X(serve, cancel, false)                                                                                  \
    X(receive_timed, cancel, true)                                                                           \
    X(any, give, false)                                                                                      \
    X(any_timed, give, true)
#define TITLE_OF(name, help, timed) TITLE(name)
ROWS(TITLE_OF)
static const depth_case_t cases[] ATT_PORT_ROM = {ROWS(ROW)};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static depth_case_t now;
static volatile bool over;
static struct {
    att_thread_t thread;
    att_port_stack_t stack[STACK];
} subject_memory;

static void subject(void *arg)
{
    (void)arg;
    target_use_float();
    while (!over) {
        now.call();
    }
}

static void judge(void *arg)
{
    uint8_t failed = 0;
    (void)arg;
    for (uint8_t n = 0; n < CASES; n++) {
        att_port_rom_load(&now, &cases[n], sizeof(now));
        over = false;
        for (size_t k = 0; k < STACK; k++) {
            subject_memory.stack[k] = ATT_PORT_STACK_PATTERN;
        }
        att_thread_t *thread = att_thread_start(&subject_memory, sizeof(subject_memory), 3, subject, NULL);
        att_sleep(ATT_MS(TARGET_DEPTH_MS));
        over = true;
        (void)att_join(thread, ATT_FOREVER);
        size_t unused = 0;
        while (unused < STACK && subject_memory.stack[unused] == ATT_PORT_STACK_PATTERN) {
            unused++;
        }
        const size_t used = (STACK - unused) * sizeof(att_port_stack_t);
        const size_t most = LIMIT(now.timed ? ATT_PORT_STACK_TIMED : 0);
        tap_text(TEXT("# "));
        tap_number((uint32_t)used);
        tap_text(TEXT(" of "));
        tap_number((uint32_t)most);
        att_board_console_put('\n');
        tap_result(used <= most, (uint8_t)(n + 1), now.title);
        failed = (uint8_t)(failed + (used > most));
    }
    target_end(failed);
}

static void help(void *arg)
{
    (void)arg;
    for (;;) {
        const att_time_t end = att_now() + some(60);
        while (att_time_after(end, att_now())) {
        }
        if (now.help != NULL) {
            now.help();
        }
    }
}

static void nothing(void *arg)
{
    (void)arg;
}
static att_timer_t often = ATT_TIMER_INIT(nothing, NULL), seldom = ATT_TIMER_INIT(nothing, NULL);

static void disturb(void *arg)
{
    (void)arg;
    att_timer_start(&often, TARGET_DEPTH_PERIOD, TARGET_DEPTH_PERIOD);
    att_timer_start(&seldom, TARGET_DEPTH_PERIOD * 2 + 3, TARGET_DEPTH_PERIOD * 2 + 3);
    for (;;) {
        att_sleep(4 + some(60));
    }
}

ATT_THREAD(judge_thread, 6, ATT_STACK_MIN + TARGET_CONTROLLER_STACK, judge, NULL);
ATT_THREAD(disturb_thread, 5, ATT_STACK_MIN + ATT_PORT_STACK_TIMED + 30, disturb, NULL);
ATT_THREAD(help_thread, 1, ATT_STACK_MIN + ATT_PORT_STACK_TIMED + 60, help, NULL);
ATT_SYSTEM(judge_thread, disturb_thread, help_thread);

int main(void)
{
    att_board_console_start();
    tap_text(TEXT("1.."));
    tap_number(CASES);
    att_board_console_put('\n');
    att_start();
}
