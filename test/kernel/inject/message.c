/*
 * Messages. Words are small numbers, a reply is the word plus 1: 5 is the caller's word, 3 and 7 those of
 * actors. A sender's outcome is the reply, a receiver's the word.
 */
#include "inject.h"

static att_inbox_t inbox;
static att_message_t mine;   /* the caller's, which others may answer; other messages are on stacks */
static att_message_t slowly; /* of an actor that waits before it answers */
static att_sem_t go;         /* a receiver waits here before it replies */

static uint8_t send_for(uintptr_t word, att_time_t timeout)
{
    uintptr_t reply = 0;
    const att_status_t status = (att_message_send)(&inbox, word, &reply, timeout);
    return status == ATT_OK ? (uint8_t)reply : status;
}

static uint8_t send(void)
{
    uintptr_t reply = 0;
    const att_status_t status = att_message_send(&inbox, 5, &reply, ATT_FOREVER);
    return status == ATT_OK ? (uint8_t)reply : status;
}

static uint8_t send_until(void)
{
    uintptr_t reply = 0;
    const att_status_t status = att_message_send_until(&inbox, 5, &reply, att_now() + LONG);
    return status == ATT_OK ? (uint8_t)reply : status;
}

STEP(send_run_time, send_for(5, ATT_FOREVER))
STEP(send_soon, send_for(5, SOON))
STEP(send_long, send_for(5, LONG))
STEP(send_nowait, send_for(5, ATT_NOWAIT))
STEP(send_3, send_for(3, ATT_FOREVER))
STEP(send_3_long, send_for(3, LONG))
STEP(send_7, send_for(7, ATT_FOREVER))

static uint8_t received(const att_message_t *message, att_status_t status)
{
    return status == ATT_OK ? (uint8_t)message->word : status;
}

static uint8_t receive(void)
{
    const att_status_t status = att_message_receive(&inbox, &mine, ATT_FOREVER);
    return received(&mine, status);
}

STEP(receive_run_time, received(&mine, (att_message_receive)(&inbox, &mine, ATT_FOREVER)))
STEP(receive_soon, received(&mine, att_message_receive(&inbox, &mine, SOON)))
STEP(receive_long, received(&mine, att_message_receive(&inbox, &mine, LONG)))
STEP(receive_until, received(&mine, att_message_receive_until(&inbox, &mine, att_now() + LONG)))
STEP(receive_nowait, received(&mine, att_message_receive(&inbox, &mine, ATT_NOWAIT)))
STEP(reply_to_mine, att_message_reply(&mine, mine.word + 1))
STEP(sender_of_mine, att_message_sender(&mine) != NULL)

static uint8_t serve_for(att_time_t timeout)
{
    att_message_t message = ATT_MESSAGE_INIT;
    const att_status_t status = (att_message_receive)(&inbox, &message, timeout);
    if (status == ATT_OK) {
        event();
        (void)att_message_reply(&message, message.word + 1);
    }
    gone(&message, sizeof(message));
    return status;
}

STEP(serve, serve_for(ATT_FOREVER))
STEP(serve_long, serve_for(LONG))
STEP(serve_now, serve_for(ATT_NOWAIT))

/* Receive at once, and answer. */
static uint8_t serve_at_once(void)
{
    att_message_t message = ATT_MESSAGE_INIT;
    const att_status_t status = att_message_receive(&inbox, &message, ATT_NOWAIT);
    if (status == ATT_OK) {
        (void)att_message_reply(&message, message.word + 1);
    }
    gone(&message, sizeof(message));
    return status;
}

/* Receive, wait for `go`, and answer. */
static uint8_t serve_slowly(void)
{
    const att_status_t status = att_message_receive(&inbox, &slowly, ATT_FOREVER);
    if (status == ATT_OK) {
        event();
        (void)att_sem_take(&go, ATT_FOREVER);
        event();
        const att_status_t replied = att_message_reply(&slowly, slowly.word + 1);
        return (uint8_t)(5 + replied);
    }
    return status;
}

static uint8_t let_go(void)
{
    return att_sem_give(&go);
}

/* The senders already wait when the caller receives before its call. */
static uint8_t open_and_reply(void)
{
    if (receive_nowait() == ATT_TIMEOUT) {
        return 9;
    }
    event();
    return reply_to_mine();
}

static uint8_t open_and_look(void)
{
    (void)receive_nowait();
    event();
    const uint8_t is = sender_of_mine();
    event();
    return (uint8_t)(reply_to_mine() + is);
}

static uint8_t reset(void)
{
    att_inbox_reset(&inbox);
    return 0;
}

void inject_observe(void)
{
    put(inbox.senders.head != NULL ? 's' : '-');
    put(inbox.receivers.head != NULL ? 'r' : '-');
    put(mine.sender.head != NULL ? 'm' : '-');
    put(slowly.sender.head != NULL ? 'o' : '-');
}

bool inject_sound(void)
{
    return inbox.senders.head == NULL || inbox.receivers.head == NULL;
}

void inject_release(void)
{
    (void)serve_now();
    (void)reply_to_mine();
    att_inbox_reset(&inbox);
    if (go.wait.head != NULL) {
        (void)let_go();
    }
}

enum { SERVE = COMMON, REPLY, RESET, LET_GO };
const action_t inject_actions[] ATT_PORT_ROM = {COMMON_ACTIONS,           {"serve", serve_at_once},
                                                {"reply", reply_to_mine}, {"reset", reset},
                                                {"let-go", let_go},       {"", NULL}};

#define GENERAL (ON_CALLER | BIT(SERVE) | BIT(RESET))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    /* send */
    {"send", NULL, {NO_ACTORS}, send, serve_now, GENERAL | WAITING | HOT},
    {"send-run-time", NULL, {NO_ACTORS}, send_run_time, serve_now, GENERAL | WAITING},
    {"send-urgent", NULL, {WAITS(6, serve)}, send, serve_now, WITH_A | WAITING | HOT},
    {"send-equal", NULL, {WAITS(4, serve)}, send, serve_now, WITH_A | WAITING},
    {"send-less", NULL, {WAITS(2, serve)}, send, serve_now, WITH_A | WAITING},
    {"send-slow", NULL, {WAITS(6, serve_slowly)}, send, let_go, WITH_A | WAITING | BIT(LET_GO)},
    {"send-slow-long", NULL, {WAITS(2, serve_slowly)}, send_long, let_go, WITH_A | WAITING | BIT(EXPIRE)},
    {"send-two", NULL, {WAITS(6, serve), WAITS(5, serve)}, send, serve_now, WITH_B | WAITING},
    {"send-behind", NULL, {WAITS(6, send_3)}, send, serve_now, WITH_A | WAITING},
    {"send-among", NULL, {WAITS(5, send_3), WAITS(2, send_7)}, send, serve_now, WITH_B | WAITING},
    {"send-ready", NULL, {READY(4, nothing), READY(3, serve)}, send, serve_now, WITH_A | WAITING},
    {"send-timed", NULL, {WAITS(6, serve_long)}, send, serve_now, WITH_A | WAITING | BIT(EXPIRE)},
    {"send-soon", NULL, {NO_ACTORS}, send_soon, pass_time, GENERAL | WAITING},
    {"send-long", NULL, {NO_ACTORS}, send_long, serve_now, GENERAL | WAITING | BIT(EXPIRE)},
    {"send-alarms-long", NULL, {SLEEPERS}, send_long, serve_now, GENERAL | WAITING | BIT(EXPIRE)},
    {"send-served-long",
     NULL,
     {WAITS(6, serve_long), WAITS(6, sleep_long), WAITS(5, sleep_long)},
     send_long,
     serve_now,
     WITH_A | WAITING | BIT(EXPIRE)},
    {"send-equals-long",
     NULL,
     {WAITS(4, send_3_long), WAITS(4, send_3_long), WAITS(4, send_3_long)},
     send_long,
     serve_now,
     WITH_B | WAITING | BIT(EXPIRE)},
    {"send-until", NULL, {NO_ACTORS}, send_until, serve_now, GENERAL | WAITING | BIT(EXPIRE)},
    {"send-nowait", NULL, {WAITS(6, serve)}, send_nowait, NULL, WITH_A},
    /* receive */
    {"receive", NULL, {NO_ACTORS}, receive, reset, GENERAL | WAITING | HOT},
    {"receive-run-time", NULL, {NO_ACTORS}, receive_run_time, reset, GENERAL | WAITING},
    {"receive-urgent", NULL, {WAITS(6, send_3)}, receive, reply_to_mine, WITH_A | WAITING | BIT(REPLY)},
    {"receive-less", NULL, {WAITS(2, send_3), WAITS(3, send_7)}, receive, reply_to_mine, WITH_B | WAITING},
    {"receive-timed", NULL, {WAITS(6, send_3_long)}, receive, reply_to_mine, WITH_A | WAITING | BIT(EXPIRE)},
    {"receive-ready", NULL, {READY(3, send_3)}, receive, reply_to_mine, WITH_A | WAITING | BIT(REPLY)},
    {"receive-among", NULL, {WAITS(6, serve), WAITS(2, serve)}, receive, reset, WITH_B | WAITING},
    {"receive-nowait", NULL, {WAITS(6, send_3)}, receive_nowait, reply_to_mine, WITH_A | BIT(REPLY)},
    {"receive-soon", NULL, {NO_ACTORS}, receive_soon, pass_time, GENERAL | WAITING},
    {"receive-long", NULL, {NO_ACTORS}, receive_long, reset, GENERAL | WAITING | BIT(EXPIRE)},
    {"receive-alarms-long", NULL, {SLEEPERS}, receive_long, reset, GENERAL | WAITING | BIT(EXPIRE)},
    {"receive-until", NULL, {NO_ACTORS}, receive_until, reset, GENERAL | WAITING | BIT(EXPIRE)},
    /* reply, reset */
    {"reply-none", NULL, {NO_ACTORS}, reply_to_mine, NULL, GENERAL},
    {"reply-urgent", NULL, {WAITS(6, send_3)}, open_and_reply, NULL, WITH_A | BIT(REPLY) | HOT},
    {"reply-equal", NULL, {WAITS(4, send_3)}, open_and_reply, NULL, WITH_A | BIT(REPLY)},
    {"reply-less", NULL, {WAITS(2, send_3)}, open_and_reply, NULL, WITH_A | BIT(REPLY)},
    {"reply-timed", NULL, {WAITS(6, send_3_long)}, open_and_reply, NULL, WITH_A | BIT(REPLY) | BIT(EXPIRE)},
    {"sender", NULL, {WAITS(6, send_3_long)}, open_and_look, NULL, WITH_A | BIT(REPLY) | BIT(EXPIRE)},
    {"reset", NULL, {NO_ACTORS}, reset, NULL, GENERAL},
    {"reset-senders", NULL, {WAITS(6, send_3), WAITS(2, send_7)}, reset, NULL, WITH_B},
    {"reset-receivers", NULL, {WAITS(6, serve), WAITS(4, serve)}, reset, NULL, WITH_B},
    {"reset-timed", NULL, {WAITS(6, send_3_long)}, reset, NULL, WITH_A | BIT(EXPIRE)},
    {"reset-served", NULL, {WAITS(2, serve_slowly), WAITS(6, send_3)}, reset, let_go, WITH_B | BIT(LET_GO)},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
