#include "allocations.h"

#include "calls.h"
#include "memory.h"
#include "physical.h"
#include "ranges.h"
#include "streams.h"

static const uint64_t BYTES = 1ull << 44;

static struct free_ranges addresses;

static CUresult allocate(CUdeviceptr *address, size_t bytes) {
  if (address == NULL || bytes == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (addresses.spans.entries == NULL && !ranges_init(&addresses, memory_base(), BYTES)) {
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  struct span mapping = {.bytes = physical_round_up(bytes), .flags = MEMORY_ALLOCATED | MEMORY_ACCESS};
  CUresult result = physical_allocate(mapping.bytes, &mapping.offset);
  if (result != CUDA_SUCCESS) {
    return result;
  }
  if (!ranges_allocate(&addresses, mapping.bytes, physical_granularity(), &mapping.start)) {
    physical_release(mapping.offset, mapping.bytes);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  result = memory_map(mapping);
  if (result != CUDA_SUCCESS) {
    ranges_free(&addresses, mapping.start, mapping.bytes);
    physical_release(mapping.offset, mapping.bytes);
    return result;
  }
  *address = mapping.start;
  return CUDA_SUCCESS;
}

static struct span *allocation_at(CUdeviceptr address) {
  struct span *mapping = spans_at(memory_mappings(), address);
  bool allocated = mapping != NULL && (mapping->flags & MEMORY_ALLOCATED) != 0 && mapping->start == address;
  return allocated ? mapping : NULL;
}

static void free_mapping(struct span *mapping) {
  struct span freed = *mapping;
  memory_unmap(mapping);
  ranges_free(&addresses, freed.start, freed.bytes);
  physical_release(freed.offset, freed.bytes);
}

static CUresult free_allocation(CUdeviceptr address) {
  if (allocation_at(address) == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUresult result = streams_quiesce();
  if (result != CUDA_SUCCESS) {
    return result;
  }
  struct span *mapping = allocation_at(address); /* again: other threads may have run during the wait */
  if (mapping == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  free_mapping(mapping);
  return CUDA_SUCCESS;
}

static CUresult memory_info(size_t *free_bytes, size_t *total_bytes) {
  if (free_bytes != NULL) {
    *free_bytes = physical_free_bytes();
  }
  if (total_bytes != NULL) {
    *total_bytes = physical_capacity();
  }
  return CUDA_SUCCESS;
}

static CUresult address_range(CUdeviceptr *start, size_t *bytes, CUdeviceptr address) {
  struct span *mapping = spans_at(memory_mappings(), address);
  if (mapping == NULL) {
    return CUDA_ERROR_NOT_FOUND;
  }
  if (start != NULL) {
    *start = mapping->start;
  }
  if (bytes != NULL) {
    *bytes = mapping->bytes;
  }
  return CUDA_SUCCESS;
}

void allocations_free_all(void) {
  const struct spans *mappings = memory_mappings();
  for (size_t i = mappings->count; i-- > 0;) {
    if (mappings->entries[i].flags & MEMORY_ALLOCATED) {
      free_mapping(&mappings->entries[i]);
    }
  }
}

void allocations_reset(void) {
  allocations_free_all();
  spans_clear(&addresses.spans);
}

DRIVER_EXPORT CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes) {
  DRIVER_CALL(NEEDS_CONTEXT, memory_info(free_bytes, total_bytes));
}

DRIVER_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  DRIVER_CALL(NEEDS_CONTEXT, allocate(address, bytes));
}

DRIVER_EXPORT CUresult cuMemFree_v2(CUdeviceptr address) { DRIVER_CALL(NEEDS_CONTEXT, free_allocation(address)); }

DRIVER_EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr *start, size_t *bytes, CUdeviceptr address) {
  DRIVER_CALL(NEEDS_CONTEXT, address_range(start, bytes, address));
}
