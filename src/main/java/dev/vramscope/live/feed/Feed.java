package dev.vramscope.live.feed;

import dev.vramscope.live.FailureMessage;
import dev.vramscope.live.HostedState;
import dev.vramscope.recorder.RecordedAllocator;
import dev.vramscope.recorder.Recorder;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live view of one allocator, published to all its viewers. It has a thread while viewers are
 * connected and for {@link #IDLE_MILLIS} after, so that a reloaded page still gets its curves.
 *
 * <p>That thread may wait long for the allocator's lock or for the driver, while it holds {@link
 * #work}. Viewers acquire that lock only in {@link #await}, with a timeout. {@link #signalLock} is
 * only held for short times.
 */
public final class Feed {
  private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(33);
  private static final long IDLE_MILLIS = 20_000;

  /** A version is published at least this often, so that clients can detect a dead feed. */
  private static final long HEARTBEAT_MILLIS = 500;

  /**
   * The thread pauses at least this many times as long as it worked, which limits its CPU use to 10
   * %.
   */
  private static final int PAUSE_FACTOR = 9;

  private static final Pattern POSITION = Pattern.compile("(\\d{1,18})\\.(\\d{1,18})");

  private static final AtomicLong LAST_NUMBER = new AtomicLong();

  private final long number = LAST_NUMBER.incrementAndGet();
  private final String name;
  private final Supplier<HostedState> state;

  /** Held while the replica is updated and while a frame is written. */
  private final ReentrantLock work = new ReentrantLock();

  /** Guards the two conditions. */
  private final ReentrantLock signalLock = new ReentrantLock();

  private final Condition changed = signalLock.newCondition();
  private final Condition ended = signalLock.newCondition();
  private final ReplicaUpdater updater;
  private final DeviceMeter meter;
  private final Curve curve = new Curve();
  private final FrameWriter writer;
  private final Set<Viewer> viewers = ConcurrentHashMap.newKeySet();
  private final long startNanos = System.nanoTime();

  private final AtomicBoolean running = new AtomicBoolean();
  private volatile long idleSinceMillis;
  private volatile @Nullable String end;

  /** The latest published version; 0 until the first one after a start. */
  private volatile long published;

  private long versionMillis;

  /** The latest frame, shared by viewers that need the same one. */
  private byte[] frame = {};

  private long frameFrom = -1;
  private long frameTo = -1;

  /**
   * Creates a feed without viewers.
   *
   * @param name part of the name of the thread
   * @param state the state of the allocator; the feed ends when it is closed
   */
  Feed(
      String name,
      RecordedAllocator allocator,
      Recorder recorder,
      DeviceMeter meter,
      Supplier<HostedState> state) {
    this.name = name;
    this.meter = meter;
    this.state = state;
    updater = new ReplicaUpdater(allocator, recorder);
    writer = new FrameWriter(updater, curve);
  }

  /** Connects a viewer. Its first frame is complete. */
  Viewer open() {
    return open("");
  }

  /**
   * Connects a viewer that continues an earlier connection.
   *
   * @param position {@link Viewer#position} of the earlier viewer; if this feed cannot continue
   *     from there, the first frame is complete
   */
  Viewer open(String position) {
    Viewer viewer = new Viewer(this, seenAt(position));
    viewers.add(viewer);
    wake();
    return viewer;
  }

  /** Identifies the present version, also among feeds of the same allocator. */
  String position(long version) {
    return number + "." + version;
  }

  private long seenAt(String position) {
    Matcher parts = POSITION.matcher(position);
    boolean isOwn = parts.matches() && Long.parseLong(parts.group(1)) == number;
    return isOwn ? Long.parseLong(parts.group(2)) : 0;
  }

  private void wake() {
    if (end == null && running.compareAndSet(false, true)) {
      Thread.ofVirtual().name("feed " + name).start(this::run);
    }
  }

  /** Ends the feed; viewers receive the reason. */
  void end(String reason) {
    if (end == null) {
      end = reason;
    }
    signal();
  }

  private void signal() {
    signalLock.lock();
    try {
      changed.signalAll();
      if (end != null) {
        ended.signalAll();
      }
    } finally {
      signalLock.unlock();
    }
  }

  /** Whether the feed has ended. */
  boolean hasEnded() {
    return end != null;
  }

  int viewerCount() {
    return viewers.size();
  }

  void close(Viewer viewer) {
    viewers.remove(viewer);
    idleSinceMillis = millis();
  }

  /**
   * Waits for a version other than {@code seen}.
   *
   * @return the changes, or {@link FeedUpdate.Unchanged} after the timeout
   */
  FeedUpdate await(long seen, long timeout, TimeUnit unit) throws InterruptedException {
    long left = awaitChange(seen, unit.toNanos(timeout));
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

  /** Returns the remaining nanoseconds; not positive after the timeout. */
  private long awaitChange(long seen, long nanos) throws InterruptedException {
    signalLock.lock();
    try {
      long left = nanos;
      while (end == null && (published == 0 || published == seen) && left > 0) {
        left = changed.awaitNanos(left);
      }
      return left;
    } finally {
      signalLock.unlock();
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
      while (end == null && !isIdle()) {
        long start = System.nanoTime();
        advance();
        pause(System.nanoTime() - start);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failed) {
      LOG.error("The feed of allocator {} failed", name, failed);
      end("The live view failed: " + FailureMessage.of(failed) + ". Load the page again.");
    } finally {
      updater.stopListening();
      published = 0;
      running.set(false);
      if (!viewers.isEmpty()) {
        wake(); // A viewer connected while this thread was ending.
      }
    }
  }

  private void pause(long took) throws InterruptedException {
    signalLock.lock();
    try {
      long left = Math.max(PERIOD_NANOS - took, PAUSE_FACTOR * took);
      while (end == null && left > 0) {
        left = ended.awaitNanos(left);
      }
    } finally {
      signalLock.unlock();
    }
  }

  private boolean isIdle() {
    return viewers.isEmpty() && millis() - idleSinceMillis > IDLE_MILLIS;
  }

  private void advance() {
    if (state.get() instanceof HostedState.Closed) {
      end("The allocator was closed.");
      return;
    }
    long now = millis();
    if (!updater.hasChanges() && now - versionMillis < HEARTBEAT_MILLIS) {
      return;
    }
    work.lock();
    try {
      meter.read(now);
      updater.update(now);
      versionMillis = now;
      curve.add(updater.point(now));
      published = updater.replica().version();
    } finally {
      work.unlock();
    }
    signal();
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }
}
