package dev.vramscope.live.feed;

import java.util.concurrent.TimeUnit;

/**
 * Somebody who looks at a feed, at its own pace: what happened since it last asked comes in one
 * piece. To be used by one thread.
 */
public final class Viewer implements AutoCloseable {
  /** A viewer gets no more than this in the long run; bigger frames make longer pauses. */
  private static final long BYTES_PER_SECOND = 6L << 20;

  private final Feed feed;
  private long seen;
  private long dueNanos = System.nanoTime();

  Viewer(Feed feed) {
    this.feed = feed;
  }

  /** Waits for news, at most so long and at least as long as the last frame was big. */
  public FeedUpdate next(long timeout, TimeUnit unit) throws InterruptedException {
    long early = dueNanos - System.nanoTime();
    if (early > 0) {
      TimeUnit.NANOSECONDS.sleep(early);
    }
    FeedUpdate news = feed.await(seen, timeout, unit);
    seen = news.version();
    if (news instanceof FeedUpdate.Frame frame) {
      long nanos = TimeUnit.SECONDS.toNanos(1) * frame.json().length / BYTES_PER_SECOND;
      dueNanos = System.nanoTime() + nanos;
    }
    return news;
  }

  @Override
  public void close() {
    feed.close(this);
  }
}
