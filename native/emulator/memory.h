/*
 * Device memory by address: the mappings of allocations (allocations.c) and of pages (virtual.c), and
 * access to them. Needs the lock.
 */
#ifndef VRAMSCOPE_MEMORY_H
#define VRAMSCOPE_MEMORY_H

#include "driver.h"
#include "spans.h"

enum {
  MEMORY_READABLE = 1,
  MEMORY_WRITABLE = 2,
  MEMORY_ACCESS = MEMORY_READABLE | MEMORY_WRITABLE,
  MEMORY_ALLOCATED = 4, /* by cuMemAlloc; otherwise a mapped page */
};

uint64_t memory_base(void);

/* Maps a part of the physical file to an address. */
CUresult memory_map(struct span mapping);
void memory_unmap(struct span *mapping);

/* Sets MEMORY_READABLE and MEMORY_WRITABLE of a mapping. */
CUresult memory_protect(struct span *mapping, uint32_t access);

/* All current mappings. */
const struct spans *memory_mappings(void);

/* Whether the range is device memory, or pinned host memory. */
bool memory_is_accessible(uint64_t address, uint64_t bytes);

/* CUDA_ERROR_ILLEGAL_ADDRESS if the device has no access. */
CUresult memory_read(uint64_t address, void *to, uint64_t bytes);
CUresult memory_write(uint64_t address, const void *from, uint64_t bytes);

/* Removes all mappings. Their physical memory is not freed. */
void memory_reset(void);

#endif
