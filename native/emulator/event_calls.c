/* The driver's event functions. */
#include <stdlib.h>

#include "calls.h"
#include "handles.h"
#include "streams.h"

static struct event *event_of(CUevent handle) { return handle_object(HANDLE_EVENT, (uint64_t)handle); }

static CUresult create(CUevent *handle, unsigned int flags) {
  if (handle == NULL || (flags & ~(unsigned)CU_EVENT_FLAGS) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  struct event *event = calloc(1, sizeof *event);
  uint64_t opened = event == NULL ? 0 : handle_open(HANDLE_EVENT, event);
  if (opened == 0) {
    free(event);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  event->flags = flags;
  *handle = (CUevent)opened;
  return CUDA_SUCCESS;
}

static CUresult destroy(CUevent handle) {
  if (event_of(handle) == NULL) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  handle_close(HANDLE_EVENT, (uint64_t)handle);
  return CUDA_SUCCESS;
}

static CUresult record(CUevent handle, CUstream stream_handle, unsigned int flags) {
  struct stream *stream = stream_of(stream_handle);
  if (event_of(handle) == NULL || stream == NULL) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (flags != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  struct point ignored;
  return stream_enqueue(stream, (struct work){.kind = WORK_EVENT, .event = (uint64_t)handle}, &ignored);
}

/* An event that was never recorded is complete. */
static CUresult query(CUevent handle) {
  struct event *event = event_of(handle);
  if (event == NULL) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  streams_run();
  CUresult fault = calls_error();
  return fault != CUDA_SUCCESS ? fault : point_is_done(event->point) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

static CUresult synchronize(CUevent handle) {
  struct event *event = event_of(handle);
  return event == NULL ? CUDA_ERROR_INVALID_HANDLE : point_await(event->point);
}

static CUresult wait(CUstream stream_handle, CUevent handle, unsigned int flags) {
  struct stream *stream = stream_of(stream_handle);
  struct event *event = event_of(handle);
  if (stream == NULL || event == NULL) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (flags > 1) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (event->point.sequence == 0) {
    return CUDA_SUCCESS;
  }
  struct work work = {.kind = WORK_WAIT, .wait = {(uint64_t)handle, event->point.stream, event->point.sequence}};
  struct point ignored;
  return stream_enqueue(stream, work, &ignored);
}

static CUresult elapsed(float *milliseconds, CUevent start_handle, CUevent end_handle) {
  struct event *start = event_of(start_handle), *end = event_of(end_handle);
  if (milliseconds == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  bool timed = start != NULL && end != NULL && ((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING) == 0;
  if (!timed || start->point.sequence == 0 || end->point.sequence == 0) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  streams_run();
  if (!point_is_done(start->point) || !point_is_done(end->point)) {
    return CUDA_ERROR_NOT_READY;
  }
  *milliseconds = (float)((double)(int64_t)(end->finished_at - start->finished_at) / 1e6);
  return CUDA_SUCCESS;
}

DRIVER_EXPORT CUresult cuEventCreate(CUevent *event, unsigned int flags) {
  DRIVER_CALL(NEEDS_CONTEXT, create(event, flags));
}

DRIVER_EXPORT CUresult cuEventDestroy_v2(CUevent event) { DRIVER_CALL(NEEDS_CONTEXT, destroy(event)); }

DRIVER_EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
  DRIVER_CALL(NEEDS_CONTEXT, record(event, stream, 0));
}

DRIVER_EXPORT CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
  DRIVER_CALL(NEEDS_CONTEXT, record(event, stream, flags));
}

DRIVER_EXPORT CUresult cuEventQuery(CUevent event) { DRIVER_CALL(NEEDS_CONTEXT, query(event)); }

DRIVER_EXPORT CUresult cuEventSynchronize(CUevent event) { DRIVER_CALL(NEEDS_CONTEXT, synchronize(event)); }

DRIVER_EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  DRIVER_CALL(NEEDS_CONTEXT, elapsed(milliseconds, start, end));
}

DRIVER_EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  DRIVER_CALL(NEEDS_CONTEXT, wait(stream, event, flags));
}
