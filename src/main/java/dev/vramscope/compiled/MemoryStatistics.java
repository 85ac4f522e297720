package dev.vramscope.compiled;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The sums of {@code memory_analysis()}.
 *
 * @param bytes by the name of the attribute without {@code _size_in_bytes} and {@code _in_bytes},
 *     such as {@code temp}
 */
public record MemoryStatistics(Map<String, Long> bytes) {
  public MemoryStatistics {
    bytes = new TreeMap<>(bytes);
  }

  public OptionalLong of(String name) {
    Long value = bytes.get(name);
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  /**
   * Arguments, outputs and temporary memory, with what outputs share with arguments counted once;
   * empty if one of the four is not stated.
   */
  public OptionalLong totalBytes() {
    Long arguments = bytes.get("argument");
    Long outputs = bytes.get("output");
    Long aliased = bytes.get("alias");
    Long temporary = bytes.get("temp");
    return arguments == null || outputs == null || aliased == null || temporary == null
        ? OptionalLong.empty()
        : OptionalLong.of(arguments + outputs - aliased + temporary);
  }

  /**
   * The peak that it states, if it can be one: on CPUs it leaves temporary memory out, and is then
   * smaller than that.
   */
  public OptionalLong peakBytes() {
    Long peak = bytes.get("peak_memory");
    return peak == null || !isPeak(peak) ? OptionalLong.empty() : OptionalLong.of(peak);
  }

  /** Whether it states a peak that is none. */
  public boolean hasWrongPeak() {
    Long peak = bytes.get("peak_memory");
    return peak != null && !isPeak(peak);
  }

  private boolean isPeak(long peak) {
    return peak >= bytes.getOrDefault("temp", 0L) && peak >= bytes.getOrDefault("argument", 0L);
  }
}
