#include "room.h"

bool room_open(struct room *room, uint64_t start, uint64_t bytes) {
  spans_clear(&room->gaps);
  return spans_insert(&room->gaps, (struct span){.start = start, .bytes = bytes});
}

bool room_take(struct room *room, uint64_t bytes, uint64_t alignment, uint64_t *start) {
  for (size_t i = 0; i < room->gaps.count; i++) {
    struct span gap = room->gaps.entries[i];
    uint64_t aligned = (gap.start + alignment - 1) & -alignment;
    uint64_t skipped = aligned - gap.start;
    if (aligned < gap.start || skipped > gap.bytes || bytes > gap.bytes - skipped) {
      continue;
    }
    struct span rest = {.start = aligned + bytes, .bytes = gap.bytes - skipped - bytes};
    if (skipped > 0 && rest.bytes > 0) {
      /* Shortened first, because a table's ranges may not overlap; undone if the insertion fails. */
      room->gaps.entries[i].bytes = skipped;
      if (!spans_insert(&room->gaps, rest)) {
        room->gaps.entries[i].bytes = gap.bytes;
        return false;
      }
    } else if (skipped > 0) {
      room->gaps.entries[i].bytes = skipped;
    } else if (rest.bytes > 0) {
      room->gaps.entries[i] = rest;
    } else {
      spans_remove(&room->gaps, &room->gaps.entries[i]);
    }
    *start = aligned;
    return true;
  }
  return false;
}

void room_give(struct room *room, uint64_t start, uint64_t bytes) {
  struct span *before = start == 0 ? NULL : spans_at(&room->gaps, start - 1);
  struct span *after = spans_at(&room->gaps, start + bytes);
  if (before != NULL && after != NULL) {
    before->bytes += bytes + after->bytes;
    spans_remove(&room->gaps, after);
  } else if (before != NULL) {
    before->bytes += bytes;
  } else if (after != NULL) {
    after->start = start;
    after->bytes += bytes;
  } else {
    /* Fails only when the host has no memory left: then this room is lost, nothing else. */
    spans_insert(&room->gaps, (struct span){.start = start, .bytes = bytes});
  }
}
