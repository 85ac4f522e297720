/*
 * Room in a range of numbers, handed out lowest first: the device's addresses, the virtual ones, and
 * the offsets in the physical file. Single-threaded.
 */
#ifndef VRAMSCOPE_ROOM_H
#define VRAMSCOPE_ROOM_H

#include "spans.h"

struct room {
  struct spans gaps; /* never two that touch */
};

/* All of [start, start + bytes) is free. False when the host has no memory left. */
bool room_open(struct room *room, uint64_t start, uint64_t bytes);

/* Takes the lowest bytes that fit at a multiple of the alignment (a power of two). */
bool room_take(struct room *room, uint64_t bytes, uint64_t alignment, uint64_t *start);

/* Gives back what was taken, whole; it joins its free neighbours. */
void room_give(struct room *room, uint64_t start, uint64_t bytes);

#endif
