package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TruthCase;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Recordings without their first events, replayed and compared with the same part of the whole run.
 * The row with the recorded settings is exact. For the others two ways are measured: continuing
 * from the reconstructed state, and placing the older blocks anew.
 */
class MidRunReplaysTest {
  private static final List<String> SETTINGS =
      List.of(
          "expandable_segments:True",
          "",
          "max_split_size_mb:128",
          "max_split_size_mb:512",
          "roundup_power2_divisions:8",
          "large_segment_size_mb:64");

  private final Map<String, Score> continued = new TreeMap<>();
  private final Map<String, Score> placed = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private int recordedRows;

  /** How close replays of a kind are to the whole runs. */
  private static final class Score {
    private int rows;
    private int sameFit;
    private int falseFits;
    private double error;

    void add(Truth truth, Outcome found) {
      rows++;
      sameFit += (truth.ooms() == 0) == found.fits() ? 1 : 0;
      falseFits += truth.ooms() > 0 && found.fits() ? 1 : 0;
      error +=
          Math.abs(truth.peakReservedBytes() - found.peakReservedBytes())
              / (double) truth.peakReservedBytes();
    }

    double meanError() {
      return error / rows;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "fits is right in %d of %d, falsely fits %d, mean error of peak reserved %.4f",
          sameFit,
          rows,
          falseFits,
          meanError());
    }
  }

  /** What the whole run did in the part that is left. */
  private record Truth(long ooms, long peakReservedBytes) {}

  @Test
  void rowsOfPartsAgreeWithTheWholeRun() {
    Stream.of("ooms", "whatif-random")
        .flatMap(family -> TruthCase.all(family).stream())
        .forEach(this::compare);
    continued.forEach(
        (kind, score) ->
            System.out.println(
                kind + "\n  continued: " + score + "\n  placed:    " + placed.get(kind)));
    assertThat(wrong).isEmpty();
    assertThat(recordedRows).isGreaterThan(100);
    assertThat(of(continued, "plain").meanError()).isLessThan(of(placed, "plain").meanError() / 2);
    assertThat(of(continued, "plain").falseFits).isLessThan(of(placed, "plain").falseFits);
    assertThat(of(placed, "plain to expandable").sameFit)
        .isGreaterThan(of(continued, "plain to expandable").sameFit);
  }

  private static Score of(Map<String, Score> scores, String kind) {
    return Objects.requireNonNull(scores.get(kind), kind);
  }

  private void compare(TruthCase one) {
    int events = one.device().trace().size();
    for (int cut : new int[] {events / 4, events * 3 / 4}) {
      if (cut > 0) {
        compare(one, cut);
      }
    }
  }

  private void compare(TruthCase one, int cut) {
    DeviceSnapshot rest = Recordings.without(one.device(), cut);
    Lifetimes lifetimes = Lifetimes.of(rest);
    RecordedRun run =
        RecordedRun.of(one.snapshot(), rest, lifetimes)
            .continuing(Reproduction.of(one.snapshot(), rest, lifetimes));
    if (run.start() == null) {
      return;
    }
    KnownStart start = Objects.requireNonNull(run.start());
    RecordedRun whole = RecordedRun.of(one.snapshot(), one.device());
    String recorded = RecordedSettings.of(one.snapshot(), one.device()).text();
    long total = one.number("totalBytes", 0);
    DeviceSize size =
        total > 0 ? DeviceSize.of(total, one.number("othersBytes", 0)) : DeviceSize.UNLIMITED;
    List<String> others = SETTINGS.stream().filter(each -> !each.equals(recorded)).toList();
    for (String settings : Stream.concat(Stream.of(recorded), others.stream()).toList()) {
      Variant.Caching variant = new Variant.Caching(settings);
      Outcome all = Replay.run(whole, variant, size, new Progress());
      Outcome before = Replay.run(whole.until(cut - 1), variant, size, new Progress());
      if (before.peakReservedBytes() >= all.peakReservedBytes()) {
        // The peak is not in the part that is left.
        continue;
      }
      Truth truth = new Truth(all.ooms() - before.ooms(), all.peakReservedBytes());
      if (settings.equals(recorded)) {
        Outcome found = Replay.run(run, variant, size, new Progress());
        recordedRows++;
        if (!truth.equals(new Truth(found.ooms(), found.peakReservedBytes()))) {
          wrong.add(one + " from event " + cut + ": " + found + ", not " + truth);
        }
      }
      String kind = kind(recorded, settings);
      continued
          .computeIfAbsent(kind, _ -> new Score())
          .add(truth, Replay.continued(run, start, variant, size, new Progress()));
      placed
          .computeIfAbsent(kind, _ -> new Score())
          .add(truth, Replay.placed(run, variant, size, new Progress()));
    }
  }

  private static String kind(String recorded, String settings) {
    if (settings.equals(recorded)) {
      return "recorded";
    }
    if (recorded.contains("expandable_segments:True")) {
      return "expandable";
    }
    return settings.contains("expandable_segments:True") ? "plain to expandable" : "plain";
  }
}
