/*
 * The common entry point of all driver functions. Every cu... function is a DRIVER_CALL, which counts
 * it, delays it, makes it fail if that is planned, checks its preconditions, and holds the driver's only
 * lock while it runs.
 */
#ifndef VRAMSCOPE_CALLS_H
#define VRAMSCOPE_CALLS_H

#include <stdbool.h>

#include "driver.h"

/* The preconditions of a call. Each level includes the previous ones. */
enum call_needs { NEEDS_NOTHING, NEEDS_INIT, NEEDS_CONTEXT };

struct call;

/* Takes the lock, whatever the result; call_end releases it. */
CUresult call_begin(struct call **call, const char *function, enum call_needs needs);
void call_end(void);

#define DRIVER_CALL(needs, work)                                 \
  do {                                                           \
    static struct call *driver_call;                             \
    CUresult result = call_begin(&driver_call, __func__, needs); \
    if (result == CUDA_SUCCESS) {                                \
      result = (work);                                           \
    }                                                            \
    call_end();                                                  \
    return result;                                               \
  } while (0)

/* The result of a function that JCuda imports and the emulator does not implement. */
CUresult call_unsupported(const char *function);

/* The lock, for controls.c. */
void calls_lock(void);
void calls_unlock(void);

/* Releases the lock and sleeps until `deadline` (a time of now_nanos), at most briefly per call. */
void calls_wait_until(uint64_t deadline);

/* The error that ends a waiting call: a lost device or a sticky error, else CUDA_SUCCESS. */
CUresult calls_error(void);

/* Records an error of asynchronous work, which all later calls in the context return. */
void calls_set_sticky_error(CUresult result);
void calls_clear_sticky_error(void);

/* For controls.c, under the lock. */
CUresult calls_plan_failure(const char *function, uint64_t nth, CUresult result, bool lost);
CUresult calls_set_delay(const char *function, uint64_t micros);
uint64_t calls_counted(const char *function);
void calls_reset(void);

/* A monotonic clock, in nanoseconds. */
uint64_t now_nanos(void);

#endif
