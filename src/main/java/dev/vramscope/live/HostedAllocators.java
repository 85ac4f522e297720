package dev.vramscope.live;

import dev.vramscope.allocator.bfc.RetryClock;
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
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * The allocators that this process hosts, by id. Ids are larger than those of all earlier
 * processes, so that a client with an id from before a restart does not change another allocator.
 * Thread-safe.
 */
@Component
public final class HostedAllocators {
  private static final Logger LOG = LoggerFactory.getLogger(HostedAllocators.class);

  /** Together for all allocators when the server stops. */
  private static final Duration MAX_CLOSE_TIME = Duration.ofSeconds(2);

  private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

  private final Devices devices;
  private final LiveSettings settings;
  private final SnapshotSink snapshots;
  private final RetryClock retryClock;
  private final InstantSource clock = InstantSource.system();
  private final ConcurrentSkipListMap<Long, HostedAllocator> hosted = new ConcurrentSkipListMap<>();
  private final Semaphore permits;
  private final long idBase;
  private volatile long lastId;

  @Autowired
  HostedAllocators(Devices devices, LiveSettings settings, SnapshotSink snapshots) {
    this(devices, settings, snapshots, RetryClock.system());
  }

  /** Creates the component with a clock for requests that wait for memory. */
  HostedAllocators(
      Devices devices, LiveSettings settings, SnapshotSink snapshots, RetryClock retryClock) {
    this.retryClock = retryClock;
    this.devices = devices;
    this.snapshots = snapshots;
    this.settings = settings;
    permits = new Semaphore(settings.maxAllocators());
    idBase = idBase(clock.instant());
    lastId = idBase;
  }

  /**
   * The id before the first one of a process that starts now: 1000 for each second since 2026, more
   * than a process can create. Exact in JavaScript (below 2^53) for centuries.
   */
  static long idBase(Instant start) {
    return Math.max(0, 1000 * Duration.between(EPOCH, start).toSeconds());
  }

  /**
   * Hosts a new allocator.
   *
   * @throws HostingRefusedException if a limit is reached, the device cannot be used, or the
   *     settings are invalid
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch would
   *     reject the settings
   */
  public HostedAllocator create(HostingRequest request) {
    if (request.history().maxEvents() > settings.maxEvents()) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.REQUEST,
          "A history of " + request.history().maxEvents() + " events is too long",
          "history.events",
          "At most " + settings.maxEvents() + " are kept (vramscope.live.max-events).");
    }
    if (!permits.tryAcquire()) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.LIMIT,
          "This server already hosts " + settings.maxAllocators() + " allocators",
          "vramscope.live.max-allocators",
          "Close one, or start the server with a larger limit.");
    }
    boolean created = false;
    try {
      HostedAllocator allocator = host(request, devices.open(request.device()));
      created = true;
      return allocator;
    } finally {
      if (!created) {
        permits.release();
      }
    }
  }

  /** Assigns an id only if the allocator could be created. */
  private synchronized HostedAllocator host(HostingRequest request, Device device) {
    boolean created = false;
    try {
      long id = lastId + 1;
      HostedAllocator allocator =
          new HostedAllocator(id, request, device, settings, snapshots, clock, retryClock);
      hosted.put(id, allocator);
      lastId = id;
      created = true;
      return allocator;
    } finally {
      if (!created) {
        device.close();
      }
    }
  }

  /** The allocators that are not closed, oldest first. */
  public List<HostedAllocator> list() {
    return List.copyOf(hosted.values());
  }

  /**
   * Returns a hosted allocator, open or lost.
   *
   * @throws AllocatorGoneException if it was closed
   * @throws UnknownAllocatorException if the id was never assigned
   */
  public HostedAllocator find(long id) {
    HostedAllocator allocator = hosted.get(id);
    if (allocator != null) {
      return allocator;
    }
    throw missing(id);
  }

  /**
   * Closes an allocator: stops its workloads, frees its blocks, and releases all its memory.
   *
   * @throws AllocatorGoneException if it was closed already
   * @throws UnknownAllocatorException if the id was never assigned
   */
  public void close(long id) {
    HostedAllocator allocator = hosted.remove(id);
    if (allocator == null) {
      throw missing(id);
    }
    try {
      allocator.close();
    } finally {
      permits.release();
    }
  }

  /** The use of an allocator's device memory as its driver reports it. */
  public DriverView driverView(HostedAllocator allocator) {
    long othersBytes = 0;
    for (HostedAllocator other : hosted.values()) {
      if (other.id() != allocator.id() && sharesDevice(allocator, other)) {
        othersBytes += other.allocator().inspect().totals().reservedBytes();
      }
    }
    return DriverView.of(allocator, othersBytes, devices.contextBytes(allocator.choice()));
  }

  private static boolean sharesDevice(HostedAllocator one, HostedAllocator other) {
    return one.choice() instanceof DeviceChoice.Cuda && one.choice().equals(other.choice());
  }

  private RuntimeException missing(long id) {
    return id > idBase && id <= lastId
        ? AllocatorGoneException.closed(id)
        : new UnknownAllocatorException(id);
  }

  /**
   * Closes all allocators at the same time, even if some fail to close. One whose driver does not
   * respond is left: its memory is released with the process.
   */
  @PreDestroy
  void closeAll() {
    List<Thread> closing =
        hosted.keySet().stream()
            .map(id -> Thread.ofVirtual().name("close " + id).start(() -> closeLogged(id)))
            .toList();
    long deadline = System.nanoTime() + MAX_CLOSE_TIME.toNanos();
    try {
      for (Thread thread : closing) {
        if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
          LOG.warn("'{}' did not finish in {}", thread.getName(), MAX_CLOSE_TIME);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeLogged(long id) {
    try {
      close(id);
    } catch (RuntimeException failed) {
      LOG.warn("Allocator {} could not be closed", id, failed);
    }
  }
}
