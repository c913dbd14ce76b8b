/* The whole public interface. */
#ifndef ATTACCA_H
#define ATTACCA_H

#include "attacca/base.h"
#include "attacca/arena.h"
#include "board.h"
#include "attacca/cache.h"
#include "attacca/choice.h"
#include "attacca/cond.h"
#include "attacca/delegate.h"
#include "attacca/fault.h"
#include "attacca/flags.h"
#include "attacca/group.h"
#include "attacca/meter.h"
#include "attacca/guarded_pool.h"
#include "attacca/heap.h"
#include "attacca/mailbox.h"
#include "attacca/pool.h"
#include "attacca/mutex.h"
#include "attacca/job.h"
#include "attacca/local.h"
#include "attacca/message.h"
#include "attacca/rwlock.h"
#include "attacca/sem.h"
#include "attacca/stream.h"
#include "attacca/source.h"
#include "attacca/thread.h"
#include "attacca/time.h"
#include "attacca/timer.h"
#include "attacca/trace.h"

#endif
