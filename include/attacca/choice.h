/*
 * Wait for any of several things at once.
 */
#ifndef ATTACCA_CHOICE_H
#define ATTACCA_CHOICE_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One of the things: what to wait for, and the node by which a thread waits for it. */
typedef struct {
    att_wait_t node; /* first */
    uintptr_t word;
    void *object;
    att_waitq_t *(*attempt)(void *object, uintptr_t *word);
    att_waitq_t *queue; /* where the node is */
} att_choice_t;

#ifdef __cplusplus
}
#endif

#endif
