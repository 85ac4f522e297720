/* Planned failures, delays, and call counts. */
#include <time.h>

#include "kernels.h"

CUresult cuGraphDestroy(void *graph);

static void only_the_nth_call_fails(void) {
  fresh_device(64 * MIB);
  CUdeviceptr block = 77;
  OK(vramscope_emulator_fail("cuMemAlloc", 2, CUDA_ERROR_OUT_OF_MEMORY, 0));
  OK(cuMemAlloc_v2(&block, 1));
  CUdeviceptr untouched = 77;
  CHECK_EQUAL(cuMemAlloc_v2(&untouched, 1), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_EQUAL(untouched, 77);
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 2 * MIB);
  OK(cuMemAlloc_v2(&block, 1));
}

static void planned_failure_can_be_cancelled(void) {
  fresh_device(64 * MIB);
  OK(vramscope_emulator_fail("cuMemAlloc_v2", 1, CUDA_ERROR_UNKNOWN, 0));
  OK(vramscope_emulator_fail("cuMemAlloc", 0, 0, 0));
  allocated(1);
}

static void failure_can_be_planned_for_any_function(void) {
  fresh_device(64 * MIB);
  size_t bytes;
  OK(vramscope_emulator_fail(NULL, 3, CUDA_ERROR_LAUNCH_FAILED, 0));
  allocated(1);
  OK(cuMemGetInfo_v2(&bytes, NULL));
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
  OK(cuCtxSynchronize());
}

static void calls_on_a_lost_device_fail(void) {
  fresh_device(64 * MIB);
  CUdeviceptr block = allocated(1), none;
  int count;
  const char *name;
  OK(vramscope_emulator_fail("cuMemFree", 1, CUDA_ERROR_DEVICE_UNAVAILABLE, 1));
  allocated(1);
  CHECK_EQUAL(cuMemFree_v2(block), CUDA_ERROR_DEVICE_UNAVAILABLE);
  CHECK_EQUAL(cuMemAlloc_v2(&none, 1), CUDA_ERROR_DEVICE_UNAVAILABLE);
  CHECK_EQUAL(cuInit(0), CUDA_ERROR_DEVICE_UNAVAILABLE);
  CHECK_EQUAL(cuDevicePrimaryCtxReset_v2(0), CUDA_ERROR_DEVICE_UNAVAILABLE);
  CHECK_EQUAL(cuDeviceGetCount(&count), CUDA_ERROR_DEVICE_UNAVAILABLE);
  CHECK_EQUAL(cuGraphDestroy(NULL), CUDA_ERROR_DEVICE_UNAVAILABLE);
  OK(cuGetErrorName(CUDA_ERROR_DEVICE_UNAVAILABLE, &name));
  fresh_device(64 * MIB);
  allocated(1);
}

static void initialization_can_fail(void) {
  OK(vramscope_emulator_reset());
  OK(vramscope_emulator_fail("cuInit", 1, CUDA_ERROR_NO_DEVICE, 0));
  CHECK_EQUAL(cuInit(0), CUDA_ERROR_NO_DEVICE);
  int count;
  CHECK_EQUAL(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  OK(cuInit(0));
}

static void rejects_unknown_functions_and_invalid_plans(void) {
  fresh_device(64 * MIB);
  CHECK_EQUAL(vramscope_emulator_fail("cuNoSuchThing", 1, 1, 0), CUDA_ERROR_NOT_FOUND);
  CHECK_EQUAL(vramscope_emulator_fail("malloc", 1, 1, 0), CUDA_ERROR_NOT_FOUND);
  CHECK_EQUAL(vramscope_emulator_fail("", 1, 1, 0), CUDA_ERROR_NOT_FOUND);
  CHECK_EQUAL(vramscope_emulator_delay("cuNoSuchThing", 1), CUDA_ERROR_NOT_FOUND);
  CHECK_EQUAL(vramscope_emulator_fail("cuMemAlloc", 0, 1, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(vramscope_emulator_fail("cuMemAlloc", 1, -1, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(vramscope_emulator_delay("cuMemAlloc", UINT64_MAX), CUDA_ERROR_INVALID_VALUE);
  OK(vramscope_emulator_fail("cuGraphDestroy", 1, CUDA_ERROR_TIMEOUT, 0));
  CHECK_EQUAL(cuGraphDestroy(NULL), CUDA_ERROR_TIMEOUT);
}

static void unimplemented_functions_are_not_supported(void) {
  fresh_device(64 * MIB);
  CHECK_EQUAL(cuGraphDestroy(NULL), CUDA_ERROR_NOT_SUPPORTED);
  CHECK_EQUAL(vramscope_emulator_calls("cuGraphDestroy"), 1);
}

static void calls_are_counted_by_name(void) {
  fresh_device(64 * MIB);
  uint64_t before = vramscope_emulator_calls(NULL);
  CUdeviceptr none;
  allocated(1);
  cuMemAlloc_v2(&none, 0);
  CHECK_EQUAL(vramscope_emulator_calls("cuMemAlloc"), 2);
  CHECK_EQUAL(vramscope_emulator_calls("cuMemAlloc_v2"), 2);
  CHECK_EQUAL(vramscope_emulator_calls("cuMemFree"), 0);
  CHECK_EQUAL(vramscope_emulator_calls(NULL), before + 2);
  OK(vramscope_emulator_reset());
  CHECK_EQUAL(vramscope_emulator_calls("cuMemAlloc"), 0);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void calls_can_be_delayed(void) {
  fresh_device(64 * MIB);
  OK(vramscope_emulator_delay("cuMemAlloc", 20000));
  double before = seconds();
  allocated(1);
  CHECK(seconds() - before >= 0.02);
  OK(vramscope_emulator_delay("cuMemAlloc", 0));
  OK(vramscope_emulator_delay(NULL, 5000));
  before = seconds();
  allocated(1);
  OK(cuCtxSynchronize());
  CHECK(seconds() - before >= 0.01);
}

static void device_is_configured_before_initialization_only(void) {
  fresh_device(64 * MIB);
  CHECK_EQUAL(vramscope_emulator_configure(1 << 20, 4096), CUDA_ERROR_ILLEGAL_STATE);
  OK(vramscope_emulator_reset());
  CHECK_EQUAL(vramscope_emulator_configure(0, 4096), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(vramscope_emulator_configure(1 << 20, 1000), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(vramscope_emulator_configure(1 << 20, 2048), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(vramscope_emulator_configure(1ull << 60, 4096), CUDA_ERROR_INVALID_VALUE);
  OK(vramscope_emulator_configure(1 << 20, 4096));
}

static void processes_are_listed_as_configured(void) {
  fresh_device(64 * MIB);
  int64_t pids[2];
  uint64_t bytes[2];
  CHECK_EQUAL(vramscope_emulator_processes(pids, bytes, 2), 0);
  OK(vramscope_emulator_add_process(0, 100));
  OK(vramscope_emulator_add_process(4711, 200));
  OK(vramscope_emulator_add_process(4712, 300));
  CHECK_EQUAL(vramscope_emulator_processes(pids, bytes, 2), 3);
  CHECK_EQUAL(pids[1], 4711);
  CHECK_EQUAL(bytes[1], 200);
  CHECK_EQUAL(vramscope_emulator_processes(NULL, NULL, 0), 3);
  OK(vramscope_emulator_clear_processes());
  CHECK_EQUAL(vramscope_emulator_processes(pids, bytes, 2), 0);
  CHECK_EQUAL(vramscope_emulator_add_process(-1, 1), CUDA_ERROR_INVALID_VALUE);
}

int main(void) {
  RUN(only_the_nth_call_fails);
  RUN(planned_failure_can_be_cancelled);
  RUN(failure_can_be_planned_for_any_function);
  RUN(calls_on_a_lost_device_fail);
  RUN(initialization_can_fail);
  RUN(rejects_unknown_functions_and_invalid_plans);
  RUN(unimplemented_functions_are_not_supported);
  RUN(calls_are_counted_by_name);
  RUN(calls_can_be_delayed);
  RUN(device_is_configured_before_initialization_only);
  RUN(processes_are_listed_as_configured);
  OK(vramscope_emulator_reset());
}
