#include "handles.h"

#include <stddef.h>
#include <stdlib.h>

/*
 * A handle, from its highest bit:  kind (8) | serial (32) | slot (24).
 * The serial makes handles ascend and distinguishes a handle from older ones of the same slot.
 */
enum { SLOT_BITS = 24, KIND_SHIFT = 56, MAX_SLOTS = 1 << SLOT_BITS };

struct slot {
  uint64_t handle; /* 0 while free */
  void *object;
  uint32_t next_free; /* slot number + 1, or 0 */
};

static struct slot *slots;
static uint32_t slot_count, slot_capacity, first_free;
static uint32_t last_serial;

static struct slot *slot_of(enum handle_kind kind, uint64_t handle) {
  uint32_t index = (uint32_t)(handle & (MAX_SLOTS - 1));
  if (handle >> KIND_SHIFT != (uint64_t)kind || index >= slot_count || slots[index].handle != handle) {
    return NULL;
  }
  return &slots[index];
}

static struct slot *free_slot(void) {
  if (first_free != 0) {
    struct slot *slot = &slots[first_free - 1];
    first_free = slot->next_free;
    return slot;
  }
  if (slot_count == slot_capacity) {
    uint32_t capacity = slot_capacity == 0 ? 256 : 2 * slot_capacity;
    struct slot *grown = capacity > MAX_SLOTS ? NULL : realloc(slots, capacity * sizeof *slots);
    if (grown == NULL) {
      return NULL;
    }
    slots = grown;
    slot_capacity = capacity;
  }
  return &slots[slot_count++];
}

uint64_t handle_open(enum handle_kind kind, void *object) {
  struct slot *slot = free_slot();
  if (slot == NULL) {
    return 0;
  }
  last_serial++;
  *slot = (struct slot){
      .handle = (uint64_t)kind << KIND_SHIFT | (uint64_t)last_serial << SLOT_BITS | (uint64_t)(slot - slots),
      .object = object,
  };
  return slot->handle;
}

void *handle_object(enum handle_kind kind, uint64_t handle) {
  struct slot *slot = slot_of(kind, handle);
  return slot == NULL ? NULL : slot->object;
}

void handle_release(enum handle_kind kind, uint64_t handle) {
  struct slot *slot = slot_of(kind, handle);
  if (slot != NULL) {
    *slot = (struct slot){.next_free = first_free};
    first_free = (uint32_t)(slot - slots) + 1;
  }
}

void handle_close(enum handle_kind kind, uint64_t handle) {
  free(handle_object(kind, handle));
  handle_release(kind, handle);
}

void handles_close_all(enum handle_kind kind) {
  for (uint32_t i = 0; i < slot_count; i++) {
    if (slots[i].handle >> KIND_SHIFT == (uint64_t)kind) {
      handle_close(kind, slots[i].handle);
    }
  }
}
