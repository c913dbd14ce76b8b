/*
 * What the files of this folder ask of each other.
 */
#ifndef ATTACCA_DYNAMIC_PRIVATE_H
#define ATTACCA_DYNAMIC_PRIVATE_H

#include "attacca/attacca.h"
#include "attacca/dynamic.h"

/* The registry's own lock, with inheritance; and, under it, a new object in the list. */
void att_dynamic_lock(void);
void att_dynamic_unlock(void);
void att_dynamic_link(void *object, const char *name);

#endif
