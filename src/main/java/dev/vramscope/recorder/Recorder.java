package dev.vramscope.recorder;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Snapshot;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Records the history of the allocators attached to it. They share its scopes and contexts.
 * Thread-safe.
 *
 * <pre>{@code
 * Allocator gpu = recorder.attach(allocator, 0);
 * recorder.recordHistory(HistorySettings.all().withContexts(ContextKind.BOTH, 10));
 * try (var _ = recorder.scope("forward/layer 3")) {
 *   long block = gpu.allocate(bytes, stream);
 * }
 * Snapshot snapshot = recorder.snapshot();
 * }</pre>
 */
public final class Recorder {
  /** The context of an allocation that was not recorded. */
  public static final int NO_CONTEXT = ContextTree.NONE;

  /** The number of an event that was not recorded. */
  public static final long NO_EVENT = -1;

  private static final int DEFAULT_MAX_CONTEXTS = 1 << 20;
  private static final int DEFAULT_MAX_FRAMES = 1 << 16;

  private final FrameTable frames;
  private final ContextTree tree;
  private final ThreadLocal<RecordedThread> threads;
  private final SnapshotBuilder snapshots;
  private final List<RecordedAllocator> attached = new ArrayList<>();
  private final LongAdder stackCount = new LongAdder();
  private final LongAdder stackNanos = new LongAdder();
  private final LongSupplier nanoTime;
  private HistorySettings settings = HistorySettings.OFF;

  /** A recorder that keeps up to about a million contexts of 65,536 distinct frames. */
  public Recorder(InstantSource clock) {
    this(clock, System::nanoTime);
  }

  Recorder(InstantSource clock, LongSupplier nanoTime) {
    this(clock, nanoTime, DEFAULT_MAX_CONTEXTS, DEFAULT_MAX_FRAMES);
  }

  /**
   * Creates a recorder.
   *
   * @param clock provides the time of snapshots and events
   * @param nanoTime the monotonic clock for event times, in nanoseconds
   * @param maxContexts the maximum number of distinct contexts, 16 bytes each
   * @param maxFrames the maximum number of distinct frames and scope names
   */
  public Recorder(InstantSource clock, LongSupplier nanoTime, int maxContexts, int maxFrames) {
    this.nanoTime = nanoTime;
    FrameTable frameTable = new FrameTable(maxFrames);
    ContextTree contexts = new ContextTree(maxContexts);
    frames = frameTable;
    tree = contexts;
    threads = ThreadLocal.withInitial(() -> new RecordedThread(frameTable, contexts));
    snapshots = new SnapshotBuilder(clock, nanoTime, frameTable, contexts);
  }

  /**
   * Attaches an allocator, whose history is recorded from then on.
   *
   * @param ordinal the number of its device in snapshots
   * @return the allocator to use from then on
   */
  public RecordedAllocator attach(Allocator allocator, int ordinal) {
    return attach(allocator, ordinal, () -> AllocatorFacts.NOT_RECORDED);
  }

  /**
   * Attaches an allocator whose snapshots contain facts about it and its device.
   *
   * @param facts called for each snapshot, under the allocator's lock while history is recorded; it
   *     must not throw
   */
  public synchronized RecordedAllocator attach(
      Allocator allocator, int ordinal, Supplier<AllocatorFacts> facts) {
    for (RecordedAllocator other : attached) {
      if (other.ordinal() == ordinal) {
        throw new IllegalArgumentException("Device " + ordinal + " has an allocator already.");
      }
    }
    RecordedEvents history = new RecordedEvents(threads, frames, nanoTime, facts);
    RecordedAllocator recorded = new RecordedAllocator(this, allocator, ordinal, history);
    attached.add(recorded);
    attached.sort(Comparator.comparingInt(RecordedAllocator::ordinal));
    history.record(allocator, settings);
    return recorded;
  }

  /** Detaches an allocator and discards its history. */
  public synchronized void detach(RecordedAllocator recorded) {
    if (attached.remove(recorded)) {
      recorded.history().record(recorded.allocator(), HistorySettings.OFF);
    }
  }

  /**
   * Sets what is recorded from then on. The events so far are kept if {@link
   * HistorySettings#recording} and the size do not change, and are discarded otherwise.
   */
  public synchronized void recordHistory(HistorySettings next) {
    settings = next;
    attached.forEach(recorded -> recorded.history().record(recorded.allocator(), next));
  }

  /** Discards the events so far; the contexts of live blocks are kept. */
  public synchronized void clearHistory() {
    attached.forEach(recorded -> recorded.history().ring().clear());
  }

  public synchronized HistorySettings settings() {
    return settings;
  }

  /**
   * Opens a scope in the current thread. Blocks that the thread allocates until the scope is closed
   * have it in their context. Takes nanoseconds, whether history is recorded or not.
   */
  public RecordedScope scope(String name) {
    return threads.get().open(name);
  }

  /** The state of every attached allocator and the events that led to it. */
  public Snapshot snapshot() {
    return capture().snapshot();
  }

  /** A snapshot, with the numbers of the events in its traces. */
  public NumberedSnapshot capture() {
    List<RecordedAllocator> now;
    synchronized (this) {
      now = List.copyOf(attached);
    }
    return snapshots.build(now);
  }

  /**
   * The number of the event that recorded the latest failed request of the current thread, or
   * {@link #NO_EVENT} if there was none since the previous call or events are not recorded.
   */
  public long takeFailure() {
    return threads.get().takeFailure();
  }

  /**
   * The present context of the current thread: its captured call stack inside a recorded call, its
   * scopes otherwise. Takes nanoseconds.
   */
  public int context() {
    return threads.get().context(ContextKind.SCOPES);
  }

  /**
   * The label of a context: the names of its scopes, outermost first, or its innermost frame if it
   * has no scopes. Empty for {@link #NO_CONTEXT}.
   */
  public String label(int context) {
    Deque<String> scopes = new ArrayDeque<>();
    String innermost = "";
    for (int node = context; node != NO_CONTEXT; node = tree.parent(node)) {
      Frame frame = frames.frame(tree.frame(node));
      if (frame.file().equals(FrameTable.SCOPE_FILE)) {
        scopes.addFirst(frame.name());
      } else if (innermost.isEmpty()) {
        innermost = frame.name() + " (" + frame.file() + ":" + frame.line() + ")";
      }
    }
    return scopes.isEmpty() ? innermost : String.join(" › ", scopes);
  }

  public RecorderCost cost() {
    long written = 0;
    long overwritten = 0;
    synchronized (this) {
      for (RecordedAllocator recorded : attached) {
        EventRing ring = recorded.history().ring();
        written += ring.written();
        overwritten += Math.max(0, ring.written() - ring.capacity());
      }
    }
    return new RecorderCost(
        written,
        overwritten,
        stackCount.sum(),
        stackNanos.sum(),
        tree.nodeCount(),
        tree.droppedCount() + frames.droppedCount());
  }

  RecordedThread currentThread() {
    return threads.get();
  }

  /** Captures the calling thread's stack in one of {@link HistorySettings#stackEvery} calls. */
  RecordedThread captureStack(HistorySettings settings) {
    RecordedThread thread = threads.get();
    if (thread.isStackCall(settings.stackEvery())) {
      long begin = System.nanoTime();
      thread.captureStack(settings);
      stackNanos.add(System.nanoTime() - begin);
      stackCount.increment();
    }
    return thread;
  }
}
