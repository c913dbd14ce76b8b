/*
 * Sets of flags, and how a thread waits for some of them. A set is a word of the machine, at least 16 bits
 * wide: flags 0 to 15 are there on every board.
 */
#ifndef ATTACCA_MASK_H
#define ATTACCA_MASK_H

#include "attacca/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uintptr_t att_mask_t;

/* How to wait for the flags of a set: one of the first three, or one of them with ATT_KEEP. */
enum {
    ATT_ANY = 0, /* until at least one of them is set; takes all of them that are */
    ATT_ALL = 1, /* until all of them are set; takes them */
    ATT_ONE = 2, /* until at least one of them is set; takes the lowest alone */
    ATT_KEEP = 4 /* what was taken stays set; without it, it is cleared */
};

#ifdef __cplusplus
}
#endif

#endif
