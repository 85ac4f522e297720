package dev.vramscope.live.feed;

import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.recorder.Recorder;
import org.jspecify.annotations.Nullable;

/** Puts what an allocator does into a ring, under the allocator's lock. */
final class FeedListener implements AllocatorListener {
  private final FeedRing ring;
  private final Recorder recorder;
  private long blockBytes;

  private volatile @Nullable Thread taker;
  private long stateEnd;
  private long stateDropped;

  FeedListener(FeedRing ring, Recorder recorder) {
    this.ring = ring;
    this.recorder = recorder;
  }

  /**
   * Runs what takes the allocator's state, on this thread; {@link #stateEnd} and {@link
   * #stateDropped} are then those of that moment.
   */
  void whileTakingState(Runnable take) {
    taker = Thread.currentThread();
    try {
      take.run();
    } finally {
      taker = null;
    }
  }

  /** The number of the first event after the state. */
  long stateEnd() {
    return stateEnd;
  }

  /** Events that had found no room until then. */
  long stateDropped() {
    return stateDropped;
  }

  @Override
  public void stateCaptured() {
    if (Thread.currentThread().equals(taker)) {
      stateEnd = ring.end();
      stateDropped = ring.droppedCount();
    }
  }

  @Override
  public void blockAllocated(long address, long bytes) {
    blockBytes = bytes;
  }

  @Override
  public void event(AllocatorEvent event, long address, long bytes, int stream, int pool) {
    boolean born = event == AllocatorEvent.ALLOC;
    long extra = born ? blockBytes : 0;
    ring.add(event.ordinal(), address, bytes, extra, stream, pool, recorder.context());
  }

  @Override
  public void freePending(long address, int stream) {
    ring.add(FeedRing.WAITING, address, 0, 0, stream, 0, Recorder.NO_CONTEXT);
  }

  @Override
  public void freeCompleted(long address, int stream) {
    ring.add(FeedRing.WAITED, address, 0, 0, stream, 0, Recorder.NO_CONTEXT);
  }

  @Override
  public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
    int oom = AllocatorEvent.OOM.ordinal();
    ring.add(oom, 0, bytes, deviceFreeBytes, stream, pool, recorder.context());
  }

  @Override
  public void annotated(long address, long bytes, int stream, int pool, String text) {
    int annotate = AllocatorEvent.ANNOTATE.ordinal();
    ring.add(annotate, address, bytes, 0, stream, pool, recorder.context());
  }
}
