/*
 * Whether the driver is initialized, its primary context, and which context is current on which thread.
 * Needs the lock.
 */
#ifndef VRAMSCOPE_CONTEXTS_H
#define VRAMSCOPE_CONTEXTS_H

#include <stdbool.h>

#include "driver.h"

bool contexts_are_initialized(void);
void contexts_set_initialized(void);

/* CUDA_ERROR_INVALID_DEVICE for any device but 0. */
CUresult contexts_check_device(CUdevice device);

/* The active primary context, or null. */
CUcontext contexts_primary(void);

/* Creates the primary context unless it is active, and returns it. */
CUcontext contexts_activate(void);
void contexts_deactivate(void);

/* CUDA_SUCCESS, CUDA_ERROR_INVALID_CONTEXT or CUDA_ERROR_CONTEXT_IS_DESTROYED. */
CUresult contexts_check(CUcontext context);
CUresult contexts_check_current(void);

/* This thread's current context, which may be destroyed, or null. */
CUcontext contexts_current(void);

/* Makes a context current until contexts_pop, which returns false if there is none. */
CUresult contexts_push(CUcontext context);
bool contexts_pop(void);

void contexts_reset(void);

#endif
