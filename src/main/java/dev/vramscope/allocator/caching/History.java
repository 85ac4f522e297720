package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.AllocatorLock;
import dev.vramscope.allocator.Listeners;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private final Pools pools;
  private final LongSupplier clockMicros;
  private final HistoryRing ring = new HistoryRing();
  private final HistoryTexts texts = new HistoryTexts();
  private final Deque<Map<String, String>> externalAnnotations = new ArrayDeque<>();
  private final AllocatorListener recorder = new Recorder();
  private long maxExternalAnnotations = 1;
  private int skippedEvents;
  private boolean on;

  History(AllocatorLock lock, Listeners listeners, Pools pools, LongSupplier clockMicros) {
    this.lock = lock;
    this.listeners = listeners;
    this.pools = pools;
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
    lock.lock();
    try {
      ring.setMaxEntries(maxEntries);
      maxExternalAnnotations = Math.max(1, maxEntries < 0 ? Long.MAX_VALUE : maxEntries);
      skippedEvents = 0;
      skipped.forEach(event -> skippedEvents |= 1 << event.ordinal());
      if (clear) {
        forget();
      }
      if (!on) {
        on = true;
        listeners.add(recorder);
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
      forget();
    } finally {
      lock.unlock();
    }
  }

  private void forget() {
    ring.clear();
    externalAnnotations.clear();
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
                pools.id(ring.pool(place)),
                ring.timeMicros(place),
                texts.text((int) ring.texts(place)),
                texts.text((int) (ring.texts(place) >>> 32))));
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
        externalAnnotations.add(Map.copyOf(annotation));
        if (externalAnnotations.size() > maxExternalAnnotations) {
          externalAnnotations.remove();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  public List<Map<String, String>> externalAnnotations() {
    lock.lock();
    try {
      return List.copyOf(externalAnnotations);
    } finally {
      lock.unlock();
    }
  }

  /** Writes events into the ring; called under the lock. */
  private final class Recorder implements AllocatorListener {
    @Override
    public void event(AllocatorEvent event, long address, long bytes, int stream, int pool) {
      record(event, address, bytes, stream, pool, texts.ofEvent());
    }

    @Override
    public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
      record(AllocatorEvent.OOM, deviceFreeBytes, bytes, stream, pool, texts.ofEvent());
    }

    @Override
    public void annotated(long address, long bytes, int stream, int pool, String text) {
      record(AllocatorEvent.ANNOTATE, address, bytes, stream, pool, texts.ofEvent(text));
    }

    @Override
    public void beginOperation(String name) {
      texts.setOperation(name);
    }

    @Override
    public void endOperation() {
      texts.setOperation("");
    }

    private void record(
        AllocatorEvent event, long address, long bytes, int stream, int pool, long textNumbers) {
      int kind = event.ordinal();
      if ((skippedEvents & (1 << kind)) == 0) {
        ring.add(kind, stream, pool, address, bytes, clockMicros.getAsLong(), textNumbers);
      }
    }
  }
}
