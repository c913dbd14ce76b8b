/*
 * What the files of this folder ask of each other.
 */
#ifndef ATTACCA_DYNAMIC_PRIVATE_H
#define ATTACCA_DYNAMIC_PRIVATE_H

#include "attacca/attacca.h"
#include "attacca/dynamic.h"
#include "attacca/dynamic_objects.h"

/* The registry's own lock, with inheritance; and, under it, a new object in the list. */
void att_dynamic_lock(void);
void att_dynamic_unlock(void);
void att_dynamic_link(void *object, const char *name);

/* For an object and what it holds; SIZE_MAX, of which there never is room, instead of an overflow. */
static inline size_t att_dynamic_size(size_t object, size_t each, size_t count)
{
    size_t all;
    return __builtin_mul_overflow(each, count, &all) || __builtin_add_overflow(all, object, &all) ? SIZE_MAX
                                                                                                  : all;
}

static inline size_t att_dynamic_block(size_t size)
{
    const size_t block = ATT_POOL_BLOCK(size);
    return block < size ? SIZE_MAX : block;
}

#if ATT_CFG_CHECK >= 1
#define ATT_DYNAMIC_DELETED(object) ((object)->tag = ATT_TAG_DELETED)
#else
#define ATT_DYNAMIC_DELETED(object) ((void)(object))
#endif

#endif
