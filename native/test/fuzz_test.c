/*
 * Random calls with random, mostly invalid, arguments. Checks only that every call returns, that the used
 * bytes never exceed the capacity, and that a reset frees everything.
 *
 *   fuzz_test [FIRST_SEED [SECONDS]]    to reproduce a crash, start with the seed printed last
 */
#include <string.h>
#include <time.h>

#include "kernels.h"

CUresult cuArray3DCreate_v2(void *a, void *b);
CUresult cuMemAllocManaged(CUdeviceptr *a, size_t b, unsigned int c);

enum { CALLS_PER_SEED = 400, REMEMBERED = 24 };

static uint64_t state;

static uint64_t next_random(void) { return vramscope_pattern(0, state++); }
static uint64_t below(uint64_t bound) { return next_random() % bound; }

/* Values returned by the driver, of all kinds; one of the wrong kind serves as an invalid argument. */
static uint64_t returned[REMEMBERED];
static char *host, *pinned;

static void remember(uint64_t value) { returned[below(REMEMBERED)] = value; }

static uint64_t value(void) {
  switch (below(8)) {
    case 0:
      return below(4);
    case 1:
      return next_random();
    case 2:
      return returned[below(REMEMBERED)] + below(5) * 4096;
    case 3:
      return vramscope_emulator_base() + below(64) * MIB;
    case 4:
      return UINT64_MAX - below(4097);
    default:
      return returned[below(REMEMBERED)];
  }
}

static uint64_t size(void) {
  switch (below(6)) {
    case 0:
      return value();
    case 1:
      return below(2) * 0x7fffffffffffffff;
    case 2:
      return below(100);
    default:
      return (1 + below(4)) * 2 * MIB;
  }
}

static void *host_pointer(void) {
  switch (below(6)) {
    case 0:
      return NULL;
    case 1:
      return (void *)(below(16) * 4096);
    case 2:
      return (void *)(next_random() | 1ull << 63); /* never memory of this program */
    case 3:
      return pinned;
    default:
      return host;
  }
}

/* Copies may write to the host, so they stay within the buffers or use an invalid address. */
static uint64_t host_size(const void *pointer) {
  return pointer == host || pointer == pinned ? below(4096) : size();
}

static CUstream stream(void) { return below(3) == 0 ? NULL : (CUstream)value(); }
static unsigned int flags(void) { return below(4) == 0 ? (unsigned int)next_random() : (unsigned int)below(4); }

static void call_memory(void) {
  CUdeviceptr address = 0;
  size_t a, b;
  switch (below(7)) {
    case 0:
      cuMemAlloc_v2(below(20) == 0 ? NULL : &address, size());
      break;
    case 1:
      cuMemFree_v2(value());
      break;
    case 2:
      cuMemGetInfo_v2(below(2) ? &a : NULL, below(2) ? &b : NULL);
      break;
    case 3:
      cuMemGetAddressRange_v2(&address, &a, value());
      break;
    case 4:
      cuMemHostRegister_v2(host, 1 + below(4096), flags());
      break;
    case 5:
      cuMemHostUnregister(host_pointer());
      break;
    default:
      cuMemHostGetDevicePointer_v2(&address, host_pointer(), flags());
      break;
  }
  remember(address);
}

static void call_virtual(void) {
  CUdeviceptr address = 0;
  CUmemGenericAllocationHandle page = 0;
  CUmemAllocationProp prop = ON_DEVICE;
  CUmemAccessDesc access = READ_WRITE;
  unsigned long long bits;
  size_t bytes;
  if (below(10) == 0) {
    prop.location.id = (int)next_random();
    access.flags = (int)next_random();
  }
  switch (below(9)) {
    case 0:
      cuMemAddressReserve(&address, size(), below(3) == 0 ? size() : 0, value(), below(20) == 0);
      break;
    case 1:
      cuMemAddressFree(value(), size());
      break;
    case 2:
      cuMemCreate(&page, size(), below(20) == 0 ? NULL : &prop, below(20) == 0);
      break;
    case 3:
      cuMemRelease(value());
      break;
    case 4:
      cuMemUnmap(value(), size());
      break;
    case 5:
      cuMemSetAccess(value(), size(), below(20) == 0 ? NULL : &access, below(10) == 0 ? next_random() : 1);
      break;
    case 6:
      cuMemGetAccess(&bits, &access.location, value());
      cuMemGetAllocationGranularity(&bytes, &prop, (int)below(3));
      break;
    case 7:
      cuMemRetainAllocationHandle(&page, (void *)value());
      break;
    default:
      cuMemMap(value(), size(), below(10) == 0 ? size() : 0, value(), below(20) == 0);
      break;
  }
  remember(address != 0 ? address : page);
}

static void call_copy(void) {
  void *pointer = host_pointer();
  uint64_t bytes = host_size(pointer);
  switch (below(8)) {
    case 0:
      cuMemcpyHtoD_v2(value(), pointer, bytes);
      break;
    case 1:
      cuMemcpyDtoH_v2(pointer, value(), bytes);
      break;
    case 2:
      cuMemcpyHtoDAsync_v2(value(), pointer, bytes, stream());
      break;
    case 3:
      cuMemcpyDtoHAsync_v2(pointer, value(), bytes, stream());
      break;
    case 4:
      cuMemcpyDtoDAsync_v2(value(), value(), size(), stream());
      break;
    case 5:
      cuMemsetD8Async(value(), 1, size(), stream());
      break;
    case 6:
      cuMemsetD16_v2(value(), 2, size());
      break;
    default:
      cuMemsetD32Async(value(), 3, size(), stream());
      break;
  }
}

static void call_stream(void) {
  CUstream created = NULL;
  CUevent event = NULL;
  float milliseconds;
  switch (below(11)) {
    case 0:
      cuStreamCreate(below(20) == 0 ? NULL : &created, flags());
      break;
    case 1:
      cuStreamDestroy_v2(stream());
      break;
    case 2:
      cuStreamSynchronize(stream());
      break;
    case 3:
      cuStreamQuery(stream());
      break;
    case 4:
      cuEventCreate(&event, flags());
      break;
    case 5:
      cuEventDestroy_v2((CUevent)value());
      break;
    case 6:
      cuEventQuery((CUevent)value());
      break;
    case 7:
      cuEventSynchronize((CUevent)value());
      break;
    case 8:
      cuStreamWaitEvent(stream(), (CUevent)value(), flags());
      break;
    case 9:
      cuEventElapsedTime(&milliseconds, (CUevent)value(), (CUevent)value());
      break;
    default:
      cuEventRecord((CUevent)value(), stream());
      break;
  }
  remember(created != NULL ? (uint64_t)created : (uint64_t)event);
}

static void call_module(void) {
  CUmodule module = NULL;
  CUfunction function = NULL;
  static const char *const names[] = {VRAMSCOPE_KERNEL_FILL, VRAMSCOPE_KERNEL_VERIFY, "", NULL};
  const char *name = names[below(4)];
  switch (below(6)) {
    case 0:
      cuModuleLoadData(&module, below(3) == 0 ? host_pointer() : IMAGE);
      break;
    case 1:
      cuModuleUnload((CUmodule)value());
      break;
    case 2:
      cuModuleGetFunction(&function, (CUmodule)value(), name);
      break;
    case 3:
      /* Handled separately, because the first parameter is a time that the test has to wait. */
      if (cuModuleLoadData(&module, IMAGE) == CUDA_SUCCESS &&
          cuModuleGetFunction(&function, module, VRAMSCOPE_KERNEL_SPIN) == CUDA_SUCCESS) {
        launch(function, stream(), below(100000), 0, 0, 0);
      }
      function = NULL; /* so that it is not launched with other parameters */
      break;
    default: {
      uint64_t a = value() & -8ull, b = below(2) ? below(10000) : size(), c = next_random(), d = value() & -8ull;
      void *valid[] = {&a, &b, &c, &d}, *invalid[] = {&a, host_pointer(), (void *)1, NULL};
      cuLaunchKernel((CUfunction)value(), (unsigned)below(3), 1, 1, (unsigned)below(1030), 1, 1, 0, stream(),
                     below(5) == 0 ? invalid : valid, NULL);
      break;
    }
  }
  remember(module != NULL ? (uint64_t)module : (uint64_t)function);
}

static void call_context(void) {
  CUcontext context = NULL;
  CUdevice device;
  CUdeviceptr managed;
  char text[8];
  const char *name;
  int number;
  switch (below(9)) {
    case 0:
      cuCtxSetCurrent(below(4) == 0 ? (CUcontext)value() : NULL);
      break;
    case 1:
      cuCtxPushCurrent_v2((CUcontext)value());
      break;
    case 2:
      cuCtxPopCurrent_v2(below(2) ? &context : NULL);
      break;
    case 3:
      cuDevicePrimaryCtxRelease_v2((int)below(3) - 1);
      break;
    case 4:
      cuDeviceGet(&device, (int)next_random());
      cuDeviceGetName(text, (int)below(9) - 1, 0);
      break;
    case 5:
      cuDeviceGetAttribute(&number, (int)next_random(), 0);
      break;
    case 6:
      cuGetErrorName((CUresult)below(1000), &name);
      break;
    case 7:
      cuMemAllocManaged(&managed, size(), 1);
      break;
    default:
      cuArray3DCreate_v2((void *)value(), (void *)value());
      break;
  }
  if (cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS || below(10) == 0) {
    cuDevicePrimaryCtxReset_v2(0);
  }
  if (cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS) { /* most calls should pass the context check */
    remember((uint64_t)context);
    cuCtxSetCurrent(context);
  }
}

static void call_control(void) {
  static const char *const names[] = {"cuMemAlloc", "cuMemMap", "cuStreamQuery", "cuNothing", "", NULL};
  switch (below(6)) {
    case 0:
      vramscope_emulator_manual((int)below(2));
      break;
    case 1:
      vramscope_emulator_advance(stream(), below(5));
      break;
    case 2:
      vramscope_emulator_fail(names[below(6)], below(5), (int)below(720), below(400) == 0);
      break;
    case 3:
      vramscope_emulator_external(below(3) == 0 ? next_random() : 0);
      break;
    case 4:
      vramscope_emulator_calls(names[below(6)]);
      break;
    default:
      vramscope_emulator_configure(next_random(), next_random());
      break;
  }
}

static void run_seed(uint64_t seed) {
  void (*const kinds[])(void) = {call_memory, call_virtual,  call_virtual, call_copy,
                                 call_stream, call_module, call_context, call_control};
  state = seed << 20;
  memset(returned, 0, sizeof returned);
  fresh_device(64 * MIB);
  void *memory;
  OK(cuMemHostAlloc(&memory, 4096, 0));
  pinned = memory;
  host = malloc(4096);
  memset(host, 0, 4096);
  for (int i = 0; i < CALLS_PER_SEED; i++) {
    kinds[below(8)]();
    CHECK(vramscope_emulator_used_bytes() <= 64 * MIB);
  }
  OK(vramscope_emulator_manual(1)); /* so that no spin kernel keeps running */
  OK(vramscope_emulator_reset());
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 0);
  free(host);
}

int main(int count, char **arguments) {
  uint64_t seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
  double limit = count > 2 ? atof(arguments[2]) : 3;
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  do {
    printf("seed %" PRIu64 "\n", seed);
    run_seed(seed++);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9 < limit);
}
