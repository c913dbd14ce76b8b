/*
 * The faults of event flags, event groups and event sources.
 */
#include "provoke.h"

static att_flags_t flags;
static att_group_t group;
static att_event_source_t source;
static att_listener_t listener = ATT_LISTENER_INIT(&flags, 1, 1);
static att_mask_t came;

static struct {
    att_thread_t thread;
    att_port_stack_t stack[ATT_STACK_COUNT(ATT_STACK_MIN + TARGET_STACK)];
} other;

static void wait_entry(void *arg)
{
    (void)arg;
    (void)att_flags_wait(&flags, 1, ATT_ANY, &came, ATT_FOREVER);
}

static void wait_now(void)
{
    (void)att_flags_wait(&flags, 1, ATT_ANY, &came, ATT_NOWAIT);
}

static void wait_long(void)
{
    (void)att_flags_wait(&flags, 1, ATT_ANY, &came, ATT_FOREVER);
}

CASE_OF(flags_null, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: signal, null", { att_flags_signal(NULL, 1); })
CASE_OF(flags_null_wait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a wait for flags, null",
        { (void)att_flags_wait(NULL, 1, ATT_ANY, &came, 5); })
CASE_OF(flags_null_get, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: flags' get, null", { (void)att_flags_get(NULL); })
CASE_OF(flags_null_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: flags' init, null", { att_flags_init(NULL, 0); })
CASE_OF(flags_nowhere, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: nowhere for what comes",
        { (void)att_flags_wait(&flags, 1, ATT_ANY, NULL, ATT_FOREVER); })
CASE_OF(flags_tag, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: not event flags", {
    flags.tag = ATT_TAG_GROUP;
    att_flags_signal(&flags, 1);
})
CASE_OF(flags_none, ATT_FAULT_BAD_FLAGS, "BAD_FLAGS: waiting for none",
        { (void)att_flags_wait(&flags, 0, ATT_ANY, &came, ATT_FOREVER); })
CASE_OF(flags_none_timed, ATT_FAULT_BAD_FLAGS, "BAD_FLAGS: waiting for none, with a limit",
        { (void)att_flags_wait_until(&flags, 0, ATT_ANY, &came, att_now()); })
CASE_OF(flags_how, ATT_FAULT_BAD_FLAGS, "BAD_FLAGS: all and one",
        { (void)att_flags_wait(&flags, 1, ATT_ALL | ATT_ONE, &came, 1); })
CASE_OF(flags_how_8, ATT_FAULT_BAD_FLAGS, "BAD_FLAGS: a way that does not exist",
        { (void)att_flags_wait(&flags, 1, 8, &came, ATT_FOREVER); })
CASE_OF(flags_busy, ATT_FAULT_FLAGS_BUSY, "FLAGS_BUSY: another thread waits", {
    (void)att_thread_start(&other, sizeof(other), 5, wait_entry, NULL);
    wait_long();
})
CASE_OF(flags_busy_now, ATT_FAULT_FLAGS_BUSY, "FLAGS_BUSY: a handler looks by a wait", {
    (void)att_thread_start(&other, sizeof(other), 5, wait_entry, NULL);
    irq_raise(IRQ_KNOWN, wait_now);
})
static att_ref_t ref;
static uint8_t which;
static att_waitable_t same_flags[] = {ATT_WAITABLE_FLAGS(&flags, 1), ATT_WAITABLE_FLAGS(&flags, 2)};
static att_waitable_t same_refs[] = {ATT_WAITABLE_REF(&ref), ATT_WAITABLE_REF(&ref)};
CASE_OF(flags_twice, ATT_FAULT_FLAGS_BUSY, "FLAGS_BUSY: the same flags twice in a wait set",
        { (void)att_wait_any(same_flags, 2, &which, ATT_FOREVER); })
CASE_OF(flags_twice_timed, ATT_FAULT_FLAGS_BUSY, "FLAGS_BUSY: and with a limit",
        { (void)att_wait_any(same_flags, 2, &which, 5); })
CASE_OF(ref_twice, ATT_FAULT_REF_BUSY, "REF_BUSY: the same reference twice in a wait set",
        { (void)att_wait_any(same_refs, 2, &which, ATT_FOREVER); })
CASE_OF(ref_twice_timed, ATT_FAULT_REF_BUSY, "REF_BUSY: and with a limit",
        { (void)att_wait_any(same_refs, 2, &which, 5); })
CASE_OF(flags_in_handler, ATT_FAULT_BLOCK_IN_HANDLER, "BLOCK_IN_HANDLER: flags",
        { irq_raise(IRQ_KNOWN, wait_long); })
CASE_OF(flags_locked, ATT_FAULT_BLOCK_LOCKED, "BLOCK_LOCKED: flags", {
    (void)att_lock();
    wait_long();
})
#define FLAGS                                                                                                \
    ENTRY(flags_null)                                                                                        \
    ENTRY(flags_null_wait)                                                                                   \
    ENTRY(flags_null_get)                                                                                    \
    ENTRY(flags_null_init)                                                                                   \
    ENTRY(flags_nowhere)                                                                                     \
    ENTRY(flags_tag)                                                                                         \
    ENTRY(flags_none)                                                                                        \
    ENTRY(flags_none_timed)                                                                                  \
    ENTRY(flags_how)                                                                                         \
    ENTRY(flags_how_8)                                                                                       \
    ENTRY(flags_busy)                                                                                        \
    ENTRY(flags_busy_now)                                                                                    \
    ENTRY(flags_twice)                                                                                       \
    ENTRY(flags_twice_timed)                                                                                 \
    ENTRY(ref_twice) ENTRY(ref_twice_timed) ENTRY(flags_in_handler) ENTRY(flags_locked)

CASE_OF(group_null, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a group's set, null", { att_group_set(NULL, 1); })
CASE_OF(group_null_wait, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a wait for a group, null",
        { (void)att_group_wait_forever(NULL, 1, ATT_ANY, &came); })
CASE_OF(group_null_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a group's init, null",
        { att_group_init(NULL, 0); })
CASE_OF(group_nowhere, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: nowhere for what comes of a group",
        { (void)att_group_wait(&group, 1, ATT_ANY, NULL, 5); })
CASE_OF(group_tag, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: not a group", {
    group.tag = ATT_TAG_FLAGS;
    (void)att_group_get(&group);
})
CASE_OF(group_none, ATT_FAULT_BAD_FLAGS, "BAD_FLAGS: waiting for none of a group",
        { (void)att_group_wait(&group, 0, ATT_ANY, &came, ATT_FOREVER); })
CASE_OF(group_how, ATT_FAULT_BAD_FLAGS, "BAD_FLAGS: all and one of a group",
        { (void)att_group_wait(&group, 1, ATT_ALL | ATT_ONE, &came, 5); })
#define GROUP                                                                                                \
    ENTRY(group_null)                                                                                        \
    ENTRY(group_null_wait)                                                                                   \
    ENTRY(group_null_init)                                                                                   \
    ENTRY(group_nowhere) ENTRY(group_tag) ENTRY(group_none) ENTRY(group_how)

CASE_OF(source_null, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: broadcast, null",
        { att_event_source_broadcast(NULL, 1); })
CASE_OF(source_null_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: an event source's init, null",
        { att_event_source_init(NULL); })
CASE_OF(source_tag, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: not an event source", {
    source.tag = ATT_TAG_FLAGS;
    att_event_source_register(&source, &listener);
})
CASE_OF(listener_null, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: fetch, null", { (void)att_listener_fetch(NULL); })
CASE_OF(listener_null_init, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a listener's init, null",
        { att_listener_init(NULL, &flags, 1, 1); })
CASE_OF(listener_null_flags, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a listener without flags",
        { att_listener_init(&listener, NULL, 1, 1); })
CASE_OF(listener_tag, ATT_FAULT_BAD_OBJECT, "BAD_OBJECT: a listener that was never initialised", {
    static att_listener_t zero;
    att_event_source_register(&source, &zero);
})
CASE_OF(listening, ATT_FAULT_LISTENING, "LISTENING: registered twice", {
    att_event_source_register(&source, &listener);
    att_event_source_register(&source, &listener);
})
#define SOURCE                                                                                               \
    ENTRY(source_null)                                                                                       \
    ENTRY(source_null_init)                                                                                  \
    ENTRY(source_tag)                                                                                        \
    ENTRY(listener_null)                                                                                     \
    ENTRY(listener_null_init) ENTRY(listener_null_flags) ENTRY(listener_tag) ENTRY(listening)

PROVOKE_SUITE(FLAGS GROUP SOURCE)
