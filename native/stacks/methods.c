#include "methods.h"

#include <pthread.h>
#include <stdlib.h>

/* A hash set with open addressing, at most half full; 0 is no method. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t *slots;
static uint64_t capacity, used; /* capacity is a power of two */

static uint64_t *slot_of(uint64_t *in, uint64_t in_capacity, uint64_t method) {
  uint64_t index = (method * 0x9e3779b97f4a7c15u) >> 20; /* the low bits of a pointer say little */
  while (in[index & (in_capacity - 1)] != 0 && in[index & (in_capacity - 1)] != method) {
    index++;
  }
  return &in[index & (in_capacity - 1)];
}

static bool make_room(uint64_t more) {
  uint64_t wanted = capacity == 0 ? 1 << 14 : capacity;
  while (wanted < 2 * (used + more)) {
    wanted *= 2;
  }
  if (wanted == capacity) {
    return true;
  }
  uint64_t *grown = calloc(wanted, sizeof *grown);
  if (grown == NULL) {
    return false;
  }
  for (uint64_t i = 0; i < capacity; i++) {
    if (slots[i] != 0) {
      *slot_of(grown, wanted, slots[i]) = slots[i];
    }
  }
  free(slots);
  slots = grown;
  capacity = wanted;
  return true;
}

bool methods_add(const uint64_t *methods, int count) {
  pthread_mutex_lock(&lock);
  bool room = make_room((uint64_t)count);
  for (int i = 0; i < count && room; i++) {
    uint64_t *slot = slot_of(slots, capacity, methods[i]);
    used += *slot == 0;
    *slot = methods[i];
  }
  pthread_mutex_unlock(&lock);
  return room;
}

bool methods_contain(uint64_t method) {
  pthread_mutex_lock(&lock);
  bool found = method != 0 && capacity > 0 && *slot_of(slots, capacity, method) == method;
  pthread_mutex_unlock(&lock);
  return found;
}
