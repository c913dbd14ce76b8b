/*
 * Thread-local storage: a structure of the application's in front of the thread that owns it, so that any
 * code which runs in that thread finds it without being told:
 *
 *     typedef struct { int error; uint8_t depth; } mine_t;
 *     ATT_THREAD_WITH(mine_t, parser, 3, STACK, parse, NULL);      instead of ATT_THREAD
 *
 *     ATT_LOCAL(mine_t)->error = 0;                                anywhere that parser's code calls
 *
 * Finding it is a subtraction from att_thread_self(); the kernel knows nothing of it, and other threads pay
 * nothing. A thread that has none, and idle, must not ask, nor a handler: that is not found out, since a mark
 * that tells would have to be in flash with the stack behind it, or in every thread.
 *
 * Rejected: a word or a table of words in every thread by a build option, which all pay for as soon as one
 * uses it; keys that are looked up in a list of (thread, value), which takes longer the more threads use
 * them.
 */
#ifndef ATTACCA_LOCAL_H
#define ATTACCA_LOCAL_H

#include "attacca/thread.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far in front of the thread: its size, up to a thread's alignment. */
#define ATT_K_IN_FRONT(type)                                                                                 \
    ((sizeof(type) + __alignof__(att_thread_t) - 1) / __alignof__(att_thread_t) * __alignof__(att_thread_t))

/* Memory of a thread that has storage of this type, which is all zero when the program begins. For one that
 * starts at run time: att_thread_start(&name.thread, ATT_THREAD_SIZE(name), ...). `stack` is in bytes. */
#define ATT_THREAD_MEMORY_WITH(type, name, stackbytes)                                                       \
    static struct {                                                                                          \
        union {                                                                                              \
            type local;                                                                                      \
            char in_front[ATT_K_IN_FRONT(type)];                                                             \
        } u;                                                                                                 \
        att_thread_t thread;                                                                                 \
        att_port_stack_t stack[ATT_STACK_COUNT(stackbytes)];                                                 \
    } name
#define ATT_THREAD_SIZE(name) (sizeof(name) - offsetof(__typeof__(name), thread))

/* Define such a thread, otherwise as ATT_THREAD does. */
#define ATT_THREAD_WITH(type, name, priority, stackbytes, function, argument)                                \
    ATT_THREAD_MEMORY_WITH(type, name, stackbytes);                                                          \
    static const att_thread_def_t name##_def ATT_PORT_ROM = {&name.thread, (function), (argument),           \
                                                             ATT_K_STATIC_EXTENT(ATT_THREAD_SIZE(name)),     \
                                                             ATT_K_PRIORITY(priority)}

/* The storage of a thread, and the calling one's: a pointer to it. Context: any; a thread that has it. Cost:
 * constant. */
#define ATT_LOCAL_OF(type, thread) ((type *)(void *)((char *)(thread)-ATT_K_IN_FRONT(type)))
#define ATT_LOCAL(type) ATT_LOCAL_OF(type, att_thread_self())

#ifdef __cplusplus
}
#endif

#endif
