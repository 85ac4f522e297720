package dev.vramscope.recorder;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.ReleaseCandidate;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.model.PoolId;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An allocator whose callers have their call stacks taken, where the history is to have them:
 * before the allocator's lock, so that a slow stack delays its own thread only. Everything else is
 * the allocator itself, and who calls that directly is recorded too, with scopes alone.
 */
public final class RecordedAllocator implements Allocator {
  private final Recorder recorder;
  private final Allocator allocator;
  private final int ordinal;
  private final History history;

  RecordedAllocator(Recorder recorder, Allocator allocator, int ordinal, History history) {
    this.recorder = recorder;
    this.allocator = allocator;
    this.ordinal = ordinal;
    this.history = history;
  }

  /** The device's number in snapshots. */
  public int ordinal() {
    return ordinal;
  }

  /** The allocator without the recorder. */
  public Allocator allocator() {
    return allocator;
  }

  History history() {
    return history;
  }

  @Override
  public long allocate(long bytes, int stream) {
    HistorySettings settings = history.settings();
    if (!settings.takesStacks()) {
      return allocator.allocate(bytes, stream);
    }
    ThreadContext thread = recorder.takeStack(settings);
    try {
      return allocator.allocate(bytes, stream);
    } finally {
      thread.forgetStack();
    }
  }

  @Override
  public void free(long block) {
    HistorySettings settings = history.settings();
    if (settings.recording() == Recording.OFF) {
      allocator.free(block);
      return;
    }
    boolean withStack = settings.takesStacks() && settings.moment() == ContextMoment.ALL;
    ThreadContext thread = withStack ? recorder.takeStack(settings) : recorder.currentThread();
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
    if (!settings.takesStacks()) {
      allocator.emptyCache();
      return;
    }
    ThreadContext thread = recorder.takeStack(settings);
    try {
      allocator.emptyCache();
    } finally {
      thread.forgetStack();
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
  public boolean followsStreams() {
    return allocator.followsStreams();
  }

  @Override
  public AllocatorTotals totals() {
    return allocator.totals();
  }

  @Override
  public void visitSegments(Consumer<? super SegmentView> visitor) {
    allocator.visitSegments(visitor);
  }

  /**
   * The same, and tells the contexts of the blocks as of the same moment: by address, {@link
   * Recorder#NO_CONTEXT} where none was recorded. {@link Recorder#place} has words for them.
   */
  public LongToIntFunction visitSegmentsInContext(Consumer<? super SegmentView> visitor) {
    return history.take(allocator, visitor::accept).blocks()::get;
  }

  @Override
  public boolean isLargePool(int number) {
    return allocator.isLargePool(number);
  }

  @Override
  public PoolId poolId(int number) {
    return allocator.poolId(number);
  }

  @Override
  public Map<String, String> settings() {
    return allocator.settings();
  }

  @Override
  public @Nullable BlockView blockAt(long address) {
    return allocator.blockAt(address);
  }

  @Override
  public long adjacentFreeBytes(long block) {
    return allocator.adjacentFreeBytes(block);
  }

  @Override
  public List<ReleaseCandidate> releaseCandidates(int limit) {
    return allocator.releaseCandidates(limit);
  }

  @Override
  public void addListener(AllocatorListener listener) {
    allocator.addListener(listener);
  }

  @Override
  public void removeListener(AllocatorListener listener) {
    allocator.removeListener(listener);
  }

  @Override
  public void checkInvariants() {
    allocator.checkInvariants();
  }
}
