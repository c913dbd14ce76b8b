/*
 * As inject.c, for messages and for waiting for several things: one call with one interrupt in it, before any
 * of its instructions. Whatever the moment: a reply is the answer to its message, units balance, every thread
 * gets on and ends, call-saved registers are kept.
 */
#include "irq.h"

#include <avr/io.h>

enum { SEND_URGENT, SEND_ALONE, SEND_TIMED, RECEIVE_WAIT, RECEIVE_AT_ONCE, REPLY_URGENT, REPLY_LESS, ANY };
enum {
    DO_GIVE_BOTH,
    DO_WAKE,
    DO_RESET,
    DO_LOWER_CALLER,
    DO_RAISE_HELPER,
    DO_LOWER_URGENT,
    DO_YIELD,
    DO_SERVE
};

static uint8_t call, action;
static volatile uint8_t given, had, x_ran;
static volatile bool reset_done, armed;
static att_inbox_t inbox;
static att_message_t mine, handlers;
static att_sem_t a = ATT_SEM_INIT(0, 9), b = ATT_SEM_INIT(0, 9), wake_x;
static att_choice_t choices[] = {ATT_CHOOSE_SEM(&a), ATT_CHOOSE_SEM(&b), ATT_CHOOSE_INBOX(&inbox, &mine)};

#define STACK (ATT_STACK_MIN + TARGET_STACK)
static void x_entry(void *arg);
static void urgent_entry(void *arg);
static void caller_entry(void *arg);
static void helper_entry(void *arg);
ATT_THREAD(x, 7, STACK, x_entry, NULL);
ATT_THREAD(urgent, 6, STACK, urgent_entry, NULL);
ATT_THREAD(caller, 4, STACK + 40, caller_entry, NULL);
ATT_THREAD(helper, 2, STACK, helper_entry, NULL);
ATT_SYSTEM(x, urgent, caller, helper);

#define ALWAYS(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            target_end((uint8_t)(1 + __LINE__ % 126));                                                       \
        }                                                                                                    \
    } while (0)

static void give(att_sem_t *sem)
{
    const att_key_t key = att_lock();
    ALWAYS(att_sem_give(sem) == ATT_OK);
    given++;
    att_unlock(key);
}

static void serve_now(att_message_t *message)
{
    if (att_message_receive(&inbox, message, ATT_NOWAIT) == ATT_OK) {
        ALWAYS(att_message_reply(message, message->word + 1) == ATT_OK);
    }
}

static void act(void)
{
    if (!armed) {
        return;
    }
    armed = false;
    switch (action) {
    case DO_GIVE_BOTH:
        give(&b);
        give(&a);
        break;
    case DO_WAKE:
        ALWAYS(att_sem_give(&wake_x) == ATT_OK);
        break;
    case DO_RESET:
        reset_done = true;
        att_inbox_reset(&inbox);
        break;
    case DO_LOWER_CALLER:
        att_thread_set_priority(&caller.thread, 1);
        break;
    case DO_RAISE_HELPER:
        if (!att_thread_ended(&helper.thread)) {
            att_thread_set_priority(&helper.thread, 6);
        }
        break;
    case DO_LOWER_URGENT:
        if (!att_thread_ended(&urgent.thread)) {
            att_thread_set_priority(&urgent.thread, 3);
        }
        break;
    case DO_YIELD:
        att_yield();
        break;
    default:
        serve_now(&handlers);
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
    x_ran++;
}

static void send(uintptr_t word)
{
    uintptr_t reply = 0;
    const att_status_t status = att_message_send(&inbox, word, &reply, ATT_FOREVER);
    ALWAYS(status == ATT_OK ? reply == word + 1 : status == ATT_CANCELED && reset_done);
}

static void serve(void)
{
    att_message_t message = ATT_MESSAGE_INIT;
    const att_status_t status = att_message_receive(&inbox, &message, ATT_FOREVER);
    if (status == ATT_OK) {
        ALWAYS(att_message_reply(&message, message.word + 1) == ATT_OK);
    } else {
        ALWAYS(status == ATT_CANCELED && reset_done);
    }
}

static void urgent_entry(void *arg)
{
    (void)arg;
    if (call == SEND_URGENT) {
        serve();
    } else if (call == RECEIVE_AT_ONCE || call == REPLY_URGENT) {
        send(0x1200);
    }
}

static void helper_entry(void *arg)
{
    (void)arg;
    if (call <= SEND_TIMED) { /* also instead of an urgent one that was reset */
        serve();
    } else if (call != REPLY_URGENT) {
        send(0x3400);
    }
}

/* The call, with patterns in registers that it must keep. */
static void make_the_call(void)
{
    register uint8_t r3 __asm__("r3") = 0x13;
    register uint8_t r8 __asm__("r8") = 0x18;
    register uint8_t r15 __asm__("r15") = 0x1F;
    register uint8_t r14 __asm__("r14") = 0x1E;
    att_status_t status = ATT_OK;
    uintptr_t reply = 0;
    uint8_t which = 9;
    __asm__ __volatile__("" : "+r"(r3), "+r"(r8), "+r"(r15), "+r"(r14));
    target_mark(1);
    switch (call) {
    case SEND_URGENT:
    case SEND_ALONE:
        status = att_message_send(&inbox, 0x5600, &reply, ATT_FOREVER);
        break;
    case SEND_TIMED:
        status = att_message_send(&inbox, 0x5600, &reply, ATT_MS(20));
        break;
    case RECEIVE_WAIT:
    case RECEIVE_AT_ONCE:
        status = att_message_receive(&inbox, &mine, ATT_FOREVER);
        break;
    case ANY:
        status = att_wait_any(choices, 3, &which, ATT_FOREVER);
        break;
    default:
        status = att_message_reply(&mine, mine.word + 1);
    }
    target_mark(2);
    __asm__ __volatile__("" : "+r"(r3), "+r"(r8), "+r"(r15), "+r"(r14));
    ALWAYS(r3 == 0x13 && r8 == 0x18 && r15 == 0x1F && r14 == 0x1E);
    ALWAYS(status == ATT_OK || (status == ATT_CANCELED && reset_done));
    if (status != ATT_OK) {
        return;
    }
    if (call <= SEND_TIMED) {
        ALWAYS(reply == 0x5601);
    } else if (call == ANY && which < 2) {
        had++;
    } else if (call == ANY || call == RECEIVE_WAIT || call == RECEIVE_AT_ONCE) {
        ALWAYS(mine.word == 0x3400 || (mine.word == 0x1200 && call == RECEIVE_AT_ONCE));
        ALWAYS(att_message_reply(&mine, mine.word + 1) == ATT_OK);
    }
}

static bool all_ended(void)
{
    return att_thread_ended(&x.thread) && att_thread_ended(&urgent.thread) &&
           att_thread_ended(&helper.thread);
}

static void caller_entry(void *arg)
{
    (void)arg;
    if (call == REPLY_LESS) {
        att_sleep(ATT_MS(1));
    }
    if (call == REPLY_LESS || call == REPLY_URGENT) {
        ALWAYS(att_message_receive(&inbox, &mine, ATT_NOWAIT) == ATT_OK);
    }
    armed = true;
    make_the_call();
    ALWAYS(att_thread_self() == &caller.thread && att_k_check() == 0);
    __asm__ __volatile__("nop\n nop\n nop\n nop");
    ALWAYS(x_ran == (!armed && action == DO_WAKE));
    armed = false;
    for (uint8_t turn = 0; turn < 10 && !all_ended(); turn++) {
        uintptr_t reply;
        if (!att_thread_ended(&x.thread)) {
            (void)att_sem_give(&wake_x);
        }
        serve_now(&mine);
        (void)att_message_send(&inbox, 1, &reply, 50);
    }
    ALWAYS(all_ended() && x_ran == 1);
    ALWAYS(given == had + att_sem_count(&a) + att_sem_count(&b));
    ALWAYS(a.wait.head == NULL && b.wait.head == NULL && inbox.receivers.head == NULL);
    ALWAYS(att_k_check() == 0 && !target_alarm_armed());
    target_end(0);
}

int main(void)
{
    call = (uint8_t)(PINB >> 1 & 7);
    action = (uint8_t)((PINB >> 4 & 3) | (PINC >> 1 & 1) << 2);
    target_clock_set(0xFFFFFF00u);
    att_start();
}
