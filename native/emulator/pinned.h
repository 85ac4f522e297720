/* Pinned host memory, which the device accesses at the same address. Needs the lock. */
#ifndef VRAMSCOPE_PINNED_H
#define VRAMSCOPE_PINNED_H

#include <stdbool.h>

#include "driver.h"
#include "spans.h"

/* Who owns the memory: the driver (cuMemHostAlloc), or the caller (cuMemHostRegister). */
enum pinned_owner { PINNED_ALLOCATED, PINNED_REGISTERED };

/* Allocates and pins memory. False if the host is out of memory. */
bool pinned_allocate(void **address, size_t bytes, uint32_t flags);

/* Pins memory of the caller. False if the host is out of memory. */
bool pinned_register(const void *address, size_t bytes, uint32_t flags);

/* Whether the whole range is pinned, or some of it. */
bool pinned_covers(uint64_t address, uint64_t bytes);
bool pinned_overlaps(uint64_t address, uint64_t bytes);

/* The memory that was pinned at exactly this address by this kind of call, or null. */
struct span *pinned_at(const void *address, enum pinned_owner owner);

/* The flags with which the memory at an address was pinned. False if it is not pinned. */
bool pinned_flags(const void *address, uint32_t *flags);

/* Unpins memory, and frees it if the driver owns it. */
void pinned_release(struct span *span);
void pinned_release_all(void);

#endif
