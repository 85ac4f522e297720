/* The controls of include/vramscope.h. */
#include "../include/vramscope.h"

#include "allocations.h"
#include "calls.h"
#include "configuration.h"
#include "context_calls.h"
#include "contexts.h"
#include "host.h"
#include "memory.h"
#include "physical.h"
#include "streams.h"
#include "virtual.h"

static const uint64_t MAX_DELAY_MICROS = 60000000;

DRIVER_EXPORT int vramscope_emulator_reset(void) {
  calls_lock();
  context_calls_reset();
  allocations_reset();
  memory_reset();
  virtual_reset();
  host_reset();
  physical_reset();
  configuration_reset();
  calls_reset();
  calls_unlock();
  return CUDA_SUCCESS;
}

DRIVER_EXPORT int vramscope_emulator_configure(uint64_t capacity_bytes, uint64_t granularity_bytes) {
  calls_lock();
  CUresult result = contexts_are_initialized() ? CUDA_ERROR_ILLEGAL_STATE
                                               : configuration_set(capacity_bytes, granularity_bytes);
  calls_unlock();
  return result;
}

DRIVER_EXPORT int vramscope_emulator_external(uint64_t bytes) {
  calls_lock();
  configuration_set_external(bytes);
  calls_unlock();
  return CUDA_SUCCESS;
}

DRIVER_EXPORT uint64_t vramscope_emulator_used_bytes(void) {
  calls_lock();
  uint64_t used = physical_used_bytes();
  calls_unlock();
  return used;
}

DRIVER_EXPORT uint64_t vramscope_emulator_base(void) { return memory_base(); }

DRIVER_EXPORT int vramscope_emulator_manual(int manual) {
  calls_lock();
  configuration_set_manual(manual != 0);
  calls_unlock();
  return CUDA_SUCCESS;
}

DRIVER_EXPORT int64_t vramscope_emulator_advance(void *stream_handle, uint64_t steps) {
  calls_lock();
  struct stream *stream = stream_of(stream_handle);
  int64_t done = stream == NULL ? -1 : (int64_t)stream_advance(stream, steps);
  calls_unlock();
  return done;
}

DRIVER_EXPORT int vramscope_emulator_fail(const char *function, uint64_t nth, int result, int lost) {
  calls_lock();
  CUresult planned = result < 0 || (result != 0 && nth == 0)
                         ? CUDA_ERROR_INVALID_VALUE
                         : calls_plan_failure(function, nth, (CUresult)result, lost != 0);
  calls_unlock();
  return planned;
}

DRIVER_EXPORT int vramscope_emulator_delay(const char *function, uint64_t micros) {
  calls_lock();
  CUresult result =
      micros > MAX_DELAY_MICROS ? CUDA_ERROR_INVALID_VALUE : calls_set_delay(function, micros);
  calls_unlock();
  return result;
}

DRIVER_EXPORT uint64_t vramscope_emulator_calls(const char *function) {
  calls_lock();
  uint64_t count = calls_counted(function);
  calls_unlock();
  return count;
}

DRIVER_EXPORT int vramscope_emulator_add_process(int64_t pid, uint64_t bytes) {
  calls_lock();
  bool added = pid >= 0 && configuration_add_process((struct process){pid, bytes});
  calls_unlock();
  return added ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

DRIVER_EXPORT int vramscope_emulator_clear_processes(void) {
  calls_lock();
  configuration_clear_processes();
  calls_unlock();
  return CUDA_SUCCESS;
}

DRIVER_EXPORT int vramscope_emulator_processes(int64_t *pids, uint64_t *bytes, int capacity) {
  calls_lock();
  int count;
  const struct process *processes = configuration_processes(&count);
  for (int i = 0; i < count && i < capacity && pids != NULL && bytes != NULL; i++) {
    pids[i] = processes[i].pid;
    bytes[i] = processes[i].bytes;
  }
  calls_unlock();
  return count;
}
