package dev.vramscope.live;

import dev.vramscope.device.cuda.CudaDriver;
import dev.vramscope.device.sim.TimedSimDevice;
import dev.vramscope.model.Snapshot;
import dev.vramscope.recorder.HistorySettings;
import dev.vramscope.store.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.util.unit.DataSize;

/** Hosted allocators put together as the service does it, with a list for a store. */
public final class HostedOnSim {
  static final int MAX_ALLOCATORS = 4;
  static final int MAX_BLOCKS = 1000;
  static final int MAX_STREAMS = 8;
  static final int MAX_EVENTS = 100_000;

  private final List<Snapshot> kept = new ArrayList<>();
  private final List<Tags> tags = new ArrayList<>();
  private final HostedAllocators allocators;

  /** Every failure is kept; there is no GPU. */
  public HostedOnSim() {
    this(Duration.ZERO, new CudaDriver("no-such-library"));
  }

  HostedOnSim(Duration snapshotInterval, CudaDriver driver) {
    LiveSettings settings =
        new LiveSettings(
            MAX_ALLOCATORS,
            DataSize.ofTerabytes(1),
            MAX_BLOCKS,
            MAX_STREAMS,
            /* maxViewers= */ 4,
            MAX_EVENTS,
            snapshotInterval);
    allocators = new HostedAllocators(new Devices(settings, driver), settings, this::storeSnapshot);
  }

  private synchronized SnapshotSink.Stored storeSnapshot(
      Snapshot snapshot, String name, Tags given) {
    kept.add(snapshot);
    tags.add(given);
    return new SnapshotSink.Stored("snapshot-" + kept.size(), 1);
  }

  /** What was kept, oldest first. */
  synchronized List<Snapshot> kept() {
    return List.copyOf(kept);
  }

  synchronized List<Tags> tags() {
    return List.copyOf(tags);
  }

  public HostedAllocators allocators() {
    return allocators;
  }

  /** A caching allocator with its history on. */
  public HostedAllocator caching(long deviceBytes) {
    return host(AllocatorKind.CACHING, deviceBytes, "");
  }

  HostedAllocator host(AllocatorKind kind, long deviceBytes, String settings) {
    return allocators.create(request(kind, new DeviceChoice.Sim(deviceBytes), settings));
  }

  static HostingRequest request(AllocatorKind kind, DeviceChoice device, String settings) {
    return new HostingRequest("test", device, kind, settings, HistorySettings.all());
  }

  /** What is taken from an allocator's simulated card. */
  static long usedBytes(HostedAllocator hosted) {
    return ((TimedSimDevice) hosted.device()).underlying().usedBytes();
  }
}
