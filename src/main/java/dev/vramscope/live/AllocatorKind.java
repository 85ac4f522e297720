package dev.vramscope.live;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.FailureLogLimit;
import dev.vramscope.allocator.bfc.LogSink;
import dev.vramscope.allocator.bfc.RetryClock;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.device.Device;
import dev.vramscope.device.MemorySubAllocator;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Which allocator is hosted, and how its settings are written. */
public enum AllocatorKind {
  /** PyTorch's; its settings are a {@code PYTORCH_CUDA_ALLOC_CONF} string. */
  CACHING {
    @Override
    Allocator over(Device device, String settings, RetryClock clock) {
      return new CachingAllocator(device, CachingOptions.of(settings));
    }
  },

  /** XLA's; its settings are {@link BfcSettings}. */
  BFC {
    @Override
    Allocator over(Device device, String settings, RetryClock clock) {
      return new BfcAllocator(
          BfcSettings.read(settings).options(device.ordinal(), device.memory().totalBytes()),
          new MemorySubAllocator(device.memory()),
          LogSink.SILENT,
          new FailureLogLimit(),
          clock);
    }
  },

  /** The driver itself; it has no settings. */
  DIRECT {
    @Override
    Allocator over(Device device, String settings, RetryClock clock) {
      if (!settings.isBlank()) {
        throw BfcSettings.refused(
            "A direct allocator has no settings, got '" + settings + "'",
            "Leave settings empty, or host a caching or bfc allocator.");
      }
      return new DirectAllocator(device);
    }
  };

  /**
   * Makes an allocator of this kind; it takes nothing from the device before its first request.
   *
   * @param clock how long a request that may wait for others' frees waits
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch would
   *     not accept the settings
   * @throws HostingRefusedException if the settings are not accepted for another reason
   */
  abstract Allocator over(Device device, String settings, RetryClock clock);

  /** The name in requests and answers. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The kind of that name.
   *
   * @throws HostingRefusedException if there is none
   */
  public static AllocatorKind of(String id) {
    return Arrays.stream(values())
        .filter(kind -> kind.id().equals(id.strip().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new HostingRefusedException(
                    HostingRefusedException.Kind.REQUEST,
                    "There is no allocator '" + id + "'",
                    "kind",
                    "Kinds are "
                        + Arrays.stream(values())
                            .map(AllocatorKind::id)
                            .collect(Collectors.joining(", "))
                        + "."));
  }
}
