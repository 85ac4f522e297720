package dev.vramscope.allocator.caching;

import dev.vramscope.allocator.caching.blocks.TieBreak;
import java.util.function.LongSupplier;

/**
 * The options of a caching allocator.
 *
 * @param settings as in {@code PYTORCH_CUDA_ALLOC_CONF}; may be empty
 * @param deviceSettings where the keys of CUDA are read from; normally the same text
 * @param tieBreak which of several free blocks of the same size is used
 * @param client what its requests come from
 * @param clockMicros the time of events in the history, in microseconds
 */
public record CachingOptions(
    String settings,
    String deviceSettings,
    TieBreak tieBreak,
    Client client,
    LongSupplier clockMicros) {
  /** These settings, and otherwise the behaviour of PyTorch 2.14, with the system clock. */
  public static CachingOptions of(String settings) {
    return new CachingOptions(
        settings,
        settings,
        TieBreak.SEGMENT_AGE,
        Client.PROGRAM,
        () -> 1000L * System.currentTimeMillis());
  }

  public CachingOptions withDeviceSettings(String other) {
    return new CachingOptions(settings, other, tieBreak, client, clockMicros);
  }

  public CachingOptions withTieBreak(TieBreak other) {
    return new CachingOptions(settings, deviceSettings, other, client, clockMicros);
  }

  public CachingOptions withClock(LongSupplier other) {
    return new CachingOptions(settings, deviceSettings, tieBreak, client, other);
  }

  public CachingOptions withClient(Client other) {
    return new CachingOptions(settings, deviceSettings, tieBreak, other, clockMicros);
  }
}
