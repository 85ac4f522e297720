package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TruthCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What PyTorch's own allocator did under each setting, number by number. */
class WhatIfTruthTest {
  /** The settings of the rows of {@code ooms} and {@code programs}. */
  private static final Map<String, String> ROWS =
      Map.of(
          "default", "",
          "expandable", "expandable_segments:True",
          "max_split_128", "max_split_size_mb:128",
          "max_split_512", "max_split_size_mb:512",
          "roundup_8", "roundup_power2_divisions:8",
          "gc_0.8", "garbage_collection_threshold:0.8",
          "large_segment_64", "large_segment_size_mb:64");

  @Test
  void longRunsAreEqual() {
    List<String> wrong = new ArrayList<>();
    for (TruthCase run : TruthCase.all("whatif")) {
      RecordedRun recorded = RecordedRun.of(run.snapshot(), run.device());
      DeviceSize size = DeviceSize.of(run.number("totalBytes", 0), 0);
      run.truth()
          .path("underSettings")
          .properties()
          .forEach(
              row -> {
                String settings = run.truth().path("settings").path(row.getKey()).asString();
                check(run + " " + row.getKey(), recorded, settings, size, row.getValue(), wrong);
              });
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void failuresAreEqual() {
    List<String> wrong = new ArrayList<>();
    for (TruthCase failure : TruthCase.all("ooms")) {
      RecordedRun recorded = RecordedRun.of(failure.snapshot(), failure.device());
      DeviceSize size =
          DeviceSize.of(failure.number("totalBytes", 0), failure.number("othersBytes", 0));
      String own = failure.truth().path("settings").asString();
      failure
          .truth()
          .path("underSettings")
          .properties()
          .forEach(
              row -> {
                String settings = Settings.with(own, ROWS.getOrDefault(row.getKey(), ""));
                check(
                    failure + " " + row.getKey(), recorded, settings, size, row.getValue(), wrong);
              });
    }
    assertThat(wrong).isEmpty();
  }

  /** What one change alone would have made of the failing request. */
  @Test
  void counterfactualsAreEqual() {
    List<String> wrong = new ArrayList<>();
    int compared = 0;
    for (TruthCase failure : TruthCase.all("ooms")) {
      RecordedRun run = RecordedRun.of(failure.snapshot(), failure.device());
      long total = failure.number("totalBytes", 0);
      long others = failure.number("othersBytes", 0);
      String own = failure.truth().path("settings").asString();
      for (var named : failure.truth().path("counterfactuals").properties()) {
        DeviceSize size = DeviceSize.of(total, others);
        Boolean served =
            switch (named.getKey()) {
              case "withoutOthers" -> serves(run, own, DeviceSize.of(total, 0));
              case "withoutLimit" -> serves(run, Settings.withoutLimit(own), size);
              case "onOneStream" -> serves(run.onOneStream(), own, size);
              case "doubleTotal" -> serves(run, own, DeviceSize.of(2 * total, others));
              default -> null;
            };
        if (!named.getValue().isNull() && served != null) {
          compared++;
          if (served != named.getValue().asBoolean()) {
            wrong.add(failure + " " + named.getKey() + ": " + served);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(compared).isGreaterThan(30);
  }

  private static boolean serves(RecordedRun run, String settings, DeviceSize size) {
    return Replay.run(run, new Variant.Caching(settings), size, new Progress()).fits();
  }

  /** A program that gets past the failure goes on, and its numbers are of a longer run. */
  @Test
  void programsGetAsFar() {
    List<String> wrong = new ArrayList<>();
    for (TruthCase program : TruthCase.all("programs")) {
      RecordedRun recorded = RecordedRun.of(program.snapshot(), program.device());
      DeviceSize size = new DeviceSize(OptionalLong.of(program.number("totalBytes", 0)), 0);
      boolean hasFailed = !program.truth().path("failedAtStep").isNull();
      String own = program.truth().path("settings").asString();
      program
          .truth()
          .path("underSettings")
          .properties()
          .forEach(
              row -> {
                String settings = Settings.with(own, ROWS.getOrDefault(row.getKey(), ""));
                Outcome found =
                    Replay.run(recorded, new Variant.Caching(settings), size, new Progress());
                JsonNode step = row.getValue().path("failedAtStep");
                boolean getsPast = step.isNull() || isLater(row.getValue(), program, found);
                String name = program + " " + row.getKey();
                if (found.fits() != getsPast) {
                  wrong.add(name + ": " + found + ", not " + row.getValue());
                } else if (!hasFailed && step.isNull()) {
                  long reserved = row.getValue().path("peakReservedBytes").asLong();
                  long calls = row.getValue().path("driverAllocations").asLong();
                  if (found.peakReservedBytes() != reserved || found.driverAllocations() != calls) {
                    wrong.add(name + ": " + found + ", not " + row.getValue());
                  }
                }
              });
    }
    assertThat(wrong).isEmpty();
  }

  /** A failure in the same step is a later one if more memory was allocated before it. */
  private static boolean isLater(JsonNode row, TruthCase program, Outcome found) {
    long step = row.path("failedAtStep").asLong();
    long recorded = program.number("failedAtStep", Long.MAX_VALUE);
    return step > recorded
        || (step == recorded
            && row.path("peakAllocatedBytes").asLong() > found.peakAllocatedBytes());
  }

  private static void check(
      String name,
      RecordedRun recorded,
      String settings,
      DeviceSize size,
      JsonNode truth,
      List<String> wrong) {
    Outcome found = Replay.run(recorded, new Variant.Caching(settings), size, new Progress());
    boolean isEqual =
        found.fits() == truth.path("fits").asBoolean()
            && found.ooms() == truth.path("ooms").asLong()
            && found.peakReservedBytes() == truth.path("peakReservedBytes").asLong()
            && found.driverAllocations() == truth.path("driverAllocations").asLong()
            && found.driverFrees() == truth.path("driverFrees").asLong()
            && found.retries() == truth.path("retries").asLong();
    if (!isEqual) {
      wrong.add(name + ": " + found + ", not " + truth);
    }
  }
}
