/*
 * What one critical section copies: words where both addresses allow it. A port that defines ATT_PORT_COPY
 * has att_port_copy for it.
 */
#ifndef ATTACCA_COPY_H
#define ATTACCA_COPY_H

#include "kernel.h"

#ifdef __ARM_FEATURE_UNALIGNED
#define ATT_K_WORDS(address) ((void)(address), true)
#else
#define ATT_K_WORDS(address) ((address) % __alignof__(uintptr_t) == 0)
#endif
typedef uintptr_t att_k_word_t __attribute__((may_alias));
static ATT_PORT_INLINE void att_k_copy(void *to, const void *from, uint_fast8_t size)
{
#ifdef ATT_PORT_COPY
    att_port_copy(to, from, size);
#else
    uint8_t *at = to;
    const uint8_t *source = from;
    if (ATT_K_WORDS((uintptr_t)to | (uintptr_t)from)) {
        const uint_fast8_t word = sizeof(att_k_word_t);
        for (; size >= 4 * word; size = (uint_fast8_t)(size - 4 * word)) {
            ((att_k_word_t *)(void *)at)[0] = ((const att_k_word_t *)(const void *)source)[0];
            ((att_k_word_t *)(void *)at)[1] = ((const att_k_word_t *)(const void *)source)[1];
            ((att_k_word_t *)(void *)at)[2] = ((const att_k_word_t *)(const void *)source)[2];
            ((att_k_word_t *)(void *)at)[3] = ((const att_k_word_t *)(const void *)source)[3];
            at += 4 * word;
            source += 4 * word;
        }
        for (; size >= word; size = (uint_fast8_t)(size - word)) {
            *(att_k_word_t *)(void *)at = *(const att_k_word_t *)(const void *)source;
            at += word;
            source += word;
        }
    }
    for (; size != 0; size--) {
        *at++ = *source++;
    }
#endif
}

#endif
