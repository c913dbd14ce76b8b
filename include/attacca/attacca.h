/* What applications use. Apart: inline.h and dynamic.h, optional; debug.h and port_api.h, for tests and
 * boards. */
#ifndef ATTACCA_H
#define ATTACCA_H

#include "attacca/arena.h"
#include "attacca/base.h"
#include "attacca/cache.h"
#include "attacca/cond.h"
#include "attacca/delegate.h"
#include "attacca/event_source.h"
#include "attacca/fault.h"
#include "attacca/fifo.h"
#include "attacca/flags.h"
#include "attacca/group.h"
#include "attacca/guarded_pool.h"
#include "attacca/heap.h"
#include "attacca/job.h"
#include "attacca/local.h"
#include "attacca/mailbox.h"
#include "attacca/message.h"
#include "attacca/meter.h"
#include "attacca/mutex.h"
#include "attacca/pool.h"
#include "attacca/queue.h"
#include "attacca/recorder.h"
#include "attacca/rwlock.h"
#include "attacca/sem.h"
#include "attacca/statistics.h"
#include "attacca/stream.h"
#include "attacca/thread.h"
#include "attacca/time.h"
#include "attacca/timer.h"
#include "attacca/trace.h"
#include "attacca/wait_set.h"
#include "board.h"

#endif
