/* Manual streams: order, waits, and visible races. */
#include "driver_api.h"

static void manual_device(void) {
  fresh_device(64 * MIB);
  OK(vramscope_emulator_manual(1));
}

static void work_has_no_effect_before_its_stream_advances(void) {
  manual_device();
  CUdeviceptr from = allocated(2 * MIB), to = allocated(2 * MIB);
  OK(cuMemsetD32_v2(from, 0xfeed, 1));
  CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
  OK(cuMemcpyDtoDAsync_v2(to, from, 4, stream));
  CHECK_EQUAL(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
  CHECK_EQUAL(word_at(to), 0);
  CHECK_EQUAL(vramscope_emulator_advance(stream, 1), 1);
  CHECK_EQUAL(word_at(to), 0xfeed);
  OK(cuStreamQuery(stream));
}

static void steps_are_executed_in_order_and_counted(void) {
  manual_device();
  CUdeviceptr block = allocated(2 * MIB);
  CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
  for (uint32_t i = 1; i <= 3; i++) {
    OK(cuMemsetD32Async(block, i, 1, stream));
  }
  CHECK_EQUAL(vramscope_emulator_advance(stream, 2), 2);
  CHECK_EQUAL(word_at(block), 2);
  CHECK_EQUAL(vramscope_emulator_advance(stream, 100), 1);
  CHECK_EQUAL(word_at(block), 3);
  CHECK_EQUAL(vramscope_emulator_advance(stream, 1), 0);
  CHECK_EQUAL(vramscope_emulator_advance((CUstream)0x77, 1), -1);
}

static void events_complete_when_their_stream_reaches_them(void) {
  manual_device();
  CUstream one = new_stream(CU_STREAM_NON_BLOCKING), two = new_stream(CU_STREAM_NON_BLOCKING);
  CUevent first = new_event(), second = new_event(), never = new_event();
  OK(cuEventRecord(first, one));
  OK(cuEventRecord(second, two));
  OK(cuEventQuery(never));
  CHECK_EQUAL(cuEventQuery(first), CUDA_ERROR_NOT_READY);
  vramscope_emulator_advance(two, 1);
  CHECK_EQUAL(cuEventQuery(first), CUDA_ERROR_NOT_READY);
  OK(cuEventQuery(second));
  OK(cuEventSynchronize(first));
  OK(cuEventQuery(first));
}

static void synchronization_executes_only_the_required_work(void) {
  manual_device();
  CUstream one = new_stream(CU_STREAM_NON_BLOCKING), two = new_stream(CU_STREAM_NON_BLOCKING);
  CUevent early = new_event(), late = new_event(), other = new_event();
  OK(cuEventRecord(early, one));
  OK(cuEventRecord(late, one));
  OK(cuEventRecord(other, two));
  OK(cuEventSynchronize(early));
  CHECK_EQUAL(cuEventQuery(late), CUDA_ERROR_NOT_READY);
  OK(cuStreamSynchronize(one));
  OK(cuEventQuery(late));
  CHECK_EQUAL(cuEventQuery(other), CUDA_ERROR_NOT_READY);
  OK(cuCtxSynchronize());
  OK(cuEventQuery(other));
}

static void event_recorded_again_refers_to_the_last_record(void) {
  manual_device();
  CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
  CUevent event = new_event();
  OK(cuEventRecord(event, stream));
  OK(cuEventRecord(event, stream));
  vramscope_emulator_advance(stream, 1);
  CHECK_EQUAL(cuEventQuery(event), CUDA_ERROR_NOT_READY);
  vramscope_emulator_advance(stream, 1);
  OK(cuEventQuery(event));
}

static void wait_blocks_a_stream(void) {
  manual_device();
  CUdeviceptr block = allocated(2 * MIB);
  CUstream producer = new_stream(CU_STREAM_NON_BLOCKING), consumer = new_stream(CU_STREAM_NON_BLOCKING);
  CUevent produced = new_event();
  OK(cuMemsetD32Async(block, 1, 1, producer));
  OK(cuEventRecord(produced, producer));
  OK(cuStreamWaitEvent(consumer, produced, 0));
  OK(cuMemsetD32Async(block, 2, 1, consumer));
  OK(cuEventDestroy_v2(produced)); /* the wait is for the recorded point, not for the event */
  CHECK_EQUAL(vramscope_emulator_advance(consumer, 10), 0);
  CHECK_EQUAL(vramscope_emulator_advance(producer, 10), 2);
  CHECK_EQUAL(vramscope_emulator_advance(consumer, 10), 2);
  CHECK_EQUAL(word_at(block), 2);
}

static void synchronizing_a_waiting_stream_executes_the_awaited_work(void) {
  manual_device();
  CUdeviceptr block = allocated(2 * MIB);
  CUstream streams[3];
  CUevent last = NULL;
  for (int i = 0; i < 3; i++) {
    streams[i] = new_stream(CU_STREAM_NON_BLOCKING);
    if (last != NULL) {
      OK(cuStreamWaitEvent(streams[i], last, 0));
    }
    OK(cuMemsetD32Async(block, (uint32_t)i + 1, 1, streams[i]));
    last = new_event();
    OK(cuEventRecord(last, streams[i]));
    OK(cuMemsetD32Async(block + 64, 99, 1, streams[i]));
  }
  OK(cuEventSynchronize(last));
  CHECK_EQUAL(word_at(block), 3);
  CHECK_EQUAL(cuStreamQuery(streams[0]), CUDA_ERROR_NOT_READY);
  CHECK_EQUAL(word_at(block + 64), 0);
}

/* Without record_stream an allocator would reuse memory that another stream still reads. */
static void race_between_streams_is_visible(void) {
  manual_device();
  CUdeviceptr shared = allocated(2 * MIB), result = allocated(2 * MIB);
  CUstream reader = new_stream(CU_STREAM_NON_BLOCKING), writer = new_stream(CU_STREAM_NON_BLOCKING);
  OK(cuMemsetD32_v2(shared, 1, 1));
  OK(cuMemcpyDtoDAsync_v2(result, shared, 4, reader));
  OK(cuMemsetD32Async(shared, 2, 1, writer));
  vramscope_emulator_advance(writer, 1);
  vramscope_emulator_advance(reader, 1);
  CHECK_EQUAL(word_at(result), 2);
}

static void blocking_streams_and_the_default_stream_wait_for_each_other(void) {
  manual_device();
  CUdeviceptr block = allocated(2 * MIB);
  CUstream blocking = new_stream(0), non_blocking = new_stream(CU_STREAM_NON_BLOCKING);
  OK(cuMemsetD32Async(block, 1, 1, blocking));
  OK(cuMemsetD32Async(block, 2, 1, NULL));
  OK(cuMemsetD32Async(block, 3, 1, blocking));
  OK(cuMemsetD32Async(block + 64, 4, 1, non_blocking));
  CHECK_EQUAL(vramscope_emulator_advance(non_blocking, 9), 1);
  CHECK_EQUAL(vramscope_emulator_advance(NULL, 9), 0);
  CHECK_EQUAL(vramscope_emulator_advance(blocking, 9), 1);
  CHECK_EQUAL(vramscope_emulator_advance(blocking, 9), 0);
  CHECK_EQUAL(vramscope_emulator_advance(NULL, 9), 1);
  CHECK_EQUAL(vramscope_emulator_advance(blocking, 9), 1);
  CHECK_EQUAL(word_at(block), 3);
}

static void freeing_executes_work_but_completes_no_event(void) {
  manual_device();
  CUdeviceptr from = allocated(2 * MIB), to = allocated(2 * MIB);
  CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
  CUevent event = new_event();
  OK(cuMemsetD32Async(from, 0xace, 1, stream));
  OK(cuMemcpyDtoDAsync_v2(to, from, 4, stream));
  OK(cuEventRecord(event, stream));
  OK(cuMemFree_v2(from));
  CHECK_EQUAL(word_at(to), 0xace);
  CHECK_EQUAL(cuEventQuery(event), CUDA_ERROR_NOT_READY);
  CHECK_EQUAL(vramscope_emulator_advance(stream, 9), 3);
  OK(cuEventQuery(event));
}

static void work_on_unmapped_memory_is_a_sticky_error(void) {
  manual_device();
  CUdeviceptr range;
  CUmemGenericAllocationHandle page;
  OK(cuMemAddressReserve(&range, 2 * MIB, 0, 0, 0));
  OK(cuMemCreate(&page, 2 * MIB, &ON_DEVICE, 0));
  OK(cuMemMap(range, 2 * MIB, 0, page, 0));
  OK(cuMemSetAccess(range, 2 * MIB, &READ_WRITE, 1));
  CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
  OK(cuMemsetD8Async(range, 1, 2 * MIB, stream));
  OK(cuMemUnmap(range, 2 * MIB));
  CHECK_EQUAL(cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdeviceptr none;
  CHECK_EQUAL(cuMemAlloc_v2(&none, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUcontext context;
  OK(cuDevicePrimaryCtxReset_v2(0));
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSetCurrent(context));
  OK(cuMemAlloc_v2(&none, 1));
}

static void destroyed_stream_still_executes_its_work(void) {
  manual_device();
  CUdeviceptr block = allocated(2 * MIB);
  CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
  CUevent event = new_event();
  OK(cuMemsetD32Async(block, 5, 1, stream));
  OK(cuEventRecord(event, stream));
  OK(cuStreamDestroy_v2(stream));
  CHECK_EQUAL(cuStreamQuery(stream), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQUAL(cuStreamDestroy_v2(stream), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQUAL(cuEventQuery(event), CUDA_ERROR_NOT_READY);
  OK(cuEventSynchronize(event));
  CHECK_EQUAL(word_at(block), 5);
}

static void invalid_handles_are_rejected(void) {
  manual_device();
  CUstream stream = new_stream(0);
  CUevent event = new_event();
  CHECK_EQUAL(cuStreamSynchronize((CUstream)event), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQUAL(cuEventQuery((CUevent)stream), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQUAL(cuEventQuery(NULL), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQUAL(cuEventRecord(event, (CUstream)0x7777), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQUAL(cuStreamWaitEvent(stream, (CUevent)3, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQUAL(cuStreamCreate(NULL, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuStreamCreate(&stream, 2), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuEventCreate(&event, 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuStreamDestroy_v2(NULL), CUDA_ERROR_INVALID_HANDLE);
}

static void later_streams_have_greater_handles(void) {
  manual_device();
  uint64_t last = 0;
  for (int i = 0; i < 1000; i++) {
    CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
    CHECK((uint64_t)stream > last);
    last = (uint64_t)stream;
    if (i % 3 == 0) {
      OK(cuStreamDestroy_v2(stream));
    }
  }
}

static void stream_has_properties(void) {
  manual_device();
  CUstream stream;
  CUcontext context = NULL, current;
  unsigned int flags = 9;
  unsigned long long id = 0;
  int priority = 9;
  OK(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -99));
  OK(cuStreamGetFlags(stream, &flags));
  OK(cuStreamGetPriority(stream, &priority));
  OK(cuStreamGetId(stream, &id));
  OK(cuStreamGetCtx(stream, &context));
  OK(cuCtxGetCurrent(&current));
  CHECK_EQUAL(flags, CU_STREAM_NON_BLOCKING);
  CHECK_EQUAL(priority, -5);
  CHECK_EQUAL(id, (uint64_t)stream);
  CHECK_EQUAL((uint64_t)context, (uint64_t)current);
  CHECK_EQUAL(cuStreamGetFlags(stream, NULL), CUDA_ERROR_INVALID_VALUE);
  OK(cuCtxGetStreamPriorityRange(NULL, &priority));
  CHECK_EQUAL(priority, -5);
}

int main(void) {
  RUN(work_has_no_effect_before_its_stream_advances);
  RUN(steps_are_executed_in_order_and_counted);
  RUN(events_complete_when_their_stream_reaches_them);
  RUN(synchronization_executes_only_the_required_work);
  RUN(event_recorded_again_refers_to_the_last_record);
  RUN(wait_blocks_a_stream);
  RUN(synchronizing_a_waiting_stream_executes_the_awaited_work);
  RUN(race_between_streams_is_visible);
  RUN(blocking_streams_and_the_default_stream_wait_for_each_other);
  RUN(freeing_executes_work_but_completes_no_event);
  RUN(work_on_unmapped_memory_is_a_sticky_error);
  RUN(destroyed_stream_still_executes_its_work);
  RUN(invalid_handles_are_rejected);
  RUN(later_streams_have_greater_handles);
  RUN(stream_has_properties);
  OK(vramscope_emulator_reset());
}
