/*
 * Device memory by address: what cuMemAlloc gave (memory.c), what is mapped into reservations
 * (virtual.c), and reading and writing either. Single-threaded.
 */
#ifndef VRAMSCOPE_MEMORY_H
#define VRAMSCOPE_MEMORY_H

#include "driver.h"
#include "spans.h"

enum {
  MEMORY_READABLE = 1,
  MEMORY_WRITABLE = 2,
  MEMORY_ACCESS = MEMORY_READABLE | MEMORY_WRITABLE,
  MEMORY_ALLOCATED = 4, /* by cuMemAlloc; else mapped */
};

uint64_t memory_base(void);

/* Puts part of the physical file behind an address. */
CUresult memory_map(struct span mapping);
void memory_unmap(struct span *mapping);

/* Sets MEMORY_READABLE and MEMORY_WRITABLE of a mapping. */
CUresult memory_protect(struct span *mapping, uint32_t access);

/* All that is mapped now. */
const struct spans *memory_mappings(void);

/* Whether the address is device memory, or pinned host memory that the device sees. */
bool memory_is_known(uint64_t address, uint64_t bytes);

/* CUDA_ERROR_ILLEGAL_ADDRESS where the device may not read or write. */
CUresult memory_read(uint64_t address, void *to, uint64_t bytes);
CUresult memory_write(uint64_t address, const void *from, uint64_t bytes);

/* Takes all that cuMemAlloc gave back. */
void memory_free_all(void);
void memory_reset(void);

#endif
