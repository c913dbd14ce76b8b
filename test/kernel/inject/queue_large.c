/* Queues of items that are copied in two pieces, with threads and handlers that run between the pieces. */
#include "attacca/attacca.h"

#define MIDDLE (ATT_QUEUE_AT_ONCE - 1)
#include "queue.c"
