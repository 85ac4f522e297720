#define _GNU_SOURCE
#include "memory.h"

#include <string.h>
#include <sys/mman.h>

#include "host.h"
#include "physical.h"
#include "pinned.h"

/*
 * The addresses:  base ........ + 2^44  allocations.c
 *                 base + 2^44 . + 2^46  reservations (virtual.c)
 */
#ifdef __SANITIZE_ADDRESS__
static const uint64_t BASE = 0x110000000000;
#else
static const uint64_t BASE = 0x100000000000;
#endif

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
  return spans_cover(&mappings, address, bytes, 0) || pinned_covers(address, bytes);
}

CUresult memory_read(uint64_t address, void *to, uint64_t bytes) {
  if (spans_cover(&mappings, address, bytes, MEMORY_READABLE)) {
    memcpy(to, (const void *)address, bytes);
    return CUDA_SUCCESS;
  }
  return pinned_covers(address, bytes) ? host_read((const void *)address, to, bytes) : CUDA_ERROR_ILLEGAL_ADDRESS;
}

CUresult memory_write(uint64_t address, const void *from, uint64_t bytes) {
  if (spans_cover(&mappings, address, bytes, MEMORY_WRITABLE)) {
    memcpy((void *)address, from, bytes);
    return CUDA_SUCCESS;
  }
  return pinned_covers(address, bytes) ? host_write((void *)address, from, bytes) : CUDA_ERROR_ILLEGAL_ADDRESS;
}

void memory_reset(void) {
  while (mappings.count > 0) {
    memory_unmap(&mappings.entries[mappings.count - 1]);
  }
  spans_clear(&mappings);
}
