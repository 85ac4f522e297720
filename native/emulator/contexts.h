/* cuInit, the one device, its primary context, and which context is current on which thread. */
#ifndef VRAMSCOPE_CONTEXTS_H
#define VRAMSCOPE_CONTEXTS_H

#include <stdbool.h>

#include "driver.h"

bool contexts_are_initialized(void);

/* CUDA_SUCCESS, CUDA_ERROR_INVALID_CONTEXT or CUDA_ERROR_CONTEXT_IS_DESTROYED, of this thread. */
CUresult contexts_check_current(void);

/* The context that is alive, or null. */
CUcontext contexts_primary(void);

/* CUDA_ERROR_INVALID_DEVICE for all but 0. */
CUresult contexts_check_device(CUdevice device);

/* Ends the primary context and all that belongs to it: memory, pinned memory, streams, modules. */
void contexts_end(void);
void contexts_reset(void);

#endif
