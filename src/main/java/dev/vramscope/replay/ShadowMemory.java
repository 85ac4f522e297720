package dev.vramscope.replay;

import dev.vramscope.device.DeviceMemory;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory with the addresses of a simulation, where every allocation is repeated on a real device.
 */
final class ShadowMemory implements DeviceMemory {
  private final DeviceMemory simulated;
  private final DeviceMemory real;
  private final Map<Long, Long> onDevice = new HashMap<>();

  ShadowMemory(DeviceMemory simulated, DeviceMemory real) {
    this.simulated = simulated;
    this.real = real;
  }

  @Override
  public long totalBytes() {
    return simulated.totalBytes();
  }

  @Override
  public long freeBytes() {
    return simulated.freeBytes();
  }

  @Override
  public long allocate(long bytes) {
    long address = simulated.allocate(bytes);
    if (address != 0) {
      long realAddress = bytes > real.totalBytes() ? 0 : real.allocate(bytes);
      if (realAddress == 0) {
        throw new UnsuitableDeviceException("the device has fewer than " + bytes + " bytes free");
      }
      onDevice.put(address, realAddress);
    }
    return address;
  }

  @Override
  public void free(long address) {
    simulated.free(address);
    Long realAddress = onDevice.remove(address);
    if (realAddress != null) {
      real.free(realAddress);
    }
  }

  /** Frees everything that is still allocated on the real device. */
  void freeAll() {
    onDevice.values().forEach(real::free);
    onDevice.clear();
  }
}
