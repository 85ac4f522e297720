package dev.vramscope.live.feed;

import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.HostedAllocators;
import dev.vramscope.live.LiveSettings;
import java.util.HashMap;
import java.util.Map;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The feeds of the hosted allocators. Thread-safe.
 *
 * <p>They are stopped before the web server waits for its active requests, since the requests of
 * viewers do not end on their own.
 */
@Component
public final class Feeds implements SmartLifecycle {
  private static final String STOPPING = "The server is stopping.";

  private final HostedAllocators allocators;
  private final int maxViewers;
  private final Map<Long, Feed> feeds = new HashMap<>();
  private boolean running;

  Feeds(HostedAllocators allocators, LiveSettings settings) {
    this.allocators = allocators;
    maxViewers = settings.maxViewers();
  }

  /**
   * Connects a viewer to an allocator.
   *
   * @param position {@link Viewer#position} of an earlier viewer that this one continues, or empty;
   *     where that is not possible, the first frame is complete
   * @throws TooManyViewersException if the maximum number of viewers is connected
   * @throws dev.vramscope.live.UnknownAllocatorException if the id was never assigned
   * @throws dev.vramscope.live.AllocatorGoneException if the allocator was closed
   */
  public Viewer open(long id, String position) {
    HostedAllocator hosted = allocators.find(id);
    synchronized (this) {
      feeds.values().removeIf(Feed::hasEnded);
      int viewers = feeds.values().stream().mapToInt(Feed::viewerCount).sum();
      if (viewers >= maxViewers) {
        throw new TooManyViewersException(maxViewers);
      }
      return feeds.computeIfAbsent(id, _ -> feedOf(hosted)).open(position);
    }
  }

  private Feed feedOf(HostedAllocator hosted) {
    return new Feed(
        hosted.id() + " " + hosted.name(),
        hosted.allocator(),
        hosted.recorder(),
        new DeviceMeter(hosted.deviceBytes(), () -> allocators.driverView(hosted)),
        hosted::state);
  }

  @Override
  public synchronized void start() {
    running = true;
  }

  @Override
  public synchronized void stop() {
    running = false;
    feeds.values().forEach(feed -> feed.end(STOPPING));
    feeds.clear();
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }
}
