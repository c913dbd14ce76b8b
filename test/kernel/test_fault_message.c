/*
 * The faults of messages, of objects built on them, of jobs, and of wait sets.
 */
#include "provoke.h"

static att_inbox_t inbox;
static att_message_t message;
static att_delegate_t delegate;
static att_work_t work;
static att_job_t no_function;
static att_delayed_t delayed;
static att_sem_t sem;
static att_waitable_t wait_set[] = {ATT_WAITABLE_SEM(&sem)};
static uintptr_t word;
static uint8_t which;

static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_STACK)];
} other;

static void send_entry(void *arg)
{
    (void)arg;
    (void)att_message_send(&inbox, 1, &word, ATT_FOREVER);
}

static void send(void)
{
    (void)att_message_send(&inbox, 1, &word, ATT_FOREVER);
}
static void send_timed(void)
{
    (void)att_message_send(&inbox, 1, &word, 5);
}
static void receive(void)
{
    (void)att_message_receive(&inbox, &message, ATT_FOREVER);
}
static void receive_timed(void)
{
    (void)att_message_receive(&inbox, &message, 5);
}
static void any(void)
{
    (void)att_wait_any(wait_set, 1, &which, ATT_FOREVER);
}
static void any_timed(void)
{
    (void)att_wait_any(wait_set, 1, &which, ATT_MS(50));
}
static void wait_work(void)
{
    work.unfinished = 1;
    (void)att_work_wait(&work, ATT_FOREVER);
}

/* Each call that may block, in a handler and under lock. */
#define BLOCKS(call)                                                                                         \
    CASE_OF(call##_in_handler, ATT_FAULT_BLOCK_IN_HANDLER, "BLOCK_IN_HANDLER: " #call,                       \
            { irq_raise(IRQ_KNOWN, call); })                                                                 \
    CASE_OF(call##_locked, ATT_FAULT_BLOCK_LOCKED, "BLOCK_LOCKED: " #call, {                                 \
        (void)att_lock();                                                                                    \
        call();                                                                                              \
    })
#define BLOCKS_ENTRY(call) ENTRY(call##_in_handler) ENTRY(call##_locked)
BLOCKS(send)
BLOCKS(send_timed)
BLOCKS(receive)
BLOCKS(receive_timed)
BLOCKS(any)
BLOCKS(any_timed)
BLOCKS(wait_work)

CASE_OF(open, ATT_FAULT_MESSAGE_OPEN, "MESSAGE_OPEN: receiving into a message that waits for its answer", {
    (void)att_thread_start(&other, sizeof(other), 5, send_entry, NULL);
    receive();
    receive_timed();
})
CASE_OF(null_inbox, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: an inbox's init, null", { att_inbox_init(NULL); })
CASE_OF(null_reset, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: an inbox's reset, null", { att_inbox_reset(NULL); })
CASE_OF(null_send, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: send, null",
        { (void)att_message_send(NULL, 1, &word, ATT_FOREVER); })
CASE_OF(null_send_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: send with a limit, null",
        { (void)att_message_send(NULL, 1, &word, 5); })
CASE_OF(nowhere, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: nowhere for the reply",
        { (void)att_message_send(&inbox, 1, NULL, ATT_FOREVER); })
CASE_OF(nowhere_until, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: nowhere for the reply until a time",
        { (void)att_message_send_until(&inbox, 1, NULL, 5); })
CASE_OF(null_message, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: receive into nothing",
        { (void)att_message_receive(&inbox, NULL, 5); })
CASE_OF(null_receive, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: receive, null",
        { (void)att_message_receive(NULL, &message, ATT_FOREVER); })
CASE_OF(null_reply, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: reply, null", { (void)att_message_reply(NULL, 1); })
CASE_OF(null_sender, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a message's sender, null",
        { (void)att_message_sender(NULL); })
CASE_OF(inbox_tag, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: not an inbox", {
    inbox.tag = ATT_TAG_SEM;
    receive();
})
CASE_OF(bad_timeout, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: send",
        { (void)att_message_send(&inbox, 1, &word, ATT_TIMEOUT_MAX + 1); })
#define MESSAGES                                                                                             \
    BLOCKS_ENTRY(send)                                                                                       \
    BLOCKS_ENTRY(send_timed)                                                                                 \
    BLOCKS_ENTRY(receive)                                                                                    \
    BLOCKS_ENTRY(receive_timed)                                                                              \
    ENTRY(open)                                                                                              \
    ENTRY(null_inbox)                                                                                        \
    ENTRY(null_reset)                                                                                        \
    ENTRY(null_send)                                                                                         \
    ENTRY(null_send_timed)                                                                                   \
    ENTRY(nowhere)                                                                                           \
    ENTRY(nowhere_until)                                                                                     \
    ENTRY(null_message)                                                                                      \
    ENTRY(null_receive) ENTRY(null_reply) ENTRY(null_sender) ENTRY(inbox_tag) ENTRY(bad_timeout)

CASE_OF(call_nothing, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a delegate's call of nothing",
        { (void)att_delegate_call(&delegate, NULL, NULL, &word, ATT_FOREVER); })
CASE_OF(call_nothing_timed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: the same with a limit",
        { (void)att_delegate_call(&delegate, NULL, NULL, &word, 5); })
CASE_OF(null_work, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a work's init, null", { att_work_init(NULL); })
CASE_OF(null_post, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: post, null",
        { (void)att_job_post(NULL, &no_function); })
CASE_OF(post_nothing, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a job without a function",
        { (void)att_job_post(&work, &no_function); })
CASE_OF(null_cancel, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: cancel, null", { (void)att_job_cancel(&work, NULL); })
CASE_OF(null_job, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a job's init, null", { att_job_init(NULL, NULL, NULL); })
CASE_OF(null_delayed, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a delayed job, null",
        { att_delayed_post(&work, NULL, 5); })
CASE_OF(delayed_zero, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: a delayed job, no delay",
        { att_delayed_post(&work, &delayed, 0); })
CASE_OF(delayed_timeout, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: a delayed job's delay",
        { att_delayed_post(&work, &delayed, ATT_TIMEOUT_MAX + 1); })
CASE_OF(work_tag, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: not a work", {
    work.tag = ATT_TAG_SEM;
    (void)att_work_wait(&work, 5);
})
CASE_OF(empty_wait_set, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: an empty wait set",
        { (void)att_wait_any(wait_set, 0, &which, ATT_FOREVER); })
CASE_OF(no_which, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: nowhere for the index",
        { (void)att_wait_any(wait_set, 1, NULL, 5); })
CASE_OF(any_timeout, ATT_FAULT_BAD_TIMEOUT, "BAD_TIMEOUT: a wait set",
        { (void)att_wait_any(wait_set, 1, &which, ATT_TIMEOUT_MAX + 1); })
#define OTHERS                                                                                               \
    BLOCKS_ENTRY(any)                                                                                        \
    BLOCKS_ENTRY(any_timed)                                                                                  \
    BLOCKS_ENTRY(wait_work)                                                                                  \
    ENTRY(call_nothing)                                                                                      \
    ENTRY(call_nothing_timed)                                                                                \
    ENTRY(null_work)                                                                                         \
    ENTRY(null_post)                                                                                         \
    ENTRY(post_nothing)                                                                                      \
    ENTRY(null_cancel)                                                                                       \
    ENTRY(null_job)                                                                                          \
    ENTRY(null_delayed)                                                                                      \
    ENTRY(delayed_zero)                                                                                      \
    ENTRY(delayed_timeout) ENTRY(work_tag) ENTRY(empty_wait_set) ENTRY(no_which) ENTRY(any_timeout)

PROVOKE_SUITE(MESSAGES OTHERS)
