package dev.vramscope.web;

import dev.vramscope.analysis.FrameRules;
import dev.vramscope.analysis.StackClasses;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A decoded snapshot with the analyses of its devices. */
final class LoadedSnapshot {
  private final String id;
  private final Snapshot snapshot;
  private final List<LoadedDevice> devices;
  private final Lazy<StackClasses> stacks;

  LoadedSnapshot(String id, Snapshot snapshot, FrameRules rules) {
    this.id = id;
    this.snapshot = snapshot;
    stacks = new Lazy<>(() -> rules.classify(snapshot.stacks()));
    devices =
        snapshot.devices().stream()
            .map(device -> new LoadedDevice(snapshot, device, stacks))
            .toList();
  }

  public String id() {
    return id;
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  public List<LoadedDevice> devices() {
    return devices;
  }

  /**
   * The device with an ordinal. Without one: the first device that ran out of memory, or else the
   * first with a block, or else the first.
   */
  public LoadedDevice device(@Nullable Integer ordinal) {
    if (ordinal != null) {
      return devices.stream()
          .filter(device -> device.ordinal() == ordinal)
          .findFirst()
          .orElseThrow(() -> noDevice(ordinal));
    }
    return devices.stream()
        .filter(device -> !device.ooms().isEmpty())
        .findFirst()
        .or(() -> devices.stream().filter(device -> device.blockCount() > 0).findFirst())
        .or(() -> devices.stream().findFirst())
        .orElseThrow(
            () ->
                RefusedRequestException.notFound(
                    "Snapshot " + id + " has no device: no segment and no event was recorded",
                    "devices",
                    "Start recording before the first allocation, then take the snapshot again."));
  }

  /**
   * The frame that names the allocation site of a stack, or null if no stack was recorded: the
   * innermost frame of the user's code, or else of another kind.
   */
  public @Nullable FrameView site(int stack) {
    int node = stacks.get().siteOf(stack);
    return node == StackTable.NONE ? null : frameView(node);
  }

  /** The classified stacks. */
  StackClasses stackClasses() {
    return stacks.get();
  }

  /** A stack frame; {@code kind} is user, package or runtime. */
  public record FrameView(String name, String file, int line, String kind) {}

  /** The frames of a stack, innermost first. */
  public List<FrameView> frames(int stack) {
    StackTable table = snapshot.stacks();
    List<FrameView> frames = new ArrayList<>();
    for (int node = stack; node != StackTable.NONE; node = table.parent(node)) {
      frames.add(frameView(node));
    }
    return frames;
  }

  private FrameView frameView(int node) {
    Frame frame = snapshot.stacks().frame(node);
    String kind = stacks.get().kind(node).name().toLowerCase(Locale.ROOT);
    return new FrameView(frame.name(), frame.file(), frame.line(), kind);
  }

  /** The probable use of memory that is allocated with a stack. */
  public String category(int stack) {
    return stacks.get().category(stack).name().toLowerCase(Locale.ROOT);
  }

  /** The recorded settings, without the size classes of a rounding rule that are 0. */
  public Map<String, String> settingsToShow() {
    Map<String, String> shown = new LinkedHashMap<>();
    snapshot
        .settings()
        .ifPresent(
            settings ->
                settings
                    .values()
                    .forEach(
                        (name, value) -> {
                          if (!name.contains(".") || !value.equals("0")) {
                            shown.put(name, value);
                          }
                        }));
    return shown;
  }

  public long heapBytes() {
    return snapshot.stacks().heapBytes()
        + devices.stream().mapToLong(LoadedDevice::heapBytes).sum();
  }

  private RefusedRequestException noDevice(int ordinal) {
    String known =
        String.join(", ", devices.stream().map(device -> "" + device.ordinal()).toList());
    return RefusedRequestException.notFound(
        "Snapshot " + id + " has no device " + ordinal,
        "parameter device",
        known.isEmpty() ? "It has no devices." : "Its devices: " + known + ".");
  }
}
