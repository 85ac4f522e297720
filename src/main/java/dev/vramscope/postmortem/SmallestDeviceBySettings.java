package dev.vramscope.postmortem;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.whatif.EmptyCache;
import dev.vramscope.whatif.Fidelity;
import dev.vramscope.whatif.SmallestDevice;
import dev.vramscope.whatif.TimeLimit;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.replays.ReplayableRun;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The least device memory into which a run would still have fitted, under its own settings and
 * under others: found by replays of every request.
 *
 * @param recorded under the recorded settings
 * @param changed under others, the least memory first
 * @param fidelity how exactly the replay under the recorded settings reproduces the recording
 */
public record SmallestDeviceBySettings(Row recorded, List<Row> changed, Fidelity fidelity) {
  /** For all searches together. */
  private static final Duration MOST_TIME = Duration.ofMinutes(1);

  /**
   * One change of the settings.
   *
   * @param settings a whole {@code PYTORCH_CUDA_ALLOC_CONF}
   * @param isEmptiedEachStep whether the cache is emptied at the start of each step
   * @param bytes that the allocator must be able to acquire, without those used outside it
   */
  public record Row(String settings, boolean isEmptiedEachStep, long bytes) {}

  public SmallestDeviceBySettings {
    changed = List.copyOf(changed);
  }

  /**
   * Searches with many replays, one after the other: other work has the other cores.
   *
   * @return empty if the run cannot be replayed under its own settings
   */
  public static Optional<SmallestDeviceBySettings> of(
      Snapshot snapshot, DeviceSnapshot device, ReplayableRun run) {
    List<Variant.Caching> variants =
        SettingsToTry.variants(snapshot, device.facts(), run.hasSteps());
    TimeLimit limit = TimeLimit.of(MOST_TIME);
    List<Row> rows = variants.stream().flatMap(variant -> row(run, variant, limit)).toList();
    if (rows.isEmpty() || !isOf(rows.getFirst(), variants.getFirst())) {
      return Optional.empty();
    }
    return Optional.of(
        new SmallestDeviceBySettings(
            rows.getFirst(),
            rows.stream().skip(1).sorted(Comparator.comparingLong(Row::bytes)).toList(),
            run.fidelity().get()));
  }

  /** None if PyTorch does not accept the settings, or the search would take too long. */
  private static Stream<Row> row(ReplayableRun run, Variant.Caching variant, TimeLimit limit) {
    return SmallestDevice.bytesOf(run.run().get(), variant, limit.progress()).stream()
        .mapToObj(bytes -> new Row(variant.settings(), isEmptied(variant), bytes));
  }

  private static boolean isOf(Row row, Variant.Caching variant) {
    return row.settings().equals(variant.settings())
        && row.isEmptiedEachStep() == isEmptied(variant);
  }

  private static boolean isEmptied(Variant.Caching variant) {
    return variant.emptyCache() == EmptyCache.EACH_STEP;
  }

  /** The change that lets the run fit into the least memory, if it is less than as recorded. */
  public Optional<Row> best() {
    return changed.stream().filter(row -> row.bytes() < recorded.bytes()).findFirst();
  }

  /** Whether the numbers are estimates, since the replay differs from the recording. */
  public boolean isEstimated() {
    return !fidelity.isExactFor(new Variant.Caching(recorded.settings()));
  }
}
