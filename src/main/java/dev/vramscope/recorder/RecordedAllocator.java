package dev.vramscope.recorder;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorInspection;
import dev.vramscope.allocator.SegmentView;
import java.util.function.Consumer;
import java.util.function.LongToIntFunction;

/**
 * An allocator that captures the call stacks of its callers if the history records stacks: before
 * the allocator's lock is taken, so that a slow stack walk delays its own thread only. Calls made
 * directly on the underlying allocator are recorded too, with scopes but without stacks.
 */
public final class RecordedAllocator implements Allocator {
  private final Recorder recorder;
  private final Allocator allocator;
  private final int ordinal;
  private final RecordedEvents history;

  RecordedAllocator(Recorder recorder, Allocator allocator, int ordinal, RecordedEvents history) {
    this.recorder = recorder;
    this.allocator = allocator;
    this.ordinal = ordinal;
    this.history = history;
  }

  /** The number of the device in snapshots. */
  public int ordinal() {
    return ordinal;
  }

  /** The allocator without the recorder. */
  public Allocator allocator() {
    return allocator;
  }

  /** The number of the next event, from 0; {@link Recorder#NO_EVENT} if events are not recorded. */
  public long nextEvent() {
    return history.settings().recording() == Recording.ALL
        ? history.ring().written()
        : Recorder.NO_EVENT;
  }

  RecordedEvents history() {
    return history;
  }

  @Override
  public long allocate(long bytes, int stream) {
    HistorySettings settings = history.settings();
    if (!settings.capturesStacks()) {
      return allocator.allocate(bytes, stream);
    }
    RecordedThread thread = recorder.captureStack(settings);
    try {
      return allocator.allocate(bytes, stream);
    } finally {
      thread.clearStack();
    }
  }

  @Override
  public void free(long block) {
    HistorySettings settings = history.settings();
    if (settings.recording() == Recording.OFF) {
      allocator.free(block);
      return;
    }
    boolean withStack = settings.capturesStacks() && settings.moment() == ContextMoment.ALL;
    RecordedThread thread = withStack ? recorder.captureStack(settings) : recorder.currentThread();
    thread.beginFree();
    try {
      allocator.free(block);
    } finally {
      thread.endFree();
    }
  }

  @Override
  public void emptyCache() {
    HistorySettings settings = history.settings();
    if (!settings.capturesStacks()) {
      allocator.emptyCache();
      return;
    }
    RecordedThread thread = recorder.captureStack(settings);
    try {
      allocator.emptyCache();
    } finally {
      thread.clearStack();
    }
  }

  @Override
  public long address(long block) {
    return allocator.address(block);
  }

  @Override
  public void recordStream(long block, int stream) {
    allocator.recordStream(block, stream);
  }

  @Override
  public AllocatorInspection inspect() {
    return allocator.inspect();
  }

  /**
   * Visits the segments as {@link AllocatorInspection#visitSegments} does.
   *
   * @return the contexts of the blocks at the same moment, by address: {@link Recorder#NO_CONTEXT}
   *     for those that were not recorded
   */
  public LongToIntFunction visitSegmentsInContext(Consumer<? super SegmentView> visitor) {
    return history.capture(allocator, visitor::accept).blocks()::get;
  }
}
