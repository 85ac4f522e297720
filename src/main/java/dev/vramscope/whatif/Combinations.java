package dev.vramscope.whatif;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

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

  private static final List<String> USUAL =
      List.of(
          "expandable_segments:True",
          "max_split_size_mb:128",
          "max_split_size_mb:512",
          "roundup_power2_divisions:8",
          "large_segment_size_mb:64");

  /** JAX's default of {@code XLA_PYTHON_CLIENT_MEM_FRACTION}. */
  private static final double JAX_FRACTION = 0.75;

  private Combinations() {}

  /**
   * The variants that everyone should see first.
   *
   * @param recorded the settings of the recording
   * @param isKnownKey whether the producer's release knows a key; others are left out
   * @param hasSteps whether the run has steps at which the cache can be emptied
   */
  public static List<Variant> usual(
      String recorded, Predicate<String> isKnownKey, boolean hasSteps) {
    Set<Variant> variants = new LinkedHashSet<>();
    variants.add(new Variant.Caching(recorded));
    variants.add(new Variant.Caching(""));
    USUAL.stream()
        .filter(entry -> isKnownKey.test(Settings.key(entry)))
        .forEach(entry -> variants.add(new Variant.Caching(Settings.with(recorded, entry))));
    if (hasSteps) {
      variants.add(new Variant.Caching(recorded, EmptyCache.EACH_STEP));
      variants.add(new Variant.Caching(recorded, EmptyCache.BEFORE_FAILED_STEP));
    }
    variants.add(Variant.Bfc.preallocated(JAX_FRACTION));
    variants.add(Variant.Bfc.growing(JAX_FRACTION));
    variants.add(new Variant.Direct());
    return List.copyOf(variants);
  }

  /**
   * The 60 combinations of settings that a search replays, those with the fewest changes first.
   *
   * @param recorded the settings of the recording, to which the others are added
   * @param isKnownKey whether the producer's release knows a key; others are left out
   */
  public static List<Variant> searched(String recorded, Predicate<String> isKnownKey) {
    List<List<String>> combinations = new ArrayList<>();
    combinations.add(List.of());
    for (List<String> values : SEARCHED) {
      List<List<String>> extended = new ArrayList<>();
      for (List<String> combination : combinations) {
        for (String entry : values) {
          if (entry.isEmpty()) {
            extended.add(combination);
          } else if (isKnownKey.test(Settings.key(entry))) {
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
