package dev.vramscope.inspection;

import dev.vramscope.analysis.AnalysisHeap;
import dev.vramscope.analysis.Lazy;
import dev.vramscope.analysis.SnapshotHistory;
import dev.vramscope.analysis.stacks.CallTree;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.ShownFrames;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.evidence.AttachedText;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.replays.KnownReplays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A decoded snapshot with the analyses of its devices. Thread-safe. */
public final class SnapshotInspection {
  private final Snapshot snapshot;
  private final List<DeviceInspection> devices;
  private final Optional<DeviceInspection> pinnedHost;
  private final Lazy<StackClasses> stacks;
  private final Map<ShownFrames, Lazy<CallTree>> callTrees = new EnumMap<>(ShownFrames.class);
  private final long heapBytes;

  private SnapshotInspection(
      SnapshotHistory history,
      Supplier<List<AttachedText>> texts,
      IntFunction<KnownReplays> replays) {
    snapshot = history.snapshot();
    heapBytes = AnalysisHeap.bytes(snapshot);
    stacks = new Lazy<>(() -> FrameRules.standard().classify(snapshot.stacks()));
    for (ShownFrames shownFrames : ShownFrames.values()) {
      callTrees.put(shownFrames, new Lazy<>(() -> CallTree.of(stacks.get(), shownFrames)));
    }
    devices =
        snapshot.devices().stream()
            .map(
                device ->
                    new DeviceInspection(
                        snapshot,
                        device,
                        history.of(device),
                        stacks,
                        texts,
                        replays.apply(device.ordinal())))
            .toList();
    pinnedHost =
        snapshot
            .pinnedHost()
            .map(
                host ->
                    new DeviceInspection(
                        snapshot, host, history.of(host), stacks, texts, KnownReplays.NONE));
  }

  /**
   * A stored snapshot.
   *
   * @param history of the snapshot
   * @param texts reads the texts that users have attached
   * @param replays the results of earlier replays, by the number of the device
   */
  public static SnapshotInspection of(
      SnapshotHistory history,
      Supplier<List<AttachedText>> texts,
      IntFunction<KnownReplays> replays) {
    Snapshot snapshot = history.snapshot();
    SnapshotHistory joined =
        JoinedDump.isPossible(snapshot)
            ? SnapshotHistory.of(JoinedDump.of(snapshot, texts.get()))
            : history;
    return new SnapshotInspection(joined, texts, replays);
  }

  /** A snapshot of a file that is not stored. */
  public static SnapshotInspection of(Snapshot snapshot) {
    return of(SnapshotHistory.of(snapshot), List::of, _ -> KnownReplays.NONE);
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  /** The GPUs. */
  public List<DeviceInspection> devices() {
    return devices;
  }

  /** The GPUs and, last, the pinned host memory, if some was recorded. */
  public List<DeviceInspection> parts() {
    return Stream.concat(devices.stream(), pinnedHost.stream()).toList();
  }

  /** The GPU, or the pinned host memory, with a number. */
  public Optional<DeviceInspection> part(int ordinal) {
    return parts().stream().filter(part -> part.ordinal() == ordinal).findFirst();
  }

  /**
   * The device to look at first: the first that ran out of memory, or else the first with a block,
   * or else the first; empty only if nothing was recorded.
   */
  public Optional<DeviceInspection> main() {
    return devices.stream()
        .filter(each -> each.device().failedRequestCount() > 0)
        .findFirst()
        .or(() -> devices.stream().filter(each -> each.device().blockCount() > 0).findFirst())
        .or(() -> parts().stream().findFirst());
  }

  /** The snapshot with some of its parts only. */
  public Snapshot snapshotOf(List<DeviceInspection> some) {
    List<DeviceSnapshot> devices = some.stream().map(DeviceInspection::device).toList();
    return new Snapshot(
        snapshot.origin(),
        snapshot.settings(),
        devices.stream().filter(device -> !device.isPinnedHost()).toList(),
        devices.stream().filter(DeviceSnapshot::isPinnedHost).findFirst(),
        snapshot.stacks(),
        snapshot.findings());
  }

  /** The classified stacks. */
  public StackClasses stacks() {
    return stacks.get();
  }

  /** The call tree of the stacks with these frames. */
  public CallTree callTree(ShownFrames shownFrames) {
    return Objects.requireNonNull(callTrees.get(shownFrames)).get();
  }

  /** Estimated heap bytes, including analyses that are not computed yet. */
  public long heapBytes() {
    return heapBytes;
  }
}
