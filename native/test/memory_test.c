/* cuMemAlloc and cuMemFree: addresses, sizes and errors; copies. */
#include "driver_api.h"

static size_t free_bytes(void) {
  size_t bytes = 0;
  OK(cuMemGetInfo_v2(&bytes, NULL));
  return bytes;
}

static void first_address_is_the_base(void) {
  fresh_device(64 * MIB);
  CHECK_EQUAL(allocated(1), vramscope_emulator_base());
#ifndef __SANITIZE_ADDRESS__
  CHECK_EQUAL(vramscope_emulator_base(), 0x100000000000);
#endif
}

static void lowest_gap_that_fits_is_allocated(void) {
  fresh_device(64 * MIB);
  CUdeviceptr small = allocated(2 * MIB), separator = allocated(2 * MIB), large = allocated(6 * MIB);
  allocated(2 * MIB);
  OK(cuMemFree_v2(small));
  OK(cuMemFree_v2(large));
  CHECK_EQUAL(allocated(4 * MIB), large);
  CHECK_EQUAL(allocated(2 * MIB), small);
  CHECK_EQUAL(allocated(2 * MIB), large + 4 * MIB);
  CHECK_EQUAL(separator, small + 2 * MIB);
}

static void freed_neighbours_coalesce(void) {
  fresh_device(64 * MIB);
  CUdeviceptr blocks[4];
  for (int i = 0; i < 4; i++) {
    blocks[i] = allocated(2 * MIB);
  }
  allocated(2 * MIB);
  OK(cuMemFree_v2(blocks[1]));
  OK(cuMemFree_v2(blocks[3]));
  OK(cuMemFree_v2(blocks[2]));
  CHECK_EQUAL(allocated(6 * MIB), blocks[1]);
}

static void sizes_are_rounded_up_to_the_granularity(void) {
  fresh_device(64 * MIB);
  allocated(1);
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 2 * MIB);
  allocated(2 * MIB + 1);
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 6 * MIB);
  CHECK_EQUAL(free_bytes(), 58 * MIB);
}

static void whole_capacity_can_be_allocated(void) {
  fresh_device(64 * MIB);
  CUdeviceptr rest = allocated(62 * MIB), last = allocated(2 * MIB), none = 0;
  CHECK_EQUAL(free_bytes(), 0);
  CHECK_EQUAL(cuMemAlloc_v2(&none, 1), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_EQUAL(none, 0);
  OK(cuMemFree_v2(last));
  CHECK_EQUAL(cuMemAlloc_v2(&none, 2 * MIB + 1), CUDA_ERROR_OUT_OF_MEMORY);
  OK(cuMemFree_v2(rest));
  CHECK_EQUAL(free_bytes(), 64 * MIB);
}

static void capacity_need_not_be_a_multiple_of_the_granularity(void) {
  fresh_device(3 * MIB);
  allocated(1);
  CUdeviceptr none;
  CHECK_EQUAL(free_bytes(), 1 * MIB);
  CHECK_EQUAL(cuMemAlloc_v2(&none, 1), CUDA_ERROR_OUT_OF_MEMORY);
}

static void other_processes_reduce_free_memory(void) {
  fresh_device(64 * MIB);
  OK(vramscope_emulator_external(60 * MIB));
  CUdeviceptr none;
  CHECK_EQUAL(free_bytes(), 4 * MIB);
  CHECK_EQUAL(cuMemAlloc_v2(&none, 6 * MIB), CUDA_ERROR_OUT_OF_MEMORY);
  allocated(4 * MIB);
  OK(vramscope_emulator_external(UINT64_MAX));
  CHECK_EQUAL(free_bytes(), 0);
  OK(vramscope_emulator_external(0));
  CHECK_EQUAL(free_bytes(), 60 * MIB);
}

static void invalid_sizes_are_rejected(void) {
  fresh_device(64 * MIB);
  CUdeviceptr none;
  CHECK_EQUAL(cuMemAlloc_v2(&none, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemAlloc_v2(NULL, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemAlloc_v2(&none, SIZE_MAX), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_EQUAL(cuMemAlloc_v2(&none, SIZE_MAX - 2 * MIB), CUDA_ERROR_OUT_OF_MEMORY);
}

static void only_allocations_can_be_freed_and_only_once(void) {
  fresh_device(64 * MIB);
  CUdeviceptr block = allocated(4 * MIB);
  CHECK_EQUAL(cuMemFree_v2(block + 2 * MIB), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemFree_v2(0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemFree_v2(0xdeadbeef), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree_v2(block));
  CHECK_EQUAL(cuMemFree_v2(block), CUDA_ERROR_INVALID_VALUE);
}

static void allocations_have_separate_memory(void) {
  fresh_device(64 * MIB);
  CUdeviceptr one = allocated(4 * MIB), two = allocated(4 * MIB);
  OK(cuMemsetD32_v2(one, 0x11111111, MIB));
  OK(cuMemsetD32_v2(two, 0x22222222, MIB));
  CHECK_EQUAL(word_at(one + 4 * MIB - 4), 0x11111111);
  CHECK_EQUAL(word_at(two), 0x22222222);
  CHECK_EQUAL(*(volatile uint32_t *)one, 0x11111111);
}

static void large_device_uses_no_host_memory_until_written(void) {
  fresh_device(1ull << 40);
  CUdeviceptr huge = allocated(1ull << 39);
  OK(cuMemsetD8_v2(huge + (1ull << 38), 7, 1));
  OK(cuMemFree_v2(huge));
}

static void copies_work_in_every_direction(void) {
  fresh_device(64 * MIB);
  enum { COUNT = 100 * KIB }; /* more than one part of a copy */
  static uint16_t sent[COUNT], received[COUNT];
  for (int i = 0; i < COUNT; i++) {
    sent[i] = (uint16_t)(i * 31);
  }
  CUdeviceptr one = allocated(2 * MIB), two = allocated(2 * MIB);
  OK(cuMemcpyHtoD_v2(one + 6, sent, sizeof sent));
  OK(cuMemcpyDtoD_v2(two + 10, one + 6, sizeof sent));
  OK(cuMemcpy(one, two + 10, sizeof sent));
  OK(cuMemcpyDtoH_v2(received, one, sizeof sent));
  for (int i = 0; i < COUNT; i++) {
    CHECK_EQUAL(received[i], sent[i]);
  }
  OK(cuMemsetD16_v2(one, 0xabcd, 3));
  CHECK_EQUAL(word_at(one), 0xabcdabcd);
  CHECK_EQUAL(word_at(one + 4), 0xabcd | (uint32_t)sent[3] << 16);
}

static void invalid_device_addresses_are_rejected(void) {
  fresh_device(64 * MIB);
  CUdeviceptr block = allocated(2 * MIB);
  char host[16] = {0};
  CHECK_EQUAL(cuMemcpyHtoD_v2(block + 2 * MIB - 8, host, 16), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemcpyHtoD_v2((CUdeviceptr)host, host, 16), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemcpyDtoD_v2(block, 0x5000, 16), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemcpyDtoH_v2(host, UINT64_MAX - 3, 16), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemcpyDtoH_v2(NULL, block, 16), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemsetD8_v2(block, 1, SIZE_MAX), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemsetD32_v2(block, 1, SIZE_MAX / 2), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemsetD32_v2(block + 2, 1, 1), CUDA_ERROR_INVALID_VALUE);
}

static void address_range_is_that_of_the_allocation(void) {
  fresh_device(64 * MIB);
  CUdeviceptr block = allocated(3 * MIB), start;
  size_t bytes;
  OK(cuMemGetAddressRange_v2(&start, &bytes, block + 1000));
  CHECK_EQUAL(start, block);
  CHECK_EQUAL(bytes, 4 * MIB);
  CHECK_EQUAL(cuMemGetAddressRange_v2(&start, &bytes, block + 4 * MIB), CUDA_ERROR_NOT_FOUND);
}

int main(void) {
  RUN(first_address_is_the_base);
  RUN(lowest_gap_that_fits_is_allocated);
  RUN(freed_neighbours_coalesce);
  RUN(sizes_are_rounded_up_to_the_granularity);
  RUN(whole_capacity_can_be_allocated);
  RUN(capacity_need_not_be_a_multiple_of_the_granularity);
  RUN(other_processes_reduce_free_memory);
  RUN(invalid_sizes_are_rejected);
  RUN(only_allocations_can_be_freed_and_only_once);
  RUN(allocations_have_separate_memory);
  RUN(large_device_uses_no_host_memory_until_written);
  RUN(copies_work_in_every_direction);
  RUN(invalid_device_addresses_are_rejected);
  RUN(address_range_is_that_of_the_allocation);
  OK(vramscope_emulator_reset());
}
