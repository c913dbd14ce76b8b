/*
 * The four functions that a compiler may call by itself. Weak: those of a C library replace them. They work a
 * byte at a time, to take little flash; a program that copies much links a library.
 */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);

/* Or the compiler makes a call of memcpy out of memcpy's loop. */
#define PART __attribute__((weak, optimize("no-tree-loop-distribute-patterns")))

PART void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    while (size-- != 0) {
        *out++ = *in++;
    }
    return to;
}

PART void *memmove(void *to, const void *from, size_t size)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    if (out <= in) {
        while (size-- != 0) {
            *out++ = *in++;
        }
    } else {
        while (size-- != 0) {
            out[size] = in[size];
        }
    }
    return to;
}

PART void *memset(void *to, int value, size_t size)
{
    uint8_t *out = to;
    while (size-- != 0) {
        *out++ = (uint8_t)value;
    }
    return to;
}

PART int memcmp(const void *a, const void *b, size_t size)
{
    const uint8_t *one = a;
    const uint8_t *other = b;
    for (; size != 0; size--) {
        if (*one != *other) {
            return *one - *other;
        }
        one++;
        other++;
    }
    return 0;
}
