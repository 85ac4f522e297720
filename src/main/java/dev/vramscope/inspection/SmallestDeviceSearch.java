package dev.vramscope.inspection;

import dev.vramscope.analysis.Lazy;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.postmortem.SmallestDeviceBySettings;
import dev.vramscope.whatif.ReplayLength;
import dev.vramscope.whatif.replays.ReplayableRun;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * On how small devices a run without a failure would have fitted, computed once. The replays of a
 * short recording are part of the page; those of a long one are made only on demand.
 */
public final class SmallestDeviceSearch {
  /** A search takes about a hundred replays. */
  private static final int QUICK_EVENTS = 5_000;

  private final DeviceSnapshot device;
  private final Lazy<Optional<SmallestDeviceBySettings>> smallest;
  private volatile boolean isFound;

  SmallestDeviceSearch(Snapshot snapshot, DeviceSnapshot device, Supplier<ReplayableRun> run) {
    this.device = device;
    smallest = new Lazy<>(() -> SmallestDeviceBySettings.of(snapshot, device, run.get()));
  }

  /**
   * The results, if the run can be replayed.
   *
   * @param effort {@link ReplayEffort#QUICK} computes them only for a short recording
   */
  public Optional<SmallestDeviceBySettings> smallest(ReplayEffort effort) {
    if (!isReplayable() || !(effort == ReplayEffort.FULL || isFound || isQuick())) {
      return Optional.empty();
    }
    Optional<SmallestDeviceBySettings> devices = smallest.get();
    isFound = true;
    return devices;
  }

  /** Whether the results are computed only when they are wanted. */
  public boolean isPending() {
    return isReplayable() && !isFound && !isQuick();
  }

  private boolean isReplayable() {
    return device.facts().family() == AllocatorFamily.CACHING;
  }

  private boolean isQuick() {
    return ReplayLength.isAtMost(QUICK_EVENTS, device);
  }
}
