/*
 * Allocates ranges of numbers, lowest first: device addresses, reservations, and offsets in the physical
 * file. Needs the lock.
 */
#ifndef VRAMSCOPE_RANGES_H
#define VRAMSCOPE_RANGES_H

#include "spans.h"

struct free_ranges {
  struct spans spans; /* no two are adjacent */
};

/* Makes all of [start, start + bytes) free. False if the host is out of memory. */
bool ranges_init(struct free_ranges *ranges, uint64_t start, uint64_t bytes);

/* Allocates the lowest range that fits at a multiple of the alignment (a power of two). */
bool ranges_allocate(struct free_ranges *ranges, uint64_t bytes, uint64_t alignment, uint64_t *start);

/* Frees a whole allocated range, which coalesces with its free neighbours. */
void ranges_free(struct free_ranges *ranges, uint64_t start, uint64_t bytes);

#endif
