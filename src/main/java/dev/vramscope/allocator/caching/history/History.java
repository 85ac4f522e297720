package dev.vramscope.allocator.caching.history;

import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.AllocatorLock;
import dev.vramscope.allocator.Listeners;
import dev.vramscope.model.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * What an allocator did, as PyTorch's {@code record_memory_history} keeps it, without stacks. It
 * listens only while it is on.
 */
public final class History {
  /** No bound but memory. */
  public static final long UNBOUNDED = -1;

  private final AllocatorLock lock;
  private final Listeners listeners;
  private final IntFunction<PoolId> poolIds;
  private final LongSupplier clockMicros;
  private final HistoryRing ring = new HistoryRing();
  private final ThreadContext texts = new ThreadContext();
  private final ExternalAnnotations externalAnnotations = new ExternalAnnotations();
  private final AllocatorListener recorder = new Recorder();
  private int skippedEvents;
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

  /**
   * Records from now on.
   *
   * @param maxEntries unsigned; then the oldest is overwritten. A smaller number than before keeps
   *     what there is
   * @param clear whether to forget what there is
   * @param skipped events that are not recorded
   */
  public void start(long maxEntries, boolean clear, Set<AllocatorEvent> skipped) {
    start(maxEntries, clear, skipped.stream().map(AllocatorEvent::torchName).toList());
  }

  /**
   * The same, with PyTorch's names of the events that are not recorded.
   *
   * @throws IllegalArgumentException if a name is unknown. As in the original, everything is set by
   *     then but the names from there on, the bound of the events, and their clearing
   */
  public void start(long maxEntries, boolean clear, List<String> skippedNames) {
    lock.lock();
    try {
      if (!on) {
        on = true;
        listeners.add(recorder);
      }
      externalAnnotations.setMaxEntries(maxEntries);
      if (clear) {
        externalAnnotations.clear();
      }
      skippedEvents = 0;
      for (String name : skippedNames) {
        skippedEvents |= 1 << AllocatorEvent.ofTorchName(name).ordinal();
      }
      ring.setMaxEntries(maxEntries);
      if (clear) {
        ring.clear();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Records no more and forgets what there is. */
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
      AllocatorEvent[] events = AllocatorEvent.values();
      List<HistoryEntry> entries = new ArrayList<>(ring.size());
      for (int i = 0; i < ring.size(); i++) {
        int place = ring.place(i);
        AllocatorEvent event = events[ring.event(place)];
        boolean failure = event == AllocatorEvent.OOM;
        entries.add(
            new HistoryEntry(
                event,
                failure ? 0 : ring.address(place),
                failure ? ring.address(place) : 0,
                ring.bytes(place),
                ring.stream(place),
                poolIds.apply(ring.pool(place)),
                ring.timeMicros(place),
                ring.compileContext(place),
                ring.metadata(place)));
      }
      return entries;
    } finally {
      lock.unlock();
    }
  }

  /** How many events were overwritten since the history was last cleared. */
  public long overwrittenCount() {
    lock.lock();
    try {
      return ring.overwrittenCount();
    } finally {
      lock.unlock();
    }
  }

  /** Attaches a text to the events of this thread, until changed; empty for none. */
  public void setUserMetadata(String text) {
    lock.lock();
    try {
      texts.setMetadata(text);
    } finally {
      lock.unlock();
    }
  }

  /** Begins a compile context of this thread; nothing if the history is off. */
  public void pushCompileContext(String text) {
    lock.lock();
    try {
      if (on) {
        texts.pushCompileContext(text);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the innermost compile context of this thread; nothing if the history is off. */
  public void popCompileContext() {
    lock.lock();
    try {
      if (on) {
        texts.popCompileContext();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Notes what somebody else, such as a profiler, has to say; nothing if the history is off. */
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
    public void event(AllocatorEvent event, long address, long bytes, int stream, int pool) {
      record(event, address, bytes, stream, pool);
    }

    @Override
    public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
      record(AllocatorEvent.OOM, deviceFreeBytes, bytes, stream, pool);
    }

    @Override
    public void annotated(long address, long bytes, int stream, int pool, String text) {
      int kind = AllocatorEvent.ANNOTATE.ordinal();
      if (isRecorded(kind)) {
        long now = clockMicros.getAsLong();
        ring.add(kind, stream, pool, address, bytes, now, text, texts.compileContext());
      }
    }

    @Override
    public void beginOperation(String name) {
      texts.setOperation(name);
    }

    @Override
    public void endOperation() {
      texts.setOperation("");
    }

    private void record(AllocatorEvent event, long address, long bytes, int stream, int pool) {
      int kind = event.ordinal();
      if (!isRecorded(kind)) {
        return;
      }
      long now = clockMicros.getAsLong();
      if (texts.isUsed()) {
        String context = texts.compileContext();
        ring.add(kind, stream, pool, address, bytes, now, texts.metadata(), context);
      } else {
        ring.add(kind, stream, pool, address, bytes, now);
      }
    }

    private boolean isRecorded(int kind) {
      return (skippedEvents & (1 << kind)) == 0;
    }
  }
}
