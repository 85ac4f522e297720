/*
 * Streams: queues of work that is executed in order; and events, which record a point in one. All
 * functions need the lock; some release it while they wait, as documented.
 */
#ifndef VRAMSCOPE_STREAMS_H
#define VRAMSCOPE_STREAMS_H

#include <stdbool.h>

#include "driver.h"
#include "work.h"

/* A point in a stream: all work up to a sequence number. */
struct point {
  uint64_t stream;
  uint64_t sequence; /* 0: the start of the stream */
};

struct event {
  unsigned int flags;
  struct point point;   /* where it was last recorded; sequence 0: never recorded */
  uint64_t finished_at; /* nanoseconds, once that point is done */
};

struct stream {
  struct stream *next;
  uint64_t handle;
  unsigned int flags;
  int priority;
  bool is_default, is_blocking; /* blocking: synchronizes with the default stream */
  bool is_destroyed;            /* its handle is invalid; freed once its work is done */
  struct work *work;            /* a queue: entries head to head + count */
  size_t head, count, capacity;
  uint64_t finished_at; /* when its last work completed, nanoseconds */
  uint64_t target;      /* in complete_up_to(): complete up to this sequence number */
};

/* CUDA_ERROR_OUT_OF_MEMORY if the host is out of memory. */
CUresult stream_open(unsigned int flags, int priority, CUstream *handle);

/* Invalidates the handle; enqueued work is still executed. Not for the default stream. */
void stream_close(struct stream *stream);

/* Null for an invalid handle. The handles null and CU_STREAM_LEGACY are the default stream. */
struct stream *stream_of(CUstream handle);

/* Appends work to a stream and runs all work that is ready. */
CUresult stream_enqueue(struct stream *stream, struct work work, struct point *end);

/* The current end of a stream. */
struct point stream_end(const struct stream *stream);

/* Whether everything up to the point is done. */
bool point_is_done(struct point point);

/* Waits for a point, or executes the work up to it if streams are manual. Releases the lock while it
 * waits. Returns the error of the device, if any. */
CUresult point_await(struct point point);

/* The wait of cuMemFree: waits for all streams, releasing the lock. Manual streams execute their work
 * instead, but complete no event. */
CUresult streams_quiesce(void);

/* Waits for all streams. Releases the lock while it waits. */
CUresult streams_synchronize(void);

/* Completes all work that is ready. Does nothing if streams are manual. */
void streams_run(void);

/* Completes up to `steps` steps of a stream. */
uint64_t stream_advance(struct stream *stream, uint64_t steps);

void streams_set_manual(bool manual);

/* Drops all streams and their work, and all events. */
void streams_close_all(void);

#endif
