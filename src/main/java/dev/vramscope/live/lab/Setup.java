package dev.vramscope.live.lab;

import dev.vramscope.live.AllocatorKind;
import java.util.Locale;

/**
 * An allocator and its device.
 *
 * @param settings as hosted allocators take them: a {@code PYTORCH_CUDA_ALLOC_CONF} string, or
 *     BFC's {@code key=value,…}; a direct allocator has none
 * @param deviceBytes the memory of the simulated device
 */
public record Setup(AllocatorKind kind, String settings, long deviceBytes) {
  /** The largest device. It uses no memory, but its expandable segments have a table of pages. */
  public static final long MAX_DEVICE_BYTES = 192L << 30;

  private static final int MAX_SETTINGS = 2000;

  /** Checks the size of the device; the allocator checks its settings. */
  public Setup {
    if (deviceBytes < 1 << 20 || deviceBytes > MAX_DEVICE_BYTES) {
      throw new ScriptException(
          String.format(Locale.ROOT, "The device has %,d bytes", deviceBytes),
          "deviceBytes",
          "A device of the lab has 1 MiB to 192 GiB.");
    }
    if (settings.length() > MAX_SETTINGS) {
      throw new ScriptException(
          "The settings have more than " + MAX_SETTINGS + " characters",
          "settings",
          "Shorten them.");
    }
  }
}
