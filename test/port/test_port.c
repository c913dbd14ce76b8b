/*
 * The port's contract, tested before anything else is: TAP on the console, the same source on every port. It
 * uses threads, one semaphore each and a reference, and no harness of the kernel's suite, which needs a sound
 * port.
 *
 * Order is proved by tokens. The tests run in a thread of priority 2; `H`, of priority 4, and `M`, of
 * priority 3, wait for their semaphores and leave a token at each turn. What is tested is where their turn
 * comes.
 *
 * With PORT_SOAK there is no test but the storm, for ever: the instrument adds random interrupts of its own,
 * and a register that is not kept ends the run. With PORT_SQUALL it is a short one, once: the instrument
 * forks it at every instruction, with one more interrupt there.
 */
#include "machine.h"
#include "report.h"
#include "attacca/debug.h"

#ifndef PORT_SOAK
#define PORT_SOAK 0
#endif
#ifndef PORT_SQUALL
#define PORT_SQUALL 0
#endif
/* Interrupts in the storm. */
#define STORM (PORT_SOAK ? 50000u : PORT_SQUALL ? 100u : 2000u)

#if defined(__AVR__)
#define STACK (ATT_STACK_MIN + (ATT_CFG_CHECK >= 1 ? 72 : 42) + 100 * PORT_SOAK)
#elif defined(ATT_PORT_CORTEX_M) || defined(ATT_BOARD_SPARE_TICK_HZ)
#define STACK                                                                                                \
    (ATT_STACK_MIN + 256) /* patterns in every register, pushed, and those of the floating-point unit */
#else
#define STACK (ATT_STACK_MIN + 8192)
#endif

static att_sem_t high_sem;
static att_sem_t mid_sem;
static att_ref_t ref, door;
static volatile bool by_the_door;
static volatile uint16_t storms;
static volatile bool raging;
static volatile uint8_t damage;
static volatile bool in_window;

static void high(void *arg)
{
    (void)arg;
    for (;;) {
        (void)att_sem_take(&high_sem, ATT_FOREVER);
        if (raging) {
            damage |= machine_spin_b();
            damage |= (uint8_t)in_window;
        } else {
            token('H');
        }
        if (by_the_door) {
            const att_key_t key = att_lock();
            att_port_pend();
            (void)att_suspend_unlock(&door, key);
        }
    }
}

static void take_mid(void)
{
    (void)att_sem_take(&mid_sem, ATT_FOREVER);
}

static void mid(void *arg)
{
    (void)arg;
    for (uint8_t seed = 0;; seed++) {
        damage |= machine_call(take_mid, seed);
        if (!raging) {
            token('M');
        }
    }
}

/* --- masking
 * ------------------------------------------------------------------------------------------------ */

static void test_lock(void)
{
    const att_port_key_t outer = att_port_lock();
    const att_port_key_t inner = att_port_lock();
    att_port_unlock(inner);
    const att_port_key_t after = att_port_lock();
    att_port_unlock(after);
    att_port_unlock(outer);
    const att_port_key_t last = att_port_lock();
    att_port_unlock(last);
    REPORT(att_port_key_enabled(outer) && !att_port_key_enabled(inner), "a lock returns the state before it");
    REPORT(!att_port_key_enabled(after) && att_port_key_enabled(last), "locks nest by value");
    REPORT(att_port_key_enabled(att_port_enabled_key()), "the enabled key is one");
    REPORT(!att_port_in_isr(), "a thread is no handler");
}

static void plain_known(void)
{
    token(att_port_in_isr() ? 'i' : '-');
}

static void test_masking(void)
{
    on_known = plain_known;
    const att_port_key_t key = att_port_lock();
    machine_raise_known();
    token('l');
    att_port_unlock(key);
    token('u');
    machine_raise_known();
    token('r');
    /* Without checks an ATT_ISR costs nothing at its entry, and the port need not tell. */
    const bool knows = length > 1 && trail[1] == 'i';
    REPORT(knows ? TOKENS("liuir") : TOKENS("l-u-r"), "an interrupt waits for the unlock");
    REPORT(knows || ATT_CFG_CHECK == 0, "a handler knows that it is one, where that is checked");
}

/* --- the direct switch
 * -------------------------------------------------------------------------------------- */

static void give_high(void)
{
    (void)att_sem_give(&high_sem);
}

static void resumed(void)
{
    (void)att_resume(&ref, 0);
}

/* The interrupt is pending when the switch begins: it comes in the switch's window, or in idle. */
static void suspend(void)
{
    const att_key_t key = att_lock();
    machine_raise_known();
    (void)att_suspend_unlock(&ref, key);
}

static void test_direct(void)
{
    uint8_t broken = 0;
    for (uint8_t seed = 1; seed != 0; seed++) {
        broken |= machine_call(give_high, seed);
        length = 0;
    }
    REPORT(broken == 0, "a switch by giving keeps the call-saved registers");
    on_known = resumed;
    for (uint8_t seed = 1; seed < 100; seed++) {
        broken |= machine_call(suspend, seed);
    }
    REPORT(broken == 0, "a switch by waiting keeps the call-saved registers");
}

static void test_in_order(void)
{
    token('g');
    give_high();
    token('r');
    REPORT(TOKENS("gHr"), "a direct switch comes in the call");
}

/* --- the deferred switch
 * ------------------------------------------------------------------------------------ */

static void give_from_known(void)
{
    (void)att_sem_give(&high_sem);
    token('k');
}

static void give_from_foreign(void)
{
    (void)att_sem_give(&high_sem);
    token('f');
}

static void give_mid(void)
{
    (void)att_sem_give(&mid_sem);
    token('m');
}

static void nested_around_known(void)
{
    token(att_port_in_isr() ? 'n' : '-');
    machine_raise_known();
    token('e');
}

static void nested_around_foreign(void)
{
    (void)att_sem_give(&mid_sem);
    token('n');
    machine_raise_foreign();
    token('e');
}

static void known_with_window(void)
{
    const att_port_key_t key = att_port_lock(); /* some machines' handlers begin masked anyway */
    machine_raise_foreign();
    token('k');
    att_port_handler_window();
    token('w');
    att_port_unlock(key);
}

static void test_deferred(void)
{
    att_key_t key = att_lock();
    give_high();
    token('g');
    const att_key_t inner = att_lock();
    give_mid();
    att_unlock(inner);
    token('l');
    att_unlock(key);
    token('u');
    REPORT(TOKENS("gmlHMu"), "from a lock: at the outermost unlock");

    on_known = give_from_known;
    machine_raise_known();
    token('r');
    REPORT(TOKENS("kHr"), "from a known handler: at its exit");

    on_foreign = give_from_foreign;
    machine_raise_foreign();
    token('r');
    REPORT(TOKENS("fHr"), "from a foreign handler: right after it");

    key = att_lock();
    machine_raise_foreign();
    token('l');
    att_unlock(key);
    token('u');
    REPORT(TOKENS("lfHu"), "from a handler that a lock delayed: after it");

    key = att_lock();
    machine_raise_known();
    token('l');
    att_port_handler_window();
    token('w');
    att_unlock(key);
    token('u');
    REPORT(TOKENS("lkwHu"), "from a handler in a thread's window: at the unlock");

    on_known = known_with_window;
    key = att_lock();
    machine_raise_known();
    token('l');
    att_port_handler_window();
    token('w');
    att_unlock(key);
    token('u');
    REPORT(TOKENS("lkfwwHu"), "from a handler in a handler's window in a thread's: at the unlock");
    on_known = give_from_known;

    key = att_lock();
    machine_raise_foreign();
    give_mid();
    token('l');
    att_unlock(key);
    token('u');
    REPORT(length == 6 && trail[0] == 'm' && trail[1] == 'l' && trail[5] == 'u',
           "an unlock with both: nothing lost");
    length = 0;

    on_nested = nested_around_known;
    machine_raise_nested();
    token('r');
    REPORT(TOKENS("nkeHr"), "from a handler within a nesting one: at the outer exit");

    on_nested = nested_around_foreign;
    machine_raise_nested();
    token('r');
    REPORT(TOKENS("nfeHMr"), "from both, the inner one foreign: at the outer exit");

    on_known = known_with_window;
    machine_raise_known();
    token('r');
    REPORT(TOKENS("kfwHr"), "from a handler in another's window: at the outer exit");

    on_foreign = give_mid;
    on_known = give_from_known;
    key = att_lock();
    machine_raise_known();
    machine_raise_foreign();
    token('l');
    att_unlock(key);
    token('u');
    const bool known_first = length == 6 && trail[1] == 'k';
    REPORT(known_first ? TOKENS("lkmHMu") : TOKENS("lmkHMu"), "two handlers, one after the other");
}

static void test_pend(void)
{
    const att_key_t key = att_port_lock();
    att_port_pend();
    token('p');
    att_port_unlock(key);
    token('u');
    REPORT(TOKENS("pu") && att_k_check() == 0, "a switch pended for nothing changes nothing");
    give_high();
    REPORT(TOKENS("H"), "and the next one comes as ever");

    uint8_t broken = 0;
    by_the_door = true;
    on_known = give_from_known;
    for (uint8_t seed = 1; seed < 50; seed++) {
        broken |= machine_call(machine_raise_known, seed);
        (void)att_resume(&door, 0);
        length = 0;
    }
    by_the_door = false;
    REPORT(broken == 0 && att_k_check() == 0, "nor does it when a preempted thread is just going on");
}

/* --- frames and memory
 * -------------------------------------------------------------------------------------- */

static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(STACK)];
} spare[2];
static void *given;
static volatile bool frame_sound;

static void first(void *arg)
{
    const att_port_key_t key = att_port_lock();
    frame_sound = machine_aligned(__builtin_frame_address(0)) && att_port_key_enabled(key);
    att_port_unlock(key);
    given = arg;
    token('F');
}

static void test_frame(void)
{
    att_thread_t *thread = att_thread_start(&spare[0], sizeof(spare[0]), 5, first, &given);
    token('r');
    REPORT(TOKENS("Fr") && given == &given, "a thread's first frame has entry and argument");
    const bool sound = frame_sound;
    (void)att_thread_start(&spare[0], sizeof(spare[0]) - sizeof(att_port_stack_t), 5, first, &given);
    REPORT(sound && frame_sound, "and a sound stack of any size, with interrupts enabled");
    length = 0;
    REPORT(att_thread_ended(thread), "a thread ends when its entry returns");
    REPORT(ATT_PORT_IS_NULL(NULL) && !ATT_PORT_IS_NULL(att_port_sp()) && !ATT_PORT_IS_NULL(spare),
           "a stack pointer is told from none");
}

/* What stands in a thread's registers says nothing of where it is: a thread that copies words, a preempted
 * thread's saved registers and return addresses among them, is preempted with each in each register. */
static void preempted(void *arg)
{
    (void)arg;
    while (raging) {
        damage |= machine_hold(0);
    }
}

static void test_words(void)
{
    raging = true;
    on_known = resumed;
    att_thread_t *thread = att_thread_start(&spare[0], sizeof(spare[0]), 1, preempted, NULL);
    (void)att_suspend(&ref, ATT_FOREVER);
    raging = false;
    on_known = give_high;
    uint8_t broken = 0;
    for (size_t at = 0; at + sizeof(uintptr_t) <= sizeof(spare[0]); at += sizeof(void *)) {
        uintptr_t word;
        __builtin_memcpy(&word, (const char *)&spare[0] + at, sizeof(word));
        broken |= machine_hold(word);
        length = 0;
    }
    (void)att_join(thread, ATT_FOREVER);
    REPORT(broken == 0 && damage == 0, "a preempted thread keeps words of another one's stack");
}

static void test_rom(void)
{
    static const uint8_t table[] ATT_PORT_ROM = {1, 2, 3, 250};
    static const uint8_t *const place ATT_PORT_ROM = table;
    uint8_t copy[5] = {9, 9, 9, 9, 9};
    att_port_rom_load(copy, table, sizeof(table));
    REPORT(copy[0] == 1 && copy[3] == 250 && copy[4] == 9, "bytes come from ROM");
    REPORT(att_port_rom(place) == table && att_port_rom(table[3]) == 250,
           "a pointer and a byte come from ROM");
}

static void test_top_bit(void)
{
    bool right = true;
    for (uint16_t set = 1; set < 256; set++) {
        uint8_t bit = 7;
        while ((set >> bit & 1) == 0) {
            bit--;
        }
        right = right && att_port_top_bit((uint8_t)set) == bit;
        for (unsigned shift = 0; shift < 32; shift += 8) {
            const uint32_t shifted = (uint32_t)set << shift;
            right = right && att_port_top_bit(shifted) - shift == bit;
        }
    }
    for (uint8_t bit = 0; bit < 32; bit++) {
        const uint32_t set = (uint32_t)1 << bit;
        right = right && att_port_top_bit(set) == bit && att_port_top_bit(set | (set - 1)) == bit;
        const uint16_t narrow = (uint16_t)(set | set >> 1);
        right = right && (bit > 15 || att_port_top_bit(narrow) == bit);
    }
    REPORT(right, "the highest bit of a set");
}

/* --- idle
 * --------------------------------------------------------------------------------------------------- */

static void test_idle(void)
{
    on_known = resumed;
    uint16_t woken = 0;
    for (uint16_t step = 0; step < MACHINE_STEPS; step++) {
        const att_key_t key = att_lock();
        machine_raise_known_after(step);
        woken = (uint16_t)(woken + (att_suspend_unlock(&ref, key) == ATT_OK));
    }
    REPORT(woken == MACHINE_STEPS, "an interrupt at any distance wakes from idle");
}

/* --- the storm
 * ---------------------------------------------------------------------------------------------- */

ATT_THREAD(high_thread, 4, STACK, high, NULL);
ATT_THREAD(mid_thread, 3, STACK, mid, NULL);

/* Wake a thread, let the other one of the same priority run, or both. */
static void storm_known(void)
{
    storms++;
    if ((storms & 3) != 0 && !(PORT_SQUALL && storms > STORM)) { /* or it might not end */
        (void)att_sem_give(&high_sem);
        if (PORT_SQUALL && (storms & 8) != 0) { /* which is taken back, and falls due again */
            att_thread_set_priority(&high_thread.thread, 1);
            (void)att_sem_give(&mid_sem);
            att_thread_set_priority(&high_thread.thread, 4);
        }
    }
    att_yield();
    if (storms >= STORM) {
        (void)att_resume(&ref, 0);
    }
}

static void storm_foreign(void)
{
    att_yield();
    if ((storms & 4) != 0) {
        (void)att_sem_give(&mid_sem);
    }
}

/* No thread runs in another's window, nor on while a more urgent one is ready. */
static void look_around(void)
{
    const att_key_t key = att_lock();
    const bool ready = att_thread_state(&high_thread.thread) == ATT_STATE_READY;
    damage |= (uint8_t)(in_window || ready);
    in_window = true;
    att_port_handler_window();
    in_window = false;
    att_unlock(key);
}

static void spin_a(void *arg)
{
    (void)arg;
    while (raging) {
        damage |= machine_spin_a();
        if (PORT_SQUALL) {
            look_around();
        }
    }
}

static void spin_b(void *arg)
{
    (void)arg;
    while (raging) {
        damage |= machine_spin_b();
        if (PORT_SQUALL) {
            look_around();
        }
    }
}

static bool stack_left(const att_thread_t *thread, size_t size)
{
    static const char used[] ATT_PORT_ROM = "# stack used: ";
    const size_t unused = att_thread_stack_unused(thread);
    put_rom(used);
    put_number((uint32_t)(size - unused));
    att_board_console_put('\n');
    return unused > 0;
}

static void storm(void)
{
    storms = 0;
    raging = true;
    on_known = storm_known;
    on_foreign = storm_foreign;
    on_nested = storm_known;
    att_thread_t *a = att_thread_start(&spare[0], sizeof(spare[0]), 1, spin_a, NULL);
    att_thread_t *b = att_thread_start(&spare[1], sizeof(spare[1]), 1, spin_b, NULL);
    const att_key_t key = att_lock();
    machine_storm();
    (void)att_suspend_unlock(&ref, key);
    machine_calm();
    raging = false;
    (void)att_join(a, ATT_FOREVER);
    (void)att_join(b, ATT_FOREVER);
}

static void test_storm(void)
{
    storm();
    REPORT(damage == 0, "preempted threads keep every register and flag");
    REPORT(att_k_check() == 0, "the kernel's invariants hold after it");
    if (ATT_CFG_STACK_FILL) {
        bool left = stack_left(&spare[0].thread, sizeof(spare[0].stack));
        left &= stack_left(&spare[1].thread, sizeof(spare[1].stack));
        left &= stack_left(&mid_thread.thread, sizeof(mid_thread.stack));
        left &= stack_left(&high_thread.thread, sizeof(high_thread.stack));
        REPORT(left, "no preempted thread used up its stack");
    }
}

static void tests(void *arg)
{
    (void)arg;
    while (PORT_SOAK) {
        test_storm();
        if (failed != 0) {
            machine_end(failed);
        }
    }
    if (PORT_SQUALL) {
        storm();
        machine_end(damage | att_k_check());
    }
    test_lock();
    test_masking();
    test_in_order();
    test_direct();
    test_deferred();
    test_pend();
    test_frame();
    test_words();
    test_rom();
    test_top_bit();
    test_idle();
#ifndef ATT_BOARD_NO_SPARE_TIMER
    test_storm();
#else
    (void)test_storm;
#endif
    static const char plan[] ATT_PORT_ROM = "1..";
    put_rom(plan);
    put_number(number);
    att_board_console_put('\n');
    machine_end(failed);
}

ATT_THREAD(tests_thread, 2, STACK + 60, tests, NULL);
ATT_SYSTEM(high_thread, mid_thread, tests_thread);

int main(void)
{
    att_board_console_start();
    machine_start();
    att_start();
}
