/* Concurrent threads: each finds its memory unchanged, and everything is freed at the end. */
#include <pthread.h>

#include "kernels.h"

enum { THREADS = 8, ROUNDS = 300 };

static CUcontext context;

static uint64_t next_random(uint64_t *state) { return vramscope_pattern(0, (*state)++); }

static void use_a_block(CUstream stream, uint64_t *state, CUdeviceptr block, size_t bytes) {
  uint32_t value = (uint32_t)next_random(state), read = 0;
  CUevent event;
  OK(cuMemsetD32Async(block, value, bytes / 4, stream));
  OK(cuEventCreate(&event, 0));
  OK(cuEventRecord(event, stream));
  OK(cuEventSynchronize(event));
  OK(cuEventDestroy_v2(event));
  OK(cuMemcpyDtoH_v2(&read, block + bytes - 4, sizeof read));
  CHECK_EQUAL(read, value);
}

static void use_a_page(CUstream stream, uint64_t *state) {
  CUdeviceptr range;
  CUmemGenericAllocationHandle page;
  OK(cuMemAddressReserve(&range, 4 * MIB, 0, 0, 0));
  OK(cuMemCreate(&page, 2 * MIB, &ON_DEVICE, 0));
  OK(cuMemMap(range + 2 * MIB, 2 * MIB, 0, page, 0));
  OK(cuMemSetAccess(range + 2 * MIB, 2 * MIB, &READ_WRITE, 1));
  OK(cuMemRelease(page));
  use_a_block(stream, state, range + 2 * MIB, 64 * KIB);
  OK(cuStreamSynchronize(stream));
  OK(cuMemUnmap(range + 2 * MIB, 2 * MIB));
  OK(cuMemAddressFree(range, 4 * MIB));
}

static void *run_rounds(void *seed) {
  uint64_t state = (uint64_t)seed << 32;
  OK(cuCtxSetCurrent(context));
  CUstream stream = new_stream(next_random(&state) % 2 == 0 ? 0 : CU_STREAM_NON_BLOCKING);
  CUfunction spinning = kernel(VRAMSCOPE_KERNEL_SPIN);
  for (int round = 0; round < ROUNDS; round++) {
    if (round % 50 == 0) {
      OK(launch(spinning, stream, next_random(&state) % 300000, 0, 0, 0));
    }
    if (next_random(&state) % 4 == 0) {
      use_a_page(stream, &state);
      continue;
    }
    CUdeviceptr block;
    size_t bytes = 4 + next_random(&state) % (256 * KIB) / 4 * 4;
    OK(cuMemAlloc_v2(&block, bytes));
    use_a_block(stream, &state, block, bytes);
    OK(cuMemFree_v2(block));
  }
  OK(cuStreamDestroy_v2(stream));
  return NULL;
}

static void threads_do_not_interfere(void) {
  fresh_device(1ull << 30);
  OK(cuCtxGetCurrent(&context));
  pthread_t threads[THREADS];
  for (uint64_t i = 0; i < THREADS; i++) {
    CHECK_EQUAL(pthread_create(&threads[i], NULL, run_rounds, (void *)(i + 1)), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  CHECK_EQUAL(vramscope_emulator_used_bytes(), 0);
}

static void *check_no_context(void *ignored) {
  CUdeviceptr none;
  CHECK_EQUAL(cuMemAlloc_v2(&none, 1), CUDA_ERROR_INVALID_CONTEXT);
  return ignored;
}

static void new_thread_has_no_current_context(void) {
  fresh_device(16 * MIB);
  pthread_t thread;
  CHECK_EQUAL(pthread_create(&thread, NULL, check_no_context, NULL), 0);
  pthread_join(thread, NULL);
}

int main(void) {
  RUN(threads_do_not_interfere);
  RUN(new_thread_has_no_current_context);
  OK(vramscope_emulator_reset());
}
