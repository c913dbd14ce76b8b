/*
 * Mailboxes, of two words. The outcome of a fetch is the word: 5 is the caller's, 6 and 7 are actors', 8 is
 * the handler's; 9 and 3 are there from the beginning.
 */
#include "inject.h"

ATT_MAILBOX(box, 2);

static uint8_t fetched(att_status_t status, uintptr_t word)
{
    return status == ATT_OK ? (uint8_t)word : status;
}

static uint8_t one(void)
{
    return att_mailbox_post(&box, 9, ATT_NOWAIT);
}

static uint8_t two(void)
{
    (void)one();
    return att_mailbox_post(&box, 3, ATT_NOWAIT);
}

STEP(post, att_mailbox_post(&box, 5, ATT_FOREVER))
STEP(post_run_time, (att_mailbox_post)(&box, 5, ATT_FOREVER))
STEP(post_nowait, att_mailbox_post(&box, 5, ATT_NOWAIT))
STEP(post_soon, att_mailbox_post(&box, 5, SOON))
STEP(post_long, att_mailbox_post(&box, 5, LONG))
STEP(post_until, att_mailbox_post_until(&box, 5, att_now() + LONG))
STEP(post_ahead, att_mailbox_post_ahead(&box, 5, ATT_FOREVER))
STEP(post_ahead_long, att_mailbox_post_ahead(&box, 5, LONG))
STEP(post_6, att_mailbox_post(&box, 6, ATT_FOREVER))
STEP(post_6_long, att_mailbox_post(&box, 6, LONG))
STEP(post_6_ahead, att_mailbox_post_ahead(&box, 6, ATT_FOREVER))
STEP(post_7, att_mailbox_post(&box, 7, ATT_FOREVER))
STEP(post_8, att_mailbox_post(&box, 8, ATT_NOWAIT))
STEP(post_8_ahead, att_mailbox_post_ahead(&box, 8, ATT_NOWAIT))
STEP(count, att_mailbox_count(&box))

static uint8_t fetch(void)
{
    uintptr_t word = 0;
    const att_status_t status = att_mailbox_fetch(&box, &word, ATT_FOREVER);
    return fetched(status, word);
}

static uint8_t fetch_for(att_time_t timeout)
{
    uintptr_t word = 0;
    const att_status_t status = (att_mailbox_fetch)(&box, &word, timeout);
    return fetched(status, word);
}

STEP(fetch_run_time, fetch_for(ATT_FOREVER))
STEP(fetch_soon, fetch_for(SOON))
STEP(fetch_long, fetch_for(LONG))

static uint8_t fetch_nowait(void)
{
    uintptr_t word = 0;
    const att_status_t status = att_mailbox_fetch(&box, &word, ATT_NOWAIT);
    return fetched(status, word);
}

static uint8_t fetch_until(void)
{
    uintptr_t word = 0;
    const att_status_t status = att_mailbox_fetch_until(&box, &word, att_now() + LONG);
    return fetched(status, word);
}

static uint8_t peek(void)
{
    uintptr_t word = 0;
    const att_status_t status = att_mailbox_peek(&box, &word);
    return fetched(status, word);
}

static uint8_t reset(void)
{
    att_mailbox_reset(&box);
    return 0;
}

void inject_observe(void)
{
    for (uint8_t n = 0; n < box.count; n++) {
        put((char)('0' + box.words[(box.first + n) % 2]));
    }
}

bool inject_sound(void)
{
    return box.wait.head == NULL || box.count == 0 || box.count == 2;
}

void inject_release(void)
{
    uintptr_t word;
    if (att_mailbox_fetch(&box, &word, ATT_NOWAIT) != ATT_OK && box.wait.head != NULL) {
        (void)post_8();
    }
}

enum { POST = COMMON, AHEAD, FETCH, PEEK, RESET };
const action_t inject_actions[] ATT_PORT_ROM = {
    COMMON_ACTIONS,   {"post", post_8}, {"ahead", post_8_ahead}, {"fetch", fetch_nowait}, {"peek", peek},
    {"reset", reset}, {"", NULL}};

#define GENERAL (ON_CALLER | BIT(POST) | BIT(AHEAD) | BIT(FETCH) | BIT(RESET))
#define WITH_A (GENERAL | ON_A)
#define WITH_B (WITH_A | BIT(B_UP))

const situation_t inject_situations[] ATT_PORT_ROM = {
    /* post */
    {"post", NULL, {NO_ACTORS}, post, NULL, GENERAL | BIT(PEEK)},
    {"post-last", one, {NO_ACTORS}, post, fetch_nowait, GENERAL | BIT(PEEK) | WAITING},
    {"post-urgent", NULL, {WAITS(6, fetch)}, post, NULL, WITH_A | HOT},
    {"post-equal", NULL, {WAITS(4, fetch)}, post, NULL, WITH_A},
    {"post-less", NULL, {WAITS(2, fetch)}, post, NULL, WITH_A},
    {"post-two", NULL, {WAITS(6, fetch), WAITS(5, fetch)}, post, NULL, WITH_B},
    {"post-timed", NULL, {WAITS(6, fetch_long)}, post, NULL, WITH_A | BIT(EXPIRE)},
    {"post-nowait", NULL, {WAITS(6, fetch)}, post_nowait, NULL, WITH_A},
    {"post-full", two, {NO_ACTORS}, post, fetch_nowait, GENERAL | WAITING | HOT},
    {"post-full-run-time", two, {NO_ACTORS}, post_run_time, fetch_nowait, GENERAL | WAITING},
    {"post-full-nowait", two, {NO_ACTORS}, post_nowait, NULL, GENERAL},
    {"post-full-among", two, {WAITS(6, post_6), WAITS(2, post_7)}, post, fetch_nowait, WITH_B | WAITING},
    {"post-full-ready", two, {READY(3, fetch)}, post, NULL, WITH_A | WAITING},
    {"post-soon", two, {NO_ACTORS}, post_soon, pass_time, GENERAL | WAITING},
    {"post-long", two, {NO_ACTORS}, post_long, fetch_nowait, GENERAL | WAITING | BIT(EXPIRE)},
    {"post-alarms-long", two, {SLEEPERS}, post_long, fetch_nowait, GENERAL | WAITING | BIT(EXPIRE)},
    {"post-until", two, {NO_ACTORS}, post_until, fetch_nowait, GENERAL | WAITING | BIT(EXPIRE)},
    {"ahead", one, {NO_ACTORS}, post_ahead, NULL, GENERAL | BIT(PEEK) | WAITING},
    {"ahead-urgent", NULL, {WAITS(6, fetch)}, post_ahead, NULL, WITH_A},
    {"ahead-full", two, {WAITS(6, post_6)}, post_ahead, fetch_nowait, WITH_A | WAITING},
    {"ahead-long", two, {NO_ACTORS}, post_ahead_long, fetch_nowait, GENERAL | WAITING | BIT(EXPIRE)},
    /* fetch */
    {"fetch", one, {NO_ACTORS}, fetch, post_8, GENERAL | WAITING},
    {"fetch-two", two, {NO_ACTORS}, fetch, NULL, GENERAL | BIT(PEEK) | WAITING},
    {"fetch-urgent", two, {WAITS(6, post_6)}, fetch, NULL, WITH_A | HOT | WAITING},
    {"fetch-ahead", two, {WAITS(6, post_6_ahead)}, fetch, NULL, WITH_A | WAITING},
    {"fetch-equal", two, {WAITS(4, post_6)}, fetch, NULL, WITH_A | WAITING},
    {"fetch-less", two, {WAITS(2, post_6_ahead), WAITS(2, post_7)}, fetch, NULL, WITH_B | WAITING},
    {"fetch-both", two, {WAITS(5, post_6), WAITS(6, post_7)}, fetch, NULL, WITH_B | WAITING},
    {"fetch-timed", two, {WAITS(6, post_6_long)}, fetch, NULL, WITH_A | BIT(EXPIRE) | WAITING},
    {"fetch-nowait", two, {WAITS(6, post_6)}, fetch_nowait, NULL, WITH_A},
    {"fetch-empty", NULL, {NO_ACTORS}, fetch, post_8, GENERAL | WAITING | HOT},
    {"fetch-run-time", NULL, {NO_ACTORS}, fetch_run_time, post_8, GENERAL | WAITING},
    {"fetch-empty-nowait", NULL, {NO_ACTORS}, fetch_nowait, NULL, GENERAL},
    {"fetch-among", NULL, {WAITS(6, fetch), WAITS(2, fetch)}, fetch, post_8, WITH_B | WAITING},
    {"fetch-ready", NULL, {READY(4, nothing), READY(3, post_6)}, fetch, NULL, WITH_A | WAITING},
    {"fetch-soon", NULL, {NO_ACTORS}, fetch_soon, pass_time, GENERAL | WAITING},
    {"fetch-long", NULL, {NO_ACTORS}, fetch_long, post_8, GENERAL | WAITING | BIT(EXPIRE)},
    {"fetch-alarms-long", NULL, {SLEEPERS}, fetch_long, post_8, GENERAL | WAITING | BIT(EXPIRE)},
    {"fetch-equals-long",
     NULL,
     {WAITS(4, fetch_long), WAITS(4, fetch_long), WAITS(4, fetch_long)},
     fetch_long,
     post_8,
     WITH_B | WAITING | BIT(EXPIRE)},
    {"fetch-until", NULL, {NO_ACTORS}, fetch_until, post_8, GENERAL | WAITING | BIT(EXPIRE)},
    /* the rest */
    {"peek", one, {NO_ACTORS}, peek, NULL, GENERAL},
    {"peek-empty", NULL, {WAITS(6, fetch)}, peek, NULL, WITH_A},
    {"count", one, {NO_ACTORS}, count, NULL, GENERAL},
    {"reset", one, {NO_ACTORS}, reset, NULL, GENERAL | BIT(PEEK)},
    {"reset-fetchers", NULL, {WAITS(6, fetch), WAITS(2, fetch)}, reset, NULL, WITH_B},
    {"reset-posters", two, {WAITS(6, post_6), WAITS(4, post_7)}, reset, NULL, WITH_B},
    {"reset-timed", two, {WAITS(6, post_6_long)}, reset, NULL, WITH_A | BIT(EXPIRE)},
    {"", NULL, {NO_ACTORS}, NULL, NULL, 0}};
