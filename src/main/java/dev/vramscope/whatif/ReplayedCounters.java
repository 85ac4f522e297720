package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.configuration.ConfigurationException;
import dev.vramscope.allocator.caching.statistics.MemoryStats;
import dev.vramscope.analysis.summary.MemorySummary;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The counters of {@code torch.cuda.memory_stats()} at the end of a replay under the recorded
 * settings. A file has only the final state; a replay of the whole run that is exact ({@link
 * Fidelity#isExact()}) knows the peaks, the totals after rounding, the retries and the failures.
 *
 * @param counters by PyTorch's flat key, such as {@code allocated_bytes.all.peak}; an unknown
 *     counter has no entry
 */
public record ReplayedCounters(Map<String, Long> counters) {
  public ReplayedCounters {
    counters = Collections.unmodifiableMap(new TreeMap<>(counters));
  }

  /**
   * Replays a whole run.
   *
   * @param settings the recorded ones
   * @param size of the recorded device; on a larger one there may be fewer retries
   */
  public static ReplayedCounters of(
      RecordedRun run, String settings, DeviceSize size, Progress progress) {
    Variant.Caching recorded = new Variant.Caching(settings);
    Replay replay = new Replay(run, recorded, size, progress, /* stopsAtFailure= */ false);
    CachingReplay caching = new CachingReplay(replay, recorded);
    Map<String, Long> counters = new TreeMap<>(MemoryStats.of(caching.runAll().statistics()));
    if (run.hasPendingFrees()) {
      counters.keySet().removeIf(ReplayedCounters::dependsOnOrderOfCompletions);
    }
    return new ReplayedCounters(counters);
  }

  /**
   * The counters that a summary does not have, from a replay under the recorded settings.
   *
   * @param replayFidelity how exactly a replay reproduces the recording
   * @param run the recorded requests to a caching allocator
   * @param settings the recorded ones
   * @param totalBytes the least that the device must have had
   * @return empty unless the replay reproduces the whole recording and agrees with every counter
   *     that the summary has
   */
  public static Map<String, Long> missingFrom(
      MemorySummary summary,
      Supplier<Fidelity> replayFidelity,
      Supplier<RecordedRun> run,
      String settings,
      long totalBytes) {
    if (!summary.isComplete()) {
      return Map.of();
    }
    try {
      Fidelity fidelity = replayFidelity.get();
      if (!fidelity.isExact() || fidelity.start() != Fidelity.Start.WHOLE_RUN) {
        return Map.of();
      }
      Map<String, Long> missingCounters =
          new TreeMap<>(
              of(run.get(), settings, DeviceSize.of(totalBytes, 0), new Progress()).counters);
      for (Map.Entry<String, Long> counter : summary.counters().entrySet()) {
        Long replayed = missingCounters.remove(counter.getKey());
        if (replayed != null && !replayed.equals(counter.getValue())) {
          return Map.of();
        }
      }
      return missingCounters;
    } catch (ConfigurationException | ReplayLimitException refused) {
      return Map.of();
    }
  }

  /**
   * How often free memory was split and coalesced on the way depends on the streams that frees have
   * waited for, which are not recorded.
   */
  private static boolean dependsOnOrderOfCompletions(String key) {
    return key.startsWith("inactive_split") && !key.endsWith(".current");
  }
}
