package dev.vramscope.live.feed;

import dev.vramscope.device.Device;
import dev.vramscope.live.HostedState;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one allocator does, told to everybody who looks. It has a thread while somebody looks and
 * for {@link #LINGER_MILLIS} after, so that a page that is loaded again finds its curves.
 */
public final class Feed {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(33);
  private static final long LINGER_MILLIS = 20_000;

  /** Without news a version is made all the same, so that everybody knows the feed lives. */
  private static final long HEARTBEAT_MILLIS = 500;

  /** Pauses are at least so many times as long as the work, whatever the allocator does. */
  private static final int REST = 9;

  private final String name;
  private final Supplier<HostedState> state;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private final Condition over = lock.newCondition();
  private final Follower follower;
  private final DeviceMeter meter;
  private final Curve curve = new Curve();
  private final FrameWriter writer;
  private final Set<Viewer> viewers = new HashSet<>();
  private final long begin = System.nanoTime();

  private boolean running;
  private long lonelyMillis;
  private long versionMillis;
  private @Nullable String end;

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
    follower = new Follower(allocator, recorder);
    meter = new DeviceMeter(device);
    writer = new FrameWriter(follower, curve);
  }

  /** Begins to look. The viewer's first frame has everything. */
  Viewer open() {
    lock.lock();
    try {
      Viewer viewer = new Viewer(this);
      viewers.add(viewer);
      if (!running && end == null) {
        running = true;
        follower.listen();
        advance();
        Thread.ofVirtual().name("feed " + name).start(this::run);
      }
      return viewer;
    } finally {
      lock.unlock();
    }
  }

  /** Tells everybody that there will be nothing more, and why. */
  void end(String reason) {
    lock.lock();
    try {
      if (end == null) {
        end = reason;
      }
      news.signalAll();
      over.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether there will be nothing more. */
  boolean isOver() {
    lock.lock();
    try {
      return end != null;
    } finally {
      lock.unlock();
    }
  }

  int viewerCount() {
    lock.lock();
    try {
      return viewers.size();
    } finally {
      lock.unlock();
    }
  }

  void close(Viewer viewer) {
    lock.lock();
    try {
      viewers.remove(viewer);
      lonelyMillis = millis();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a version after {@code seen} and tells what changed.
   *
   * @return nothing new if the time passed without
   */
  News await(long seen, long timeout, TimeUnit unit) throws InterruptedException {
    lock.lock();
    try {
      long left = unit.toNanos(timeout);
      while (end == null && follower.mirror().version() == seen) {
        if (left <= 0) {
          return News.nothing(seen);
        }
        left = news.awaitNanos(left);
      }
      long now = follower.mirror().version();
      return end != null ? News.end(end, seen) : News.frame(frame(seen, now), now);
    } finally {
      lock.unlock();
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
    lock.lock();
    try {
      while (end == null && !isForgotten()) {
        long start = System.nanoTime();
        advance();
        long took = System.nanoTime() - start;
        if (over.awaitNanos(Math.max(PERIOD_NANOS - took, REST * took)) > 0 && end != null) {
          break;
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      running = false;
      follower.stopListening();
      lock.unlock();
    }
  }

  private boolean isForgotten() {
    return viewers.isEmpty() && millis() - lonelyMillis > LINGER_MILLIS;
  }

  private void advance() {
    if (state.get() instanceof HostedState.Closed) {
      end = "The allocator was closed.";
      news.signalAll();
      return;
    }
    long now = millis();
    if (!follower.hasNews() && now - versionMillis < HEARTBEAT_MILLIS) {
      return;
    }
    meter.read(now);
    follower.follow(now);
    versionMillis = now;
    curve.add(follower.point(now));
    news.signalAll();
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }
}
