/* Pinned host memory, and host memory that is not mapped. */
#include <string.h>
#include <sys/mman.h>

#include "driver_api.h"

static void pinned_memory_has_one_address_on_both_sides(void) {
  fresh_device(16 * MIB);
  void *pinned = NULL;
  CUdeviceptr device = 0;
  unsigned int flags = 0;
  OK(cuMemHostAlloc(&pinned, 100, 2));
  memset(pinned, 5, 100);
  OK(cuMemHostGetDevicePointer_v2(&device, (char *)pinned + 10, 0));
  CHECK_EQUAL(device, (uint64_t)pinned + 10);
  OK(cuMemHostGetFlags(&flags, pinned));
  CHECK_EQUAL(flags, 2);
  OK(cuMemsetD8_v2(device, 6, 1));
  CHECK_EQUAL(((char *)pinned)[10], 6);
  CHECK_EQUAL(((char *)pinned)[11], 5);
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 0);
  OK(cuMemFreeHost(pinned));
  CHECK_EQUAL(cuMemFreeHost(pinned), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemsetD8_v2(device, 6, 1), CUDA_ERROR_INVALID_VALUE);
}

static void memory_can_be_registered_once(void) {
  fresh_device(16 * MIB);
  static char own[8192];
  CUdeviceptr device = 0;
  OK(cuMemHostRegister_v2(own, sizeof own, 0));
  CHECK_EQUAL(cuMemHostRegister_v2(own + 100, 8, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  OK(cuMemHostGetDevicePointer_v2(&device, own, 0));
  OK(cuMemsetD8_v2(device, 9, sizeof own));
  CHECK_EQUAL(own[8191], 9);
  CHECK_EQUAL(cuMemFreeHost(own), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemHostUnregister(own));
  CHECK_EQUAL(cuMemHostUnregister(own), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

static void invalid_requests_are_rejected(void) {
  fresh_device(16 * MIB);
  void *pinned;
  CHECK_EQUAL(cuMemHostAlloc(NULL, 1, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemHostAlloc(&pinned, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemHostAlloc(&pinned, 1, 64), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemHostAlloc(&pinned, SIZE_MAX, 0), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_EQUAL(cuMemHostRegister_v2(NULL, 8, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemHostRegister_v2(&pinned, SIZE_MAX, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemHostGetDevicePointer_v2((CUdeviceptr *)&pinned, (void *)0x1000, 0), CUDA_ERROR_INVALID_VALUE);
}

static void unmapped_host_memory_is_an_error(void) {
  fresh_device(16 * MIB);
  CUdeviceptr block = allocated(2 * MIB);
  CHECK(cuMemcpyHtoD_v2(block, (void *)0x1000, 64) != CUDA_SUCCESS);
  fresh_device(16 * MIB);
  block = allocated(2 * MIB);
  CHECK(cuMemcpyDtoH_v2((void *)0x1000, block, 64) != CUDA_SUCCESS);
}

static void inaccessible_registered_memory_is_an_error(void) {
  fresh_device(16 * MIB);
  void *own = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  OK(cuMemHostRegister_v2(own, 8192, 0));
  mprotect(own, 8192, PROT_NONE); /* not unmapped, so that the address is not reused */
  CHECK(cuMemsetD8_v2((CUdeviceptr)own, 1, 8192) != CUDA_SUCCESS);
  munmap(own, 8192);
}

static void copies_with_pageable_memory_wait(void) {
  fresh_device(16 * MIB);
  OK(vramscope_emulator_manual(1));
  CUdeviceptr block = allocated(2 * MIB);
  CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
  uint32_t sent = 0x600d;
  OK(cuMemcpyHtoDAsync_v2(block, &sent, sizeof sent, stream));
  sent = 0xbad; /* allowed once the call has returned */
  CHECK_EQUAL(word_at(block), 0x600d);
  OK(cuStreamQuery(stream));
}

int main(void) {
  RUN(pinned_memory_has_one_address_on_both_sides);
  RUN(memory_can_be_registered_once);
  RUN(invalid_requests_are_rejected);
  RUN(unmapped_host_memory_is_an_error);
  RUN(inaccessible_registered_memory_is_an_error);
  RUN(copies_with_pageable_memory_wait);
  OK(vramscope_emulator_reset());
}
