package dev.vramscope.allocator.caching.history;

import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.AllocatorLock;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * The events of an allocator, as PyTorch's {@code record_memory_history} keeps them, without
 * stacks. It listens to the allocator only while it is on. Thread-safe.
 */
public final class History {
  /** No limit but memory, as {@code maxEntries}. */
  public static final long UNBOUNDED = -1;

  private final AllocatorLock lock;
  private final Listeners listeners;
  private final IntFunction<PoolId> poolIds;
  private final LongSupplier clockMicros;
  private final HistoryRing ring = new HistoryRing();
  private final ThreadContext context = new ThreadContext();
  private final ExternalAnnotations externalAnnotations = new ExternalAnnotations();
  private final AllocatorListener recorder = new Recorder();

  /** A bit for each {@link TraceAction#code}. */
  private int skippedActions;

  private boolean on;

  /**
   * A history that is off.
   *
   * @param lock the allocator's
   * @param listeners the allocator's; the history is one of them while it is on
   * @param poolIds the id of a pool by the number that events carry
   * @param clockMicros the time of events, in microseconds
   */
  public History(
      AllocatorLock lock,
      Listeners listeners,
      IntFunction<PoolId> poolIds,
      LongSupplier clockMicros) {
    this.lock = lock;
    this.listeners = listeners;
    this.poolIds = poolIds;
    this.clockMicros = clockMicros;
  }

  /** What becomes of the entries that are recorded when recording starts again. */
  public enum EarlierEntries {
    KEEP,
    REMOVE
  }

  /**
   * Starts recording.
   *
   * @param maxEntries unsigned; beyond it the oldest entry is overwritten. Entries are kept if the
   *     number is smaller than before
   * @param earlier what becomes of the recorded entries
   * @param skipped actions that are not recorded
   * @throws IllegalArgumentException if PyTorch's allocator does not report one of them
   */
  public void start(long maxEntries, EarlierEntries earlier, Set<TraceAction> skipped) {
    start(maxEntries, earlier, skipped.stream().map(TraceAction::torchName).toList());
  }

  /**
   * The same, with PyTorch's names of the actions that are not recorded.
   *
   * @throws IllegalArgumentException if a name is unknown. As in PyTorch, the call has taken effect
   *     by then except for the remaining names, the maximum of events, and clearing them
   */
  public void start(long maxEntries, EarlierEntries earlier, List<String> skippedNames) {
    lock.lock();
    try {
      if (!on) {
        on = true;
        listeners.add(recorder);
      }
      externalAnnotations.setMaxEntries(maxEntries);
      if (earlier == EarlierEntries.REMOVE) {
        externalAnnotations.clear();
      }
      skippedActions = 0;
      for (String name : skippedNames) {
        skippedActions |= 1 << actionOf(name).code();
      }
      ring.setMaxEntries(maxEntries);
      if (earlier == EarlierEntries.REMOVE) {
        ring.clear();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The action with this name. {@code user_defined} is unknown, as in PyTorch 2.14.
   *
   * @throws IllegalArgumentException with PyTorch's message if there is none
   */
  private static TraceAction actionOf(String name) {
    TraceAction action = TraceAction.ofTorchName(name);
    if (action == TraceAction.OTHER || action == TraceAction.USER_DEFINED) {
      throw new IllegalArgumentException("Unknown TraceEntry action: " + name);
    }
    return action;
  }

  /** Stops recording and removes all entries. */
  public void stop() {
    lock.lock();
    try {
      on = false;
      listeners.remove(recorder);
      ring.clear();
      externalAnnotations.clear();
    } finally {
      lock.unlock();
    }
  }

  public boolean isOn() {
    lock.lock();
    try {
      return on;
    } finally {
      lock.unlock();
    }
  }

  /** Oldest first. */
  public List<HistoryEntry> entries() {
    lock.lock();
    try {
      List<HistoryEntry> entries = new ArrayList<>(ring.size());
      for (int i = 0; i < ring.size(); i++) {
        int entry = ring.index(i);
        TraceAction action = TraceAction.ofCode((byte) ring.action(entry));
        boolean failure = action == TraceAction.OOM;
        entries.add(
            new HistoryEntry(
                action,
                failure ? 0 : ring.address(entry),
                failure ? ring.address(entry) : 0,
                ring.bytes(entry),
                ring.stream(entry),
                poolIds.apply(ring.pool(entry)),
                ring.timeMicros(entry),
                ring.compileContext(entry),
                ring.metadata(entry)));
      }
      return entries;
    } finally {
      lock.unlock();
    }
  }

  /** The number of events overwritten since the history was last cleared. */
  public long overwrittenCount() {
    lock.lock();
    try {
      return ring.overwrittenCount();
    } finally {
      lock.unlock();
    }
  }

  /** Attaches a text to the events of this thread until it is changed; empty for none. */
  public void setUserMetadata(String text) {
    lock.lock();
    try {
      context.setMetadata(text);
    } finally {
      lock.unlock();
    }
  }

  /** Begins a compile context of this thread; does nothing if the history is off. */
  public void pushCompileContext(String text) {
    lock.lock();
    try {
      if (on) {
        context.pushCompileContext(text);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the innermost compile context of this thread; does nothing if the history is off. */
  public void popCompileContext() {
    lock.lock();
    try {
      if (on) {
        context.popCompileContext();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Records an annotation of another tool, such as a profiler; does nothing if it is off. */
  public void annotateExternally(Map<String, String> annotation) {
    lock.lock();
    try {
      if (on) {
        externalAnnotations.add(annotation);
      }
    } finally {
      lock.unlock();
    }
  }

  public List<Map<String, String>> externalAnnotations() {
    lock.lock();
    try {
      return externalAnnotations.all();
    } finally {
      lock.unlock();
    }
  }

  /** Writes events into the ring; called under the lock. */
  private final class Recorder implements AllocatorListener {
    @Override
    public void event(TraceAction action, long address, long bytes, int stream, int pool) {
      record(action, address, bytes, stream, pool);
    }

    @Override
    public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
      record(TraceAction.OOM, deviceFreeBytes, bytes, stream, pool);
    }

    @Override
    public void annotated(long address, long bytes, int stream, int pool, String text) {
      int annotate = TraceAction.ANNOTATE.code();
      if (isRecorded(annotate)) {
        long now = clockMicros.getAsLong();
        ring.add(annotate, stream, pool, address, bytes, now, text, context.compileContext());
      }
    }

    @Override
    public void beginOperation(String name) {
      context.setOperation(name);
    }

    @Override
    public void endOperation() {
      context.setOperation("");
    }

    private void record(TraceAction action, long address, long bytes, int stream, int pool) {
      int code = action.code();
      if (!isRecorded(code)) {
        return;
      }
      long now = clockMicros.getAsLong();
      if (context.isUsed()) {
        String compileContext = context.compileContext();
        ring.add(code, stream, pool, address, bytes, now, context.metadata(), compileContext);
      } else {
        ring.add(code, stream, pool, address, bytes, now);
      }
    }

    private boolean isRecorded(int code) {
      return (skippedActions & (1 << code)) == 0;
    }
  }
}
