/* Everything that is tried. */
#include "model.h"

const kind_t *const kinds[] = {&kind_thread, &kind_sem, &kind_ref, &kind_timer, &kind_mutex, NULL};
