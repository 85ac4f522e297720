package dev.vramscope.live.feed;

import java.util.concurrent.TimeUnit;

/**
 * A reader of a feed at its own pace: it receives all changes since its last call in one frame. For
 * use by one thread.
 */
public final class Viewer implements AutoCloseable {
  /** The average bandwidth limit of a viewer; after a larger frame the pause is longer. */
  private static final long BYTES_PER_SECOND = 6L << 20;

  private final Feed feed;
  private long seen;
  private long nextNanos = System.nanoTime();

  Viewer(Feed feed, long seen) {
    this.feed = feed;
    this.seen = seen;
  }

  /** Waits for changes up to the timeout, but at least for the pause after the last frame. */
  public FeedUpdate next(long timeout, TimeUnit unit) throws InterruptedException {
    long waitNanos = nextNanos - System.nanoTime();
    if (waitNanos > 0) {
      TimeUnit.NANOSECONDS.sleep(waitNanos);
    }
    FeedUpdate update = feed.await(seen, timeout, unit);
    seen = update.version();
    if (update instanceof FeedUpdate.Frame frame) {
      long nanos = TimeUnit.SECONDS.toNanos(1) * frame.json().length / BYTES_PER_SECOND;
      nextNanos = System.nanoTime() + nanos;
    }
    return update;
  }

  /** Where a later viewer can continue: {@link Feeds#open}. */
  public String position() {
    return feed.position(seen);
  }

  @Override
  public void close() {
    feed.close(this);
  }
}
