/*
 * One call with one interrupt in it: test_inject.py lets an instrument fork this run before every instruction
 * between the marks 1 and 2, and raise PCINT0 (a handler the kernel knows), PCINT1 (one that it does not) or
 * PCINT2 (nested) there. Six input pins say which call (bits 0 to 2) and what the handler does (bits 3 to 5).
 * Whatever the moment: units and resumes balance, every thread gets on and ends, no switch is left undone,
 * call-saved registers are kept. The status of the run is 0, or the line of the check that failed, modulo
 * 126.
 */
#include "irq.h"

#include <avr/io.h>

enum { GIVE_URGENT, TAKE, SUSPEND, RESUME_URGENT, YIELD, GIVE_AND_TAKE, TAKE_TIMED, GIVE_EQUAL };
enum { DO_GIVE, DO_RESUME, DO_RESET, DO_WAKE, DO_YIELD, DO_LOWER_WAITER, DO_LOWER_CALLER, DO_RAISE_HELPER };

static uint8_t call, action;
static volatile uint8_t given, taken, canceled, dropped, resumed, woken, x_ran;
static volatile bool reset_done, armed, call_made;
static att_sem_t units = ATT_SEM_INIT(0, 9);
static att_sem_t wake_x;
static att_ref_t ref;

#define STACK (ATT_STACK_MIN + TARGET_STACK)
static void x_entry(void *arg);
static void urgent_entry(void *arg);
static void caller_entry(void *arg);
static void equal_entry(void *arg);
static void helper_entry(void *arg);
ATT_THREAD(x, 7, STACK, x_entry, NULL);
ATT_THREAD(urgent, 6, STACK, urgent_entry, NULL);
ATT_THREAD(caller, 4, STACK, caller_entry, NULL);
ATT_THREAD(equal, 4, STACK, equal_entry, NULL);
ATT_THREAD(helper, 2, STACK, helper_entry, NULL);
ATT_SYSTEM(x, urgent, caller, equal, helper);

#define ALWAYS(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            target_end((uint8_t)(1 + __LINE__ % 126));                                                       \
        }                                                                                                    \
    } while (0)

static void count(volatile uint8_t *counter)
{
    const att_key_t key = att_lock();
    ++*counter;
    att_unlock(key);
}

static void give(void)
{
    ALWAYS(att_sem_give(&units) == ATT_OK);
    count(&given);
}

static bool resume(void)
{
    if (att_resume(&ref, 0x55AA) != ATT_OK) {
        return false;
    }
    count(&resumed);
    return true;
}

static void took(att_status_t status)
{
    if (status == ATT_OK) {
        count(&taken);
    } else {
        ALWAYS(status == ATT_CANCELED && reset_done);
        count(&canceled);
    }
}

static void resumed_with(att_status_t status)
{
    ALWAYS(status == ATT_OK && att_value() == 0x55AA);
    count(&woken);
}

static void act(void)
{
    if (!armed) {
        return;
    }
    armed = false;
    switch (action) {
    case DO_GIVE:
        give();
        break;
    case DO_RESUME:
        (void)resume();
        break;
    case DO_RESET: {
        const att_key_t key = att_lock();
        dropped = (uint8_t)(dropped + att_sem_count(&units));
        reset_done = true;
        att_sem_reset(&units, 0);
        att_unlock(key);
        break;
    }
    case DO_WAKE:
        ALWAYS(att_sem_give(&wake_x) == ATT_OK);
        break;
    case DO_YIELD:
        att_yield();
        break;
    case DO_LOWER_WAITER:
        if (!att_thread_ended(&urgent.thread)) {
            att_thread_set_priority(&urgent.thread, 3);
        }
        break;
    case DO_LOWER_CALLER:
        att_thread_set_priority(&caller.thread, 1);
        break;
    default:
        if (!att_thread_ended(&helper.thread)) {
            att_thread_set_priority(&helper.thread, 6);
        }
    }
}

ATT_ISR(PCINT0_vect)
{
    act();
}

ISR(PCINT1_vect)
{
    act();
}

ATT_ISR_NESTED(PCINT2_vect)
{
    act();
}

static void x_entry(void *arg)
{
    (void)arg;
    ALWAYS(att_sem_take(&wake_x, ATT_FOREVER) == ATT_OK);
    count(&x_ran);
}

static void urgent_entry(void *arg)
{
    (void)arg;
    if (call == GIVE_URGENT) {
        took(att_sem_take(&units, ATT_FOREVER));
    } else if (call == RESUME_URGENT) {
        resumed_with(att_suspend(&ref, ATT_FOREVER));
    }
}

static void equal_entry(void *arg)
{
    (void)arg;
    if (call == GIVE_EQUAL) {
        took(att_sem_take(&units, ATT_FOREVER));
    } else if (call == YIELD) {
        att_yield();
    }
}

static void helper_entry(void *arg)
{
    (void)arg;
    if (call == TAKE || call == TAKE_TIMED) {
        give();
    } else if (call == SUSPEND) { /* too early a resume is not remembered */
        while (!call_made && !resume()) {
            att_sleep(20);
        }
    }
}

/* The call, with patterns in registers that it must keep. */
static void make_the_call(void)
{
    register uint8_t r3 __asm__("r3") = 0x13;
    register uint8_t r8 __asm__("r8") = 0x18;
    register uint8_t r11 __asm__("r11") = 0x1B;
    register uint8_t r17 __asm__("r17") = 0x27;
    att_status_t status = ATT_OK;
    __asm__ __volatile__("" : "+r"(r3), "+r"(r8), "+r"(r11), "+r"(r17));
    target_mark(1);
    switch (call) {
    case GIVE_URGENT:
    case GIVE_EQUAL:
    case GIVE_AND_TAKE:
        status = att_sem_give(&units);
        break;
    case TAKE:
        status = att_sem_take(&units, ATT_FOREVER);
        break;
    case TAKE_TIMED:
        status = att_sem_take(&units, ATT_MS(20));
        break;
    case SUSPEND:
        status = att_suspend(&ref, ATT_FOREVER);
        break;
    case RESUME_URGENT:
        status = att_resume(&ref, 0x55AA);
        break;
    default:
        att_yield();
    }
    target_mark(2);
    __asm__ __volatile__("" : "+r"(r3), "+r"(r8), "+r"(r11), "+r"(r17));
    ALWAYS(r3 == 0x13 && r8 == 0x18 && r11 == 0x1B && r17 == 0x27);
    switch (call) {
    case GIVE_URGENT:
    case GIVE_EQUAL:
        ALWAYS(status == ATT_OK);
        count(&given);
        break;
    case GIVE_AND_TAKE:
        ALWAYS(status == ATT_OK);
        count(&given);
        if (att_sem_take(&units, ATT_NOWAIT) == ATT_OK) {
            count(&taken);
        } else {
            ALWAYS(reset_done);
        }
        break;
    case TAKE:
    case TAKE_TIMED:
        took(status);
        break;
    case SUSPEND:
        resumed_with(status);
        break;
    case RESUME_URGENT:
        if (status == ATT_OK) {
            count(&resumed);
        } else {
            ALWAYS(status == ATT_EMPTY && woken == 1);
        }
        break;
    default:
        break;
    }
}

/* Nobody more urgent is ready while the caller runs. */
static void nobody_better(const att_thread_t *thread)
{
    ALWAYS(att_thread_state(thread) != ATT_STATE_READY ||
           att_thread_priority(thread) <= att_thread_priority(&caller.thread));
}

static bool all_ended(void)
{
    return att_thread_ended(&x.thread) && att_thread_ended(&urgent.thread) &&
           att_thread_ended(&equal.thread) && att_thread_ended(&helper.thread);
}

static void caller_entry(void *arg)
{
    (void)arg;
    if (call == GIVE_EQUAL) {
        att_yield(); /* let it wait */
    }
    armed = true;
    make_the_call();
    call_made = true;
    nobody_better(&x.thread);
    nobody_better(&urgent.thread);
    nobody_better(&helper.thread);
    ALWAYS(att_thread_self() == &caller.thread && att_thread_state(&caller.thread) == ATT_STATE_RUNNING);
    ALWAYS(att_k_check() == 0);
    __asm__ __volatile__("nop\n nop\n nop\n nop");
    const bool woke_x = !armed && action == DO_WAKE;
    ALWAYS(x_ran == woke_x);
    armed = false;
    for (uint8_t turn = 0; turn < 10 && !all_ended(); turn++) {
        if (!att_thread_ended(&x.thread)) {
            (void)att_sem_give(&wake_x);
        }
        (void)resume();
        if (units.wait.head != NULL) {
            give();
        }
        att_sleep(50);
    }
    ALWAYS(all_ended());
    ALWAYS(x_ran == 1);
    ALWAYS(given == taken + dropped + att_sem_count(&units));
    ALWAYS(resumed == woken);
    ALWAYS(att_k_check() == 0);
    ALWAYS(!target_alarm_armed());
    target_end(0);
}

int main(void)
{
    call = (uint8_t)(PINB >> 1 & 7);
    action = (uint8_t)((PINB >> 4 & 3) | (PINC >> 1 & 1) << 2);
    target_clock_set(0xFFFFFF00u);
    att_start();
}
