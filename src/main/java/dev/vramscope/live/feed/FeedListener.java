package dev.vramscope.live.feed;

import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.model.TraceAction;
import dev.vramscope.recorder.Recorder;
import org.jspecify.annotations.Nullable;

/** Adds the events of an allocator to a ring buffer, under the allocator's lock. */
final class FeedListener implements AllocatorListener {
  private final FeedRing ring;
  private final Recorder recorder;
  private long blockBytes;

  private volatile @Nullable Thread capturingThread;
  private long stateEnd;
  private long stateDropped;

  FeedListener(FeedRing ring, Recorder recorder) {
    this.ring = ring;
    this.recorder = recorder;
  }

  /**
   * Runs an action that captures the allocator's state on this thread. {@link #stateEnd} and {@link
   * #stateDropped} are then the values at the time of the capture.
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

  @Override
  public void stateCaptured() {
    if (Thread.currentThread().equals(capturingThread)) {
      stateEnd = ring.end();
      stateDropped = ring.droppedCount();
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
    ring.add(action.code(), address, bytes, extra, stream, pool, recorder.context());
  }

  @Override
  public void freePending(long address, int stream) {
    ring.add(FeedRing.FREE_PENDING, address, 0, 0, stream, 0, Recorder.NO_CONTEXT);
  }

  @Override
  public void freeCompleted(long address, int stream) {
    ring.add(FeedRing.WAIT_COMPLETED, address, 0, 0, stream, 0, Recorder.NO_CONTEXT);
  }

  @Override
  public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
    int oom = TraceAction.OOM.code();
    ring.add(oom, 0, bytes, deviceFreeBytes, stream, pool, recorder.context());
  }

  @Override
  public void annotated(long address, long bytes, int stream, int pool, String text) {
    int annotate = TraceAction.ANNOTATE.code();
    ring.add(annotate, address, bytes, 0, stream, pool, recorder.context());
  }
}
