package dev.vramscope.allocator.caching.configuration;

import static dev.vramscope.allocator.caching.configuration.Configuration.MIB;

import dev.vramscope.model.SizeRules;
import java.util.Arrays;

/** Reads the keys of all accelerators. Settings before a mistake in the string are kept. */
final class SharedSettingsReader {
  /** The largest number of MiB that fits in 64 bits of bytes. */
  private static final long MAX_MIB = Long.divideUnsigned(Configuration.UNLIMITED, MIB);

  /** Requests from 1 MiB to this size share large segments, which must be larger. */
  private static final long MAX_SHARED_MIB = 10;

  private final ConfigurationTokens tokens;
  private final Configuration configuration;

  private SharedSettingsReader(ConfigurationTokens tokens, Configuration configuration) {
    this.tokens = tokens;
    this.configuration = configuration;
  }

  static void read(String settings, Configuration configuration) {
    configuration.resetTransient();
    configuration.lastSettings = settings;
    new SharedSettingsReader(new ConfigurationTokens(settings), configuration).read();
  }

  private void read() {
    readLargeSegmentSize();
    for (int i = 0; i < tokens.size(); i++) {
      i = readKey(i);
      if (i + 1 < tokens.size()) {
        tokens.skipSeparator(++i);
      }
    }
  }

  /** Reads this key before all others, because it is the minimum of two of them. */
  private void readLargeSegmentSize() {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).equals("large_segment_size_mb")) {
        tokens.skipSeparator(++i);
        long mib = tokens.unsigned(++i);
        if (Long.compareUnsigned(mib, MAX_SHARED_MIB) <= 0) {
          throw ConfigurationException.value(
              "CachingAllocator option large_segment_size_mb must be > " + MAX_SHARED_MIB + " MB");
        }
        configuration.largeSegmentBytes = bytes(mib);
      }
    }
    configuration.maxNonSplitRoundingBytes = configuration.largeSegmentBytes;
  }

  /**
   * Reads a key and its value.
   *
   * @return the index of the last token of the value
   */
  private int readKey(int i) {
    String key = tokens.get(i);
    switch (key) {
      case "max_split_size_mb" ->
          configuration.maxSplitBytes = bytes(atLeastOneLargeSegment(key, i));
      case "max_non_split_rounding_mb" ->
          configuration.maxNonSplitRoundingBytes = bytes(atLeastOneLargeSegment(key, i));
      case "garbage_collection_threshold" ->
          configuration.garbageCollectionThreshold = threshold(i);
      case "roundup_power2_divisions" -> {
        return readDivisions(i);
      }
      case "expandable_segments" -> configuration.expandableSegments = isTrue(i);
      case "pinned_use_background_threads" -> configuration.pinnedUseBackgroundThreads = isTrue(i);
      case "pinned_max_round_threshold_mb" ->
          configuration.pinnedMaxRoundThresholdBytes = unsigned(i) * MIB;
      case "pinned_max_cached_size_mb" -> configuration.pinnedMaxCachedBytes = unsigned(i) * MIB;
      default -> {
        SettingsKeys.require(key, "Accelerator");
        return tokens.skipKey(i);
      }
    }
    return i + 2;
  }

  private boolean isTrue(int key) {
    tokens.skipSeparator(key + 1);
    return tokens.isTrue(key + 2);
  }

  private long unsigned(int key) {
    tokens.skipSeparator(key + 1);
    return tokens.unsigned(key + 2);
  }

  private double threshold(int key) {
    tokens.skipSeparator(key + 1);
    double value = tokens.real(key + 2);
    if (!(value > 0 && value < 1.0)) {
      throw ConfigurationException.value(
          "garbage_collect_threshold is invalid, set it in (0.0, 1.0)");
    }
    return value;
  }

  private long atLeastOneLargeSegment(String key, int index) {
    long mib = unsigned(index);
    long minimum = Long.divideUnsigned(configuration.largeSegmentBytes, MIB);
    if (Long.compareUnsigned(mib, minimum) < 0) {
      throw ConfigurationException.value(
          "CachingAllocator option "
              + key
              + " too small, must be >= "
              + Long.toUnsignedString(minimum));
    }
    return mib;
  }

  private static long bytes(long mib) {
    return (Long.compareUnsigned(mib, MAX_MIB) < 0 ? mib : MAX_MIB) * MIB;
  }

  /** {@code N} for all sizes, or {@code [MIB:N,...,>:N]}. */
  private int readDivisions(int key) {
    tokens.skipSeparator(key + 1);
    int i = key + 2;
    if (tokens.get(i).equals("[")) {
      return readDivisionList(i);
    }
    long divisions = tokens.unsigned(i);
    if (Long.bitCount(divisions) != 1) {
      throw ConfigurationException.value("For roundups, the divisions has to be power of 2 ");
    }
    Arrays.fill(configuration.roundupPower2Divisions, divisions);
    return i;
  }

  /** The first size applies to all smaller ones too; {@code >} is all sizes above the last one. */
  private int readDivisionList(int open) {
    long[] divisions = configuration.roundupPower2Divisions;
    boolean first = true;
    int last = 0;
    int i = open + 1;
    while (i < tokens.size() && !tokens.get(i).equals("]")) {
      int size = i;
      tokens.skipSeparator(++i);
      long value = tokens.unsigned(++i);
      if (value != 0 && Long.bitCount(value) != 1) {
        throw ConfigurationException.value(
            "For roundups, the divisions has to be power of 2 or 0 to disable roundup ");
      }
      if (tokens.get(size).equals(">")) {
        Arrays.fill(divisions, Math.min(last + 1, divisions.length), divisions.length, value);
      } else {
        last = intervalOf(tokens.unsigned(size));
        if (first) {
          Arrays.fill(divisions, 0, last, value);
          first = false;
        }
        divisions[last] = value;
      }
      if (!tokens.get(i + 1).equals("]")) {
        tokens.skipSeparator(++i);
      }
      i++;
    }
    tokens.requireDivisionListEnd(i);
    return i;
  }

  private static int intervalOf(long mib) {
    if (Long.bitCount(mib) != 1) {
      throw ConfigurationException.value("For roundups, the intervals have to be power of 2 ");
    }
    return Math.min(Long.numberOfTrailingZeros(mib), SizeRules.ROUNDING_INTERVALS - 1);
  }
}
