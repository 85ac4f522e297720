package dev.vramscope.live;

import dev.vramscope.allocator.Allocator;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.RetryClock;
import dev.vramscope.allocator.bfc.log.FailureLogLimit;
import dev.vramscope.allocator.bfc.log.LogSink;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.CachingOptions;
import dev.vramscope.allocator.direct.DirectAllocator;
import dev.vramscope.device.Device;
import dev.vramscope.device.MemorySubAllocator;
import dev.vramscope.model.AllocatorFamily;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** The kinds of allocators that can be hosted, with the syntax of their settings. */
public enum AllocatorKind {
  /** PyTorch's caching allocator; its settings are a {@code PYTORCH_CUDA_ALLOC_CONF} string. */
  CACHING {
    @Override
    public Allocator create(Device device, String settings, RetryClock clock) {
      return new CachingAllocator(device, CachingOptions.of(settings));
    }

    @Override
    public AllocatorFamily family() {
      return AllocatorFamily.CACHING;
    }

    @Override
    public OptionalLong limitBytes(Allocator allocator, long deviceBytes) {
      double fraction = ((CachingAllocator) allocator).memoryFraction();
      return fraction < 1
          ? OptionalLong.of(Math.round(fraction * deviceBytes))
          : OptionalLong.empty();
    }
  },

  /** XLA's BFC allocator; its settings are {@link BfcSettings}. */
  BFC {
    @Override
    public Allocator create(Device device, String settings, RetryClock clock) {
      return new BfcAllocator(
          BfcSettings.parse(settings).options(device.ordinal(), device.memory().totalBytes()),
          new MemorySubAllocator(device.memory()),
          LogSink.SILENT,
          new FailureLogLimit(),
          clock);
    }

    @Override
    public AllocatorFamily family() {
      return AllocatorFamily.BFC;
    }

    @Override
    public OptionalLong limitBytes(Allocator allocator, long deviceBytes) {
      return OptionalLong.of(((BfcAllocator) allocator).statistics().limitBytes());
    }
  },

  /** The driver, without a cache; it has no settings. */
  DIRECT {
    @Override
    public Allocator create(Device device, String settings, RetryClock clock) {
      if (!settings.isBlank()) {
        throw BfcSettings.refused(
            "A direct allocator has no settings, got '" + settings + "'",
            "Leave settings empty, or host a caching or bfc allocator.");
      }
      return new DirectAllocator(device);
    }

    @Override
    public AllocatorFamily family() {
      return AllocatorFamily.DIRECT;
    }

    @Override
    public OptionalLong limitBytes(Allocator allocator, long deviceBytes) {
      return OptionalLong.empty();
    }
  };

  /**
   * Creates an allocator of this kind. It acquires no device memory before its first request,
   * unless its settings preallocate it.
   *
   * @param clock limits how long a request waits for other threads to free memory
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch would
   *     reject the settings
   * @throws HostingRefusedException if the settings are rejected for another reason
   */
  public abstract Allocator create(Device device, String settings, RetryClock clock);

  /** The algorithm of the allocators of this kind, as snapshots name it. */
  public abstract AllocatorFamily family();

  /** The most memory that an allocator of this kind may hold, if its settings limit it. */
  public abstract OptionalLong limitBytes(Allocator allocator, long deviceBytes);

  /** What JAX calls {@link #DIRECT}. */
  private static final String PLATFORM = "platform";

  /** The identifier in requests and responses. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the kind with this identifier; {@code platform} is JAX's name of {@link #DIRECT}.
   *
   * @throws HostingRefusedException if there is none
   */
  public static AllocatorKind of(String id) {
    String name = id.strip().toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(kind -> kind.id().equals(name) || (kind == DIRECT && name.equals(PLATFORM)))
        .findFirst()
        .orElseThrow(
            () ->
                new HostingRefusedException(
                    HostingRefusedException.Kind.REQUEST,
                    "There is no allocator kind '" + id + "'",
                    "kind",
                    "Kinds are "
                        + Arrays.stream(values())
                            .map(AllocatorKind::id)
                            .collect(Collectors.joining(", "))
                        + "."));
  }
}
