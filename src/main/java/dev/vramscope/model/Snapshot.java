package dev.vramscope.model;

import dev.vramscope.model.finding.Finding;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The memory of one process's GPUs at a moment, and the recorded events that led to it.
 *
 * @param origin format, producer, time
 * @param settings the allocator's settings, if they were recorded
 * @param devices the GPUs with a segment or an event, by ordinal
 * @param pinnedHost the pinned host memory of the process, if some was recorded; no part of {@code
 *     devices}, so that no total of GPU memory includes it
 * @param stacks the stacks that the stack ids of this snapshot refer to
 * @param findings lost or contradictory data found while the snapshot was read
 */
public record Snapshot(
    Origin origin,
    Optional<AllocatorSettings> settings,
    List<DeviceSnapshot> devices,
    Optional<DeviceSnapshot> pinnedHost,
    StackTable stacks,
    List<Finding> findings) {
  public Snapshot {
    devices = List.copyOf(devices);
    findings = List.copyOf(findings);
  }

  /** A snapshot without pinned host memory. */
  public Snapshot(
      Origin origin,
      Optional<AllocatorSettings> settings,
      List<DeviceSnapshot> devices,
      StackTable stacks,
      List<Finding> findings) {
    this(origin, settings, devices, Optional.empty(), stacks, findings);
  }

  /** What is stored of a log beside its text: it has no devices. */
  public static Snapshot ofLog(String producer) {
    return new Snapshot(
        Origin.ofLog(producer), Optional.empty(), List.of(), StackTable.EMPTY, List.of());
  }

  /** What is stored of a compiled program beside its texts: it has no devices. */
  public static Snapshot ofCompiled(String producer, List<Finding> findings) {
    return new Snapshot(
        new Origin(Origin.COMPILED, producer, Trace.NO_TIME),
        Optional.empty(),
        List.of(),
        StackTable.EMPTY,
        findings);
  }

  /** The recorded {@code PYTORCH_CUDA_ALLOC_CONF}; empty without one. */
  public String configuration() {
    return settings.flatMap(AllocatorSettings::configuration).orElse("");
  }

  /** The GPUs and, last, the pinned host memory. */
  public List<DeviceSnapshot> parts() {
    return Stream.concat(devices.stream(), pinnedHost.stream()).toList();
  }

  /** The events of all parts. */
  public long eventCount() {
    return parts().stream().mapToLong(part -> part.trace().size()).sum();
  }

  /** The device with this ordinal, if the snapshot contains it. */
  public Optional<DeviceSnapshot> device(int ordinal) {
    return devices.stream().filter(device -> device.ordinal() == ordinal).findFirst();
  }

  /** Whether it is of a program of JAX, XLA or TensorFlow: words of PyTorch mean nothing there. */
  public boolean isOfXla() {
    return origin.isOfXla()
        || (!devices.isEmpty() && devices.stream().allMatch(each -> each.facts().isOfXla()));
  }
}
