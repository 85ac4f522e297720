package dev.vramscope.live;

import dev.vramscope.device.Device;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The allocators that this process hosts, by number. Numbers begin where no earlier process came
 * to, so that who still knows one of before a restart does not act on a stranger's allocator. Safe
 * for use by several threads.
 */
@Component
public final class HostedAllocators {
  private static final Logger LOG = LoggerFactory.getLogger(HostedAllocators.class);

  private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

  private final Devices cards;
  private final LiveSettings settings;
  private final SnapshotSink snapshots;
  private final InstantSource clock = InstantSource.system();
  private final ConcurrentSkipListMap<Long, HostedAllocator> hosted = new ConcurrentSkipListMap<>();
  private final Semaphore places;
  private final long noId;
  private volatile long lastId;

  HostedAllocators(Devices cards, LiveSettings settings, SnapshotSink snapshots) {
    this.cards = cards;
    this.snapshots = snapshots;
    this.settings = settings;
    places = new Semaphore(settings.maxAllocators());
    noId = before(clock.instant());
    lastId = noId;
  }

  /**
   * The number before the first one of a process that starts now: 1000 for each second since 2026,
   * since nobody hosts more than that for long. It is exact in JavaScript for ages.
   */
  static long before(Instant start) {
    return Math.max(0, 1000 * Duration.between(EPOCH, start).toSeconds());
  }

  /**
   * Hosts a new allocator.
   *
   * @throws HostingRefusedException if a bound is reached, the card cannot be used, or the settings
   *     are wrong
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch would
   *     not accept the settings
   */
  public HostedAllocator create(HostingRequest request) {
    if (request.history().maxEvents() > settings.maxEvents()) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.REQUEST,
          "A history of " + request.history().maxEvents() + " events is too long",
          "history.events",
          "At most " + settings.maxEvents() + " are kept (vramscope.live.max-events).");
    }
    if (!places.tryAcquire()) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.LIMIT,
          "This server hosts " + settings.maxAllocators() + " allocators already",
          "vramscope.live.max-allocators",
          "Close one, or start the server with a larger bound.");
    }
    boolean hosts = false;
    try {
      HostedAllocator allocator = host(request, cards.open(request.device()));
      hosts = true;
      return allocator;
    } finally {
      if (!hosts) {
        places.release();
      }
    }
  }

  /** A number is used up only by an allocator that was hosted. */
  private synchronized HostedAllocator host(HostingRequest request, Device device) {
    boolean hosts = false;
    try {
      long id = lastId + 1;
      HostedAllocator allocator =
          new HostedAllocator(id, request, device, settings, snapshots, clock);
      hosted.put(id, allocator);
      lastId = id;
      hosts = true;
      return allocator;
    } finally {
      if (!hosts) {
        device.close();
      }
    }
  }

  /** Those that are not closed, oldest first. */
  public List<HostedAllocator> list() {
    return List.copyOf(hosted.values());
  }

  /**
   * A hosted allocator, open or lost.
   *
   * @throws AllocatorGoneException if it was closed
   * @throws UnknownAllocatorException if there never was one
   */
  public HostedAllocator find(long id) {
    HostedAllocator allocator = hosted.get(id);
    if (allocator != null) {
      return allocator;
    }
    throw missing(id);
  }

  /**
   * Closes an allocator: ends its workloads, frees its blocks, and gives everything back.
   *
   * @throws AllocatorGoneException if it was closed already
   * @throws UnknownAllocatorException if there never was one
   */
  public void close(long id) {
    HostedAllocator allocator = hosted.remove(id);
    if (allocator == null) {
      throw missing(id);
    }
    try {
      allocator.close();
    } finally {
      places.release();
    }
  }

  /** Where the bytes of an allocator's card are, as its driver tells. */
  public DriverView driverView(HostedAllocator allocator) {
    long othersBytes = 0;
    for (HostedAllocator other : hosted.values()) {
      if (other.id() != allocator.id() && sharesCard(allocator, other)) {
        othersBytes += other.allocator().inspect().totals().reservedBytes();
      }
    }
    return DriverView.of(allocator, othersBytes, cards.contextBytes(allocator.choice()));
  }

  private static boolean sharesCard(HostedAllocator one, HostedAllocator other) {
    return one.choice() instanceof DeviceChoice.Cuda && one.choice().equals(other.choice());
  }

  private RuntimeException missing(long id) {
    return id > noId && id <= lastId
        ? AllocatorGoneException.closed(id)
        : new UnknownAllocatorException(id);
  }

  /** One that fails must not keep the others from ending. */
  @PreDestroy
  void closeAll() {
    for (long id : List.copyOf(hosted.keySet())) {
      try {
        close(id);
      } catch (RuntimeException failed) {
        LOG.warn("Allocator {} could not be closed", id, failed);
      }
    }
  }
}
