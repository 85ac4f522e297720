package dev.vramscope.model;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The allocator's settings as recorded: names and their values as text, nested ones joined by a dot
 * ({@code roundup_power2_divisions.256}).
 */
public record AllocatorSettings(Map<String, String> values) {
  public AllocatorSettings {
    values = Collections.unmodifiableMap(new TreeMap<>(values));
  }

  /** The value of {@code PYTORCH_CUDA_ALLOC_CONF}, if it was recorded. */
  public Optional<String> configuration() {
    return Optional.ofNullable(values.get("PYTORCH_CUDA_ALLOC_CONF"));
  }

  /** Whether segments grow by mapping pages, if it was recorded. */
  public Optional<Boolean> expandableSegments() {
    return Optional.ofNullable(values.get("expandable_segments")).map(Boolean::parseBoolean);
  }

  /** Blocks of at least this size are never split; empty if unlimited or not recorded. */
  public Optional<Long> maxSplitBytes() {
    return Optional.ofNullable(values.get("max_split_size"))
        .flatMap(AllocatorSettings::nonNegative);
  }

  /** Whether free segments are released before the device is full, as a threshold demands. */
  public boolean collectsGarbage() {
    String threshold = values.getOrDefault("garbage_collection_threshold", "0");
    return !threshold.matches("0(\\.0*)?");
  }

  /** Whether requests are rounded up to fractions of powers of two. */
  public boolean roundsUpPowersOfTwo() {
    return configuration().filter(text -> text.contains("roundup_power2_divisions")).isPresent();
  }

  private static Optional<Long> nonNegative(String text) {
    try {
      long value = Long.parseLong(text);
      return value < 0 ? Optional.empty() : Optional.of(value);
    } catch (NumberFormatException unreadable) {
      return Optional.empty();
    }
  }
}
