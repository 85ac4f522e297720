package dev.vramscope.live;

import dev.vramscope.device.Device;
import dev.vramscope.device.sim.SimDevice;
import org.springframework.stereotype.Component;

/** Where hosted allocators get their cards from. */
@Component
final class Cards {
  private final LiveSettings settings;

  Cards(LiveSettings settings) {
    this.settings = settings;
  }

  /**
   * Opens a GPU, or makes a simulated card.
   *
   * @throws HostingRefusedException if there is no such card, or it is too large
   */
  Device open(DeviceChoice choice) {
    return switch (choice) {
      case DeviceChoice.Sim(long bytes) -> simulated(bytes);
      case DeviceChoice.Cuda _ ->
          throw new HostingRefusedException(
              HostingRefusedException.Kind.CARD,
              "This server has no GPU driver",
              "device",
              "Host on a simulated card, such as sim:16GiB.");
    };
  }

  private Device simulated(long bytes) {
    long most = settings.maxSimulatedCard().toBytes();
    if (bytes > most) {
      throw new HostingRefusedException(
          HostingRefusedException.Kind.REQUEST,
          "A simulated card of " + ByteCount.text(bytes) + " is too large",
          "device",
          "At most " + ByteCount.text(most) + " are allowed (vramscope.live.max-simulated-card).");
    }
    return SimDevice.ofBytes(bytes);
  }
}
