/*
 * Wait sets: of two semaphores, flags, a mailbox and an inbox; of the end of a thread and a resume. The
 * outcome is 3 plus the index of what came, or a status; the snapshot shows the word that came with it.
 */
#include "inject.h"

static att_sem_t first, second;
static att_flags_t flags;
ATT_MAILBOX(box, 1);
static att_inbox_t inbox;
static att_message_t message;
static att_ref_t ref;
static uintptr_t word;
static char came = '-';

static const att_waitable_t all_rom[] ATT_PORT_ROM = {
    ATT_WAITABLE_SEM(&first), ATT_WAITABLE_SEM(&second), ATT_WAITABLE_FLAGS(&flags, 3),
    ATT_WAITABLE_MAILBOX(&box, &word), ATT_WAITABLE_INBOX(&inbox, &message)};
static const att_waitable_t pair_rom[] ATT_PORT_ROM = {ATT_WAITABLE_SEM(&first), ATT_WAITABLE_SEM(&second)};
static const att_waitable_t ends_rom[] ATT_PORT_ROM = {ATT_WAITABLE_REF(&ref), ATT_WAITABLE_JOIN(NULL)};
/* One thread at a time uses each, as if it were on its stack; the stacks are too small for it. */
static att_waitable_t all[5], pair[2], ends[2];

static void begin_all(void)
{
    att_port_rom_load(all, all_rom, sizeof(all));
    message = (att_message_t)ATT_MESSAGE_INIT;
    word = 0;
}

static void begin_pair(void)
{
    att_port_rom_load(pair, pair_rom, sizeof(pair));
}

static void all_gone(void)
{
    gone(all, sizeof(all));
    gone(&message, sizeof(message));
    gone(&word, sizeof(word));
}

static uint8_t outcome(att_status_t status, uint8_t which)
{
    return status == ATT_OK ? (uint8_t)(3 + which) : status;
}

static uint8_t wait_for_set(att_time_t timeout)
{
    uint8_t which = 9;
    begin_all();
    const att_status_t status = (att_wait_any)(all, 5, &which, timeout);
    if (status == ATT_OK) {
        const att_key_t key = att_lock();
        if (which == 2) {
            came = (char)('0' + all[2].word);
        } else if (which == 3) {
            came = (char)('0' + word);
        } else if (which == 4) {
            came = (char)('0' + message.word);
            (void)att_message_reply(&message, message.word);
        }
        att_unlock(key);
    }
    all_gone();
    return outcome(status, which);
}

static uint8_t wait_for_two(att_time_t timeout)
{
    uint8_t which = 9;
    begin_pair();
    const att_status_t status = (att_wait_any)(pair, 2, &which, timeout);
    gone(pair, sizeof(pair));
    return outcome(status, which);
}

STEP(wait_any, wait_for_set(ATT_FOREVER))
STEP(wait_any_nowait, wait_for_set(ATT_NOWAIT))
STEP(wait_any_soon, wait_for_set(SOON))
STEP(wait_any_long, wait_for_set(LONG))
STEP(wait_for_pair, wait_for_two(ATT_FOREVER))
STEP(wait_for_pair_long, wait_for_two(LONG))

static uint8_t wait_for_constant(void)
{
    uint8_t which = 9;
    begin_pair();
    const att_status_t status = att_wait_any(pair, 2, &which, ATT_FOREVER);
    gone(pair, sizeof(pair));
    return outcome(status, which);
}

static uint8_t wait_for_end(void)
{
    uint8_t which = 9;
    att_port_rom_load(ends, ends_rom, sizeof(ends));
    ends[1].asked = (uintptr_t)inject_actor(0);
    const att_status_t status = (att_wait_any)(ends, 2, &which, ATT_FOREVER);
    gone(ends, sizeof(ends));
    return outcome(status, which);
}

STEP(give_1, att_sem_give(&first))
STEP(give_2, att_sem_give(&second))
STEP(take_1, att_sem_take(&first, ATT_FOREVER))
STEP(take_2, att_sem_take(&second, ATT_FOREVER))
STEP(post, att_mailbox_post(&box, 7, ATT_NOWAIT))
STEP(resume, att_resume(&ref, 6))

static uint8_t give_each(void)
{
    (void)give_2();
    return give_1();
}

static uint8_t give_one_by_one(void)
{
    (void)give_2();
    event();
    return give_1();
}

static uint8_t set(void)
{
    att_flags_signal(&flags, 2);
    return 0;
}

static uint8_t send(void)
{
    uintptr_t reply = 0;
    const att_status_t status = att_message_send(&inbox, 6, &reply, ATT_FOREVER);
    return status == ATT_OK ? (uint8_t)reply : status;
}

static uint8_t reset_1(void)
{
    att_sem_reset(&first, 0);
    return 0;
}

void inject_observe(void)
{
    put((char)('0' + att_sem_count(&first)));
    put((char)('0' + att_sem_count(&second)));
    put((char)('0' + flags.set));
    put((char)('0' + att_mailbox_count(&box)));
    put(inbox.senders.head != NULL ? 's' : '-');
    put(came);
}

bool inject_sound(void)
{
    return (first.wait.head == NULL || first.count == 0) && (second.wait.head == NULL || second.count == 0);
}

void inject_release(void)
{
    if (first.wait.head != NULL) {
        (void)give_1();
    } else if (second.wait.head != NULL) {
        (void)give_2();
    }
    att_inbox_reset(&inbox);
    (void)resume();
}

enum { GIVE_1 = COMMON, GIVE_2, GIVE_EACH, SET, POST, RESET, RESUME };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS,           {"give-1", give_1}, {"give-2", give_2},
    {"give-each", give_each}, {"set", set},       {"post", post},
    {"reset", reset_1},       {"resume", resume}, {"", NULL}};

#define SEMS (ON_CALLER | BIT(GIVE_1) | BIT(GIVE_2) | BIT(GIVE_EACH) | BIT(RESET))
#define GENERAL (SEMS | BIT(SET) | BIT(POST))
#define WITH_A (SEMS | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    {"any", NULL, {NO_ACTORS}, wait_any, give_2, GENERAL | WAITING | HOT},
    {"any-pair", NULL, {NO_ACTORS}, wait_for_pair, give_2, SEMS | WAITING},
    {"any-constant", NULL, {NO_ACTORS}, wait_for_constant, give_1, SEMS | WAITING},
    {"any-there", give_2, {NO_ACTORS}, wait_any, give_1, GENERAL | WAITING},
    {"any-message", NULL, {WAITS(6, send)}, wait_any, give_1, GENERAL | ON_A | WAITING},
    {"any-message-less", NULL, {READY(2, send)}, wait_any, give_1, GENERAL | ON_A | WAITING},
    {"any-ready", NULL, {READY(4, give_2), READY(3, set)}, wait_any, give_1, GENERAL | WAITING},
    {"any-behind",
     NULL,
     {WAITS(6, take_1), WAITS(5, take_2)},
     wait_for_pair,
     give_one_by_one,
     WITH_B | WAITING},
    {"any-before", NULL, {WAITS(2, take_1)}, wait_for_pair, give_1, WITH_A | WAITING},
    {"any-both", NULL, {WAITS(5, wait_for_pair)}, wait_any, give_one_by_one, WITH_A | WAITING},
    {"any-soon", NULL, {NO_ACTORS}, wait_any_soon, pass_time, GENERAL | WAITING},
    {"any-long", NULL, {NO_ACTORS}, wait_any_long, give_1, GENERAL | WAITING | BIT(EXPIRE)},
    {"any-alarms-long", NULL, {SLEEPERS}, wait_any_long, give_1, GENERAL | WAITING | BIT(EXPIRE)},
    {"any-nowait", NULL, {NO_ACTORS}, wait_any_nowait, NULL, GENERAL},
    {"any-end", NULL, {WAITS(2, take_1)}, wait_for_end, give_1, WITH_A | WAITING | BIT(RESUME)},
    {"give-urgent", NULL, {WAITS(6, wait_for_pair)}, give_1, NULL, WITH_A | HOT},
    {"give-equal", NULL, {WAITS(4, wait_for_pair)}, give_2, NULL, WITH_A},
    {"give-less", NULL, {WAITS(2, wait_for_pair)}, give_1, NULL, WITH_A},
    {"give-each", NULL, {WAITS(6, wait_for_pair), WAITS(5, take_1)}, give_one_by_one, NULL, WITH_B},
    {"give-each-less",
     NULL,
     {WAITS(3, wait_for_pair), WAITS(2, take_1)},
     give_one_by_one,
     NULL,
     WITH_B | HOT},
    {"give-each-equal",
     NULL,
     {WAITS(4, wait_for_pair), WAITS(4, take_1), WAITS(4, take_1)},
     give_one_by_one,
     NULL,
     WITH_B},
    {"give-timed", NULL, {WAITS(6, wait_for_pair_long)}, give_1, NULL, WITH_A | BIT(EXPIRE)},
    {"set-urgent", NULL, {WAITS(6, wait_any)}, set, NULL, WITH_A | BIT(SET) | BIT(POST)},
    {"post-urgent", NULL, {WAITS(6, wait_any)}, post, NULL, WITH_A | BIT(SET) | BIT(POST)},
    {"send-urgent", NULL, {WAITS(6, wait_any)}, send, give_1, WITH_A | BIT(SET) | WAITING},
    {"resume-urgent", NULL, {WAITS(5, take_1), WAITS(6, wait_for_end)}, resume, NULL, WITH_B | BIT(RESUME)},
    {"reset-urgent", NULL, {WAITS(6, wait_for_pair)}, reset_1, NULL, WITH_A},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
