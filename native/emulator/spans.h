/* A sorted table of address ranges that do not overlap: what is where. Single-threaded. */
#ifndef VRAMSCOPE_SPANS_H
#define VRAMSCOPE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
  uint64_t start, bytes; /* start + bytes never wraps */
  uint64_t offset;       /* of the memory behind it in the physical file, where there is some */
  uint64_t page;         /* the handle mapped here, or 0 */
  uint32_t flags;        /* the owner's */
};

struct spans {
  struct span *entries; /* ascending by start */
  size_t count, capacity;
};

/* Whether [start, start + bytes) is a range at all: not empty, not past the end of the address space. */
bool span_is_valid(uint64_t start, uint64_t bytes);

/* The span that holds the address, or null. Good until the next insertion or removal. */
struct span *spans_at(const struct spans *spans, uint64_t address);

/* The lowest span that reaches into the range, or null. */
struct span *spans_within(const struct spans *spans, uint64_t start, uint64_t bytes);

/* Whether the spans cover the range from its first to its last byte, all carrying these flags. */
bool spans_cover(const struct spans *spans, uint64_t start, uint64_t bytes, uint32_t flags);

/* Whether some spans tile the range exactly: none reaches out of it and none is missing. */
bool spans_tile(const struct spans *spans, uint64_t start, uint64_t bytes);

/* False when the host has no memory left. The range must be free. */
bool spans_insert(struct spans *spans, struct span span);

void spans_remove(struct spans *spans, struct span *span);
void spans_clear(struct spans *spans);

#endif
