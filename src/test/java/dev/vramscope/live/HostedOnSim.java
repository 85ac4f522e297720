package dev.vramscope.live;

import dev.vramscope.recorder.HistorySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.util.unit.DataSize;

/** Hosted allocators on simulated cards, put together as the service does it, without a store. */
public final class HostedOnSim {
  private static final LiveSettings SETTINGS =
      new LiveSettings(4, DataSize.ofTerabytes(1), 1000, 8, 100_000, Duration.ZERO);

  private final List<String> kept = new ArrayList<>();
  private final HostedAllocators allocators =
      new HostedAllocators(new Cards(SETTINGS), SETTINGS, this::keep);

  private synchronized SnapshotKeeper.Kept keep(
      dev.vramscope.model.Snapshot snapshot, String name, dev.vramscope.store.Tags tags) {
    kept.add(name);
    return new SnapshotKeeper.Kept("snapshot-" + kept.size(), 1);
  }

  public HostedAllocators allocators() {
    return allocators;
  }

  /** A caching allocator with its history on. */
  public HostedAllocator caching(long cardBytes) {
    return allocators.create(
        new HostingRequest(
            "test",
            new DeviceChoice.Sim(cardBytes),
            AllocatorKind.CACHING,
            "",
            HistorySettings.all()));
  }
}
