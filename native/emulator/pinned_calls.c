/* The driver's functions for pinned host memory. */
#include "calls.h"
#include "pinned.h"
#include "streams.h"

static CUresult allocate(void **address, size_t bytes, unsigned int flags) {
  if (address == NULL || bytes == 0 || (flags & ~(unsigned)CU_MEMHOSTALLOC_FLAGS) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return pinned_allocate(address, bytes, flags) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult register_host(void *address, size_t bytes, unsigned int flags) {
  bool valid_flags = (flags & ~(unsigned)CU_MEMHOSTREGISTER_FLAGS) == 0;
  if (address == NULL || !valid_flags || !span_is_valid((uint64_t)address, bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (pinned_overlaps((uint64_t)address, bytes)) {
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  }
  return pinned_register(address, bytes, flags) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult free_host(void *address) {
  if (pinned_at(address, PINNED_ALLOCATED) == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUresult result = streams_quiesce();
  if (result != CUDA_SUCCESS) {
    return result;
  }
  struct span *span = pinned_at(address, PINNED_ALLOCATED); /* again: other threads may have run during the wait */
  if (span == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  pinned_release(span);
  return CUDA_SUCCESS;
}

static CUresult unregister_host(void *address) {
  if (pinned_at(address, PINNED_REGISTERED) == NULL) {
    return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  }
  CUresult result = streams_quiesce();
  struct span *span = pinned_at(address, PINNED_REGISTERED);
  if (result == CUDA_SUCCESS && span != NULL) {
    pinned_release(span);
  }
  return result;
}

/* Unified addressing: the address is the same on host and device. */
static CUresult device_pointer(CUdeviceptr *device, void *host, unsigned int flags) {
  if (device == NULL || flags != 0 || !pinned_covers((uint64_t)host, 1)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *device = (CUdeviceptr)host;
  return CUDA_SUCCESS;
}

static CUresult host_flags(unsigned int *flags, void *host) {
  return flags != NULL && pinned_flags(host, flags) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_EXPORT CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned int flags) {
  DRIVER_CALL(NEEDS_CONTEXT, allocate(address, bytes, flags));
}

DRIVER_EXPORT CUresult cuMemAllocHost_v2(void **address, size_t bytes) {
  DRIVER_CALL(NEEDS_CONTEXT, allocate(address, bytes, 0));
}

DRIVER_EXPORT CUresult cuMemFreeHost(void *address) { DRIVER_CALL(NEEDS_CONTEXT, free_host(address)); }

DRIVER_EXPORT CUresult cuMemHostRegister_v2(void *address, size_t bytes, unsigned int flags) {
  DRIVER_CALL(NEEDS_CONTEXT, register_host(address, bytes, flags));
}

DRIVER_EXPORT CUresult cuMemHostUnregister(void *address) { DRIVER_CALL(NEEDS_CONTEXT, unregister_host(address)); }

DRIVER_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned int flags) {
  DRIVER_CALL(NEEDS_CONTEXT, device_pointer(device, host, flags));
}

DRIVER_EXPORT CUresult cuMemHostGetFlags(unsigned int *flags, void *host) {
  DRIVER_CALL(NEEDS_CONTEXT, host_flags(flags, host));
}
