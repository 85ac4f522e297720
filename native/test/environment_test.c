/* Configuration by the environment. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "driver_api.h"

static void set(const char *variable, const char *text) {
  CHECK_EQUAL(setenv(variable, text, 1), 0);
  OK(vramscope_emulator_reset());
}

static size_t granularity(void) {
  size_t bytes = 0;
  OK(cuMemGetAllocationGranularity(&bytes, &ON_DEVICE, 0));
  return bytes;
}

static size_t total(void) {
  size_t bytes = 0;
  OK(cuDeviceTotalMem_v2(&bytes, 0));
  return bytes;
}

static void default_capacity_is_16_gib(void) {
  OK(vramscope_emulator_reset());
  OK(cuInit(0));
  CHECK_EQUAL(total(), 16ull << 30);
  CHECK_EQUAL(granularity(), 2 * MIB);
}

static void environment_configures_the_device(void) {
  set("VRAMSCOPE_EMULATOR_BYTES", "1048576");
  set("VRAMSCOPE_EMULATOR_GRANULARITY", "65536");
  set("VRAMSCOPE_EMULATOR_EXTERNAL", "1000000");
  set("VRAMSCOPE_EMULATOR_PROCESSES", "self:5,4711:6");
  OK(cuInit(0));
  CHECK_EQUAL(total(), MIB);
  CHECK_EQUAL(granularity(), 64 * KIB);
  int64_t pids[2];
  uint64_t bytes[2];
  CHECK_EQUAL(vramscope_emulator_processes(pids, bytes, 2), 2);
  CHECK_EQUAL(pids[0], 0);
  CHECK_EQUAL(bytes[0], 5);
  CHECK_EQUAL(pids[1], 4711);
  CUcontext context;
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSetCurrent(context));
  size_t left;
  OK(cuMemGetInfo_v2(&left, NULL));
  CHECK_EQUAL(left, 48576);
}

static void driver_version_is_configurable(void) {
  int version = 0;
  set("VRAMSCOPE_EMULATOR_VERSION", "10020");
  OK(cuDriverGetVersion(&version));
  CHECK_EQUAL(version, 10020);
}

static void controls_override_the_environment(void) {
  set("VRAMSCOPE_EMULATOR_BYTES", "1048576");
  OK(vramscope_emulator_configure(4 * MIB, 4096));
  OK(cuInit(0));
  CHECK_EQUAL(total(), 4 * MIB);
}

static void check_rejected(const char *variable, const char *text) {
  const char *old = getenv(variable);
  char *kept = old == NULL ? NULL : strdup(old);
  set(variable, text);
  CHECK_EQUAL(cuInit(0), CUDA_ERROR_INVALID_VALUE);
  if (kept == NULL) {
    unsetenv(variable);
  } else {
    setenv(variable, kept, 1);
  }
  free(kept);
}

static void invalid_environment_is_rejected(void) {
  check_rejected("VRAMSCOPE_EMULATOR_BYTES", "16GiB");
  check_rejected("VRAMSCOPE_EMULATOR_BYTES", "-1");
  check_rejected("VRAMSCOPE_EMULATOR_BYTES", "0");
  check_rejected("VRAMSCOPE_EMULATOR_BYTES", "99999999999999999999999");
  check_rejected("VRAMSCOPE_EMULATOR_GRANULARITY", "1000");
  check_rejected("VRAMSCOPE_EMULATOR_MANUAL", "2");
  check_rejected("VRAMSCOPE_EMULATOR_PROCESSES", "self");
  check_rejected("VRAMSCOPE_EMULATOR_PROCESSES", "me:5");
  check_rejected("VRAMSCOPE_EMULATOR_PROCESSES", "self:5;4711:6");
  OK(vramscope_emulator_reset());
  OK(cuInit(0));
}

int main(void) {
  RUN(default_capacity_is_16_gib);
  RUN(environment_configures_the_device);
  RUN(driver_version_is_configurable);
  RUN(controls_override_the_environment);
  RUN(invalid_environment_is_rejected);
  OK(vramscope_emulator_reset());
}
