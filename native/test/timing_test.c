/* Automatic streams: spin kernels run for the requested time, and dependent work waits for them. */
#include <time.h>

#include "kernels.h"

enum { MILLISECOND = 1000000 };

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void work_runs_when_it_is_enqueued(void) {
  fresh_device(16 * MIB);
  CUdeviceptr block = allocated(2 * MIB);
  CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
  CUevent event = new_event();
  OK(cuMemsetD32Async(block, 3, 1, stream));
  OK(cuEventRecord(event, stream));
  OK(cuEventQuery(event));
  CHECK_EQUAL(*(volatile uint32_t *)block, 3);
}

static void spin_takes_its_time_and_blocks_later_work(void) {
  fresh_device(16 * MIB);
  CUdeviceptr block = allocated(2 * MIB);
  CUstream stream = new_stream(CU_STREAM_NON_BLOCKING), other = new_stream(CU_STREAM_NON_BLOCKING);
  CUevent start = new_event(), end = new_event();
  double before = seconds();
  OK(cuEventRecord(start, stream));
  spin(stream, 30 * MILLISECOND);
  OK(cuMemsetD32Async(block, 3, 1, stream));
  OK(cuEventRecord(end, stream));
  OK(cuStreamWaitEvent(other, end, 0));
  CHECK_EQUAL(cuEventQuery(end), CUDA_ERROR_NOT_READY);
  CHECK_EQUAL(cuStreamQuery(other), CUDA_ERROR_NOT_READY);
  float milliseconds = 0;
  CHECK_EQUAL(cuEventElapsedTime(&milliseconds, start, end), CUDA_ERROR_NOT_READY);
  CHECK_EQUAL(word_at(block), 0);
  OK(cuStreamSynchronize(other));
  CHECK(seconds() - before >= 0.03);
  CHECK_EQUAL(word_at(block), 3);
  OK(cuEventElapsedTime(&milliseconds, start, end));
  CHECK(milliseconds >= 30 && milliseconds < 500); /* the host may be slow to enqueue */
}

static void spins_run_without_being_queried(void) {
  fresh_device(16 * MIB);
  CUstream stream = new_stream(CU_STREAM_NON_BLOCKING), other = new_stream(CU_STREAM_NON_BLOCKING);
  CUevent middle = new_event();
  spin(stream, 10 * MILLISECOND);
  OK(cuEventRecord(middle, stream));
  spin(stream, 10 * MILLISECOND);
  OK(cuStreamWaitEvent(other, middle, 0));
  spin(other, 10 * MILLISECOND);
  struct timespec pause = {0, 21 * MILLISECOND};
  nanosleep(&pause, NULL);
  OK(cuStreamQuery(other));
  OK(cuStreamQuery(stream));
}

static void streams_spin_concurrently(void) {
  fresh_device(16 * MIB);
  CUevent ends[8];
  for (int i = 0; i < 8; i++) {
    CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
    ends[i] = new_event();
    spin(stream, 100 * MILLISECOND);
    OK(cuEventRecord(ends[i], stream));
  }
  OK(cuCtxSynchronize());
  float milliseconds = 0;
  OK(cuEventElapsedTime(&milliseconds, ends[0], ends[7]));
  CHECK(milliseconds >= 0 && milliseconds < 500); /* sequentially it would be 700 */
}

static void freeing_waits_for_busy_streams(void) {
  fresh_device(16 * MIB);
  CUdeviceptr block = allocated(2 * MIB);
  double before = seconds();
  spin(new_stream(CU_STREAM_NON_BLOCKING), 30 * MILLISECOND);
  OK(cuMemFree_v2(block));
  CHECK(seconds() - before >= 0.03);
}

static void endless_spin_ends_in_manual_mode(void) {
  fresh_device(16 * MIB);
  CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
  spin(stream, UINT64_MAX);
  spin(stream, UINT64_MAX);
  CHECK_EQUAL(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
  OK(vramscope_emulator_manual(1));
  OK(cuStreamSynchronize(stream));
}

static void elapsed_time_needs_events_with_timing(void) {
  fresh_device(16 * MIB);
  CUevent timed = new_event(), untimed, never = new_event();
  float milliseconds;
  OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
  OK(cuEventRecord(timed, NULL));
  OK(cuEventRecord(untimed, NULL));
  CHECK_EQUAL(cuEventElapsedTime(&milliseconds, timed, untimed), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQUAL(cuEventElapsedTime(&milliseconds, timed, never), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQUAL(cuEventElapsedTime(NULL, timed, timed), CUDA_ERROR_INVALID_VALUE);
  OK(cuEventElapsedTime(&milliseconds, timed, timed));
  CHECK(milliseconds == 0);
}

int main(void) {
  RUN(work_runs_when_it_is_enqueued);
  RUN(spin_takes_its_time_and_blocks_later_work);
  RUN(spins_run_without_being_queried);
  RUN(streams_spin_concurrently);
  RUN(freeing_waits_for_busy_streams);
  RUN(endless_spin_ends_in_manual_mode);
  RUN(elapsed_time_needs_events_with_timing);
  OK(vramscope_emulator_reset());
}
