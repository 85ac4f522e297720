/* Events. Needs the lock. */
#ifndef VRAMSCOPE_EVENTS_H
#define VRAMSCOPE_EVENTS_H

#include "streams.h"

struct event {
  unsigned int flags;
  struct point point;   /* where it was last recorded; sequence 0: never recorded */
  uint64_t finished_at; /* nanoseconds, once that point is done */
};

#endif
