/* The driver's stream functions. */
#include "calls.h"
#include "contexts.h"
#include "streams.h"

enum { LOWEST_PRIORITY = 0, HIGHEST_PRIORITY = -5 }; /* as on real devices */

static CUresult create(CUstream *handle, unsigned int flags, int priority) {
  if (handle == NULL || (flags & ~(unsigned)CU_STREAM_NON_BLOCKING) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  int clamped = priority < HIGHEST_PRIORITY ? HIGHEST_PRIORITY : priority;
  return stream_open(flags, clamped > LOWEST_PRIORITY ? LOWEST_PRIORITY : clamped, handle);
}

static CUresult destroy(CUstream handle) {
  struct stream *stream = stream_of(handle);
  if (stream == NULL || stream->is_default) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  stream_close(stream);
  return CUDA_SUCCESS;
}

static CUresult synchronize(CUstream handle) {
  struct stream *stream = stream_of(handle);
  return stream == NULL ? CUDA_ERROR_INVALID_HANDLE : point_await(stream_end(stream));
}

static CUresult query(CUstream handle) {
  struct stream *stream = stream_of(handle);
  if (stream == NULL) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  streams_run();
  CUresult fault = calls_error();
  return fault != CUDA_SUCCESS ? fault : stream->count == 0 ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

static CUresult describe(CUstream handle, unsigned int *flags, int *priority, unsigned long long *id,
                         CUcontext *context) {
  struct stream *stream = stream_of(handle);
  if (stream == NULL) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (flags != NULL) {
    *flags = stream->flags;
  } else if (priority != NULL) {
    *priority = stream->priority;
  } else if (id != NULL) {
    *id = stream->handle;
  } else if (context != NULL) {
    *context = contexts_primary();
  } else {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

static CUresult priority_range(int *least, int *greatest) {
  if (least != NULL) {
    *least = LOWEST_PRIORITY;
  }
  if (greatest != NULL) {
    *greatest = HIGHEST_PRIORITY;
  }
  return CUDA_SUCCESS;
}

DRIVER_EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
  DRIVER_CALL(NEEDS_CONTEXT, create(stream, flags, LOWEST_PRIORITY));
}

DRIVER_EXPORT CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
  DRIVER_CALL(NEEDS_CONTEXT, create(stream, flags, priority));
}

DRIVER_EXPORT CUresult cuStreamDestroy_v2(CUstream stream) { DRIVER_CALL(NEEDS_CONTEXT, destroy(stream)); }

DRIVER_EXPORT CUresult cuStreamSynchronize(CUstream stream) { DRIVER_CALL(NEEDS_CONTEXT, synchronize(stream)); }

DRIVER_EXPORT CUresult cuStreamQuery(CUstream stream) { DRIVER_CALL(NEEDS_CONTEXT, query(stream)); }

DRIVER_EXPORT CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags) {
  DRIVER_CALL(NEEDS_CONTEXT, describe(stream, flags, NULL, NULL, NULL));
}

DRIVER_EXPORT CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  DRIVER_CALL(NEEDS_CONTEXT, describe(stream, NULL, priority, NULL, NULL));
}

DRIVER_EXPORT CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  DRIVER_CALL(NEEDS_CONTEXT, describe(stream, NULL, NULL, id, NULL));
}

DRIVER_EXPORT CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  DRIVER_CALL(NEEDS_CONTEXT, describe(stream, NULL, NULL, NULL, context));
}

DRIVER_EXPORT CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  DRIVER_CALL(NEEDS_CONTEXT, priority_range(least, greatest));
}

DRIVER_EXPORT CUresult cuCtxSynchronize(void) { DRIVER_CALL(NEEDS_CONTEXT, streams_synchronize()); }
