/* The driver's copy and memset functions. */
#include "calls.h"
#include "memory.h"
#include "streams.h"

/* The kind of address that a parameter of a copy function accepts. */
enum side { SIDE_HOST, SIDE_DEVICE, SIDE_EITHER };

/* One end of a copy, or false if the address is not valid for it. */
static bool find_copy_end(uint64_t address, uint64_t bytes, enum side side, struct copy_end *end) {
  bool accessible = memory_is_accessible(address, bytes);
  *end = (struct copy_end){address, side == SIDE_DEVICE || (side == SIDE_EITHER && accessible)};
  return side == SIDE_DEVICE ? accessible : address != 0 && span_is_valid(address, bytes);
}

/* Host memory that the device cannot access: the call itself does the copy. */
static bool is_pageable(struct copy_end end, uint64_t bytes) {
  return !end.is_device && !memory_is_accessible(end.address, bytes);
}

/* Enqueues work; waits for it if it is a pageable copy or a call without Async. */
static CUresult enqueue(CUstream handle, struct work work, bool wait) {
  struct stream *stream = stream_of(handle);
  if (stream == NULL) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  struct point end;
  CUresult result = stream_enqueue(stream, work, &end);
  if (result == CUDA_SUCCESS) {
    result = wait ? point_await(end) : calls_error();
  }
  return result;
}

static CUresult copy(uint64_t to, enum side to_side, uint64_t from, enum side from_side, uint64_t bytes, CUstream stream,
                     bool wait) {
  if (bytes == 0) {
    return stream_of(stream) == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
  }
  struct work work = {.kind = WORK_COPY, .copy.bytes = bytes};
  if (!find_copy_end(to, bytes, to_side, &work.copy.to) || !find_copy_end(from, bytes, from_side, &work.copy.from)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  bool pageable = is_pageable(work.copy.to, bytes) || is_pageable(work.copy.from, bytes);
  return enqueue(stream, work, wait || pageable);
}

static CUresult set(uint64_t address, uint32_t value, uint32_t width, uint64_t count, CUstream stream, bool wait) {
  if (count == 0) {
    return stream_of(stream) == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
  }
  if (count > UINT64_MAX / width || address % width != 0 || !memory_is_accessible(address, count * width)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  struct work work = {.kind = WORK_SET, .set = {address, count, value, width}};
  return enqueue(stream, work, wait);
}

#define COPY(to, to_side, from, from_side, stream, wait) \
  DRIVER_CALL(NEEDS_CONTEXT, copy((uint64_t)(to), to_side, (uint64_t)(from), from_side, bytes, stream, wait))

DRIVER_EXPORT CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  COPY(to, SIDE_EITHER, from, SIDE_EITHER, NULL, true);
}

DRIVER_EXPORT CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  COPY(to, SIDE_EITHER, from, SIDE_EITHER, stream, false);
}

DRIVER_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  COPY(to, SIDE_DEVICE, from, SIDE_HOST, NULL, true);
}

DRIVER_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
  COPY(to, SIDE_DEVICE, from, SIDE_HOST, stream, false);
}

DRIVER_EXPORT CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  COPY(to, SIDE_HOST, from, SIDE_DEVICE, NULL, true);
}

DRIVER_EXPORT CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  COPY(to, SIDE_HOST, from, SIDE_DEVICE, stream, false);
}

DRIVER_EXPORT CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  COPY(to, SIDE_DEVICE, from, SIDE_DEVICE, NULL, true);
}

DRIVER_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  COPY(to, SIDE_DEVICE, from, SIDE_DEVICE, stream, false);
}

DRIVER_EXPORT CUresult cuMemsetD8_v2(CUdeviceptr address, unsigned char value, size_t count) {
  DRIVER_CALL(NEEDS_CONTEXT, set(address, value, 1, count, NULL, true));
}

DRIVER_EXPORT CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream) {
  DRIVER_CALL(NEEDS_CONTEXT, set(address, value, 1, count, stream, false));
}

DRIVER_EXPORT CUresult cuMemsetD16_v2(CUdeviceptr address, unsigned short value, size_t count) {
  DRIVER_CALL(NEEDS_CONTEXT, set(address, value, 2, count, NULL, true));
}

DRIVER_EXPORT CUresult cuMemsetD16Async(CUdeviceptr address, unsigned short value, size_t count, CUstream stream) {
  DRIVER_CALL(NEEDS_CONTEXT, set(address, value, 2, count, stream, false));
}

DRIVER_EXPORT CUresult cuMemsetD32_v2(CUdeviceptr address, unsigned int value, size_t count) {
  DRIVER_CALL(NEEDS_CONTEXT, set(address, value, 4, count, NULL, true));
}

DRIVER_EXPORT CUresult cuMemsetD32Async(CUdeviceptr address, unsigned int value, size_t count, CUstream stream) {
  DRIVER_CALL(NEEDS_CONTEXT, set(address, value, 4, count, stream, false));
}
