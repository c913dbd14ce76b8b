/*
 * Timers, created at run time. A timer is ended by a thread, so its callback does not run then.
 */
#include "dynamic.h"

static void end_timer(void *object)
{
    att_timer_stop(object);
}

const att_kind_t att_kind_timer = {end_timer, NULL};

att_timer_t *att_timer_create(const att_store_t *store, const char *name, void (*callback)(void *arg),
                              void *arg)
{
    att_timer_t *timer = att_object_alloc(store, &att_kind_timer, sizeof(*timer));
    if (timer != NULL) {
        att_timer_init(timer, callback, arg);
    }
    return att_object_publish(timer, name);
}
