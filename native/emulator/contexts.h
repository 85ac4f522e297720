/* cuInit, the one device, its primary context, and which context is current on which thread. */
#ifndef VRAMSCOPE_CONTEXTS_H
#define VRAMSCOPE_CONTEXTS_H

#include <stdbool.h>

#include "driver.h"

bool contexts_are_initialized(void);

/* CUDA_SUCCESS, CUDA_ERROR_INVALID_CONTEXT or CUDA_ERROR_CONTEXT_IS_DESTROYED for this thread's current context. */
CUresult contexts_check_current(void);

/* The active primary context, or null. */
CUcontext contexts_primary(void);

/* CUDA_ERROR_INVALID_DEVICE for any device but 0. */
CUresult contexts_check_device(CUdevice device);

/* Destroys the primary context with its memory, pinned memory, streams and modules. */
void contexts_destroy(void);
void contexts_reset(void);

#endif
