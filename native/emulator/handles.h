/*
 * Handles: numbers that identify objects. An invalid handle is detected, never dereferenced, and a number
 * is not reused. Later handles of a kind are greater, so streams sort by age. Needs the lock.
 */
#ifndef VRAMSCOPE_HANDLES_H
#define VRAMSCOPE_HANDLES_H

#include <stdint.h>

enum handle_kind { HANDLE_NONE, HANDLE_STREAM, HANDLE_EVENT, HANDLE_MODULE, HANDLE_FUNCTION, HANDLE_PAGE };

/* Takes ownership of the object (from malloc). 0 if out of memory: then the caller keeps it. */
uint64_t handle_open(enum handle_kind kind, void *object);

/* The object, or null if this is not a valid handle of that kind. */
void *handle_object(enum handle_kind kind, uint64_t handle);

/* Frees the object and invalidates the handle. */
void handle_close(enum handle_kind kind, uint64_t handle);

/* Invalidates the handle; the caller gets ownership of the object. */
void handle_release(enum handle_kind kind, uint64_t handle);

/* Closes all handles of a kind. */
void handles_close_all(enum handle_kind kind);

#endif
