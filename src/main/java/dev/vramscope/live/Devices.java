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

/** The cards that allocators can be hosted on. */
@Component
public final class Devices {
  private static final long SMALLEST_SIMULATED_BYTES = 2L << 20;

  private final LiveSettings settings;
  private final CudaDriver driver;
  private final Map<Integer, Long> contextBytes = new ConcurrentHashMap<>();

  Devices(LiveSettings settings, CudaDriver driver) {
    this.settings = settings;
    this.driver = driver;
  }

  /** Looks for the driver while the service takes its first requests; it may take seconds. */
  @EventListener(ApplicationReadyEvent.class)
  void probe() {
    Thread.ofPlatform().name("cuda-probe").daemon().start(driver::status);
  }

  /** What became of the driver when it was looked for. */
  public DriverStatus driver() {
    return driver.status();
  }

  /** Looks for the driver again, as after it was installed. */
  public DriverStatus probeAgain() {
    return driver.refresh();
  }

  /** The largest simulated card. */
  public long maxSimulatedBytes() {
    return settings.maxSimulatedDevice().toBytes();
  }

  /**
   * Opens a GPU, or makes a simulated card.
   *
   * @throws HostingRefusedException if there is no such card, it cannot be used, or is too large
   */
  Device open(DeviceChoice choice) {
    return switch (choice) {
      case DeviceChoice.Sim(long bytes) -> simulated(bytes);
      case DeviceChoice.Cuda(int ordinal) -> gpu(ordinal);
    };
  }

  /**
   * What the driver's context took on this card: what the driver says this process holds, when the
   * context was made and nothing else. Empty where it does not say.
   */
  Optional<Long> contextBytes(DeviceChoice choice) {
    return choice instanceof DeviceChoice.Cuda(int ordinal)
        ? Optional.ofNullable(contextBytes.get(ordinal))
        : Optional.empty();
  }

  /** One at a time: who comes second would find the first one's memory in the context. */
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
          "GET /api/v1/devices tells what there is; a simulated card, such as sim:16GiB, always"
              + " works.");
    }
  }

  private Device simulated(long bytes) {
    if (bytes < SMALLEST_SIMULATED_BYTES) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.REQUEST,
          "The simulated card " + new DeviceChoice.Sim(bytes) + " is too small",
          "device",
          "At least "
              + ByteSize.format(SMALLEST_SIMULATED_BYTES)
              + " are needed, the least that a driver gives.");
    }
    if (bytes > maxSimulatedBytes()) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.REQUEST,
          "A simulated card of " + ByteSize.format(bytes) + " is too large",
          "device",
          "At most "
              + ByteSize.format(maxSimulatedBytes())
              + " are allowed (vramscope.live.max-simulated-device).");
    }
    return SimDevice.timed(bytes);
  }
}
