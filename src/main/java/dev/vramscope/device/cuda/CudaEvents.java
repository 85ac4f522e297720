package dev.vramscope.device.cuda;

import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * A pool of driver events, since creating one costs more than recording it.
 *
 * <p>The id of an event is {@code generation << 32 | slot}. The generation distinguishes it from
 * earlier events that used the same driver event, so that the id of a freed event is rejected.
 */
final class CudaEvents {
  private static final int GENERATION_SHIFT = 32;

  /** A driver event, and how often it was recorded. */
  private static final class Slot {
    private final int number;
    private final CUevent event;
    private int generation;
    private boolean inUse;

    private Slot(int number, CUevent event) {
      this.number = number;
      this.event = event;
    }

    private long id() {
      return (long) generation << GENERATION_SHIFT | number;
    }
  }

  private final CudaContext context;
  private final List<Slot> slots = new ArrayList<>();
  private final List<Slot> idle = new ArrayList<>();

  CudaEvents(CudaContext context) {
    this.context = context;
  }

  long record(CUstream stream, int number) {
    Slot slot = acquire();
    CUevent event = slot.event;
    int result = context.call(() -> JCudaDriver.cuEventRecord(event, stream));
    if (result != CUresult.CUDA_SUCCESS) {
      release(slot.id());
    }
    context.require(result, () -> "cuEventRecord in stream " + number);
    return slot.id();
  }

  private Slot acquire() {
    synchronized (slots) {
      Slot slot = idle.isEmpty() ? create() : idle.removeLast();
      slot.generation++;
      slot.inUse = true;
      return slot;
    }
  }

  private Slot create() {
    CUevent event = new CUevent();
    context.run(
        () -> JCudaDriver.cuEventCreate(event, CUevent_flags.CU_EVENT_DISABLE_TIMING),
        () -> "cuEventCreate");
    Slot slot = new Slot(slots.size(), event);
    slots.add(slot);
    return slot;
  }

  private Slot slot(long id) {
    synchronized (slots) {
      int number = (int) id;
      if (number >= 0 && number < slots.size()) {
        Slot slot = slots.get(number);
        if (slot.inUse && slot.id() == id) {
          return slot;
        }
      }
      throw new IllegalArgumentException(
          "0x%x is not an event of this device, or was freed.".formatted(id));
    }
  }

  boolean isDone(long id) {
    CUevent event = slot(id).event;
    int result = context.call(() -> JCudaDriver.cuEventQuery(event));
    if (result == CUresult.CUDA_ERROR_NOT_READY) {
      return false;
    }
    context.require(result, () -> "cuEventQuery");
    return true;
  }

  void synchronize(long id) {
    CUevent event = slot(id).event;
    context.runBlocking(() -> JCudaDriver.cuEventSynchronize(event), () -> "cuEventSynchronize");
  }

  void await(CUstream stream, int number, long id) {
    CUevent event = slot(id).event;
    context.run(
        () -> JCudaDriver.cuStreamWaitEvent(stream, event, 0),
        () -> "cuStreamWaitEvent in stream " + number);
  }

  void release(long id) {
    synchronized (slots) {
      Slot slot = slot(id);
      slot.inUse = false;
      idle.add(slot);
    }
  }

  void destroyAll() {
    synchronized (slots) {
      for (Slot slot : slots) {
        CUevent event = slot.event;
        context.attempt(
            () -> context.run(() -> JCudaDriver.cuEventDestroy(event), () -> "cuEventDestroy"));
      }
      slots.clear();
      idle.clear();
    }
  }
}
