/* Queues of items that are copied in two pieces, and threads and handlers that come between them. */
#include "attacca/attacca.h"

#define MIDDLE (ATT_QUEUE_AT_ONCE - 1)
#include "queue.c"
