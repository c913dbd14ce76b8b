/*
 * Mailboxes: a word goes to the first thread that waits to fetch, or into the buffer; room goes to the first
 * thread that waits to post.
 */
#include "model.h"

enum { MAILBOXES = 2, MOST = 3, UNTOUCHED = 999 };

static att_mailbox_t fuzz_mailbox[MAILBOXES];
static uintptr_t memory[MAILBOXES][MOST];
typedef struct {
    uint8_t word;
    bool ahead;
} letter_t;
static struct {
    uint8_t size[MAILBOXES], count[MAILBOXES];
    uint8_t row[MAILBOXES][MOST];
    letter_t letter[THREADS]; /* of each thread that waits to post */
} state;

static void post(op_t *op)
{
    att_mailbox_t *mailbox = &fuzz_mailbox[op->object];
    if (op->timeout == ATT_FOREVER) {
        op->got = att_mailbox_post_forever(mailbox, op->value);
    } else if (op->timeout == ATT_NOWAIT) {
        op->got = att_mailbox_post_nowait(mailbox, op->value);
    } else {
        op->got = (att_mailbox_post)(mailbox, op->value, op->timeout);
    }
}

static void post_until(op_t *op)
{
    op->got = att_mailbox_post_until(&fuzz_mailbox[op->object], op->value, (att_time_t)op->deadline);
}

static void post_ahead(op_t *op)
{
    att_mailbox_t *mailbox = &fuzz_mailbox[op->object];
    if (op->timeout == ATT_FOREVER) {
        op->got = att_mailbox_post_ahead_forever(mailbox, op->value);
    } else if (op->timeout == ATT_NOWAIT) {
        op->got = att_mailbox_post_ahead_nowait(mailbox, op->value);
    } else {
        op->got = (att_mailbox_post_ahead)(mailbox, op->value, op->timeout);
    }
}

static void put(uint8_t i, letter_t letter)
{
    uint8_t *row = state.row[i];
    if (letter.ahead) {
        memmove(row + 1, row, state.count[i]);
    }
    row[letter.ahead ? 0 : state.count[i]] = letter.word;
    state.count[i]++;
}

static void mean_post_letter(op_t *op, bool ahead)
{
    const uint8_t i = op->object;
    const letter_t letter = {op->value, ahead};
    if (state.count[i] == state.size[i]) {
        if (op->waits) {
            state.letter[op->thread] = letter;
        }
        model_wait(op, QUEUE(QUEUE_MAILBOX, i));
        return;
    }
    const uint8_t first = state.count[i] == 0 ? model_first(QUEUE(QUEUE_MAILBOX, i)) : NO_THREAD;
    if (first != NO_THREAD) {
        model_wake(first, ATT_OK, op->value);
    } else {
        put(i, letter);
    }
    model_finish(op, ATT_OK);
}

static void mean_post(op_t *op)
{
    mean_post_letter(op, false);
}

static void mean_post_ahead(op_t *op)
{
    mean_post_letter(op, true);
}

/* Without a word, the memory for one must be unchanged. */
static void fetched(op_t *op, att_status_t got, uintptr_t word)
{
    op->got = got;
    op->got_value = got != ATT_OK && word == UNTOUCHED ? 0 : word;
}

static void fetch(op_t *op)
{
    att_mailbox_t *mailbox = &fuzz_mailbox[op->object];
    uintptr_t word = UNTOUCHED;
    const att_status_t got = op->timeout == ATT_FOREVER ? att_mailbox_fetch_forever(mailbox, &word)
                                                        : (att_mailbox_fetch)(mailbox, &word, op->timeout);
    fetched(op, got, word);
}

static void fetch_until(op_t *op)
{
    uintptr_t word = UNTOUCHED;
    const att_status_t got =
        att_mailbox_fetch_until(&fuzz_mailbox[op->object], &word, (att_time_t)op->deadline);
    fetched(op, got, word);
}

static void fetch_nowait(op_t *op)
{
    uintptr_t word = UNTOUCHED;
    const att_status_t got = att_mailbox_fetch_nowait(&fuzz_mailbox[op->object], &word);
    fetched(op, got, word);
}

static bool mailbox_fetch_one(uint8_t i, uintptr_t *value)
{
    if (state.count[i] == 0) {
        return false;
    }
    const uint8_t first = state.count[i] == state.size[i] ? model_first(QUEUE(QUEUE_MAILBOX, i)) : NO_THREAD;
    *value = state.row[i][0];
    memmove(state.row[i], state.row[i] + 1, --state.count[i]);
    if (first != NO_THREAD) {
        put(i, state.letter[first]);
        model_wake(first, ATT_OK, 0);
    }
    return true;
}

static void mean_fetch(op_t *op)
{
    if (mailbox_fetch_one(op->object, &op->want_value)) {
        model_finish(op, ATT_OK);
    } else {
        model_wait(op, QUEUE(QUEUE_MAILBOX, op->object));
    }
}

static void peek(op_t *op)
{
    uintptr_t word = UNTOUCHED;
    const att_status_t got = att_mailbox_peek(&fuzz_mailbox[op->object], &word);
    fetched(op, got, word);
}

static void mean_peek(op_t *op)
{
    const bool there = state.count[op->object] != 0;
    op->want_value = there ? state.row[op->object][0] : 0;
    model_finish(op, there ? ATT_OK : ATT_EMPTY);
}

static void space(op_t *op)
{
    op->got = att_mailbox_space(&fuzz_mailbox[op->object]);
}

static void mean_space(op_t *op)
{
    model_finish(op, (uint32_t)(state.size[op->object] - state.count[op->object]));
}

static void reset_one(op_t *op)
{
    att_mailbox_reset(&fuzz_mailbox[op->object]);
}

static void mean_reset(op_t *op)
{
    if (op->phase == 0) {
        state.count[op->object] = 0;
    }
    model_cancel(op, QUEUE(QUEUE_MAILBOX, op->object));
}

static const call_t calls[] = {
    {"mailbox_post", STATUS | WAITS, MAILBOXES, 1, 200, post, mean_post, NULL, NULL},
    {"mailbox_post_until", STATUS | WAITS | UNTIL, MAILBOXES, 1, 200, post_until, mean_post, NULL, NULL},
    {"mailbox_post_ahead", STATUS | WAITS, MAILBOXES, 1, 200, post_ahead, mean_post_ahead, NULL, NULL},
    {"mailbox_fetch", STATUS | WAITS, MAILBOXES, 0, 0, fetch, mean_fetch, NULL, NULL},
    {"mailbox_fetch_until", STATUS | WAITS | UNTIL, MAILBOXES, 0, 0, fetch_until, mean_fetch, NULL, NULL},
    {"mailbox_fetch_nowait", STATUS | TRIES, MAILBOXES, 0, 0, fetch_nowait, mean_fetch, NULL, NULL},
    {"mailbox_peek", STATUS, MAILBOXES, 0, 0, peek, mean_peek, NULL, NULL},
    {"mailbox_space", NUMBER, MAILBOXES, 0, 0, space, mean_space, NULL, NULL},
    {"mailbox_reset", MANY, MAILBOXES, 0, 0, reset_one, mean_reset, NULL, NULL},
};

static void reset(const uint8_t *setup)
{
    memset(&state, 0, sizeof(state));
    for (uint8_t i = 0; i < MAILBOXES; i++) {
        state.size[i] = (uint8_t)(1 + (setup[5] >> (4 + 2 * i) & 3) % MOST);
        att_mailbox_init(&fuzz_mailbox[i], memory[i], state.size[i]);
    }
}

static bool same(void)
{
    for (uint8_t i = 0; i < MAILBOXES; i++) {
        uintptr_t word = 0;
        const bool there = att_mailbox_peek(&fuzz_mailbox[i], &word) == ATT_OK;
        if (att_mailbox_count(&fuzz_mailbox[i]) != state.count[i] || (there && word != state.row[i][0])) {
            return false;
        }
    }
    return true;
}

const kind_t kind_mailbox = {
    "mailbox", calls, sizeof(calls) / sizeof(calls[0]), &state, sizeof(state), reset, same, NULL, NULL};
