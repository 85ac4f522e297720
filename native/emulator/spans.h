/* A sorted table of address ranges that do not overlap. Needs the lock. */
#ifndef VRAMSCOPE_SPANS_H
#define VRAMSCOPE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
  uint64_t start, bytes; /* start + bytes never wraps */
  uint64_t offset;       /* of its memory in the physical file, if any */
  uint64_t page;         /* the handle of the page mapped here, or 0 */
  uint32_t flags;        /* defined by the owner of the table */
};

struct spans {
  struct span *entries; /* ascending by start */
  size_t count, capacity;
};

/* Whether [start, start + bytes) is not empty and within the address space. */
bool span_is_valid(uint64_t start, uint64_t bytes);

/* The span that contains the address, or null. Valid until the next insertion or removal. */
struct span *spans_at(const struct spans *spans, uint64_t address);

/* The lowest span that overlaps the range, or null. */
struct span *spans_within(const struct spans *spans, uint64_t start, uint64_t bytes);

/* Whether spans with these flags cover the whole range. */
bool spans_cover(const struct spans *spans, uint64_t start, uint64_t bytes, uint32_t flags);

/* Whether the range consists of whole spans without gaps. */
bool spans_tile(const struct spans *spans, uint64_t start, uint64_t bytes);

/* False if the host is out of memory. The span must not overlap others. */
bool spans_insert(struct spans *spans, struct span span);

void spans_remove(struct spans *spans, struct span *span);
void spans_clear(struct spans *spans);

#endif
