package dev.vramscope.live.lab;

import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.RequestStep;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;

/** The events of an allocator during one operation. */
final class StepEvents implements AllocatorListener {
  /** A segment was acquired or released, or pages were mapped or unmapped. */
  record DriverEvent(TraceAction action, long address, long bytes) {}

  /** Whether a request that fails is repeated until a time is over. */
  private final boolean isWaiting;

  /** The most events of a step that are logged; releasing a large cache has thousands. */
  private static final int MAX_LOGGED = 30;

  private final List<ScriptEvent> logged = new ArrayList<>();
  private final List<Attempt> attempts = new ArrayList<>();
  private final List<DriverEvent> driver = new ArrayList<>();
  private final List<Long> completed = new ArrayList<>();
  private int completedFirst;
  private long driverCalls;
  private long retries;

  StepEvents(boolean isWaiting) {
    this.isWaiting = isWaiting;
  }

  void clear() {
    logged.clear();
    attempts.clear();
    driver.clear();
    completed.clear();
    completedFirst = 0;
  }

  private void log(TraceAction action, long address, long bytes, int stream) {
    if (logged.size() < MAX_LOGGED) {
      logged.add(new ScriptEvent(action.torchName(), address, bytes, stream));
    }
  }

  /** The first events of the operation. */
  List<ScriptEvent> logged() {
    return List.copyOf(logged);
  }

  List<Attempt> attempts() {
    return List.copyOf(attempts);
  }

  List<DriverEvent> driver() {
    return List.copyOf(driver);
  }

  List<Long> completed() {
    return List.copyOf(completed);
  }

  /** Calls that acquired or released memory, or were refused, since the start. */
  long driverCalls() {
    return driverCalls;
  }

  /** How often the cache was released for a request, since the start. */
  long retries() {
    return retries;
  }

  @Override
  public void event(TraceAction action, long address, long bytes, int stream, int pool) {
    log(action, address, bytes, stream);
    if (action.isOfSegment()) {
      driverCalls++;
      driver.add(new DriverEvent(action, address, bytes));
    }
  }

  /** The part of {@link #completed} that completed before the free blocks were searched. */
  List<Long> completedFirst() {
    return List.copyOf(completed.subList(0, completedFirst));
  }

  @Override
  public void freeCompleted(long address, int stream) {
    completed.add(address);
    completedFirst = attempts.isEmpty() ? completed.size() : completedFirst;
  }

  @Override
  public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
    log(TraceAction.OOM, 0, bytes, stream);
  }

  @Override
  public void requestStep(RequestStep step, boolean isEnough, long bytes) {
    Attempt attempt = new Attempt(step, isEnough, bytes);
    // BFC repeats its steps for ten seconds, waiting for a thread that frees memory.
    if (!(isWaiting && attempts.contains(attempt))) {
      attempts.add(attempt);
    }
    if (step == RequestStep.RELEASE_CACHE) {
      retries++;
    } else if (step == RequestStep.ACQUIRE && !isEnough) {
      driverCalls++;
    }
  }
}
