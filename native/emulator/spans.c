#include "spans.h"

#include <stdlib.h>
#include <string.h>

bool span_is_valid(uint64_t start, uint64_t bytes) {
  return bytes > 0 && bytes <= UINT64_MAX - start;
}

static uint64_t end_of(const struct span *span) { return span->start + span->bytes; }

/* The index of the first span that ends after the address. */
static size_t index_after(const struct spans *spans, uint64_t address) {
  size_t low = 0, high = spans->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (end_of(&spans->entries[middle]) > address) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

struct span *spans_at(const struct spans *spans, uint64_t address) {
  size_t index = index_after(spans, address);
  if (index == spans->count || spans->entries[index].start > address) {
    return NULL;
  }
  return &spans->entries[index];
}

struct span *spans_within(const struct spans *spans, uint64_t start, uint64_t bytes) {
  size_t index = index_after(spans, start);
  if (index == spans->count || spans->entries[index].start >= start + bytes) {
    return NULL;
  }
  return &spans->entries[index];
}

bool spans_cover(const struct spans *spans, uint64_t start, uint64_t bytes, uint32_t flags) {
  if (!span_is_valid(start, bytes)) {
    return false;
  }
  uint64_t covered = start;
  for (size_t i = index_after(spans, start); covered < start + bytes; i++) {
    if (i == spans->count || spans->entries[i].start > covered || (spans->entries[i].flags & flags) != flags) {
      return false;
    }
    covered = end_of(&spans->entries[i]);
  }
  return true;
}

bool spans_tile(const struct spans *spans, uint64_t start, uint64_t bytes) {
  if (!spans_cover(spans, start, bytes, 0)) {
    return false;
  }
  return spans_at(spans, start)->start == start && end_of(spans_at(spans, start + bytes - 1)) == start + bytes;
}

bool spans_insert(struct spans *spans, struct span span) {
  if (spans->count == spans->capacity) {
    size_t capacity = spans->capacity == 0 ? 64 : 2 * spans->capacity;
    struct span *entries = realloc(spans->entries, capacity * sizeof *entries);
    if (entries == NULL) {
      return false;
    }
    spans->entries = entries;
    spans->capacity = capacity;
  }
  size_t index = index_after(spans, span.start);
  memmove(&spans->entries[index + 1], &spans->entries[index], (spans->count - index) * sizeof span);
  spans->entries[index] = span;
  spans->count++;
  return true;
}

void spans_remove(struct spans *spans, struct span *span) {
  size_t index = (size_t)(span - spans->entries);
  spans->count--;
  memmove(&spans->entries[index], &spans->entries[index + 1], (spans->count - index) * sizeof *span);
}

void spans_clear(struct spans *spans) {
  free(spans->entries);
  *spans = (struct spans){0};
}
