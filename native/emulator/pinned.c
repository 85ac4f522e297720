#define _GNU_SOURCE
#include "pinned.h"

#include <sys/mman.h>

#include "host.h"

static const uint32_t REGISTERED = 1u << 31; /* the other bits of a span's flags are those passed by the caller */

static struct spans pinned;

static enum pinned_owner owner_of(const struct span *span) {
  return span->flags & REGISTERED ? PINNED_REGISTERED : PINNED_ALLOCATED;
}

bool pinned_allocate(void **address, size_t bytes, uint32_t flags) {
  size_t whole = (bytes + HOST_PAGE_BYTES - 1) & ~(size_t)(HOST_PAGE_BYTES - 1);
  void *memory = whole < bytes ? MAP_FAILED
                               : mmap(NULL, whole, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return false;
  }
  if (!spans_insert(&pinned, (struct span){.start = (uint64_t)memory, .bytes = whole, .flags = flags})) {
    munmap(memory, whole);
    return false;
  }
  *address = memory;
  return true;
}

bool pinned_register(const void *address, size_t bytes, uint32_t flags) {
  return spans_insert(&pinned, (struct span){.start = (uint64_t)address, .bytes = bytes, .flags = flags | REGISTERED});
}

bool pinned_covers(uint64_t address, uint64_t bytes) { return spans_cover(&pinned, address, bytes, 0); }

bool pinned_overlaps(uint64_t address, uint64_t bytes) { return spans_within(&pinned, address, bytes) != NULL; }

struct span *pinned_at(const void *address, enum pinned_owner owner) {
  struct span *span = spans_at(&pinned, (uint64_t)address);
  bool found = span != NULL && span->start == (uint64_t)address && owner_of(span) == owner;
  return found ? span : NULL;
}

bool pinned_flags(const void *address, uint32_t *flags) {
  const struct span *span = spans_at(&pinned, (uint64_t)address);
  if (span != NULL) {
    *flags = span->flags & ~REGISTERED;
  }
  return span != NULL;
}

static void free_if_allocated(const struct span *span) {
  if (owner_of(span) == PINNED_ALLOCATED) {
    munmap((void *)span->start, span->bytes);
  }
}

void pinned_release(struct span *span) {
  free_if_allocated(span);
  spans_remove(&pinned, span);
}

void pinned_release_all(void) {
  for (size_t i = 0; i < pinned.count; i++) {
    free_if_allocated(&pinned.entries[i]);
  }
  spans_clear(&pinned);
}
