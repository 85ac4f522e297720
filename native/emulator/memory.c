#define _GNU_SOURCE
#include "memory.h"

#include <string.h>
#include <sys/mman.h>

#include "calls.h"
#include "host.h"
#include "physical.h"
#include "ranges.h"
#include "streams.h"

/*
 * The addresses:  base ........ + 2^44  cuMemAlloc        (here)
 *                 base + 2^44 . + 2^46  reservations      (virtual.c)
 */
#ifdef __SANITIZE_ADDRESS__
static const uint64_t BASE = 0x110000000000;
#else
static const uint64_t BASE = 0x100000000000;
#endif
static const uint64_t BYTES = 1ull << 44;

static struct free_ranges addresses;
static struct spans mappings;

uint64_t memory_base(void) { return BASE; }
const struct spans *memory_mappings(void) { return &mappings; }

static int protection_of(uint32_t flags) {
  int protection = PROT_NONE;
  protection |= flags & MEMORY_READABLE ? PROT_READ : 0;
  protection |= flags & MEMORY_WRITABLE ? PROT_WRITE : 0;
  return protection;
}

CUresult memory_map(struct span mapping) {
  void *requested = (void *)mapping.start;
  void *mapped = mmap(requested, mapping.bytes, protection_of(mapping.flags),
                   MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, physical_file(), (off_t)mapping.offset);
  if (mapped == MAP_FAILED) {
    return CUDA_ERROR_OPERATING_SYSTEM; /* the address is used by something else in this process */
  }
  if (mapped != requested || !spans_insert(&mappings, mapping)) { /* old kernels treat the address as a hint */
    munmap(mapped, mapping.bytes);
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  return CUDA_SUCCESS;
}

void memory_unmap(struct span *mapping) {
  munmap((void *)mapping->start, mapping->bytes);
  spans_remove(&mappings, mapping);
}

CUresult memory_protect(struct span *mapping, uint32_t access) {
  if (mprotect((void *)mapping->start, mapping->bytes, protection_of(access)) != 0) {
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  mapping->flags = (mapping->flags & ~(uint32_t)MEMORY_ACCESS) | access;
  return CUDA_SUCCESS;
}

bool memory_is_accessible(uint64_t address, uint64_t bytes) {
  return spans_cover(&mappings, address, bytes, 0) || host_is_pinned(address, bytes);
}

CUresult memory_read(uint64_t address, void *to, uint64_t bytes) {
  if (spans_cover(&mappings, address, bytes, MEMORY_READABLE)) {
    memcpy(to, (const void *)address, bytes);
    return CUDA_SUCCESS;
  }
  return host_is_pinned(address, bytes) ? host_read((const void *)address, to, bytes) : CUDA_ERROR_ILLEGAL_ADDRESS;
}

CUresult memory_write(uint64_t address, const void *from, uint64_t bytes) {
  if (spans_cover(&mappings, address, bytes, MEMORY_WRITABLE)) {
    memcpy((void *)address, from, bytes);
    return CUDA_SUCCESS;
  }
  return host_is_pinned(address, bytes) ? host_write((void *)address, from, bytes) : CUDA_ERROR_ILLEGAL_ADDRESS;
}

static CUresult allocate(CUdeviceptr *address, size_t bytes) {
  if (address == NULL || bytes == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (addresses.spans.entries == NULL && !ranges_init(&addresses, BASE, BYTES)) {
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
  struct span *mapping = spans_at(&mappings, address);
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
  struct span *mapping = spans_at(&mappings, address);
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

void memory_free_all(void) {
  for (size_t i = mappings.count; i-- > 0;) {
    if (mappings.entries[i].flags & MEMORY_ALLOCATED) {
      free_mapping(&mappings.entries[i]);
    }
  }
}

void memory_reset(void) {
  memory_free_all();
  while (mappings.count > 0) {
    memory_unmap(&mappings.entries[mappings.count - 1]);
  }
  spans_clear(&mappings);
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
