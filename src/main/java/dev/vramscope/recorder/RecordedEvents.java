package dev.vramscope.recorder;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.TraceAction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The history of one allocator. Listens under the allocator's lock; the contents of {@link Records}
 * are written only there.
 */
final class RecordedEvents implements AllocatorListener {
  /**
   * The current settings and the records made with them.
   *
   * @param blocks the contexts of active blocks, by address
   * @param segments the contexts of segments, and of mapped ranges of expandable segments, by
   *     address
   */
  record Records(
      HistorySettings settings, EventRing ring, LiveContexts blocks, LiveContexts segments) {
    static Records of(HistorySettings settings) {
      boolean events = settings.recording() == Recording.ALL;
      EventRing ring = new EventRing(events ? settings.maxEvents() : 1);
      return new Records(settings, ring, new LiveContexts(), new LiveContexts());
    }
  }

  /**
   * The records at the moment when the segments were captured.
   *
   * @param end the number of the first event after that moment
   * @param facts read under the allocator's lock while history is recorded, right after the
   *     segments otherwise
   */
  record State(
      EventRing ring, long end, LiveContexts blocks, LiveContexts segments, AllocatorFacts facts) {}

  private final ThreadLocal<RecordedThread> threads;
  private final FrameTable frames;
  private final LongSupplier nanoTime;
  private final Supplier<AllocatorFacts> facts;
  private volatile Records records = Records.of(HistorySettings.OFF);
  private long lastFreed;
  private int lastFreedContext;
  private long lastFreedNanos;

  private volatile @Nullable Thread capturingThread;
  private @Nullable State captured;

  RecordedEvents(
      ThreadLocal<RecordedThread> threads,
      FrameTable frames,
      LongSupplier nanoTime,
      Supplier<AllocatorFacts> facts) {
    this.threads = threads;
    this.frames = frames;
    this.nanoTime = nanoTime;
    this.facts = facts;
  }

  HistorySettings settings() {
    return records.settings;
  }

  EventRing ring() {
    return records.ring;
  }

  /**
   * Changes the settings. Turning recording off, or changing the size, discards the events so far.
   * While recording is off, no listener is registered.
   */
  synchronized void record(Allocator allocator, HistorySettings next) {
    Records old = records;
    HistorySettings before = old.settings;
    boolean same = before.recording() == next.recording() && before.maxEvents() == next.maxEvents();
    if (same && next.recording() != Recording.OFF) {
      records = new Records(next, old.ring, old.blocks, old.segments);
    } else {
      records = Records.of(next);
    }
    boolean listened = before.recording() != Recording.OFF;
    boolean listens = next.recording() != Recording.OFF;
    if (listens && !listened) {
      allocator.inspect().addListener(this);
    } else if (listened && !listens) {
      allocator.inspect().removeListener(this);
    }
  }

  /** Visits the segments and returns the records of exactly the same moment. */
  synchronized State capture(Allocator allocator, Consumer<SegmentView> visitor) {
    if (records.settings.recording() == Recording.OFF) {
      allocator.inspect().visitSegments(visitor);
      return new State(
          records.ring, records.ring.written(), records.blocks, records.segments, facts.get());
    }
    capturingThread = Thread.currentThread();
    try {
      allocator.inspect().visitSegments(visitor);
      State state = captured;
      if (state == null) {
        throw new IllegalStateException(
            allocator.getClass().getName() + " does not notify its listeners of captured states.");
      }
      return state;
    } finally {
      capturingThread = null;
      captured = null;
    }
  }

  // Callbacks under the allocator's lock -------------------------------------------------------

  @Override
  public void event(TraceAction action, long address, long bytes, int stream, int pool) {
    Records now = records;
    HistorySettings settings = now.settings;
    if (settings.recording() == Recording.OFF) {
      return;
    }
    RecordedThread thread = threads.get();
    int context = updateContexts(now, action, address, thread.context(settings.contexts()));
    if (settings.recording() == Recording.ALL) {
      now.ring.add(
          action.code(), address, bytes, stream, pool, context, time(action, address, thread));
    }
  }

  /**
   * The time of an event in nanoseconds. Reading the clock is most of the cost of an event, so a
   * block that becomes inactive inside the call that freed it gets the time of that call's first
   * event.
   */
  private long time(TraceAction action, long address, RecordedThread thread) {
    if (action == TraceAction.FREE_COMPLETED && address == lastFreed && thread.isFreeing()) {
      return lastFreedNanos;
    }
    long nanos = nanoTime.getAsLong();
    if (action == TraceAction.FREE_REQUESTED) {
      lastFreedNanos = nanos;
    }
    return nanos;
  }

  @Override
  public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
    Records now = records;
    if (now.settings.recording() == Recording.ALL) {
      int oom = TraceAction.OOM.code();
      RecordedThread thread = threads.get();
      int context = thread.context(now.settings.contexts());
      thread.setFailure(now.ring.written());
      now.ring.add(oom, deviceFreeBytes, bytes, stream, pool, context, nanoTime.getAsLong());
    }
  }

  @Override
  public void annotated(long address, long bytes, int stream, int pool, String text) {
    Records now = records;
    if (now.settings.recording() == Recording.ALL) {
      int annotate = TraceAction.ANNOTATE.code();
      now.ring.add(
          annotate, address, bytes, stream, pool, frames.scope(text), nanoTime.getAsLong());
    }
  }

  @Override
  public void stateCaptured() {
    if (Thread.currentThread().equals(capturingThread)) {
      Records now = records;
      captured =
          new State(
              now.ring, now.ring.written(), now.blocks.copy(), now.segments.copy(), facts.get());
    }
  }

  /** Updates the contexts of live blocks and segments, and returns the context of the event. */
  private int updateContexts(Records now, TraceAction action, long address, int current) {
    LiveContexts blocks = now.blocks;
    LiveContexts segments = now.segments;
    switch (action) {
      case ALLOC -> store(blocks, address, current);
      case SEGMENT_ALLOC, SEGMENT_MAP -> store(segments, address, current);
      case FREE_REQUESTED -> {
        int own = now.settings.moment() == ContextMoment.ALL ? current : ContextTree.NONE;
        lastFreed = address;
        lastFreedContext = own != ContextTree.NONE ? own : blocks.get(address);
        return lastFreedContext;
      }
      case FREE_COMPLETED -> {
        int context = address == lastFreed ? lastFreedContext : blocks.get(address);
        blocks.remove(address);
        return context;
      }
      case SEGMENT_FREE, SEGMENT_UNMAP -> {
        int context = current != ContextTree.NONE ? current : segments.get(address);
        segments.remove(address);
        return context;
      }
      case SNAPSHOT, OOM, ANNOTATE, USER_DEFINED, OTHER -> {}
    }
    return current;
  }

  /** Stores a context, or removes that of an earlier block or segment at the same address. */
  private static void store(LiveContexts contexts, long address, int context) {
    if (context != ContextTree.NONE) {
      contexts.put(address, context);
    } else {
      contexts.remove(address);
    }
  }
}
