package dev.vramscope.live.feed;

import dev.vramscope.device.Device;
import dev.vramscope.live.FailureText;
import dev.vramscope.live.HostedState;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one allocator does, told to everybody who looks. It has a thread while somebody looks and
 * for {@link #LINGER_MILLIS} after, so that a page that is loaded again finds its curves.
 *
 * <p>That thread may wait long for the allocator's lock or for the driver. It then holds {@link
 * #work}, which others want only in {@link #await}, and not for longer than they were told; nobody
 * ever holds {@link #bell} for long.
 */
public final class Feed {
  private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(33);
  private static final long LINGER_MILLIS = 20_000;

  /** Without news a version is made all the same, so that everybody knows the feed lives. */
  private static final long HEARTBEAT_MILLIS = 500;

  /** Pauses are at least so many times as long as the work, whatever the allocator does. */
  private static final int REST = 9;

  private final String name;
  private final Supplier<HostedState> state;

  /** Held by who follows the allocator or writes a frame. */
  private final ReentrantLock work = new ReentrantLock();

  /** Held by who waits for news or for the end, and by who tells them. */
  private final ReentrantLock bell = new ReentrantLock();

  private final Condition news = bell.newCondition();
  private final Condition over = bell.newCondition();
  private final ReplicaUpdater updater;
  private final DeviceMeter meter;
  private final Curve curve = new Curve();
  private final FrameWriter writer;
  private final Set<Viewer> viewers = ConcurrentHashMap.newKeySet();
  private final long begin = System.nanoTime();

  private final AtomicBoolean running = new AtomicBoolean();
  private volatile long lonelyMillis;
  private volatile @Nullable String end;

  /** The version that viewers may have; 0 until there is one of now. */
  private volatile long told;

  private long versionMillis;

  /** The frame made last, for viewers that want the same. */
  private byte[] frame = {};

  private long frameFrom = -1;
  private long frameTo = -1;

  /**
   * A feed that nobody looks at yet.
   *
   * @param name for the thread
   * @param state whether the allocator is open; once it is closed the feed ends
   */
  Feed(
      String name,
      RecordedAllocator allocator,
      Recorder recorder,
      Device device,
      Supplier<HostedState> state) {
    this.name = name;
    this.state = state;
    updater = new ReplicaUpdater(allocator, recorder);
    meter = new DeviceMeter(device);
    writer = new FrameWriter(updater, curve);
  }

  /** Begins to look. The viewer's first frame has everything. */
  Viewer open() {
    Viewer viewer = new Viewer(this);
    viewers.add(viewer);
    wake();
    return viewer;
  }

  private void wake() {
    if (end == null && running.compareAndSet(false, true)) {
      Thread.ofVirtual().name("feed " + name).start(this::run);
    }
  }

  /** Tells everybody that there will be nothing more, and why. */
  void end(String reason) {
    if (end == null) {
      end = reason;
    }
    ring();
  }

  private void ring() {
    bell.lock();
    try {
      news.signalAll();
      if (end != null) {
        over.signalAll();
      }
    } finally {
      bell.unlock();
    }
  }

  /** Whether there will be nothing more. */
  boolean isOver() {
    return end != null;
  }

  int viewerCount() {
    return viewers.size();
  }

  void close(Viewer viewer) {
    viewers.remove(viewer);
    lonelyMillis = millis();
  }

  /**
   * Waits for a version after {@code seen} and tells what changed.
   *
   * @return nothing new if the time passed without
   */
  FeedUpdate await(long seen, long timeout, TimeUnit unit) throws InterruptedException {
    long left = awaitNews(seen, unit.toNanos(timeout));
    String why = end;
    if (why != null) {
      return FeedUpdate.end(why, seen);
    }
    if (left <= 0 || !work.tryLock(left, TimeUnit.NANOSECONDS)) {
      return FeedUpdate.unchanged(seen);
    }
    try {
      long now = updater.replica().version();
      return FeedUpdate.frame(frame(seen, now), now);
    } finally {
      work.unlock();
    }
  }

  /** Nanoseconds that are left; none if there was nothing until then. */
  private long awaitNews(long seen, long nanos) throws InterruptedException {
    bell.lock();
    try {
      long left = nanos;
      while (end == null && (told == 0 || told == seen) && left > 0) {
        left = news.awaitNanos(left);
      }
      return left;
    } finally {
      bell.unlock();
    }
  }

  private byte[] frame(long from, long to) {
    if (from != frameFrom || to != frameTo) {
      frame = writer.frame(from, millis(), meter, state.get());
      frameFrom = from;
      frameTo = to;
    }
    return frame;
  }

  private void run() {
    try {
      updater.listen();
      while (end == null && !isForgotten()) {
        long start = System.nanoTime();
        advance();
        rest(System.nanoTime() - start);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failed) {
      LOG.error("The feed of allocator {} failed", name, failed);
      end("The live view failed: " + FailureText.of(failed) + ". Load the page again.");
    } finally {
      updater.stopListening();
      told = 0;
      running.set(false);
      if (!viewers.isEmpty()) {
        wake(); // Somebody came just as nobody was there.
      }
    }
  }

  private void rest(long took) throws InterruptedException {
    bell.lock();
    try {
      long left = Math.max(PERIOD_NANOS - took, REST * took);
      while (end == null && left > 0) {
        left = over.awaitNanos(left);
      }
    } finally {
      bell.unlock();
    }
  }

  private boolean isForgotten() {
    return viewers.isEmpty() && millis() - lonelyMillis > LINGER_MILLIS;
  }

  private void advance() {
    if (state.get() instanceof HostedState.Closed) {
      end("The allocator was closed.");
      return;
    }
    long now = millis();
    if (!updater.hasNews() && now - versionMillis < HEARTBEAT_MILLIS) {
      return;
    }
    work.lock();
    try {
      meter.read(now);
      updater.follow(now);
      versionMillis = now;
      curve.add(updater.point(now));
      told = updater.replica().version();
    } finally {
      work.unlock();
    }
    ring();
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }
}
