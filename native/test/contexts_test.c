/* Initialization, the device, its primary context, and the names of results. */
#include <string.h>

#include "driver_api.h"

static void calls_need_initialization(void) {
  OK(vramscope_emulator_reset());
  int count;
  CUdeviceptr address;
  CUcontext context;
  int version = 0;
  CHECK_EQUAL(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQUAL(cuMemAlloc_v2(&address, 1), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQUAL(cuCtxGetCurrent(&context), CUDA_ERROR_NOT_INITIALIZED);
  OK(cuDriverGetVersion(&version));
  CHECK_EQUAL(version, 13000);
  CHECK_EQUAL(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  OK(cuInit(0));
  OK(cuInit(0));
  OK(cuDeviceGetCount(&count));
  CHECK_EQUAL(count, 1);
}

static void memory_needs_a_current_context(void) {
  OK(vramscope_emulator_reset());
  OK(cuInit(0));
  CUdeviceptr address;
  CUcontext context, none = (CUcontext)1;
  CHECK_EQUAL(cuMemAlloc_v2(&address, 1), CUDA_ERROR_INVALID_CONTEXT);
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK_EQUAL(cuMemAlloc_v2(&address, 1), CUDA_ERROR_INVALID_CONTEXT);
  OK(cuCtxGetCurrent(&none));
  CHECK_EQUAL((uint64_t)none, 0);
  OK(cuCtxSetCurrent(context));
  OK(cuMemAlloc_v2(&address, 1));
  OK(cuCtxSetCurrent(NULL));
  CHECK_EQUAL(cuMemFree_v2(address), CUDA_ERROR_INVALID_CONTEXT);
}

static void contexts_form_a_stack(void) {
  fresh_device(16 * MIB);
  CUcontext context, popped;
  OK(cuCtxGetCurrent(&context));
  OK(cuCtxPushCurrent_v2(context));
  OK(cuCtxPopCurrent_v2(&popped));
  CHECK_EQUAL((uint64_t)popped, (uint64_t)context);
  OK(cuCtxPopCurrent_v2(NULL));
  CHECK_EQUAL(cuCtxPopCurrent_v2(&popped), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQUAL(cuCtxPushCurrent_v2(NULL), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQUAL(cuCtxPushCurrent_v2((CUcontext)0x1234), CUDA_ERROR_INVALID_CONTEXT);
  for (int i = 0; i < 64; i++) {
    OK(cuCtxPushCurrent_v2(context));
  }
  CHECK_EQUAL(cuCtxPushCurrent_v2(context), CUDA_ERROR_OUT_OF_MEMORY);
}

static void last_release_destroys_the_context_and_its_objects(void) {
  fresh_device(16 * MIB);
  CUcontext context, again;
  unsigned int flags;
  int active;
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  CUdeviceptr block = allocated(4 * MIB);
  CUstream stream = new_stream(0);
  OK(cuDevicePrimaryCtxRelease_v2(0));
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 4 * MIB);
  OK(cuDevicePrimaryCtxRelease_v2(0));
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 0);
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK_EQUAL(active, 0);
  CHECK_EQUAL(cuMemFree_v2(block), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_EQUAL(cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_INVALID_CONTEXT);
  OK(cuDevicePrimaryCtxRetain(&again, 0));
  CHECK(again != context);
  CHECK_EQUAL(cuCtxSetCurrent(context), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  OK(cuCtxSetCurrent(again));
  CHECK_EQUAL(cuMemFree_v2(block), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuStreamQuery(stream), CUDA_ERROR_INVALID_HANDLE);
}

static void flags_are_kept(void) {
  fresh_device(16 * MIB);
  unsigned int flags = 9;
  int active = 9;
  OK(cuDevicePrimaryCtxSetFlags_v2(0, 4));
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK_EQUAL(flags, 4);
  CHECK_EQUAL(active, 1);
  OK(cuCtxGetFlags(&flags));
  CHECK_EQUAL(flags, 4);
  CHECK_EQUAL(cuDevicePrimaryCtxSetFlags_v2(0, 1u << 20), CUDA_ERROR_INVALID_VALUE);
}

static void has_one_device(void) {
  fresh_device(16 * MIB);
  CUdevice device = 9;
  CUcontext context;
  OK(cuDeviceGet(&device, 0));
  CHECK_EQUAL(device, 0);
  OK(cuCtxGetDevice(&device));
  CHECK_EQUAL(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
  CHECK_EQUAL(cuDeviceGet(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  CHECK_EQUAL(cuDeviceGet(NULL, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuDevicePrimaryCtxRetain(&context, 3), CUDA_ERROR_INVALID_DEVICE);
}

static void device_has_properties(void) {
  fresh_device(16 * MIB);
  char name[64], short_name[5], bus[32];
  size_t total = 0;
  int value = 0;
  CUdevice device = 9;
  CUuuid uuid;
  OK(cuDeviceGetName(name, sizeof name, 0));
  CHECK(strcmp(name, "vramscope emulated GPU") == 0);
  OK(cuDeviceGetName(short_name, sizeof short_name, 0));
  CHECK(strcmp(short_name, "vram") == 0);
  OK(cuDeviceTotalMem_v2(&total, 0));
  CHECK_EQUAL(total, 16 * MIB);
  OK(cuDeviceGetAttribute(&value, 102, 0));
  CHECK_EQUAL(value, 1);
  CHECK_EQUAL(cuDeviceGetAttribute(&value, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuDeviceGetAttribute(&value, 10, 1), CUDA_ERROR_INVALID_DEVICE);
  OK(cuDeviceGetUuid(&uuid, 0));
  OK(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
  OK(cuDeviceGetByPCIBusId(&device, bus));
  CHECK_EQUAL(device, 0);
  CHECK_EQUAL(cuDeviceGetByPCIBusId(&device, "0000:99:00.0"), CUDA_ERROR_INVALID_DEVICE);
}

static void results_have_names(void) {
  const char *text = NULL;
  OK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
  CHECK(strcmp(text, "CUDA_ERROR_OUT_OF_MEMORY") == 0);
  OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  CHECK(strcmp(text, "out of memory") == 0);
  CHECK_EQUAL(cuGetErrorName((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL((uint64_t)text, 0);
  CHECK_EQUAL(cuGetErrorString(CUDA_SUCCESS, NULL), CUDA_ERROR_INVALID_VALUE);
}

int main(void) {
  RUN(calls_need_initialization);
  RUN(memory_needs_a_current_context);
  RUN(contexts_form_a_stack);
  RUN(last_release_destroys_the_context_and_its_objects);
  RUN(flags_are_kept);
  RUN(has_one_device);
  RUN(device_has_properties);
  RUN(results_have_names);
  OK(vramscope_emulator_reset());
}
