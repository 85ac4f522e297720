package dev.vramscope.live.feed;

import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.model.TraceAction;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Adds the events of an allocator to a ring buffer, under the allocator's lock. They have the
 * numbers that the recorder gives them, so that a page and a snapshot's trace agree. The recorder
 * is registered first and has numbered an event before it is added here. Without a recorded trace,
 * the events are numbered from the first one that is added.
 */
final class FeedListener implements AllocatorListener {
  private final FeedRing ring;
  private final Recorder recorder;
  private final RecordedAllocator allocator;
  private long blockBytes;

  /** The number of the next event while the recorder does not number them. */
  private long nextEvent;

  private volatile @Nullable Thread capturingThread;
  private long stateEnd;
  private long stateDropped;
  private long stateNextEvent;

  FeedListener(FeedRing ring, Recorder recorder, RecordedAllocator allocator) {
    this.ring = ring;
    this.recorder = recorder;
    this.allocator = allocator;
  }

  /**
   * Runs an action that captures the allocator's state on this thread. {@link #stateEnd}, {@link
   * #stateDropped} and {@link #stateNextEvent} are then the values at the time of the capture.
   */
  void captureState(Runnable capture) {
    capturingThread = Thread.currentThread();
    try {
      capture.run();
    } finally {
      capturingThread = null;
    }
  }

  /** The number of the first event after the captured state. */
  long stateEnd() {
    return stateEnd;
  }

  /** The number of events that had been dropped at the time of the capture. */
  long stateDropped() {
    return stateDropped;
  }

  /** The number of the next event at the time of the capture. */
  long stateNextEvent() {
    return stateNextEvent;
  }

  @Override
  public void stateCaptured() {
    if (Thread.currentThread().equals(capturingThread)) {
      stateEnd = ring.end();
      stateDropped = ring.droppedCount();
      long recorded = allocator.nextEvent();
      stateNextEvent = recorded == Recorder.NO_EVENT ? nextEvent : recorded;
    }
  }

  @Override
  public void blockAllocated(long address, long bytes) {
    blockBytes = bytes;
  }

  @Override
  public void event(TraceAction action, long address, long bytes, int stream, int pool) {
    boolean isAllocation = action == TraceAction.ALLOC;
    long extra = isAllocation ? blockBytes : 0;
    int context = recorder.context();
    ring.add(action.code(), address, bytes, extra, stream, pool, context, number());
  }

  @Override
  public void freePending(long address, int stream) {
    ring.add(FeedRing.FREE_PENDING, address, 0, 0, stream, 0, Recorder.NO_CONTEXT, 0);
  }

  @Override
  public void freeCompleted(long address, int stream) {
    ring.add(FeedRing.WAIT_COMPLETED, address, 0, 0, stream, 0, Recorder.NO_CONTEXT, 0);
  }

  @Override
  public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
    int oom = TraceAction.OOM.code();
    ring.add(oom, 0, bytes, deviceFreeBytes, stream, pool, recorder.context(), number());
  }

  @Override
  public void annotated(long address, long bytes, int stream, int pool, String text) {
    int annotate = TraceAction.ANNOTATE.code();
    ring.add(annotate, address, bytes, 0, stream, pool, recorder.context(), number());
  }

  /** The number of the present event. */
  private long number() {
    long recorded = allocator.nextEvent();
    return recorded == Recorder.NO_EVENT ? nextEvent++ : recorded - 1;
  }
}
