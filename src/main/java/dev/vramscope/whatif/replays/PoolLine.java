package dev.vramscope.whatif.replays;

import dev.vramscope.model.ByteSize;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.pool.PoolSettings;
import java.util.Locale;

/**
 * A line with the settings of a BFC allocator's pool, as people write them: variables of XLA and
 * TensorFlow and options of TensorFlow, each with a value, separated by commas or blanks.
 */
final class PoolLine {
  private static final String USE =
      "Use XLA_PYTHON_CLIENT_PREALLOCATE=false, XLA_CLIENT_MEM_FRACTION=0.9 (or"
          + " per_process_gpu_memory_fraction), memory_limit=2GiB, allow_growth=true,"
          + " internal_fragmentation_fraction=0.05 or TF_ENABLE_GPU_GARBAGE_COLLECTION=true,"
          + " separated by commas.";

  private PoolSettings pool;

  private PoolLine(PoolSettings recorded) {
    pool = recorded;
  }

  /**
   * Reads a line.
   *
   * @param recorded what is not in the line
   * @throws SettingsRefusedException if a part is no setting, or has no such value
   */
  static WhatIfSettings parse(String text, PoolSettings recorded, String where) {
    PoolLine line = new PoolLine(recorded);
    int at = 1;
    for (String part : text.equals(WhatIfSettings.RECORDED) ? new String[0] : text.split("[, ]")) {
      String place = where + ", character " + at;
      at += part.length() + 1;
      if (!part.isBlank() && !part.equals("export")) {
        int equals = part.indexOf('=');
        line.set(
            (equals < 0 ? part : part.substring(0, equals)).strip(),
            equals < 0 ? "" : part.substring(equals + 1).strip(),
            place);
      }
    }
    return new WhatIfSettings(text, new Variant.Bfc(line.pool));
  }

  private void set(String key, String value, String place) {
    pool =
        switch (key) {
          case "XLA_PYTHON_CLIENT_PREALLOCATE" -> pool.withPreallocated(flag(key, value, place));
          case "allow_growth", "TF_FORCE_GPU_ALLOW_GROWTH" ->
              pool.withPreallocated(!flag(key, value, place));
          case "XLA_PYTHON_CLIENT_MEM_FRACTION",
              "XLA_CLIENT_MEM_FRACTION",
              "per_process_gpu_memory_fraction" ->
              pool.withFraction(fraction(key, value, place));
          case "memory_limit" -> pool.withLimit(size(key, value, place));
          case "internal_fragmentation_fraction", "fragmentation_fraction" ->
              pool.withFragmentationFraction(fraction(key, value, place));
          case "TF_ENABLE_GPU_GARBAGE_COLLECTION", "garbage_collection" ->
              pool.withReleasesFreeRegions(flag(key, value, place));
          default ->
              throw new SettingsRefusedException(
                  "'" + key + "' is not a variable of the BFC allocator", place, USE);
        };
  }

  private static boolean flag(String key, String value, String place) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default ->
          throw new SettingsRefusedException(
              key + " is '" + value + "'", place, "Use true or false.");
    };
  }

  private static double fraction(String key, String value, String place) {
    try {
      double fraction = Double.parseDouble(value);
      if (fraction > 0 && fraction <= 1) {
        return fraction;
      }
    } catch (NumberFormatException noNumber) {
      throw badFraction(key, value, place);
    }
    throw badFraction(key, value, place);
  }

  private static SettingsRefusedException badFraction(String key, String value, String place) {
    return new SettingsRefusedException(
        key + " is '" + value + "'", place, "Use a number above 0, at most 1.");
  }

  private static long size(String key, String value, String place) {
    try {
      return ByteSize.parse(value);
    } catch (IllegalArgumentException noSize) {
      throw new SettingsRefusedException(
          key + " is '" + value + "'", place, "Use a size such as 256MiB or 268435456.");
    }
  }
}
