package dev.vramscope.web;

import dev.vramscope.analysis.FrameRules;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Snapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A decoded snapshot with its analyses. */
final class OpenSnapshot {
  private final String id;
  private final Snapshot snapshot;
  private final List<OpenDevice> devices;
  private final FrameRules rules;

  OpenSnapshot(String id, Snapshot snapshot, FrameRules rules) {
    this.id = id;
    this.snapshot = snapshot;
    this.rules = rules;
    devices =
        snapshot.devices().stream()
            .map(device -> new OpenDevice(snapshot, device, rules))
            .toList();
  }

  String id() {
    return id;
  }

  Snapshot snapshot() {
    return snapshot;
  }

  List<OpenDevice> devices() {
    return devices;
  }

  /**
   * The device with an ordinal; without one, the first that ran out of memory, else the first that
   * holds any.
   */
  OpenDevice device(@Nullable Integer ordinal) {
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

  /** The innermost frame of the user's own code of a stack, or null when no stack was recorded. */
  @Nullable Frame site(int stack) {
    OptionalInt node = rules.siteNode(snapshot.stacks(), stack);
    return node.isEmpty() ? null : snapshot.stacks().frame(node.getAsInt());
  }

  /** One line of a stack; {@code kind} is user, package or runtime. */
  record Line(String name, String file, int line, String kind) {}

  /** The lines of a stack, innermost first. */
  List<Line> frames(int stack) {
    return snapshot.stacks().framesOf(stack).stream()
        .map(
            frame ->
                new Line(
                    frame.name(),
                    frame.filename(),
                    frame.line(),
                    rules.kind(frame).name().toLowerCase(Locale.ROOT)))
        .toList();
  }

  /** What memory allocated under a stack is probably used for. */
  String category(int stack) {
    return rules.category(snapshot.stacks(), stack).name().toLowerCase(Locale.ROOT);
  }

  /** The recorded settings; the sixteen size classes of a rounding rule only where one is set. */
  Map<String, String> settingsToShow() {
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

  long heapBytes() {
    return snapshot.stacks().heapBytes()
        + devices.stream().mapToLong(OpenDevice::heapBytes).sum();
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
