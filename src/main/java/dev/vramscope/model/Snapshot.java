package dev.vramscope.model;

import java.util.List;
import java.util.Optional;

/**
 * The memory of one process's GPUs at a moment, and what is known of how it came about.
 *
 * @param origin format, producer, time
 * @param settings the allocator's, when they were recorded
 * @param devices those with a segment or an event, by ordinal
 * @param stacks what every stack id in this snapshot refers to
 * @param findings what was lost or contradictory when it was read
 */
public record Snapshot(
    Origin origin,
    Optional<AllocatorSettings> settings,
    List<DeviceSnapshot> devices,
    StackTable stacks,
    List<Finding> findings) {
  public Snapshot {
    devices = List.copyOf(devices);
    findings = List.copyOf(findings);
  }

  /** The device with an ordinal, if the snapshot has it. */
  public Optional<DeviceSnapshot> device(int ordinal) {
    return devices.stream().filter(device -> device.ordinal() == ordinal).findFirst();
  }
}
