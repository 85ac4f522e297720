#include "ranges.h"

bool ranges_init(struct free_ranges *ranges, uint64_t start, uint64_t bytes) {
  spans_clear(&ranges->spans);
  return spans_insert(&ranges->spans, (struct span){.start = start, .bytes = bytes});
}

bool ranges_allocate(struct free_ranges *ranges, uint64_t bytes, uint64_t alignment, uint64_t *start) {
  for (size_t i = 0; i < ranges->spans.count; i++) {
    struct span span = ranges->spans.entries[i];
    uint64_t aligned = (span.start + alignment - 1) & -alignment;
    uint64_t skipped = aligned - span.start;
    if (aligned < span.start || skipped > span.bytes || bytes > span.bytes - skipped) {
      continue;
    }
    struct span rest = {.start = aligned + bytes, .bytes = span.bytes - skipped - bytes};
    if (skipped > 0 && rest.bytes > 0) {
      /* Shortened first, because spans may not overlap; undone if the insertion fails. */
      ranges->spans.entries[i].bytes = skipped;
      if (!spans_insert(&ranges->spans, rest)) {
        ranges->spans.entries[i].bytes = span.bytes;
        return false;
      }
    } else if (skipped > 0) {
      ranges->spans.entries[i].bytes = skipped;
    } else if (rest.bytes > 0) {
      ranges->spans.entries[i] = rest;
    } else {
      spans_remove(&ranges->spans, &ranges->spans.entries[i]);
    }
    *start = aligned;
    return true;
  }
  return false;
}

void ranges_free(struct free_ranges *ranges, uint64_t start, uint64_t bytes) {
  struct span *before = start == 0 ? NULL : spans_at(&ranges->spans, start - 1);
  struct span *after = spans_at(&ranges->spans, start + bytes);
  if (before != NULL && after != NULL) {
    before->bytes += bytes + after->bytes;
    spans_remove(&ranges->spans, after);
  } else if (before != NULL) {
    before->bytes += bytes;
  } else if (after != NULL) {
    after->start = start;
    after->bytes += bytes;
  } else {
    /* Fails only if the host is out of memory: then only this range is lost. */
    spans_insert(&ranges->spans, (struct span){.start = start, .bytes = bytes});
  }
}
