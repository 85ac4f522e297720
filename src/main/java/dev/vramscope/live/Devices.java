package dev.vramscope.live;

import dev.vramscope.device.Device;
import dev.vramscope.device.DeviceException;
import dev.vramscope.device.ProcessMemory;
import dev.vramscope.device.cuda.CudaDriver;
import dev.vramscope.device.cuda.DriverStatus;
import dev.vramscope.device.sim.SimDevice;
import dev.vramscope.model.ByteSize;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The devices that allocators can be hosted on. */
@Component
public final class Devices {
  private static final long MIN_SIMULATED_BYTES = 2L << 20;

  private final LiveSettings settings;
  private final CudaDriver driver;
  private final Map<Integer, Long> contextBytes = new ConcurrentHashMap<>();

  Devices(LiveSettings settings, CudaDriver driver) {
    this.settings = settings;
    this.driver = driver;
  }

  /** Probes the driver in the background, since that may take seconds. */
  @EventListener(ApplicationReadyEvent.class)
  void probe() {
    Thread.ofPlatform().name("cuda-probe").daemon().start(driver::status);
  }

  /** The result of the latest probe of the driver. */
  public DriverStatus driver() {
    return driver.status();
  }

  /** Probes the driver again, for example after it was installed. */
  public DriverStatus probeAgain() {
    return driver.refresh();
  }

  /** The size limit of a simulated device. */
  public long maxSimulatedBytes() {
    return settings.maxSimulatedDevice().toBytes();
  }

  /**
   * Opens a GPU, or creates a simulated device.
   *
   * @throws HostingRefusedException if there is no such device, it cannot be used, or is too large
   */
  Device open(DeviceChoice choice) {
    return switch (choice) {
      case DeviceChoice.Sim(long bytes) -> simulated(bytes);
      case DeviceChoice.Cuda(int ordinal) -> gpu(ordinal);
    };
  }

  /**
   * The size of the driver's context on this device: the memory of this process according to the
   * driver, measured directly after the context was created. Empty if the driver does not report
   * it.
   */
  Optional<Long> contextBytes(DeviceChoice choice) {
    return choice instanceof DeviceChoice.Cuda(int ordinal)
        ? Optional.ofNullable(contextBytes.get(ordinal))
        : Optional.empty();
  }

  /** Synchronized, so that the measured context does not include memory of a concurrent caller. */
  private synchronized Device gpu(int ordinal) {
    try {
      Device device = driver.open(ordinal);
      if (!contextBytes.containsKey(ordinal)) {
        device.processes().stream()
            .filter(ProcessMemory::isSelf)
            .forEach(self -> contextBytes.put(ordinal, self.usedBytes()));
      }
      return device;
    } catch (DeviceException unusable) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.DEVICE,
          String.valueOf(unusable.getMessage()),
          "device",
          "GET /api/v1/devices lists the devices; a simulated device, such as sim:16GiB, always"
              + " works.");
    }
  }

  private Device simulated(long bytes) {
    if (bytes < MIN_SIMULATED_BYTES) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.REQUEST,
          "The simulated device " + new DeviceChoice.Sim(bytes) + " is too small",
          "device",
          "At least "
              + ByteSize.format(MIN_SIMULATED_BYTES)
              + " are needed, the granularity of driver allocations.");
    }
    if (bytes > maxSimulatedBytes()) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.REQUEST,
          "A simulated device with " + ByteSize.format(bytes) + " is too large",
          "device",
          "At most "
              + ByteSize.format(maxSimulatedBytes())
              + " are allowed (vramscope.live.max-simulated-device).");
    }
    return SimDevice.timed(bytes);
  }
}
