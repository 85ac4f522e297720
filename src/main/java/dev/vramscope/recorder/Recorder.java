package dev.vramscope.recorder;

import dev.vramscope.allocator.Allocator;
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

/**
 * Records the history of the allocators attached to it. Scopes and contexts are common to all of
 * them. Safe for use by several threads.
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
  /** The context of nothing that was recorded. */
  public static final int NO_CONTEXT = ContextTree.NONE;

  private static final int DEFAULT_MAX_CONTEXTS = 1 << 20;
  private static final int DEFAULT_MAX_FRAMES = 1 << 16;

  private final FrameTable frames;
  private final ContextTree tree;
  private final ThreadLocal<ThreadContext> threads;
  private final SnapshotTaker taker;
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
   * @param clock the time of snapshots and events
   * @param nanoTime the monotonic clock that events are timed with, in nanoseconds
   * @param maxContexts bound on distinct contexts, 16 bytes each
   * @param maxFrames bound on distinct frames and scope names
   */
  public Recorder(InstantSource clock, LongSupplier nanoTime, int maxContexts, int maxFrames) {
    this.nanoTime = nanoTime;
    FrameTable frameTable = new FrameTable(maxFrames);
    ContextTree contexts = new ContextTree(maxContexts);
    frames = frameTable;
    tree = contexts;
    threads = ThreadLocal.withInitial(() -> new ThreadContext(frameTable, contexts));
    taker = new SnapshotTaker(clock, nanoTime, frameTable, contexts);
  }

  /**
   * Begins to follow an allocator.
   *
   * @param ordinal its device's number in snapshots
   * @return the allocator to be used from now on
   */
  public synchronized RecordedAllocator attach(Allocator allocator, int ordinal) {
    for (RecordedAllocator other : attached) {
      if (other.ordinal() == ordinal) {
        throw new IllegalArgumentException("Device " + ordinal + " has an allocator already.");
      }
    }
    History history = new History(threads, frames, nanoTime);
    RecordedAllocator recorded = new RecordedAllocator(this, allocator, ordinal, history);
    attached.add(recorded);
    attached.sort(Comparator.comparingInt(RecordedAllocator::ordinal));
    history.record(allocator, settings);
    return recorded;
  }

  /** Stops following an allocator and forgets its history. */
  public synchronized void detach(RecordedAllocator recorded) {
    if (attached.remove(recorded)) {
      recorded.history().record(recorded.allocator(), HistorySettings.OFF);
    }
  }

  /**
   * Says what to keep from now on. The same {@link HistorySettings#recording} and size as before
   * keep the events so far, anything else begins anew.
   */
  public synchronized void recordHistory(HistorySettings next) {
    settings = next;
    attached.forEach(recorded -> recorded.history().record(recorded.allocator(), next));
  }

  /** Forgets the events so far; contexts of what is alive stay. */
  public synchronized void clearHistory() {
    attached.forEach(recorded -> recorded.history().ring().clear());
  }

  public synchronized HistorySettings settings() {
    return settings;
  }

  /**
   * Opens a scope for the current thread: what it allocates until the scope is closed has it in its
   * context. Costs nanoseconds, history or not.
   */
  public Scope scope(String name) {
    return threads.get().open(name);
  }

  /** The state of every attached allocator and the events that led to it. */
  public Snapshot snapshot() {
    List<RecordedAllocator> now;
    synchronized (this) {
      now = List.copyOf(attached);
    }
    return taker.take(now);
  }

  /**
   * The context of what the current thread is doing: its call stack while one is taken, its scopes
   * otherwise. Costs nanoseconds.
   */
  public int context() {
    return threads.get().context(ContextKind.SCOPES);
  }

  /**
   * A context in a few words: the names of its scopes, outermost first, or its innermost frame
   * where it has no scopes. Empty for {@link #NO_CONTEXT}.
   */
  public String place(int context) {
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

  ThreadContext currentThread() {
    return threads.get();
  }

  /** Takes the calling thread's stack if it is its turn. */
  ThreadContext takeStack(HistorySettings wanted) {
    ThreadContext thread = threads.get();
    if (thread.isDue(wanted.stackEvery())) {
      long begin = System.nanoTime();
      thread.takeStack(wanted);
      stackNanos.add(System.nanoTime() - begin);
      stackCount.increment();
    }
    return thread;
  }
}
