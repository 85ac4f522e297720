#include "contexts.h"

#include <stddef.h>

#include "calls.h"
#include "configuration.h"
#include "host.h"
#include "memory.h"
#include "modules.h"
#include "streams.h"

/*
 * A context's handle is derived from its number and looks like an address that is never mapped. The
 * primary context gets a new number each time it is created, so the handle of a destroyed one is
 * recognized.
 */
static const uint64_t FIRST_CONTEXT = 0x7f00000000000000;
enum { CONTEXT_STEP = 0x1000, STACK_DEPTH = 64 };

static bool initialized;
static uint64_t created; /* contexts created so far */
static bool active;
static unsigned int retained, flags;

/* The context stack of one thread; the last entry is current. A reset invalidates all stacks. */
static uint64_t resets;
static _Thread_local struct {
  uint64_t resets;
  size_t depth;
  CUcontext contexts[STACK_DEPTH];
} stack;

bool contexts_are_initialized(void) { return initialized; }

static CUcontext context_number(uint64_t number) { return (CUcontext)(FIRST_CONTEXT + number * CONTEXT_STEP); }

CUcontext contexts_primary(void) { return active ? context_number(created) : NULL; }

CUresult contexts_check_device(CUdevice device) {
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult check(CUcontext context) {
  if (context != NULL && context == contexts_primary()) {
    return CUDA_SUCCESS;
  }
  uint64_t distance = (uint64_t)context - FIRST_CONTEXT;
  bool destroyed = (uint64_t)context > FIRST_CONTEXT && distance % CONTEXT_STEP == 0 && distance / CONTEXT_STEP <= created;
  return destroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT;
}

static size_t depth(void) {
  if (stack.resets != resets) {
    stack.resets = resets;
    stack.depth = 0;
  }
  return stack.depth;
}

static CUcontext current(void) { return depth() == 0 ? NULL : stack.contexts[stack.depth - 1]; }

CUresult contexts_check_current(void) { return check(current()); }

static CUresult initialize(unsigned int init_flags) {
  if (init_flags != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUresult configured = initialized ? CUDA_SUCCESS : configuration_apply();
  initialized = initialized || configured == CUDA_SUCCESS;
  return configured;
}

static CUresult retain(CUcontext *context, CUdevice device) {
  if (contexts_check_device(device) != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  if (context == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!active) {
    active = true;
    created++;
  }
  retained++;
  *context = contexts_primary();
  return CUDA_SUCCESS;
}

void contexts_destroy(void) {
  streams_close_all();
  modules_close_all();
  memory_free_all();
  host_free_all();
  calls_clear_sticky_error();
  active = false;
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
    contexts_destroy();
  }
  return CUDA_SUCCESS;
}

static CUresult destroy(CUdevice device) {
  if (contexts_check_device(device) != CUDA_SUCCESS) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  contexts_destroy();
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
  *is_active = active;
  return CUDA_SUCCESS;
}

static CUresult push(CUcontext context) {
  CUresult result = check(context);
  if (result != CUDA_SUCCESS) {
    return result;
  }
  if (depth() == STACK_DEPTH) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  stack.contexts[stack.depth++] = context;
  return CUDA_SUCCESS;
}

static CUresult pop(CUcontext *context) {
  if (depth() == 0) {
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (context != NULL) {
    *context = current();
  }
  stack.depth--;
  return CUDA_SUCCESS;
}

/* Replaces the top of the stack; null removes it. */
static CUresult set_current(CUcontext context) {
  CUresult result = context == NULL ? CUDA_SUCCESS : check(context);
  if (result == CUDA_SUCCESS && depth() > 0) {
    stack.depth--;
  }
  return result != CUDA_SUCCESS || context == NULL ? result : push(context);
}

static CUresult get_current(CUcontext *context) {
  if (context == NULL) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *context = current();
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

void contexts_reset(void) {
  contexts_destroy();
  initialized = false;
  flags = 0;
  resets++;
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

DRIVER_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context) { DRIVER_CALL(NEEDS_INIT, push(context)); }

DRIVER_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *context) { DRIVER_CALL(NEEDS_INIT, pop(context)); }

DRIVER_EXPORT CUresult cuCtxSetCurrent(CUcontext context) { DRIVER_CALL(NEEDS_INIT, set_current(context)); }

DRIVER_EXPORT CUresult cuCtxGetCurrent(CUcontext *context) { DRIVER_CALL(NEEDS_INIT, get_current(context)); }

DRIVER_EXPORT CUresult cuCtxGetDevice(CUdevice *device) { DRIVER_CALL(NEEDS_CONTEXT, get_number(device, 0)); }

DRIVER_EXPORT CUresult cuCtxGetFlags(unsigned int *its_flags) { DRIVER_CALL(NEEDS_CONTEXT, get_flags(its_flags)); }
