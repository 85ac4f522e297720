#include "context_calls.h"

#include <stddef.h>

#include "allocations.h"
#include "calls.h"
#include "configuration.h"
#include "contexts.h"
#include "modules.h"
#include "pinned.h"
#include "streams.h"

/* Of the primary context. */
static unsigned int retained, flags;

static CUresult initialize(unsigned int init_flags) {
  if (init_flags != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUresult configured = contexts_are_initialized() ? CUDA_SUCCESS : configuration_apply();
  if (configured == CUDA_SUCCESS) {
    contexts_set_initialized();
  }
  return configured;
}

static CUresult retain(CUcontext *context, CUdevice device) {
  if (contexts_check_device(device) != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  if (context == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  retained++;
  *context = contexts_activate();
  return CUDA_SUCCESS;
}

/* With its memory, pinned memory, streams and modules. */
static void destroy_primary(void) {
  streams_close_all();
  modules_close_all();
  allocations_free_all();
  pinned_release_all();
  calls_clear_sticky_error();
  contexts_deactivate();
  retained = 0;
}

static CUresult release(CUdevice device) {
  if (contexts_check_device(device) != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  if (retained == 0) {
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (--retained == 0) {
    destroy_primary();
  }
  return CUDA_SUCCESS;
}

static CUresult destroy(CUdevice device) {
  if (contexts_check_device(device) != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  destroy_primary();
  return CUDA_SUCCESS;
}

static CUresult set_flags(CUdevice device, unsigned int new_flags) {
  if (contexts_check_device(device) != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  if ((new_flags & ~(unsigned)CU_CTX_FLAGS) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  flags = new_flags;
  return CUDA_SUCCESS;
}

static CUresult state(CUdevice device, unsigned int *its_flags, int *is_active) {
  if (contexts_check_device(device) != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  if (its_flags == NULL || is_active == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *its_flags = flags;
  *is_active = contexts_primary() != NULL;
  return CUDA_SUCCESS;
}

static CUresult pop(CUcontext *context) {
  CUcontext popped = contexts_current();
  if (!contexts_pop()) {
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (context != NULL) {
    *context = popped;
  }
  return CUDA_SUCCESS;
}

/* Replaces the top of the stack; null removes it. */
static CUresult set_current(CUcontext context) {
  CUresult result = context == NULL ? CUDA_SUCCESS : contexts_check(context);
  if (result == CUDA_SUCCESS) {
    contexts_pop();
  }
  return result != CUDA_SUCCESS || context == NULL ? result : contexts_push(context);
}

static CUresult get_current(CUcontext *context) {
  if (context == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *context = contexts_current();
  return CUDA_SUCCESS;
}

static CUresult get_number(int *to, int value) {
  if (to == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *to = value;
  return CUDA_SUCCESS;
}

static CUresult get_flags(unsigned int *to) {
  if (to == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *to = flags;
  return CUDA_SUCCESS;
}

void context_calls_reset(void) {
  destroy_primary();
  contexts_reset();
  flags = 0;
}

DRIVER_EXPORT CUresult cuInit(unsigned int init_flags) { DRIVER_CALL(NEEDS_NOTHING, initialize(init_flags)); }

DRIVER_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  DRIVER_CALL(NEEDS_INIT, retain(context, device));
}

DRIVER_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) { DRIVER_CALL(NEEDS_INIT, release(device)); }

DRIVER_EXPORT CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) { DRIVER_CALL(NEEDS_INIT, destroy(device)); }

DRIVER_EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int new_flags) {
  DRIVER_CALL(NEEDS_INIT, set_flags(device, new_flags));
}

DRIVER_EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *its_flags, int *is_active) {
  DRIVER_CALL(NEEDS_INIT, state(device, its_flags, is_active));
}

DRIVER_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context) { DRIVER_CALL(NEEDS_INIT, contexts_push(context)); }

DRIVER_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *context) { DRIVER_CALL(NEEDS_INIT, pop(context)); }

DRIVER_EXPORT CUresult cuCtxSetCurrent(CUcontext context) { DRIVER_CALL(NEEDS_INIT, set_current(context)); }

DRIVER_EXPORT CUresult cuCtxGetCurrent(CUcontext *context) { DRIVER_CALL(NEEDS_INIT, get_current(context)); }

DRIVER_EXPORT CUresult cuCtxGetDevice(CUdevice *device) { DRIVER_CALL(NEEDS_CONTEXT, get_number(device, 0)); }

DRIVER_EXPORT CUresult cuCtxGetFlags(unsigned int *its_flags) { DRIVER_CALL(NEEDS_CONTEXT, get_flags(its_flags)); }
