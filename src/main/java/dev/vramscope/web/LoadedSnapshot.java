package dev.vramscope.web;

import dev.vramscope.analysis.AnalysisHeap;
import dev.vramscope.analysis.CallTree;
import dev.vramscope.analysis.FrameRules;
import dev.vramscope.analysis.Lazy;
import dev.vramscope.analysis.ShownFrames;
import dev.vramscope.analysis.StackClasses;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.postmortem.KnownReplays;
import dev.vramscope.store.AttachedText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A decoded snapshot with the analyses of its devices. */
final class LoadedSnapshot {
  private static final int MAX_SETTINGS = 200;
  private static final int MAX_SETTING = 300;
  private static final int MAX_QUESTIONS = 1000;
  private static final DisplayFormat FORMAT = new DisplayFormat();

  private final String id;
  private final Snapshot snapshot;
  private final List<LoadedDevice> devices;
  private final Optional<LoadedDevice> pinnedHost;
  private final Lazy<StackClasses> stacks;
  private final Map<ShownFrames, Lazy<CallTree>> callTrees = new EnumMap<>(ShownFrames.class);
  private final Lazy<Map<ExportFormat, Long>> exportBytes;
  private final long heapBytes;

  /** What was asked and answered; the answers are kept by the analyses. */
  private final Set<String> questions = ConcurrentHashMap.newKeySet();

  /**
   * A snapshot.
   *
   * @param texts reads the texts that users have attached
   * @param replays the results of earlier replays, by device
   */
  LoadedSnapshot(
      String id,
      Snapshot snapshot,
      FrameRules rules,
      Supplier<List<AttachedText>> texts,
      IntFunction<KnownReplays> replays) {
    this.id = id;
    this.snapshot = snapshot;
    heapBytes = AnalysisHeap.bytes(snapshot);
    stacks = new Lazy<>(() -> rules.classify(snapshot.stacks()));
    exportBytes = new Lazy<>(() -> ExportFormat.estimatedBytes(snapshot));
    for (ShownFrames shown : ShownFrames.values()) {
      callTrees.put(shown, new Lazy<>(() -> CallTree.of(stacks.get(), shown)));
    }
    devices =
        snapshot.devices().stream()
            .map(
                device ->
                    new LoadedDevice(
                        snapshot, device, stacks, texts, replays.apply(device.ordinal())))
            .toList();
    pinnedHost =
        snapshot
            .pinnedHost()
            .map(host -> new LoadedDevice(snapshot, host, stacks, texts, KnownReplays.NONE));
  }

  public String id() {
    return id;
  }

  /** Whether a question was answered since the snapshot was decoded. */
  boolean wasAnswered(String question) {
    return questions.contains(question);
  }

  void answered(String question) {
    if (questions.size() >= MAX_QUESTIONS) {
      questions.clear(); // They will be answered from what is kept, after a turn each.
    }
    questions.add(question);
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  public List<LoadedDevice> devices() {
    return devices;
  }

  /** The GPUs and, last, the pinned host memory, if some was recorded. */
  public List<LoadedDevice> parts() {
    return Stream.concat(devices.stream(), pinnedHost.stream()).toList();
  }

  /** The snapshot with some of its parts only. */
  Snapshot snapshotOf(List<LoadedDevice> some) {
    List<DeviceSnapshot> chosen = some.stream().map(LoadedDevice::device).toList();
    return new Snapshot(
        snapshot.origin(),
        snapshot.settings(),
        chosen.stream().filter(device -> !device.isPinnedHost()).toList(),
        chosen.stream().filter(DeviceSnapshot::isPinnedHost).findFirst(),
        snapshot.stacks(),
        snapshot.findings());
  }

  /**
   * The device with an ordinal, or the pinned host memory. Without one: the first device that ran
   * out of memory, or else the first with a block, or else the first.
   */
  public LoadedDevice device(@Nullable Integer ordinal) {
    if (ordinal != null) {
      return parts().stream()
          .filter(device -> device.ordinal() == ordinal)
          .findFirst()
          .orElseThrow(() -> noDevice(ordinal));
    }
    return devices.stream()
        .filter(device -> device.device().failedRequestCount() > 0)
        .findFirst()
        .or(() -> devices.stream().filter(device -> device.blockCount() > 0).findFirst())
        .or(() -> parts().stream().findFirst())
        .orElseThrow(
            () ->
                RefusedRequestException.notFound(
                    "Snapshot " + id + " has no device: no segment and no event was recorded",
                    "devices",
                    "Start recording before the first allocation, then take the snapshot again."));
  }

  /** The same, but pinned host memory is rejected: the request is about the memory of a GPU. */
  LoadedDevice gpu(@Nullable Integer ordinal) {
    LoadedDevice found = device(ordinal);
    if (found.device().isPinnedHost()) {
      throw RefusedRequestException.notOfHost();
    }
    return found;
  }

  /** A device whose blocks have addresses: profiles are rejected. */
  LoadedDevice withAddresses(@Nullable Integer ordinal) {
    LoadedDevice found = device(ordinal);
    if (found.device().isProfile()) {
      throw RefusedRequestException.notOfProfile();
    }
    return found;
  }

  /** The memory of a GPU whose file has the segments of the allocator. */
  LoadedDevice withSegments(@Nullable Integer ordinal) {
    LoadedDevice found = allocatorOfGpu(ordinal);
    if (found.device().isRequestLog()) {
      throw RefusedRequestException.notOf(found.device());
    }
    return found;
  }

  /** The memory of a GPU, held by an allocator: neither pinned host memory nor a profile. */
  LoadedDevice allocatorOfGpu(@Nullable Integer ordinal) {
    withAddresses(ordinal);
    return gpu(ordinal);
  }

  /**
   * The frame that names the allocation site of a stack, or null if no stack was recorded: the
   * innermost frame of the user's code, or else of another kind.
   */
  public @Nullable FrameView site(int stack) {
    return site(stack, new TextBudget(0));
  }

  /** The same within a budget. */
  @Nullable FrameView site(int stack, TextBudget budget) {
    int node = stacks.get().siteOf(stack);
    return node == StackTable.NONE ? null : frameView(node, budget);
  }

  /** The classified stacks. */
  StackClasses stackClasses() {
    return stacks.get();
  }

  /** The call tree of the stacks with these frames. */
  CallTree callTree(ShownFrames shown) {
    return Objects.requireNonNull(callTrees.get(shown)).get();
  }

  /** A stack frame; {@code kind} is user, package or runtime. */
  public record FrameView(String name, String file, int line, String kind) {}

  /** The frames of a stack from {@code offset}, innermost first, within a budget. */
  StackFrames frames(int stack, int offset, TextBudget budget) {
    return frames(stack, offset, Integer.MAX_VALUE, budget);
  }

  /** At most {@code limit} frames of a stack from {@code offset}, innermost first. */
  StackFrames frames(int stack, int offset, int limit, TextBudget budget) {
    StackTable table = snapshot.stacks();
    List<FrameView> frames = new ArrayList<>();
    int position = 0;
    for (int node = stack; node != StackTable.NONE; node = table.parent(node)) {
      if (position >= offset && frames.size() < limit && !budget.isSpent()) {
        frames.add(frameView(node, budget));
      }
      position++;
    }
    if (offset < 0 || offset > position) {
      throw RefusedRequestException.badParameter("offset", offset, "0 to " + position);
    }
    return new StackFrames(frames, offset, position);
  }

  /** Rejects a number that is not a stack of this snapshot. */
  void requireStack(int stack) {
    int count = snapshot.stacks().nodeCount();
    if (stack < 0 || stack >= count) {
      throw RefusedRequestException.notFound(
          "There is no stack " + stack,
          "/stacks/" + stack,
          "Stacks are 0 (not recorded) to " + (count - 1) + ".");
    }
  }

  private FrameView frameView(int node, TextBudget budget) {
    Frame frame = budget.frame(snapshot.stacks().frame(node));
    String kind = stacks.get().kind(node).name().toLowerCase(Locale.ROOT);
    return new FrameView(frame.name(), frame.file(), frame.line(), kind);
  }

  /** The probable use of memory that is allocated with a stack. */
  public String category(int stack) {
    return stacks.get().category(stack).name().toLowerCase(Locale.ROOT);
  }

  /**
   * The recorded settings, without the size classes of a rounding rule that are 0. The names and
   * values of a file that PyTorch did not write may be long and many: the first are shown.
   */
  public Map<String, String> settingsToShow() {
    Map<String, String> shown = new LinkedHashMap<>();
    snapshot
        .settings()
        .ifPresent(
            settings ->
                settings.values().entrySet().stream()
                    .filter(each -> !each.getKey().contains(".") || !each.getValue().equals("0"))
                    .limit(MAX_SETTINGS)
                    .forEach(
                        each ->
                            shown.put(
                                FORMAT.elided(each.getKey(), MAX_SETTING),
                                FORMAT.elided(each.getValue(), MAX_SETTING))));
    return shown;
  }

  /** The number of settings that {@link #settingsToShow} leaves out because there are too many. */
  public int hiddenSettingCount() {
    return snapshot.settings().map(settings -> settings.values().size()).orElse(0) <= MAX_SETTINGS
        ? 0
        : snapshot.settings().orElseThrow().values().size() - settingsToShow().size();
  }

  /** About how many bytes an export of the snapshot has, by format. */
  public Map<ExportFormat, Long> exportBytes() {
    return exportBytes.get();
  }

  /** Estimated heap bytes, including analyses that are not computed yet. */
  public long heapBytes() {
    return heapBytes;
  }

  private RefusedRequestException noDevice(int ordinal) {
    String known =
        String.join(", ", parts().stream().map(device -> "" + device.ordinal()).toList());
    return RefusedRequestException.notFound(
        "Snapshot " + id + " has no device " + ordinal,
        "parameter device",
        known.isEmpty() ? "It has no devices." : "Its devices: " + known + ".");
  }
}
