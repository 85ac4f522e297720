package dev.vramscope.live;

import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.model.ByteSize;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a BFC allocator, {@code key=value,…}: the variables that JAX reads from {@code
 * XLA_PYTHON_CLIENT_…}, and the fraction from {@code XLA_CLIENT_MEM_FRACTION} as newer releases
 * call it, with or without the prefix, and the options of the allocator itself. The defaults are
 * those of JAX on a GPU: three quarters of the device memory, preallocated.
 */
final class BfcSettings {
  private static final String ENVIRONMENT = "XLA_PYTHON_CLIENT_";
  private static final String NEW_FRACTION = "XLA_CLIENT_MEM_FRACTION";
  private static final String ALLOCATOR = ENVIRONMENT + "ALLOCATOR";
  private static final String PREALLOCATE = "preallocate";
  private static final String FRACTION = "mem_fraction";
  private static final String LIMIT = "memory_limit";
  private static final String GROWTH = "allow_growth";
  private static final String GARBAGE_COLLECTION = "garbage_collection";
  private static final String RETRY = "allow_retry_on_failure";
  private static final String FRAGMENTATION = "fragmentation_fraction";
  private static final String PARTITIONS = "enable_spatial_partitioning";
  private static final Set<String> KNOWN =
      new TreeSet<>(
          Set.of(
              PREALLOCATE,
              FRACTION,
              LIMIT,
              GROWTH,
              GARBAGE_COLLECTION,
              RETRY,
              FRAGMENTATION,
              PARTITIONS));

  private final Map<String, String> values;

  private BfcSettings(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Parses the text. The values are validated by {@link #options}.
   *
   * @throws HostingRefusedException naming the key that is unknown or given twice
   */
  static BfcSettings parse(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String part : text.split(",")) {
      if (part.isBlank()) {
        continue;
      }
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw refused(
            "'" + part.strip() + "' is not key=value", "Write " + PREALLOCATE + "=false.");
      }
      String key = key(part.substring(0, equals).strip());
      if (values.put(key, part.substring(equals + 1).strip()) != null) {
        throw refused(key + " is set twice", "Set it once.");
      }
    }
    requireOneOf(values, PREALLOCATE, GROWTH);
    requireOneOf(values, FRACTION, LIMIT);
    return new BfcSettings(values);
  }

  private static String key(String name) {
    String key =
        name.equals(NEW_FRACTION)
            ? FRACTION
            : name.startsWith(ENVIRONMENT)
                ? name.substring(ENVIRONMENT.length()).toLowerCase(Locale.ROOT)
                : name;
    if (name.equals(ALLOCATOR)) {
      throw refused(
          ALLOCATOR + " chooses another allocator than bfc",
          "Remove it: this one is what its values default and bfc choose. For platform, choose the"
              + " kind direct.");
    }
    if (!KNOWN.contains(key)) {
      throw refused(
          "A bfc allocator has no option '" + name + "'",
          "Options are "
              + String.join(", ", KNOWN)
              + "; preallocate also as "
              + ENVIRONMENT
              + "PREALLOCATE, mem_fraction as "
              + NEW_FRACTION
              + " or, in older releases, "
              + ENVIRONMENT
              + "MEM_FRACTION.");
    }
    return key;
  }

  private static void requireOneOf(Map<String, String> values, String first, String second) {
    if (values.containsKey(first) && values.containsKey(second)) {
      throw refused(first + " and " + second + " conflict", "Set one of them.");
    }
  }

  /** Returns the options of the allocator on a device with this much memory. */
  BfcOptions options(int ordinal, long deviceBytes) {
    boolean growing =
        values.containsKey(GROWTH)
            ? flag(GROWTH, /* defaultValue= */ false)
            : !flag(PREALLOCATE, /* defaultValue= */ true);
    double fraction = fraction(FRACTION, BfcOptions.JAX_FRACTION);
    BfcOptions defaults =
        growing
            ? BfcOptions.jaxGrowing(ordinal, deviceBytes, fraction)
            : BfcOptions.jaxPreallocated(ordinal, deviceBytes, fraction);
    boolean partitioned = flag(PARTITIONS, defaults.partitioned());
    if (partitioned && growing) {
      throw refused(
          PARTITIONS + " needs a pool that does not grow", "Set " + PREALLOCATE + "=true.");
    }
    return BfcOptions.of(defaults.name(), bytes(LIMIT, defaults.limitBytes()))
        .withGrowing(growing)
        .withReleasesFreeRegions(flag(GARBAGE_COLLECTION, defaults.releasesFreeRegions()))
        .withRetries(flag(RETRY, defaults.retries()))
        .withFragmentationFraction(fraction(FRAGMENTATION, defaults.fragmentationFraction()))
        .withPartitioned(partitioned);
  }

  private boolean flag(String key, boolean defaultValue) {
    String value = values.get(key);
    return switch (value == null ? null : value.toLowerCase(Locale.ROOT)) {
      case null -> defaultValue;
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw invalid(key, value, "true, false, 1 or 0");
    };
  }

  private double fraction(String key, double defaultValue) {
    String value = values.get(key);
    if (value == null) {
      return defaultValue;
    }
    try {
      double fraction = Double.parseDouble(value);
      if (fraction >= 0 && fraction <= 1) {
        return fraction;
      }
    } catch (NumberFormatException noNumber) {
      throw invalid(key, value, "a number from 0 to 1");
    }
    throw invalid(key, value, "a number from 0 to 1");
  }

  private long bytes(String key, long defaultValue) {
    String value = values.get(key);
    if (value == null) {
      return defaultValue;
    }
    try {
      return ByteSize.parse(value);
    } catch (IllegalArgumentException invalid) {
      throw invalid(key, value, ByteSize.ACCEPTED);
    }
  }

  private static HostingRefusedException invalid(
      String key, @Nullable String value, String allowed) {
    return refused(key + " is '" + value + "'", "Allowed is " + allowed + ".");
  }

  static HostingRefusedException refused(String what, String next) {
    return new HostingRefusedException(
        HostingRefusedException.Kind.REQUEST, what, "settings", next);
  }
}
