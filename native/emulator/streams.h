/*
 * Streams: queues of work, done in order. The one lock guards all of it; only the functions that say so
 * let go of it while they wait.
 */
#ifndef VRAMSCOPE_STREAMS_H
#define VRAMSCOPE_STREAMS_H

#include <stdbool.h>

#include "driver.h"
#include "work.h"

/* A place in a stream, and what came before it. */
struct point {
  uint64_t stream;
  uint64_t sequence; /* 0: the beginning */
};

struct stream {
  struct stream *next;
  uint64_t handle;
  unsigned int flags;
  int priority;
  bool is_default, is_blocking; /* blocking: waits for the default stream, and that one for it */
  bool is_destroyed;            /* has no handle any more, goes when its work is done */
  struct work *work;            /* a queue: entries head .. head + count */
  size_t head, count, capacity;
  uint64_t finished_at; /* when its last completed work was done, nanoseconds */
  uint64_t wanted;      /* in force(): complete up to this sequence number */
};

/* CUDA_ERROR_OUT_OF_MEMORY when the host has none left. */
CUresult stream_open(unsigned int flags, int priority, CUstream *handle);

/* Its handle means nothing from now on; what is in it is still done. Not for the default stream. */
void stream_close(struct stream *stream);

/* Null for what is no stream. Null and CU_STREAM_LEGACY are the default stream. */
struct stream *stream_of(CUstream handle);

/* Puts work at the end of a stream and lets run what can. */
CUresult stream_enqueue(struct stream *stream, struct work work, struct point *end);

/* All that is in a stream now. */
struct point stream_end(const struct stream *stream);

/* Whether everything up to the point is done. */
bool point_is_done(struct point point);

/* Waits (or, when streams are manual, does it). Lets others in. Answers a fault of the device. */
CUresult point_await(struct point point);

/* What cuMemFree implies: all streams are waited for; manual ones do their work, but complete nothing. */
CUresult streams_quiesce(void);

/* Waits for all streams. Lets others in. */
CUresult streams_synchronize(void);

/* Completes what is ready by now. Does nothing when streams are manual. */
void streams_run(void);

/* Completes up to that many steps of a stream. */
uint64_t stream_advance(struct stream *stream, uint64_t steps);

void streams_set_manual(bool manual);

/* Drops all streams and what is in them. */
void streams_close_all(void);

#endif
