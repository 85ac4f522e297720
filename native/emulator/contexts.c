#include "contexts.h"

#include <stddef.h>

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

/* The context stack of one thread; the last entry is current. A reset invalidates all stacks. */
static uint64_t resets;
static _Thread_local struct {
  uint64_t resets;
  size_t depth;
  CUcontext contexts[STACK_DEPTH];
} stack;

bool contexts_are_initialized(void) { return initialized; }
void contexts_set_initialized(void) { initialized = true; }

static CUcontext context_number(uint64_t number) { return (CUcontext)(FIRST_CONTEXT + number * CONTEXT_STEP); }

CUcontext contexts_primary(void) { return active ? context_number(created) : NULL; }

CUcontext contexts_activate(void) {
  if (!active) {
    active = true;
    created++;
  }
  return contexts_primary();
}

void contexts_deactivate(void) { active = false; }

CUresult contexts_check_device(CUdevice device) {
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult contexts_check(CUcontext context) {
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

CUcontext contexts_current(void) { return depth() == 0 ? NULL : stack.contexts[stack.depth - 1]; }

CUresult contexts_check_current(void) { return contexts_check(contexts_current()); }

CUresult contexts_push(CUcontext context) {
  CUresult result = contexts_check(context);
  if (result != CUDA_SUCCESS) {
    return result;
  }
  if (depth() == STACK_DEPTH) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  stack.contexts[stack.depth++] = context;
  return CUDA_SUCCESS;
}

bool contexts_pop(void) {
  if (depth() == 0) {
    return false;
  }
  stack.depth--;
  return true;
}

void contexts_reset(void) {
  active = false;
  initialized = false;
  resets++;
}
