/*
 * Handles: numbers that stand for objects. A garbage handle is answered with null, never dereferenced,
 * and a number is not given twice. Later handles of a kind are greater, so streams sort by age.
 * Single-threaded.
 */
#ifndef VRAMSCOPE_HANDLES_H
#define VRAMSCOPE_HANDLES_H

#include <stdint.h>

enum handle_kind { HANDLE_NONE, HANDLE_STREAM, HANDLE_EVENT, HANDLE_MODULE, HANDLE_FUNCTION, HANDLE_PAGE };

/* Takes over the object (from malloc). 0 when there is no room: then the object stays the caller's. */
uint64_t handle_open(enum handle_kind kind, void *object);

/* The object, or null if this is no live handle of that kind. */
void *handle_object(enum handle_kind kind, uint64_t handle);

/* Frees the object; its number means nothing from then on. */
void handle_close(enum handle_kind kind, uint64_t handle);

/* Forgets the number but leaves the object to the caller. */
void handle_forget(enum handle_kind kind, uint64_t handle);

/* Closes all of a kind. */
void handles_close_all(enum handle_kind kind);

#endif
