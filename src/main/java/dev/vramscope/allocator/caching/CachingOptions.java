package dev.vramscope.allocator.caching;

import java.util.function.LongSupplier;

/**
 * What a caching allocator is made with.
 *
 * @param settings as in {@code PYTORCH_CUDA_ALLOC_CONF}; may be empty
 * @param deviceSettings where the keys are read from that only CUDA has; normally the same
 * @param tieBreak which of several free blocks of one size is taken
 * @param clockMicros the time of events in the history
 */
public record CachingOptions(
    String settings, String deviceSettings, TieBreak tieBreak, LongSupplier clockMicros) {
  /** Settings, and otherwise what PyTorch 2.14 does; the clock is the computer's. */
  public static CachingOptions of(String settings) {
    return new CachingOptions(
        settings, settings, TieBreak.SEGMENT_AGE, () -> 1000L * System.currentTimeMillis());
  }

  public CachingOptions withDeviceSettings(String other) {
    return new CachingOptions(settings, other, tieBreak, clockMicros);
  }

  public CachingOptions withTieBreak(TieBreak other) {
    return new CachingOptions(settings, deviceSettings, other, clockMicros);
  }

  public CachingOptions withClock(LongSupplier other) {
    return new CachingOptions(settings, deviceSettings, tieBreak, other);
  }
}
