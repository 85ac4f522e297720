/* Streams that move only when told: order, waits, and races that can be seen. */
#include "card.h"

static void manual_card(void) {
  fresh_card(64 * MIB);
  OK(vramscope_emulator_manual(1));
}

static void work_that_was_not_advanced_is_not_visible(void) {
  manual_card();
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

static void steps_are_done_in_order_and_counted(void) {
  manual_card();
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

static void events_complete_when_their_stream_gets_there(void) {
  manual_card();
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

static void a_synchronization_does_no_more_than_it_must(void) {
  manual_card();
  CUstream one = new_stream(CU_STREAM_NON_BLOCKING), two = new_stream(CU_STREAM_NON_BLOCKING);
  CUevent early = new_event(), late = new_event(), elsewhere = new_event();
  OK(cuEventRecord(early, one));
  OK(cuEventRecord(late, one));
  OK(cuEventRecord(elsewhere, two));
  OK(cuEventSynchronize(early));
  CHECK_EQUAL(cuEventQuery(late), CUDA_ERROR_NOT_READY);
  OK(cuStreamSynchronize(one));
  OK(cuEventQuery(late));
  CHECK_EQUAL(cuEventQuery(elsewhere), CUDA_ERROR_NOT_READY);
  OK(cuCtxSynchronize());
  OK(cuEventQuery(elsewhere));
}

static void a_recorded_again_event_means_its_last_place(void) {
  manual_card();
  CUstream stream = new_stream(CU_STREAM_NON_BLOCKING);
  CUevent event = new_event();
  OK(cuEventRecord(event, stream));
  OK(cuEventRecord(event, stream));
  vramscope_emulator_advance(stream, 1);
  CHECK_EQUAL(cuEventQuery(event), CUDA_ERROR_NOT_READY);
  vramscope_emulator_advance(stream, 1);
  OK(cuEventQuery(event));
}

static void a_wait_holds_a_stream_back(void) {
  manual_card();
  CUdeviceptr block = allocated(2 * MIB);
  CUstream producer = new_stream(CU_STREAM_NON_BLOCKING), consumer = new_stream(CU_STREAM_NON_BLOCKING);
  CUevent made = new_event();
  OK(cuMemsetD32Async(block, 1, 1, producer));
  OK(cuEventRecord(made, producer));
  OK(cuStreamWaitEvent(consumer, made, 0));
  OK(cuMemsetD32Async(block, 2, 1, consumer));
  OK(cuEventDestroy_v2(made)); /* the wait is for the place, not for the event */
  CHECK_EQUAL(vramscope_emulator_advance(consumer, 10), 0);
  CHECK_EQUAL(vramscope_emulator_advance(producer, 10), 2);
  CHECK_EQUAL(vramscope_emulator_advance(consumer, 10), 2);
  CHECK_EQUAL(word_at(block), 2);
}

static void synchronizing_a_waiting_stream_does_what_it_waits_for(void) {
  manual_card();
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

/* What an allocator without record_stream would allow: reuse while another stream still reads. */
static void a_race_across_streams_shows(void) {
  manual_card();
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
  manual_card();
  CUdeviceptr block = allocated(2 * MIB);
  CUstream blocking = new_stream(0), free_running = new_stream(CU_STREAM_NON_BLOCKING);
  OK(cuMemsetD32Async(block, 1, 1, blocking));
  OK(cuMemsetD32Async(block, 2, 1, NULL));
  OK(cuMemsetD32Async(block, 3, 1, blocking));
  OK(cuMemsetD32Async(block + 64, 4, 1, free_running));
  CHECK_EQUAL(vramscope_emulator_advance(free_running, 9), 1);
  CHECK_EQUAL(vramscope_emulator_advance(NULL, 9), 0);
  CHECK_EQUAL(vramscope_emulator_advance(blocking, 9), 1);
  CHECK_EQUAL(vramscope_emulator_advance(blocking, 9), 0);
  CHECK_EQUAL(vramscope_emulator_advance(NULL, 9), 1);
  CHECK_EQUAL(vramscope_emulator_advance(blocking, 9), 1);
  CHECK_EQUAL(word_at(block), 3);
}

static void freeing_does_the_work_but_completes_no_event(void) {
  manual_card();
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

static void work_on_memory_unmapped_meanwhile_poisons_the_context(void) {
  manual_card();
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

static void a_destroyed_stream_still_does_its_work(void) {
  manual_card();
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

static void garbage_is_no_stream_and_no_event(void) {
  manual_card();
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
  manual_card();
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

static void a_stream_describes_itself(void) {
  manual_card();
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
  RUN(work_that_was_not_advanced_is_not_visible);
  RUN(steps_are_done_in_order_and_counted);
  RUN(events_complete_when_their_stream_gets_there);
  RUN(a_synchronization_does_no_more_than_it_must);
  RUN(a_recorded_again_event_means_its_last_place);
  RUN(a_wait_holds_a_stream_back);
  RUN(synchronizing_a_waiting_stream_does_what_it_waits_for);
  RUN(a_race_across_streams_shows);
  RUN(blocking_streams_and_the_default_stream_wait_for_each_other);
  RUN(freeing_does_the_work_but_completes_no_event);
  RUN(work_on_memory_unmapped_meanwhile_poisons_the_context);
  RUN(a_destroyed_stream_still_does_its_work);
  RUN(garbage_is_no_stream_and_no_event);
  RUN(later_streams_have_greater_handles);
  RUN(a_stream_describes_itself);
  OK(vramscope_emulator_reset());
}
