package dev.vramscope.whatif;

import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.whatif.pool.PoolSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The variants that are worth a replay. */
public final class Combinations {
  /** The values of each key that a search combines; empty leaves the key as it was recorded. */
  private static final List<List<String>> SEARCHED =
      List.of(
          List.of("", "expandable_segments:True"),
          List.of("", "roundup_power2_divisions:8", "roundup_power2_divisions:4"),
          List.of(
              "",
              "max_split_size_mb:512",
              "max_split_size_mb:256",
              "max_split_size_mb:128",
              "max_split_size_mb:64"),
          List.of("", "large_segment_size_mb:64"));

  /**
   * A setting that changes where blocks are placed.
   *
   * @param entry a key, a colon and a value
   * @param since the first release of PyTorch with the key, times 100: 201 is 2.1
   */
  public record Usual(String entry, int since) {
    /** Whether a settings line has the key. */
    public boolean isIn(String line) {
      return Settings.entries(line).stream()
          .anyMatch(each -> Settings.key(each).equals(Settings.key(entry)));
    }
  }

  /** The settings that everyone should see first. */
  public static final List<Usual> USUAL =
      List.of(
          new Usual("expandable_segments:True", 201),
          new Usual("max_split_size_mb:128", 110),
          new Usual("max_split_size_mb:512", 110),
          new Usual("roundup_power2_divisions:8", 113),
          new Usual("large_segment_size_mb:64", 213));

  private Combinations() {}

  /**
   * The variants that everyone should see first.
   *
   * @param recorded the settings of the recording
   * @param hasSteps whether the run has steps at which the cache can be emptied
   */
  public static List<Variant> usual(String recorded, boolean hasSteps) {
    Set<Variant> variants = new LinkedHashSet<>();
    variants.add(new Variant.Caching(recorded));
    variants.add(new Variant.Caching(""));
    USUAL.forEach(usual -> variants.add(new Variant.Caching(Settings.with(recorded, usual.entry))));
    if (hasSteps) {
      variants.add(new Variant.Caching(recorded, EmptyCache.EACH_STEP));
      variants.add(new Variant.Caching(recorded, EmptyCache.BEFORE_FAILED_STEP));
    }
    variants.add(Variant.Bfc.preallocated(BfcOptions.JAX_FRACTION));
    variants.add(Variant.Bfc.growing(BfcOptions.JAX_FRACTION));
    variants.add(new Variant.Direct());
    return List.copyOf(variants);
  }

  /**
   * The variants that everyone should see first for a recording of a BFC allocator.
   *
   * @param recorded the pool of the recording
   * @param isDeviceKnown whether a part of the device has a size
   */
  public static List<Variant> usualOfPool(PoolSettings recorded, boolean isDeviceKnown) {
    Set<Variant> variants = new LinkedHashSet<>();
    if (recorded.limitBytes().isPresent()) {
      variants.add(new Variant.Bfc(recorded.withPreallocated(true)));
    }
    variants.add(new Variant.Bfc(recorded.withPreallocated(false)));
    if (isDeviceKnown) {
      for (double fraction : List.of(BfcOptions.JAX_FRACTION, 0.9)) {
        variants.add(new Variant.Bfc(recorded.withPreallocated(true).withFraction(fraction)));
        variants.add(new Variant.Bfc(recorded.withPreallocated(false).withFraction(fraction)));
      }
    }
    for (double split : List.of(0.05, 0.01)) {
      if (recorded.limitBytes().isPresent() || isDeviceKnown) {
        variants.add(new Variant.Bfc(recorded.withFragmentationFraction(split)));
      }
    }
    variants.add(new Variant.Bfc(recorded.withReleasesFreeRegions(true)));
    variants.add(new Variant.Direct());
    return List.copyOf(variants);
  }

  /**
   * The 60 combinations of settings that a search replays, those with the fewest changes first.
   *
   * @param recorded the settings of the recording, to which the others are added
   */
  public static List<Variant> searched(String recorded) {
    List<List<String>> combinations = new ArrayList<>();
    combinations.add(List.of());
    for (List<String> values : SEARCHED) {
      List<List<String>> extended = new ArrayList<>();
      for (List<String> combination : combinations) {
        for (String entry : values) {
          if (entry.isEmpty()) {
            extended.add(combination);
          } else {
            List<String> longer = new ArrayList<>(combination);
            longer.add(entry);
            extended.add(longer);
          }
        }
      }
      combinations = extended;
    }
    return combinations.stream()
        .sorted(Comparator.comparingInt(List::size))
        .map(entries -> Settings.with(recorded, String.join(",", entries)))
        .distinct()
        .<Variant>map(Variant.Caching::new)
        .toList();
  }
}
