package dev.vramscope.live;

import dev.vramscope.allocator.bfc.RetryClock;
import dev.vramscope.device.cuda.CudaDriver;
import dev.vramscope.device.sim.TimedSimDevice;
import dev.vramscope.model.Snapshot;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.store.listing.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.util.unit.DataSize;

/** Hosted allocators as in the service, with a list instead of the store. */
public final class HostedOnSim {
  static final int MAX_ALLOCATORS = 4;
  static final int MAX_BLOCKS = 1000;
  static final int MAX_STREAMS = 8;
  static final int MAX_EVENTS = 100_000;

  private final List<Snapshot> stored = new ArrayList<>();
  private final List<Tags> tags = new ArrayList<>();
  private final HostedAllocators allocators;

  /** Stores a snapshot of every failure; there is no GPU. */
  public HostedOnSim() {
    this(Duration.ZERO, new CudaDriver("no-such-library"));
  }

  /** Without a GPU. */
  public static HostedOnSim withInterval(Duration snapshotInterval) {
    return new HostedOnSim(snapshotInterval, new CudaDriver("no-such-library"));
  }

  HostedOnSim(Duration snapshotInterval, CudaDriver driver) {
    this(snapshotInterval, driver, RetryClock.system());
  }

  HostedOnSim(Duration snapshotInterval, CudaDriver driver, RetryClock retryClock) {
    LiveSettings settings =
        new LiveSettings(
            MAX_ALLOCATORS,
            DataSize.ofTerabytes(1),
            MAX_BLOCKS,
            MAX_STREAMS,
            /* maxViewers= */ 4,
            MAX_EVENTS,
            snapshotInterval);
    allocators =
        new HostedAllocators(
            new Devices(settings, driver), settings, this::storeSnapshot, retryClock);
  }

  private synchronized String storeSnapshot(Snapshot snapshot, String name, Tags given) {
    stored.add(snapshot);
    tags.add(given);
    return "snapshot-" + stored.size();
  }

  /** The stored snapshots, oldest first. */
  synchronized List<Snapshot> stored() {
    return List.copyOf(stored);
  }

  synchronized List<Tags> tags() {
    return List.copyOf(tags);
  }

  public HostedAllocators allocators() {
    return allocators;
  }

  /** A caching allocator with its history enabled. */
  public HostedAllocator caching(long deviceBytes) {
    return host(AllocatorKind.CACHING, deviceBytes, "");
  }

  HostedAllocator host(AllocatorKind kind, long deviceBytes, String settings) {
    return allocators.create(request(kind, new DeviceChoice.Sim(deviceBytes), settings));
  }

  static HostingRequest request(AllocatorKind kind, DeviceChoice device, String settings) {
    return new HostingRequest("test", device, kind, settings, HistorySettings.all());
  }

  /** The memory that is allocated on an allocator's simulated device. */
  static long usedBytes(HostedAllocator hosted) {
    return ((TimedSimDevice) hosted.device()).underlying().usedBytes();
  }
}
