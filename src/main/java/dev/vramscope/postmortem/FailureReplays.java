package dev.vramscope.postmortem;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.ReplayLength;
import dev.vramscope.whatif.ReplayLimitException;
import dev.vramscope.whatif.replays.KnownReplays;
import dev.vramscope.whatif.replays.ReplayableRun;
import dev.vramscope.work.SharedResults;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The replays that remedies of a device's failures need, each computed once. Those of a short
 * recording take milliseconds and are part of the page; those of a long one take as long as several
 * runs of the allocator, so that they are computed only on demand.
 */
public final class FailureReplays {
  /** The replays of so many events are part of the page. */
  private static final int QUICK_EVENTS = 50_000;

  private static final int MAX_KEPT = 16;

  private final Snapshot snapshot;
  private final DeviceSnapshot device;
  private final RecordedHistory history;
  private final Supplier<ReplayableRun> run;
  private final KnownReplays stored;
  private final SharedResults<Key, ReplayStatus> statuses = new SharedResults<>(MAX_KEPT);

  /** A failure, and the memory that the allocator could have. */
  private record Key(int failure, SettingsReplays.Room room) {}

  public FailureReplays(
      Snapshot snapshot,
      DeviceSnapshot device,
      RecordedHistory history,
      Supplier<ReplayableRun> run,
      KnownReplays stored) {
    this.history = history;
    this.snapshot = snapshot;
    this.device = device;
    this.run = run;
    this.stored = stored;
  }

  /**
   * The replays for a recorded failure of the caching allocator.
   *
   * @param effort {@link ReplayEffort#QUICK} computes them only for a short recording
   */
  public ReplayStatus of(OomReport report, OomEvent failure, ReplayEffort effort) {
    if (device.kind() == RecordingKind.DUMP) {
      return new ReplayStatus.Impossible(
          "A dump has one moment and no run that led to it, so there is nothing to replay.");
    }
    if (!device.kind().hasSegments()) {
      return new ReplayStatus.Impossible(
          "What the allocator held is not in the file, so no replay can show whether another"
              + " setting would have helped.");
    }
    if (device.facts().family() != AllocatorFamily.CACHING) {
      return new ReplayStatus.Impossible(
          device.facts().family().isBfc()
              ? "Replays with another pool are on What if: preallocated, growing, with another"
                  + " limit or split rule."
              : "Only recordings of PyTorch's caching allocator are replayed under other"
                  + " settings.");
    }
    if (failure.deviceFreeBytes() == OomEvent.UNKNOWN) {
      return new ReplayStatus.Impossible(
          "The recording does not contain how much memory the GPU had left, so no replay can show"
              + " whether another setting would have helped.");
    }
    if (report.ledger().reservedBytes() > DeviceSize.MOST_BYTES / 2
        || failure.deviceFreeBytes() > DeviceSize.MOST_BYTES / 2) {
      return new ReplayStatus.Impossible(
          "The recorded sizes are larger than any GPU, so the recording is not replayed under other"
              + " settings.");
    }
    Key key =
        new Key(failure.event(), new SettingsReplays.Room(size(report, failure), limit(report)));
    return effort == ReplayEffort.FULL || ReplayLength.isAtMost(QUICK_EVENTS, device)
        ? statuses.get(key, this::run)
        : statuses.known(key).orElseGet(ReplayStatus.Pending::new);
  }

  /** The memory limit that refused the request, if replays know it only as the size of a device. */
  public Optional<AllocatorLimit> limit(OomReport report) {
    return AllocatorLimit.of(
        report, device, snapshot.configuration(), history.active().peakReservedBytes());
  }

  private ReplayStatus run(Key key) {
    try {
      return SettingsReplays.run(
              snapshot, device, history.steps(), run.get(), key.failure, key.room, stored)
          .<ReplayStatus>map(ReplayStatus.Done::new)
          .orElseGet(
              () ->
                  new ReplayStatus.Impossible(
                      "The recording cannot be replayed under its own settings, so that other"
                          + " settings cannot be compared with them."));
    } catch (ReplayLimitException refused) {
      return new ReplayStatus.Impossible(
          "The recording is not replayed under other settings. " + refused.getMessage());
    }
  }

  /** The device at the failure; without its size, the part of it that others did not hold. */
  private static DeviceSize size(OomReport report, OomEvent failure) {
    long available = report.ledger().reservedBytes() + failure.deviceFreeBytes();
    return report.ledger().total() instanceof Amount.Known(long total)
            && total >= available
            && total <= DeviceSize.MOST_BYTES
        ? DeviceSize.of(total, total - available)
        : DeviceSize.of(available, 0);
  }
}
