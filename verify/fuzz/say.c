/*
 * The fuzzer's output: the calls of an input in words, and the failure.
 */
#include "drive.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool fuzz_listing;

/* libFuzzer leaves without flushing. */
void say_begin(void)
{
    fuzz_listing = getenv("ATTACCA_FUZZ_LIST") != NULL;
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

void fuzz_say(const char *format, ...)
{
    if (fuzz_listing) {
        va_list arguments;
        va_start(arguments, format);
        (void)vprintf(format, arguments);
        va_end(arguments);
    }
}

void fuzz_fail(const char *format, ...)
{
    va_list arguments;
    (void)fflush(stdout);
    (void)fputs("FAILED: ", stderr);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    abort();
}

void att_fault_hook(const att_fault_record_t *fault)
{
    fuzz_fail("fault 0x%04X", fault->code);
}

void say_context(void)
{
    if (!fuzz_listing) {
        return;
    }
    printf("%10u %*s", (att_time_t)fuzz_now, 4 * drive_depth(), "");
    if (drive_depth() == 0) {
        const uint8_t k = fuzz_running();
        if (k != NO_THREAD) {
            printf("thread %u (priority %u): ", k, model.thread[k].prio);
        }
    }
}

void say_call(const op_t *op)
{
    if (!fuzz_listing) {
        return;
    }
    const call_t *call = op->call;
    const char *comma = "";
    say_context();
    printf("%s(", call->name);
    if (call->objects != 0) {
        printf("%u", op->object);
        comma = ", ";
    }
    if (call->values != 0) {
        printf("%s%u", comma, op->value);
        comma = ", ";
    }
    if ((call->flags & UNTIL) != 0) {
        printf("%suntil %u", comma, (att_time_t)op->deadline);
    } else if ((call->flags & WAITS) != 0) {
        printf(op->timeout == ATT_FOREVER ? "%sforever" : "%sfor %u", comma, op->timeout);
    }
    printf(")\n");
}

void say_result(const op_t *op)
{
    static const char *const names[] = {"OK", "TIMEOUT", "CANCELED", "FULL", "EMPTY"};
    if (!fuzz_listing) {
        return;
    }
    say_context();
    if ((op->call->flags & (STATUS | WAITS)) != 0 && op->got < sizeof(names) / sizeof(names[0])) {
        printf("%s: %s\n", op->call->name, names[op->got]);
    } else if ((op->call->flags & NUMBER) != 0) {
        printf("%s: %u\n", op->call->name, op->got);
    } else {
        printf("%s returned\n", op->call->name);
    }
}

/* The form that is kept: it means the same when there are more kinds. */
void say_reduced(const uint8_t *input, size_t size)
{
    printf("reduced: ");
    for (size_t i = 0; i < size; i++) {
        printf("%02x", input[i]);
    }
    printf("\n");
}
