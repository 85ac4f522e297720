/* Reservations and pages. */
#include "driver_api.h"

static CUdeviceptr reserved(size_t bytes) {
  CUdeviceptr address = 0;
  OK(cuMemAddressReserve(&address, bytes, 0, 0, 0));
  return address;
}

static CUmemGenericAllocationHandle page(size_t bytes) {
  CUmemGenericAllocationHandle handle = 0;
  OK(cuMemCreate(&handle, bytes, &ON_DEVICE, 0));
  return handle;
}

static void map(CUdeviceptr address, size_t bytes, CUmemGenericAllocationHandle handle) {
  OK(cuMemMap(address, bytes, 0, handle, 0));
  OK(cuMemSetAccess(address, bytes, &READ_WRITE, 1));
}

static void reservations_get_the_lowest_range_and_use_no_memory(void) {
  fresh_device(16 * MIB);
  CUdeviceptr first = reserved(1ull << 40), second = reserved(1), third = reserved(4 * MIB);
  CHECK_EQUAL(first, vramscope_emulator_base() + (1ull << 44));
  CHECK_EQUAL(second, first + (1ull << 40));
  CHECK_EQUAL(third, second + 2 * MIB);
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 0);
  OK(cuMemAddressFree(first, 1ull << 40));
  CHECK_EQUAL(reserved(2 * MIB), first);
  OK(cuMemAddressFree(second, 1));
  CHECK_EQUAL(reserved(1ull << 40), first + 2 * MIB);
}

static void alignment_is_respected(void) {
  fresh_device(16 * MIB);
  CUdeviceptr address = 0;
  reserved(2 * MIB);
  OK(cuMemAddressReserve(&address, 2 * MIB, 1ull << 30, 0, 0));
  CHECK_EQUAL(address % (1ull << 30), 0);
  CHECK_EQUAL(reserved(4 * MIB), vramscope_emulator_base() + (1ull << 44) + 2 * MIB);
  CHECK_EQUAL(cuMemAddressReserve(&address, 2 * MIB, 3, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemAddressReserve(&address, 1ull << 50, 0, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_EQUAL(cuMemAddressReserve(&address, SIZE_MAX, 0, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
}

static void page_mapped_twice_has_one_memory(void) {
  fresh_device(16 * MIB);
  CUdeviceptr range = reserved(8 * MIB);
  CUmemGenericAllocationHandle memory = page(2 * MIB);
  map(range, 2 * MIB, memory);
  map(range + 4 * MIB, 2 * MIB, memory);
  OK(cuMemsetD32_v2(range, 0xcafe, 1));
  CHECK_EQUAL(word_at(range + 4 * MIB), 0xcafe);
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 2 * MIB);
}

static void mapped_range_cannot_be_mapped_again(void) {
  fresh_device(16 * MIB);
  CUdeviceptr range = reserved(8 * MIB);
  CUmemGenericAllocationHandle small = page(2 * MIB), large = page(4 * MIB);
  map(range + 2 * MIB, 2 * MIB, small);
  CHECK_EQUAL(cuMemMap(range + 2 * MIB, 2 * MIB, 0, small, 0), CUDA_ERROR_ALREADY_MAPPED);
  CHECK_EQUAL(cuMemMap(range, 4 * MIB, 0, large, 0), CUDA_ERROR_ALREADY_MAPPED);
}

static void page_is_freed_when_released_and_unmapped_in_either_order(void) {
  fresh_device(16 * MIB);
  CUdeviceptr range = reserved(8 * MIB);
  CUmemGenericAllocationHandle memory = page(4 * MIB);
  map(range, 4 * MIB, memory);
  OK(cuMemRelease(memory));
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 4 * MIB);
  OK(cuMemUnmap(range, 4 * MIB));
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 0);

  memory = page(4 * MIB);
  map(range, 4 * MIB, memory);
  OK(cuMemUnmap(range, 4 * MIB));
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 4 * MIB);
  OK(cuMemRelease(memory));
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 0);
  CHECK_EQUAL(cuMemRelease(memory), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemMap(range, 4 * MIB, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);
}

static void retained_page_needs_another_release(void) {
  fresh_device(16 * MIB);
  CUdeviceptr range = reserved(2 * MIB);
  CUmemGenericAllocationHandle memory = page(2 * MIB), same = 0;
  map(range, 2 * MIB, memory);
  OK(cuMemRetainAllocationHandle(&same, (void *)(range + 5)));
  CHECK_EQUAL(same, memory);
  OK(cuMemUnmap(range, 2 * MIB));
  OK(cuMemRelease(memory));
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 2 * MIB);
  OK(cuMemRelease(same));
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 0);
}

static void pages_use_device_memory(void) {
  fresh_device(16 * MIB);
  CUmemGenericAllocationHandle handle;
  page(12 * MIB);
  CHECK_EQUAL(cuMemCreate(&handle, 6 * MIB, &ON_DEVICE, 0), CUDA_ERROR_OUT_OF_MEMORY);
  allocated(4 * MIB);
  CHECK_EQUAL(cuMemCreate(&handle, 2 * MIB, &ON_DEVICE, 0), CUDA_ERROR_OUT_OF_MEMORY);
}

static void pages_are_positive_multiples_of_the_granularity(void) {
  fresh_device(16 * MIB);
  CUmemGenericAllocationHandle handle;
  size_t granularity = 0;
  OK(cuMemGetAllocationGranularity(&granularity, &ON_DEVICE, 0));
  CHECK_EQUAL(granularity, 2 * MIB);
  CHECK_EQUAL(cuMemCreate(&handle, 0, &ON_DEVICE, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemCreate(&handle, 3 * MIB, &ON_DEVICE, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemCreate(&handle, 2 * MIB, NULL, 0), CUDA_ERROR_INVALID_VALUE);
  CUmemAllocationProp other_device = ON_DEVICE;
  other_device.location.id = 1;
  CHECK_EQUAL(cuMemCreate(&handle, 2 * MIB, &other_device, 0), CUDA_ERROR_INVALID_DEVICE);
}

static void only_whole_mappings_can_be_unmapped(void) {
  fresh_device(16 * MIB);
  CUdeviceptr range = reserved(8 * MIB);
  map(range, 4 * MIB, page(4 * MIB));
  map(range + 4 * MIB, 2 * MIB, page(2 * MIB));
  CHECK_EQUAL(cuMemUnmap(range, 2 * MIB), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemUnmap(range, 8 * MIB), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemUnmap(allocated(2 * MIB), 2 * MIB), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemUnmap(range, 6 * MIB));
  CHECK_EQUAL(cuMemUnmap(range, 6 * MIB), CUDA_ERROR_INVALID_VALUE);
}

static void reservation_with_mappings_cannot_be_freed(void) {
  fresh_device(16 * MIB);
  CUdeviceptr range = reserved(8 * MIB);
  map(range + 6 * MIB, 2 * MIB, page(2 * MIB));
  CHECK_EQUAL(cuMemAddressFree(range, 8 * MIB), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemUnmap(range + 6 * MIB, 2 * MIB));
  CHECK_EQUAL(cuMemAddressFree(range, 6 * MIB), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemAddressFree(range + 2 * MIB, 6 * MIB), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemAddressFree(range, 8 * MIB));
}

static void mapping_needs_a_reservation(void) {
  fresh_device(16 * MIB);
  CUdeviceptr range = reserved(4 * MIB);
  CUmemGenericAllocationHandle memory = page(4 * MIB);
  CHECK_EQUAL(cuMemMap(range + 2 * MIB, 4 * MIB, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemMap(range + 8 * MIB, 2 * MIB, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemMap(range + 1, 2 * MIB, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemMap(range, 4 * MIB, 2 * MIB, memory, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemMap(range, 2 * MIB, 0, 0x123456, 0), CUDA_ERROR_INVALID_VALUE);
}

static void mapped_memory_is_inaccessible_until_access_is_set(void) {
  fresh_device(16 * MIB);
  CUdeviceptr range = reserved(2 * MIB);
  unsigned long long flags = 9;
  OK(cuMemMap(range, 2 * MIB, 0, page(2 * MIB), 0));
  OK(cuMemGetAccess(&flags, &READ_WRITE.location, range));
  CHECK_EQUAL(flags, CU_MEM_ACCESS_FLAGS_PROT_NONE);
  CHECK_EQUAL(cuMemsetD8_v2(range, 1, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void access_can_be_read_only(void) {
  fresh_device(16 * MIB);
  CUdeviceptr range = reserved(2 * MIB);
  map(range, 2 * MIB, page(2 * MIB));
  OK(cuMemsetD32_v2(range, 77, 1));
  CUmemAccessDesc read_only = READ_WRITE;
  read_only.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  OK(cuMemSetAccess(range, 2 * MIB, &read_only, 1));
  CHECK_EQUAL(word_at(range), 77);
  CHECK_EQUAL(cuMemsetD32_v2(range, 78, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void access_needs_whole_mappings_and_this_device(void) {
  fresh_device(16 * MIB);
  CUdeviceptr range = reserved(4 * MIB);
  OK(cuMemMap(range, 2 * MIB, 0, page(2 * MIB), 0));
  CUmemAccessDesc wrong = READ_WRITE;
  wrong.location.id = 1;
  CHECK_EQUAL(cuMemSetAccess(range, 2 * MIB, &wrong, 1), CUDA_ERROR_INVALID_DEVICE);
  wrong = READ_WRITE;
  wrong.location.type = 3; /* as JCuda 12.6 passes it */
  CHECK_EQUAL(cuMemSetAccess(range, 2 * MIB, &wrong, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemSetAccess(range, 4 * MIB, &READ_WRITE, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemSetAccess(range, 2 * MIB, NULL, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuMemSetAccess(range, 2 * MIB, &READ_WRITE, 0), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemSetAccess(range, 2 * MIB, &READ_WRITE, 1));
}

int main(void) {
  RUN(reservations_get_the_lowest_range_and_use_no_memory);
  RUN(alignment_is_respected);
  RUN(page_mapped_twice_has_one_memory);
  RUN(mapped_range_cannot_be_mapped_again);
  RUN(page_is_freed_when_released_and_unmapped_in_either_order);
  RUN(retained_page_needs_another_release);
  RUN(pages_use_device_memory);
  RUN(pages_are_positive_multiples_of_the_granularity);
  RUN(only_whole_mappings_can_be_unmapped);
  RUN(reservation_with_mappings_cannot_be_freed);
  RUN(mapping_needs_a_reservation);
  RUN(mapped_memory_is_inaccessible_until_access_is_set);
  RUN(access_can_be_read_only);
  RUN(access_needs_whole_mappings_and_this_device);
  OK(vramscope_emulator_reset());
}
