package dev.vramscope.live;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceException;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Reads the facts that snapshots of a hosted allocator contain. */
final class HostedFacts implements Supplier<AllocatorFacts> {
  private final AllocatorFamily family;
  private final Device device;
  private final OptionalLong limitBytes;
  private final long deviceBytes;

  HostedFacts(AllocatorFamily family, Device device, OptionalLong limitBytes) {
    this.family = family;
    this.device = device;
    this.limitBytes = limitBytes;
    deviceBytes = device.memory().totalBytes();
  }

  @Override
  public AllocatorFacts get() {
    return new AllocatorFacts(
        family, OptionalLong.of(deviceBytes), freeBytes(), limitBytes, device.isSimulated());
  }

  private OptionalLong freeBytes() {
    try {
      return OptionalLong.of(Math.min(device.memory().freeBytes(), deviceBytes));
    } catch (DeviceException failure) {
      // The snapshot of a failed device does not contain its free memory.
      return OptionalLong.empty();
    }
  }
}
