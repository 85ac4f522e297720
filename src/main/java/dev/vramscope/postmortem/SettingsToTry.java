package dev.vramscope.postmortem;

import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.Combinations;
import dev.vramscope.whatif.EmptyCache;
import dev.vramscope.whatif.Settings;
import dev.vramscope.whatif.Variant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings that a failed run is replayed under. Only those whose key the producer's release of
 * PyTorch knows: a release rejects a line with a key that it does not know.
 */
public final class SettingsToTry {
  private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+)");

  private SettingsToTry() {}

  /** The recorded settings, then each with one more, and with an empty cache at each step. */
  static List<Variant.Caching> variants(Snapshot snapshot, AllocatorFacts facts, boolean hasSteps) {
    String recorded = snapshot.configuration();
    List<Variant.Caching> variants = new ArrayList<>();
    variants.add(new Variant.Caching(recorded));
    int release = oldestRelease(snapshot, facts);
    Combinations.USUAL.stream()
        .filter(setting -> setting.since() <= release)
        .map(setting -> Settings.with(recorded, setting.entry()))
        .filter(line -> !line.equals(recorded))
        .forEach(line -> variants.add(new Variant.Caching(line)));
    if (hasSteps) {
      variants.add(new Variant.Caching(recorded, EmptyCache.EACH_STEP));
    }
    return variants;
  }

  /**
   * The release that is needed for a settings line, such as "2.13"; empty if the producer's is new
   * enough.
   */
  public static Optional<String> neededRelease(
      String line, Snapshot snapshot, AllocatorFacts facts) {
    int release = oldestRelease(snapshot, facts);
    return Combinations.USUAL.stream()
        .filter(setting -> setting.isIn(line) && setting.since() > release)
        .map(Combinations.Usual::since)
        .max(Comparator.naturalOrder())
        .map(since -> since / 100 + "." + since % 100);
  }

  /** The oldest release that may have written the file, such as 210 for "2.10 or 2.11". */
  private static int oldestRelease(Snapshot snapshot, AllocatorFacts facts) {
    if (facts.isRecorded()) {
      return Integer.MAX_VALUE; // A hosted allocator knows all keys.
    }
    String producer = snapshot.origin().producer();
    Matcher release = RELEASE.matcher(producer);
    if (!release.find()) {
      return 0;
    }
    int number = Integer.parseInt(release.group(1)) * 100 + Integer.parseInt(release.group(2));
    return producer.contains("after " + release.group()) ? number + 1 : number;
  }
}
