package dev.vramscope.recorder;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.AllocatorEvent;
import dev.vramscope.allocator.AllocatorListener;
import dev.vramscope.allocator.SegmentView;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The history of one allocator. Listens under the allocator's lock; what a {@link Book} holds is
 * written there only.
 */
final class History implements AllocatorListener {
  /**
   * What is recorded at present.
   *
   * @param blocks the contexts of allocated and pending blocks
   * @param segments the contexts of segments, and of mapped ranges of expandable ones
   */
  record Book(
      HistorySettings settings, EventRing ring, LiveContexts blocks, LiveContexts segments) {
    static Book of(HistorySettings settings) {
      boolean events = settings.recording() == Recording.ALL;
      EventRing ring = new EventRing(events ? settings.maxEvents() : 1);
      return new Book(settings, ring, new LiveContexts(), new LiveContexts());
    }
  }

  /**
   * What a snapshot needs beside the segments, as of the moment the segments were taken.
   *
   * @param end the number of the first event that came after
   */
  record State(EventRing ring, long end, LiveContexts blocks, LiveContexts segments) {}

  private final ThreadLocal<ThreadContext> threads;
  private final FrameTable frames;
  private final LongSupplier nanoTime;
  private volatile Book book = Book.of(HistorySettings.OFF);
  private long lastFreed;
  private int lastFreedContext;
  private long lastFreedNanos;

  private volatile @Nullable Thread taker;
  private @Nullable State taken;

  History(ThreadLocal<ThreadContext> threads, FrameTable frames, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.threads = threads;
    this.frames = frames;
  }

  HistorySettings settings() {
    return book.settings;
  }

  EventRing ring() {
    return book.ring;
  }

  /**
   * Turning it off, or to another size, forgets the events so far. While it is off the allocator
   * has no listener to call.
   */
  synchronized void record(Allocator allocator, HistorySettings next) {
    Book old = book;
    HistorySettings before = old.settings;
    boolean same = before.recording() == next.recording() && before.maxEvents() == next.maxEvents();
    if (same && next.recording() != Recording.OFF) {
      book = new Book(next, old.ring, old.blocks, old.segments);
    } else {
      book = Book.of(next);
    }
    boolean listens = before.recording() != Recording.OFF;
    boolean shallListen = next.recording() != Recording.OFF;
    if (shallListen && !listens) {
      allocator.inspect().addListener(this);
    } else if (listens && !shallListen) {
      allocator.inspect().removeListener(this);
    }
  }

  /** Shows the segments and says what led to exactly them. */
  synchronized State take(Allocator allocator, Consumer<SegmentView> visitor) {
    if (book.settings.recording() == Recording.OFF) {
      allocator.inspect().visitSegments(visitor);
      return new State(book.ring, book.ring.written(), book.blocks, book.segments);
    }
    taker = Thread.currentThread();
    try {
      allocator.inspect().visitSegments(visitor);
      State state = taken;
      if (state == null) {
        throw new IllegalStateException(
            allocator.getClass().getName() + " does not notify its listeners of captured states.");
      }
      return state;
    } finally {
      taker = null;
      taken = null;
    }
  }

  // Under the allocator's lock -----------------------------------------------------------------

  @Override
  public void event(AllocatorEvent event, long address, long bytes, int stream, int pool) {
    Book now = book;
    HistorySettings settings = now.settings;
    if (settings.recording() == Recording.OFF) {
      return;
    }
    ThreadContext thread = threads.get();
    int context = follow(now, event, address, thread.context(settings.contexts()));
    if (settings.recording() == Recording.ALL) {
      now.ring.add(
          event.ordinal(), address, bytes, stream, pool, context, time(event, address, thread));
    }
  }

  /**
   * Reading the clock is most of what an event costs. A block that becomes inactive inside the call
   * that freed it does so at the time of that call's first event.
   */
  private long time(AllocatorEvent event, long address, ThreadContext thread) {
    if (event == AllocatorEvent.FREE_COMPLETED && address == lastFreed && thread.isFreeing()) {
      return lastFreedNanos;
    }
    long nanos = nanoTime.getAsLong();
    if (event == AllocatorEvent.FREE_REQUESTED) {
      lastFreedNanos = nanos;
    }
    return nanos;
  }

  @Override
  public void outOfMemory(long bytes, long deviceFreeBytes, int stream, int pool) {
    Book now = book;
    if (now.settings.recording() == Recording.ALL) {
      int oom = AllocatorEvent.OOM.ordinal();
      int context = threads.get().context(now.settings.contexts());
      now.ring.add(oom, deviceFreeBytes, bytes, stream, pool, context, nanoTime.getAsLong());
    }
  }

  @Override
  public void annotated(long address, long bytes, int stream, int pool, String text) {
    Book now = book;
    if (now.settings.recording() == Recording.ALL) {
      int annotate = AllocatorEvent.ANNOTATE.ordinal();
      now.ring.add(
          annotate, address, bytes, stream, pool, frames.scope(text), nanoTime.getAsLong());
    }
  }

  @Override
  public void stateCaptured() {
    if (Thread.currentThread().equals(taker)) {
      Book now = book;
      taken = new State(now.ring, now.ring.written(), now.blocks.copy(), now.segments.copy());
    }
  }

  /** Keeps the contexts of what is alive, and says which one the event has. */
  private int follow(Book now, AllocatorEvent event, long address, int current) {
    LiveContexts blocks = now.blocks;
    LiveContexts segments = now.segments;
    switch (event) {
      case ALLOC -> keep(blocks, address, current);
      case SEGMENT_ALLOC, SEGMENT_MAP -> keep(segments, address, current);
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
      case SNAPSHOT, OOM, ANNOTATE -> {}
    }
    return current;
  }

  /** An entry without a context would say nothing; one from before must not speak for this. */
  private static void keep(LiveContexts contexts, long address, int context) {
    if (context != ContextTree.NONE) {
      contexts.put(address, context);
    } else {
      contexts.remove(address);
    }
  }
}
