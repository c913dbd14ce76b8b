/* Mailboxes; n: threads that wait to fetch or to post. */
#include "calls.h"

ATT_MAILBOX(box, 2);

static void post(void)
{
    (void)att_mailbox_post(&box, 1, ATT_NOWAIT);
}

static void post_ahead(void)
{
    (void)att_mailbox_post_ahead(&box, 1, ATT_NOWAIT);
}

static void fetch(void)
{
    uintptr_t word;
    (void)att_mailbox_fetch(&box, &word, ATT_NOWAIT);
}

static void reset(void)
{
    att_mailbox_reset(&box);
}

static void look(void)
{
    uintptr_t word;
    (void)att_mailbox_peek(&box, &word);
    (void)att_mailbox_count(&box);
    (void)att_mailbox_space(&box);
}

static void fetch_forever(void *arg)
{
    uintptr_t word;
    (void)arg;
    (void)att_mailbox_fetch(&box, &word, ATT_FOREVER);
}

static void fetch_timed(void *arg)
{
    uintptr_t word;
    (void)arg;
    (void)att_mailbox_fetch(&box, &word, ATT_MS(20));
}

static void fetch_until(void *arg)
{
    uintptr_t word;
    (void)arg;
    (void)att_mailbox_fetch_until(&box, &word, att_now() + ATT_MS(20));
}

static void post_forever(void *arg)
{
    (void)(arg == NULL ? att_mailbox_post(&box, 2, ATT_FOREVER)
                       : att_mailbox_post_ahead(&box, 2, ATT_FOREVER));
}

static void post_timed(void *arg)
{
    (void)(arg == NULL ? att_mailbox_post(&box, 2, ATT_MS(20)) : att_mailbox_post_ahead(&box, 2, ATT_MS(20)));
}

static void post_until(void *arg)
{
    const att_time_t deadline = att_now() + ATT_MS(20);
    (void)(arg == NULL ? att_mailbox_post_until(&box, 2, deadline)
                       : att_mailbox_post_ahead_until(&box, 2, deadline));
}

static void no_waiter(void)
{
    static void (*const all[])(void) = {post,  post_ahead, look,  post, post_ahead,
                                        fetch, fetch,      fetch, look, reset};
    for (uint8_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        all[i]();
    }
    for (uint8_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        calls_in_handler(all[i]);
    }
}

static void empty(void)
{
    fetch();
    fetch();
}

/* `serve` is made by the caller, by a handler, and a reset instead of it. */
static void others_wait(att_prio_t prio, att_entry_t how, void *arg, void (*before)(void),
                        void (*serve)(void))
{
    for (uint8_t round = 0; round < 4; round++) {
        before();
        calls_start(prio, how, arg);
        if (round == 2) {
            reset();
        } else if (round == 3) {
            calls_in_handler(reset);
        }
        for (uint8_t i = 0; i < CALLS_N && round < 2; i++) {
            if (round == 0) {
                serve();
            } else {
                calls_in_handler(serve);
            }
        }
        calls_join();
    }
    reset();
}

static void fill(void)
{
    post();
    post();
}

void calls(void)
{
    static const att_entry_t fetchers[] = {fetch_forever, fetch_timed, fetch_until};
    static const att_entry_t posters[] = {post_forever, post_timed, post_until};
    no_waiter();
    CALLS_EACH_PRIORITY(prio)
    {
        for (uint8_t k = 0; k < 3; k++) {
            others_wait(prio, fetchers[k], NULL, empty, post);
            others_wait(prio, fetchers[k], NULL, empty, post_ahead);
            others_wait(prio, posters[k], NULL, fill, fetch);
            others_wait(prio, posters[k], &box, fill, fetch);
        }
        calls_start(prio, fetch_timed, NULL); /* times out */
        calls_join();
        fill();
        calls_start(prio, post_timed, NULL);
        calls_join();
        calls_start(prio, post_timed, &box);
        calls_join();
        reset();
    }
}
