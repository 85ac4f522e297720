/*
 * The one door into the driver. Every cu... function is a DRIVER_CALL: the door counts it, delays it,
 * fails it if that is planned, checks what it needs, and holds the one lock while it runs.
 */
#ifndef VRAMSCOPE_CALLS_H
#define VRAMSCOPE_CALLS_H

#include <stdbool.h>

#include "driver.h"

/* What a call needs before it may run. Each level includes those above it. */
enum call_needs { NEEDS_NOTHING, NEEDS_INIT, NEEDS_CONTEXT };

struct call;

/* Takes the lock, whatever it answers; call_end gives it back. */
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

/* What a function answers that JCuda knows and this driver does not. */
CUresult call_unsupported(const char *function);

/* The lock, for the controls. */
void calls_lock(void);
void calls_unlock(void);

/* Lets others in until the time (of now_nanos) or for a short while, whichever is less. */
void calls_wait_until(uint64_t nanos);

/* Answers what stops a waiting call: the device's loss or a fault, else CUDA_SUCCESS. */
CUresult calls_fault(void);

/* An access that the hardware would have trapped: this context is of no use from now on. */
void calls_poison(CUresult result);
void calls_heal(void);

/* For the controls, under the lock. */
CUresult calls_plan_failure(const char *function, uint64_t nth, CUresult result, bool lost);
CUresult calls_set_delay(const char *function, uint64_t micros);
uint64_t calls_counted(const char *function);
void calls_reset(void);

/* A monotonic clock, in nanoseconds. */
uint64_t now_nanos(void);

#endif
