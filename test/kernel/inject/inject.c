/*
 * The threads of a run: a controller (priority 1), which runs only when no other thread is ready, so that its
 * snapshots show a settled state; the caller (4); up to three actors; a bystander (7), which a handler may
 * wake.
 */
#include "inject.h"

enum { OUTCOME = 90, TURNS = 30 };
enum { CALLER, ACTOR, BYSTANDER = ACTOR + ACTORS, THREADS };
enum {
    FAILED_REGISTERS = 1,
    FAILED_KERNEL,
    FAILED_OBJECTS,
    FAILED_URGENT,
    FAILED_ENDING,
    FAILED_TEXT,
    FAILED_STACK
};

typedef struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + INJECT_STACK)];
} memory_t;

static void controller_entry(void *arg);
ATT_THREAD(controller, 1, ATT_STACK_MIN + INJECT_STACK, controller_entry, NULL);
ATT_SYSTEM(controller);

question_t question;
static situation_t situation;
static memory_t memory[THREADS];
static step_t steps[THREADS];
static uint8_t started; /* bit n */
static step_t acts[2];
static uint8_t armed, acted;
static char results[2] = {'-', '-'};
static volatile bool called;
static uint8_t failed;
static char outcome[OUTCOME + 1];
static uint8_t length, events;
static att_sem_t wake;

att_thread_t *const inject_caller = &memory[CALLER].thread;

att_thread_t *inject_actor(uint8_t n)
{
    return &memory[ACTOR + n].thread;
}

void put(char c)
{
    if (length < OUTCOME) {
        outcome[length++] = c;
    }
}

static void expect(bool right, uint8_t what)
{
    if (!right && failed == 0) {
        failed = what;
    }
}

static bool has_started(uint8_t n)
{
    return (started & BIT(n)) != 0;
}

/* --- the actions --- */

static void act(uint8_t n)
{
    armed = (uint8_t)(armed & ~BIT(n));
    const uint8_t result = acts[n]();
    const att_key_t key = att_lock();
    results[n] = (char)('0' + result);
    acted++;
    att_unlock(key);
}

void inject_handler(uint8_t kind)
{
    for (uint8_t n = 0; n < 2; n++) {
        if (question.kind[n] == kind && (armed & BIT(n)) != 0) {
            act(n);
            return;
        }
    }
}

/* Started, and not ended. Masked. */
bool inject_lives(const att_thread_t *thread)
{
    for (uint8_t n = CALLER; n < THREADS; n++) {
        if (thread == &memory[n].thread) {
            return has_started(n) && !att_thread_ended(thread);
        }
    }
    return false;
}

uint8_t act_wake(void)
{
    return att_sem_give(&wake);
}

/* --- the threads --- */

enum { UNUSED_BYTE = 0x5B }; /* as a pointer: an odd address outside RAM */

void gone(void *what, size_t size)
{
    volatile uint8_t *byte = what;
    for (volatile uint8_t *const end = byte + size; byte != end; byte++) {
        *byte = UNUSED_BYTE;
    }
}

/* The stack below the caller, as deep as a waiting call keeps objects there. */
static ATT_PORT_NOINLINE void overwrite_stack(void)
{
    uintptr_t below[INJECT_OVERWRITE / sizeof(uintptr_t)];
    for (volatile uintptr_t *word = below; word != below + INJECT_OVERWRITE / sizeof(uintptr_t); word++) {
        *word = (uintptr_t)0x0101010101010101u * UNUSED_BYTE;
    }
}

static void raise_at(uint8_t when)
{
    for (uint8_t turn = 0; turn < 2; turn++) {
        const uint8_t n = turn ^ question.second_first;
        if (question.when[n] == when && (armed & BIT(n)) != 0) {
            machine_raise(question.kind[n]);
        }
    }
}

void event(void)
{
    const att_key_t key = att_lock();
    const uint8_t count = armed != 0 ? ++events : 0;
    att_unlock(key);
    if (count != 0) {
        raise_at((uint8_t)(EVENT + count));
    }
}

void say(char name, uint8_t what)
{
    const att_key_t key = att_lock();
    put(name);
    put((char)('0' + what));
    att_unlock(key);
    event();
}

static void act_under_lock(uint8_t when)
{
    for (uint8_t turn = 0; turn < 2; turn++) {
        const uint8_t n = turn ^ question.second_first;
        if (question.when[n] == when) {
            act(n);
        }
    }
}

static bool asks_for(uint8_t when)
{
    return question.when[0] == when || question.when[1] == when;
}

static uint8_t step_under_lock(step_t step, uint8_t first)
{
    const att_key_t key = att_lock();
    act_under_lock(first);
    const uint8_t result = step();
    act_under_lock((uint8_t)(first + 1)); /* WITHIN, LATER_WITHIN */
    att_unlock(key);
    return result;
}

static uint8_t call_under_lock(void)
{
    return step_under_lock(steps[CALLER], FIRST);
}

static void entry(void *arg)
{
    const uint8_t n = (uint8_t)(uintptr_t)arg;
    event();
    const uint8_t result = machine_keep(steps[n]);
    overwrite_stack();
    say(n == BYSTANDER ? 'u' : (char)('a' + n - ACTOR), result);
}

static void start(uint8_t n, att_prio_t prio, step_t step, att_entry_t of_thread)
{
    steps[n] = step;
    memory[n].stack[0] = ATT_PORT_STACK_PATTERN;
    started = (uint8_t)(started | BIT(n));
    (void)att_thread_start(&memory[n], sizeof(memory[n]), prio, of_thread, (void *)(uintptr_t)n);
}

uint8_t inject_start_c(att_prio_t prio)
{
    const att_key_t key = att_lock();
    const bool taken = has_started(ACTOR + 2);
    if (!taken) {
        start(ACTOR + 2, prio, nothing, entry);
    }
    att_unlock(key);
    return taken;
}

static void start_actors(bool ready)
{
    for (uint8_t n = 0; n < ACTORS; n++) {
        const actor_t *actor = &situation.actors[n];
        if (actor->prio != 0 && actor->ready == ready) {
            start((uint8_t)(ACTOR + n), actor->prio, actor->step, entry);
        }
    }
}

/* The caller runs: no more urgent thread is ready. */
static void expect_most_urgent(void)
{
    const att_prio_t mine = att_thread_priority(inject_caller);
    expect(att_thread_self() == inject_caller, FAILED_URGENT);
    for (uint8_t n = ACTOR; n < THREADS; n++) {
        const att_thread_t *thread = &memory[n].thread;
        if (has_started(n)) {
            const att_key_t key = att_lock();
            expect(att_thread_state(thread) != ATT_STATE_READY || att_thread_priority(thread) <= mine,
                   FAILED_URGENT);
            att_unlock(key);
        }
    }
}

static void caller_entry(void *arg)
{
    (void)arg;
    start_actors(true);
    armed = 3;
    raise_at(BEFORE);
    const bool under_lock = asks_for(FIRST) || asks_for(WITHIN);
    const uint8_t result = machine_call(under_lock ? call_under_lock : steps[CALLER]);
    overwrite_stack();
    called = true;
    raise_at(AFTER);
    expect_most_urgent();
    say('X', result);
}

static void put_thread(uint8_t n)
{
    static const char states[] ATT_PORT_ROM = "XRWE";
    const att_thread_t *thread = &memory[n].thread;
    if (has_started(n)) {
        const att_state_t state = att_thread_state(thread);
        char letter;
        att_port_rom_load(&letter, &states[state], 1);
        put(letter);
        if (state != ATT_STATE_ENDED) {
            put((char)('0' + att_thread_priority(thread)));
        }
    }
}

static bool any_thread_ready(void)
{
    for (uint8_t n = CALLER; n < THREADS; n++) {
        if (has_started(n) && att_thread_state(&memory[n].thread) == ATT_STATE_READY) {
            return true;
        }
    }
    return false;
}

/* Masked, and with no switch pending: one instruction runs between the end of a handler that the kernel does
 * not know and the switch that the handler requested. That instruction may be the one that masks here. */
static att_key_t lock_quiet(void)
{
    att_key_t key = att_lock();
    for (uint8_t turn = 0; turn < 3 && any_thread_ready(); turn++) {
        att_unlock(key);
        key = att_lock();
    }
    return key;
}

static void snapshot(void)
{
    const att_key_t key = lock_quiet();
    expect(att_k_check() == 0, FAILED_KERNEL);
    put('|');
    for (uint8_t n = CALLER; n < THREADS; n++) {
        put_thread(n);
    }
    put('/');
    put((char)('0' + acted));
    put('/');
    inject_observe();
    expect(inject_sound(), FAILED_OBJECTS);
    att_unlock(key);
    event();
}

static bool all_ended(void)
{
    for (uint8_t n = CALLER; n < THREADS; n++) {
        if (has_started(n) && !att_thread_ended(&memory[n].thread)) {
            return false;
        }
    }
    return true;
}

static uint8_t wait_to_be_woken(void)
{
    return att_sem_take(&wake, ATT_FOREVER);
}

static void release_all(void)
{
    for (uint8_t turn = 0; turn < TURNS && !all_ended(); turn++) {
        if (called || att_thread_ended(inject_caller)) {
            (void)att_sem_give(&wake);
        }
        const att_key_t key = att_lock(); /* check and act in one critical section */
        inject_release();
        att_unlock(key);
        att_sleep(SOON);
    }
    expect(all_ended(), FAILED_ENDING);
}

/* A handler on top of a call needs more stack than either, and must fit. */
static void expect_stacks(void)
{
    for (uint8_t n = CALLER; n < THREADS; n++) {
        expect(!has_started(n) || memory[n].stack[0] == ATT_PORT_STACK_PATTERN, FAILED_STACK);
    }
}

ATT_PORT_NORETURN static void finish(void)
{
    snapshot();
    expect_stacks();
    expect(machine_kept(), FAILED_REGISTERS);
    expect(length < OUTCOME - 5, FAILED_TEXT);
    put(';');
    put(results[0]);
    put(results[1]);
    if (failed != 0) {
        put('!');
        put((char)('0' + failed));
    }
    machine_answer(outcome);
    machine_end(failed);
}

static void controller_entry(void *arg)
{
    (void)arg;
    machine_start();
    start(BYSTANDER, 7, wait_to_be_woken, entry);
    if (situation.setup != NULL) {
        (void)situation.setup();
    }
    start_actors(false);
    start(CALLER, 4, situation.call, caller_entry);
    if (!called) {
        raise_at(BLOCKED);
    }
    snapshot();
    if (situation.later != NULL) {
        const bool under_lock = asks_for(LATER_FIRST) || asks_for(LATER_WITHIN);
        (void)(under_lock && situation.later != pass_time ? step_under_lock(situation.later, LATER_FIRST)
                                                          : situation.later());
        event();
        snapshot();
    }
    machine_close();
    release_all();
    finish();
}

int main(void)
{
    machine_ask();
    if (question.situation == LIST) {
        inject_list();
    }
    att_port_rom_load(&situation, &inject_situations[question.situation], sizeof(situation));
    for (uint8_t n = 0; n < 2; n++) {
        action_t action;
        att_port_rom_load(&action, &inject_actions[question.action[n]], sizeof(action));
        acts[n] = action.act;
    }
    target_clock_set(0xFFFFFF00u);
    att_start();
}
