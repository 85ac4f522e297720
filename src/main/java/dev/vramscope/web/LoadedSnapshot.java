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

/** A decoded snapshot with its analyses. */
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
   * The device with an ordinal; without one, the first that ran out of memory, else the first that
   * holds any.
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
                    "Switch recording on before the first allocation, then take it again."));
  }

  /**
   * The line that a stack is named after, or null when no stack was recorded: the innermost of the
   * user's own code; its kind is another when there is none of that.
   */
  public @Nullable Line site(int stack) {
    int node = stacks.get().siteOf(stack);
    return node == StackTable.NONE ? null : line(node);
  }

  /** One line of a stack; {@code kind} is user, package or runtime. */
  public record Line(String name, String file, int line, String kind) {}

  /** The lines of a stack, innermost first. */
  public List<Line> frames(int stack) {
    StackTable table = snapshot.stacks();
    List<Line> lines = new ArrayList<>();
    for (int node = stack; node != StackTable.NONE; node = table.parent(node)) {
      lines.add(line(node));
    }
    return lines;
  }

  private Line line(int node) {
    Frame frame = snapshot.stacks().frame(node);
    String kind = stacks.get().kind(node).name().toLowerCase(Locale.ROOT);
    return new Line(frame.name(), frame.file(), frame.line(), kind);
  }

  /** What memory allocated under a stack is probably used for. */
  public String category(int stack) {
    return stacks.get().category(stack).name().toLowerCase(Locale.ROOT);
  }

  /** The recorded settings; the sixteen size classes of a rounding rule only where one is set. */
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
        known.isEmpty() ? "It has no devices at all." : "It has device " + known + ".");
  }
}
