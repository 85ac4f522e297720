#include "streams.h"

#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "handles.h"

/*
 * Sequence numbers are unique across all streams, and work waits only for work with smaller numbers. So some
 * work is always ready, and executing everything in sequence order is always correct.
 */
static struct stream default_stream = {.handle = 1, .is_default = true};
static struct stream *all = &default_stream; /* always ends with the default stream */
static uint64_t last_sequence;
static bool manual;

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

struct stream *stream_of(CUstream handle) {
  if (handle == NULL || handle == CU_STREAM_LEGACY) {
    return &default_stream;
  }
  return handle_object(HANDLE_STREAM, (uint64_t)handle);
}

/* Null once the stream is destroyed and its work done. */
static struct stream *find_stream(uint64_t handle) {
  struct stream *stream = all;
  while (stream != NULL && stream->handle != handle) {
    stream = stream->next;
  }
  return stream;
}

static struct work *first(const struct stream *stream) {
  return stream->count == 0 ? NULL : &stream->work[stream->head];
}

static bool is_done_up_to(const struct stream *stream, uint64_t sequence) {
  return stream->count == 0 || first(stream)->sequence > sequence;
}

bool point_is_done(struct point point) {
  struct stream *stream = find_stream(point.stream);
  return stream == NULL || is_done_up_to(stream, point.sequence);
}

/* Whether work of `stream` waits for work of `other` that was enqueued before it. */
static bool precedes(const struct stream *other, const struct stream *stream) {
  return (stream->is_default && other->is_blocking) || (stream->is_blocking && other->is_default);
}

static bool is_ready(const struct stream *stream) {
  const struct work *work = first(stream);
  if (work->kind == WORK_WAIT && !point_is_done((struct point){work->wait.stream, work->wait.sequence})) {
    return false;
  }
  for (const struct stream *other = all; other != NULL; other = other->next) {
    if (precedes(other, stream) && !is_done_up_to(other, work->sequence)) {
      return false;
    }
  }
  return true;
}

/* When the first work of a stream, which must be ready, finishes if it starts as early as possible. */
static uint64_t finish_of_first(const struct stream *stream) {
  const struct work *work = first(stream);
  uint64_t start = later(work->enqueued_at, stream->finished_at);
  for (const struct stream *other = all; other != NULL; other = other->next) {
    start = precedes(other, stream) ? later(start, other->finished_at) : start;
  }
  if (work->kind == WORK_WAIT) {
    const struct event *event = handle_object(HANDLE_EVENT, work->wait.event);
    const struct stream *awaited = find_stream(work->wait.stream);
    if (event != NULL && event->point.sequence == work->wait.sequence) {
      start = later(start, event->finished_at);
    } else if (awaited != NULL) {
      start = later(start, awaited->finished_at); /* the event was recorded again, so only an upper bound is known */
    }
  }
  uint64_t nanos = work->kind == WORK_SPIN ? work->spin_nanos : 0;
  return nanos > UINT64_MAX - start ? UINT64_MAX : start + nanos;
}

static void perform(struct work *work) {
  if (!work->performed) {
    work->performed = true;
    CUresult result = work_perform(work);
    if (result != CUDA_SUCCESS) {
      calls_set_sticky_error(result);
    }
  }
}

static void complete_first(struct stream *stream, uint64_t finished_at) {
  struct work *work = first(stream);
  perform(work);
  stream->finished_at = finished_at;
  if (work->kind == WORK_EVENT) {
    struct event *event = handle_object(HANDLE_EVENT, work->event);
    if (event != NULL && event->point.sequence == work->sequence) {
      event->finished_at = finished_at;
    }
  }
  stream->head++;
  stream->count--;
}

/* Frees destroyed streams without work. */
static void free_finished_streams(void) {
  for (struct stream **link = &all; *link != NULL;) {
    struct stream *stream = *link;
    if (stream->is_destroyed && stream->count == 0) {
      *link = stream->next;
      free(stream->work);
      free(stream);
    } else {
      link = &stream->next;
    }
  }
}

void streams_run(void) {
  uint64_t now = now_nanos();
  for (bool progress = !manual; progress;) {
    progress = false;
    for (struct stream *stream = all; stream != NULL; stream = stream->next) {
      while (stream->count > 0 && is_ready(stream) && finish_of_first(stream) <= now) {
        complete_first(stream, finish_of_first(stream));
        progress = true;
      }
    }
  }
  free_finished_streams();
}

uint64_t stream_advance(struct stream *stream, uint64_t steps) {
  uint64_t done = 0;
  while (done < steps && stream->count > 0 && is_ready(stream)) {
    complete_first(stream, now_nanos());
    done++;
  }
  return done; /* the caller has a valid handle, so this stream is not destroyed */
}

/* Raises the targets of the streams that this one waits for, up to its own; true if one was raised. */
static bool propagate_target(const struct stream *stream) {
  bool raised = false;
  for (size_t i = stream->head; i < stream->head + stream->count && stream->work[i].sequence <= stream->target; i++) {
    const struct work *work = &stream->work[i];
    for (struct stream *other = all; other != NULL; other = other->next) {
      uint64_t required = precedes(other, stream) ? work->sequence : 0;
      if (work->kind == WORK_WAIT && other->handle == work->wait.stream) {
        required = later(required, work->wait.sequence);
      }
      if (required > other->target) {
        other->target = required;
        raised = true;
      }
    }
  }
  return raised;
}

/* Completes the work up to a point and the work that it waits for, and nothing else. */
static void complete_up_to(struct point point) {
  for (struct stream *stream = all; stream != NULL; stream = stream->next) {
    stream->target = stream->handle == point.stream ? point.sequence : 0;
  }
  for (bool raised = true; raised;) {
    raised = false;
    for (struct stream *stream = all; stream != NULL; stream = stream->next) {
      raised |= propagate_target(stream);
    }
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (struct stream *stream = all; stream != NULL; stream = stream->next) {
      while (stream->count > 0 && first(stream)->sequence <= stream->target && is_ready(stream)) {
        complete_first(stream, now_nanos());
        progress = true;
      }
    }
  }
  free_finished_streams();
}

static uint64_t next_finish(void) {
  uint64_t earliest = UINT64_MAX;
  for (struct stream *stream = all; stream != NULL; stream = stream->next) {
    if (stream->count > 0 && is_ready(stream) && finish_of_first(stream) < earliest) {
      earliest = finish_of_first(stream);
    }
  }
  return earliest;
}

CUresult point_await(struct point point) {
  streams_run();
  while (!point_is_done(point) && calls_error() == CUDA_SUCCESS) {
    if (manual) {
      complete_up_to(point);
    } else {
      calls_wait_until(next_finish());
      streams_run();
    }
  }
  return calls_error();
}

CUresult stream_enqueue(struct stream *stream, struct work work, struct point *end) {
  if (stream->head + stream->count == stream->capacity && stream->head > 0) {
    memmove(stream->work, &stream->work[stream->head], stream->count * sizeof work);
    stream->head = 0;
  }
  if (stream->count == stream->capacity) {
    size_t capacity = stream->capacity == 0 ? 16 : 2 * stream->capacity;
    struct work *grown = realloc(stream->work, capacity * sizeof work);
    if (grown == NULL) {
      return CUDA_ERROR_OPERATING_SYSTEM;
    }
    stream->work = grown;
    stream->capacity = capacity;
  }
  work.sequence = ++last_sequence;
  work.enqueued_at = now_nanos();
  stream->work[stream->head + stream->count++] = work;
  *end = (struct point){stream->handle, work.sequence};
  if (work.kind == WORK_EVENT) {
    struct event *event = handle_object(HANDLE_EVENT, work.event);
    event->point = *end; /* before it runs, because completion sets the time of this point */
  }
  streams_run();
  return CUDA_SUCCESS;
}

CUresult streams_synchronize(void) {
  uint64_t last = last_sequence; /* without work that other threads enqueue during the wait */
  for (struct stream *stream = all; stream != NULL;) {
    if (is_done_up_to(stream, last)) {
      stream = stream->next;
      continue;
    }
    CUresult result = point_await((struct point){stream->handle, last});
    if (result != CUDA_SUCCESS) {
      return result;
    }
    stream = all; /* the list may have changed */
  }
  return calls_error();
}

static struct work *first_unperformed(void) {
  struct work *earliest = NULL;
  for (struct stream *stream = all; stream != NULL; stream = stream->next) {
    for (size_t i = stream->head; i < stream->head + stream->count; i++) {
      struct work *work = &stream->work[i];
      if (!work->performed) {
        earliest = earliest == NULL || work->sequence < earliest->sequence ? work : earliest;
        break;
      }
    }
  }
  return earliest;
}

CUresult streams_quiesce(void) {
  if (!manual) {
    return streams_synchronize();
  }
  for (struct work *work = first_unperformed(); work != NULL; work = first_unperformed()) {
    perform(work);
  }
  return calls_error();
}

void streams_set_manual(bool is_manual) {
  manual = is_manual;
  streams_run();
}

void streams_close_all(void) {
  for (struct stream *stream = all; stream != NULL; stream = stream->next) {
    stream->count = 0;
    stream->is_destroyed = !stream->is_default;
    handle_release(HANDLE_STREAM, stream->handle);
  }
  free_finished_streams();
  free(default_stream.work);
  default_stream = (struct stream){.handle = 1, .is_default = true};
  handles_close_all(HANDLE_EVENT);
}

CUresult stream_open(unsigned int flags, int priority, CUstream *handle) {
  struct stream *stream = calloc(1, sizeof *stream);
  uint64_t opened = stream == NULL ? 0 : handle_open(HANDLE_STREAM, stream);
  if (opened == 0) {
    free(stream);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  bool is_blocking = (flags & CU_STREAM_NON_BLOCKING) == 0;
  *stream = (struct stream){
      .next = all, .handle = opened, .flags = flags, .priority = priority, .is_blocking = is_blocking};
  all = stream;
  *handle = (CUstream)opened;
  return CUDA_SUCCESS;
}

void stream_close(struct stream *stream) {
  handle_release(HANDLE_STREAM, stream->handle);
  stream->is_destroyed = true;
  free_finished_streams();
}

struct point stream_end(const struct stream *stream) { return (struct point){stream->handle, last_sequence}; }
