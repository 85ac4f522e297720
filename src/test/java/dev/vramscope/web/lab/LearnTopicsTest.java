package dev.vramscope.web.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.live.lab.Experiment;
import dev.vramscope.live.lab.Operation;
import dev.vramscope.live.lab.Reason;
import dev.vramscope.live.lab.Script;
import dev.vramscope.live.lab.Setup;
import dev.vramscope.live.lab.Step;
import dev.vramscope.model.ByteText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the texts say is what the allocators do. */
class LearnTopicsTest {
  private static final List<String> EXERCISES =
      LabExercises.LIST.stream().map(LabExercise::id).toList();

  @Test
  void idsAreUniqueAndEveryTextAndScriptBelongsToAnIdea() throws IOException {
    List<String> ids = LearnTopics.LIST.stream().map(LearnTopic::id).toList();
    assertThat(ids).doesNotHaveDuplicates().hasSize(21);
    assertThat(names("src/main/resources/templates/learn"))
        .containsExactlyInAnyOrderElementsOf(ids.stream().map(id -> id + ".html").toList());
    assertThat(names("src/main/resources/dev/vramscope/web/lab/learn"))
        .containsExactlyInAnyOrderElementsOf(ids.stream().map(id -> id + ".txt").toList());
  }

  @Test
  void linksLeadToIdeasAndExercises() {
    for (LearnTopic topic : LearnTopics.LIST) {
      assertThat(EXERCISES).as(topic.id()).contains(topic.exercise());
      assertThat(topic.related()).as(topic.id()).hasSize(3).doesNotContain(topic.id());
      assertThat(topic.related()).allMatch(id -> LearnTopics.find(id).isPresent());
      assertThat(topic.sentence()).endsWith(".").hasSizeLessThan(160);
    }
  }

  @Test
  void everyOperationDoesWhatItsScriptMeans() {
    for (LearnTopic topic : LearnTopics.LIST) {
      Script script = Script.parse(topic.script());
      assertThat(script.operations()).as(topic.id()).hasSizeBetween(5, 30);
      assertThat(topic.shown()).isBetween(1, script.operations().size() - 1);
      for (int side = 0; side < topic.sides().size(); side++) {
        Setup setup = topic.sides().get(side).setup(side);
        List<Step> steps = Experiment.run(setup, script, 0, Experiment.MAX_STEPS);
        assertThat(steps).hasSize(script.operations().size() + 1);
        assertThat(ineffective(script, steps))
            .as(topic.id() + " on " + setup)
            .isEqualTo(
                topic.script().contains("empty_cache")
                        && "bfc".equals(topic.sides().get(side).allocator())
                    ? List.of("empty_cache") // that is what the pictures show
                    : List.of());
      }
    }
  }

  /** The operations that only left a note, such as a free of a block that is not allocated. */
  private static List<String> ineffective(Script script, List<Step> steps) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < script.operations().size(); i++) {
      Operation operation = script.operations().get(i);
      boolean mayOnlyNote =
          operation instanceof Operation.Label || operation instanceof Operation.External;
      List<Reason> reasons = steps.get(i + 1).reasons();
      if (!mayOnlyNote
          && (reasons.isEmpty()
              || (reasons.size() == 1 && reasons.getFirst().kind() == Reason.Kind.NOTE))) {
        found.add(operation.text());
      }
    }
    return found;
  }

  @Test
  void reserved() {
    LearnRun run = LearnRun.of("reserved", 0);
    run.says("6 MiB", "malloc 1", LearnRun::allocated)
        .says("20 MiB", "malloc 1", LearnRun::reserved)
        .says("20 MiB", "malloc 2", LearnRun::reserved)
        .says("8 MiB", "free 3", LearnRun::allocated)
        .says("60 MiB", "free 3", LearnRun::reserved)
        .says("60 MiB", "malloc 4", LearnRun::reserved)
        .says("10 MiB", "malloc 4", LearnRun::largestFree);
    assertThat(run.step("malloc 4").totals().driverCalls()).isEqualTo(2);
    assertThat(run.failures()).isEmpty();
  }

  @Test
  void emptyCache() {
    LearnRun run = LearnRun.of("empty-cache", 0);
    run.says("76 MiB", "free 3", LearnRun::free)
        .says("12 MiB", "empty_cache", LearnRun::free)
        .says("12 MiB", "malloc 5", LearnRun::free);
    assertThat(run.step("free 3").totals().largestFreeBytes()).isEqualTo(64L << 20);
    assertThat(run.step("empty_cache").removed()).hasSize(1);
    assertThat(run.kinds("malloc 5")).contains(Reason.Kind.DRIVER);
  }

  @Test
  void recordStream() {
    LearnRun run = LearnRun.of("record-stream", 0);
    run.says("64 MiB", "free 1", LearnRun::active).says("128 MiB", "malloc 2", LearnRun::reserved);
    assertThat(LearnRun.allocated(run.step("free 1"))).isZero();
    assertThat(run.step("malloc 3").address()).isEqualTo(run.step("malloc 1").address());
    assertThat(run.kinds("malloc 2")).contains(Reason.Kind.DRIVER);
    assertThat(run.kinds("malloc 3"))
        .doesNotContain(Reason.Kind.DRIVER)
        .doesNotContain(Reason.Kind.HAZARD);
    assertThat(run.kinds("malloc 4")).contains(Reason.Kind.HAZARD);
    assertThat(run.step("malloc 4").address()).isEqualTo(run.step("malloc 3").address());
  }

  @Test
  void expandableSegments() {
    LearnRun plain = LearnRun.of("expandable-segments", 0);
    plain
        .says("720 MiB", "malloc 6", LearnRun::reserved)
        .says("420 MiB", "malloc 6", LearnRun::allocated)
        .says("300 MiB", "malloc 6", LearnRun::free)
        .says("120 MiB", "malloc 6", LearnRun::largestFree)
        .says("304 MiB", "malloc 6", LearnRun::deviceFree);
    assertThat(plain.failures()).containsExactly("malloc 7");
    LearnRun expandable = LearnRun.of("expandable-segments", 1);
    expandable
        .says("740 MiB", "malloc 7", LearnRun::reserved)
        .says("740 MiB", "malloc 7", LearnRun::allocated);
    assertThat(expandable.failures()).isEmpty();
    assertThat(expandable.step("malloc 7").totals().driverCalls()).isEqualTo(4);
  }

  @Test
  void privatePools() {
    LearnRun run = LearnRun.of("private-pools", 0);
    run.says("104 MiB", "malloc 4", LearnRun::free)
        .says("36 MiB", "malloc 4", LearnRun::deviceFree)
        .says("16 MiB", "malloc 2", LearnRun::allocated);
    assertThat(run.failures()).containsExactly("malloc 4");
    assertThat(LearnRun.text("private-pools")).contains("60 MiB");
  }

  @Test
  void bfcPreallocation() {
    LearnRun preallocated = LearnRun.of("bfc-preallocation", 0);
    preallocated
        .says("1 MiB", "malloc 1", LearnRun::allocated)
        .says("192 MiB", "malloc 1", LearnRun::reserved)
        .says("37 MiB", "malloc 4", LearnRun::largestFree)
        .says("64 MiB", "malloc 6", LearnRun::deviceFree);
    assertThat(preallocated.step("malloc 5").totals().driverCalls()).isEqualTo(1);
    assertThat(preallocated.failures()).containsExactly("malloc 6");
    LearnRun growing = LearnRun.of("bfc-preallocation", 1);
    growing
        .says("2 MiB", "malloc 1", LearnRun::reserved)
        .says("33 MiB", "malloc 5", LearnRun::free)
        .says("32 MiB", "malloc 5", LearnRun::largestFree)
        .says("64 MiB", "malloc 6", LearnRun::deviceFree);
    assertThat(growing.failures()).containsExactly("malloc 5", "malloc 6");
  }

  @Test
  void nvidiaSmi() {
    LearnRun run = LearnRun.of("nvidia-smi", 0);
    run.says("24 MiB", "external 25165824", LearnRun::deviceUsed)
        .says("30 MiB", "free 1", LearnRun::allocated)
        .says("114 MiB", "free 1", LearnRun::deviceUsed)
        .says("54 MiB", "empty_cache", LearnRun::deviceUsed)
        .says(
            "100 MiB",
            "external 130023424",
            step -> LearnRun.deviceUsed(step) - LearnRun.deviceUsed(run.step("empty_cache")));
  }

  @Test
  void outsideTheAllocator() {
    LearnRun run = LearnRun.of("nccl-cudnn", 0);
    run.says("120 MiB", "malloc 1", LearnRun::reserved)
        .says("64 MiB", "malloc 2", step -> step.totals().externalBytes())
        .says("72 MiB", "malloc 2", LearnRun::deviceFree)
        .says("32 MiB", "malloc 3", step -> step.totals().externalBytes());
    assertThat(run.failures()).containsExactly("malloc 2");
    assertThat(LearnRun.free(run.step("malloc 2"))).isZero();
  }

  @Test
  void pinnedMemory() {
    LearnRun run = LearnRun.of("pinned-memory", 0);
    run.says("64 MiB", "malloc 1", LearnRun::allocated);
    assertThat(run.step("malloc 2").address()).isNotEqualTo(run.step("malloc 1").address());
    assertThat(run.step("malloc 3").address()).isEqualTo(run.step("malloc 1").address());
    assertThat(LearnRun.reserved(run.steps().getLast())).isEqualTo(2 * (64L << 20));
  }

  @Test
  void synchronizingFrees() {
    LearnRun run = LearnRun.of("synchronizing-frees", 0);
    run.says("92 MiB", "free 1", LearnRun::deviceFree)
        .says("150 MiB", "malloc 2", LearnRun::reserved)
        .says("100 MiB", "free 1", LearnRun::active);
    assertThat(run.step("free 1").kernels()).hasSize(1);
    assertThat(run.step("malloc 2").kernels()).isEmpty();
    assertThat(run.step("malloc 2").totals().retries()).isEqualTo(1);
    assertThat(run.kinds("malloc 3")).doesNotContain(Reason.Kind.DRIVER);
  }

  @Test
  void recovery() {
    LearnRun run = LearnRun.of("recovery", 0);
    assertThat(run.failures()).containsExactly("malloc 4", "malloc 6");
    run.says("150 MiB", "free 2", LearnRun::free)
        .says("180 MiB", "malloc 9", LearnRun::allocated)
        .says(
            "120 MiB",
            "malloc 3",
            step -> LearnRun.allocated(step) - LearnRun.allocated(run.step("malloc 1")));
  }

  @Test
  void keptTensors() {
    LearnRun run = LearnRun.of("kept-tensors", 0);
    run.says("256 MiB", "malloc 9", LearnRun::allocated);
    for (String[] step : new String[][] {{"free 2", "free 4"}, {"free 4", "free 6"}}) {
      run.says(
          "48 MiB",
          step[1],
          after -> LearnRun.allocated(after) - LearnRun.allocated(run.step(step[0])));
    }
    assertThat(run.failures()).containsExactly("malloc 9");
    assertThat(LearnRun.free(run.step("malloc 9"))).isZero();
  }

  @Test
  void maxSplitSize() {
    LearnRun unlimited = LearnRun.of("max-split-size", 0);
    unlimited
        .says("130 MiB", "malloc 3", LearnRun::free)
        .says("200 MiB", "malloc 3", LearnRun::reserved)
        .says("70 MiB", "malloc 4", LearnRun::allocated);
    assertThat(unlimited.failures()).containsExactly("malloc 4");
    LearnRun limited = LearnRun.of("max-split-size", 1);
    limited.says("270 MiB", "malloc 4", LearnRun::reserved);
    assertThat(limited.failures()).isEmpty();
  }

  @Test
  void rounding() {
    assertThat(LearnRun.text("rounding")).contains("100,352 bytes", "100,096", "512 or 256");
    LearnRun caching = LearnRun.of("rounding", 0);
    assertThat(LearnRun.allocated(caching.step("malloc 1"))).isEqualTo(100_352);
    assertThat(LearnRun.allocated(caching.step("malloc 2"))).isEqualTo(100_352 + 512);
    caching.says(
        "22 MiB",
        "malloc 3",
        step -> LearnRun.allocated(step) - LearnRun.allocated(caching.step("malloc 2")));
    caching.says(
        "0.5 MiB",
        "malloc 3",
        step -> LearnRun.lost(step) - LearnRun.lost(caching.step("malloc 2")));
    assertThat(caching.failures()).isEmpty();
    LearnRun bfc = LearnRun.of("rounding", 1);
    assertThat(LearnRun.allocated(bfc.step("malloc 1"))).isEqualTo(100_096);
    assertThat(LearnRun.allocated(bfc.step("malloc 2"))).isEqualTo(100_096 + 256);
    bfc.says("96 MiB", "malloc 1", LearnRun::reserved);
    assertThat(LearnRun.text("rounding")).contains("74.4 MiB", "24.4 MiB");
    assertThat(LearnRun.free(bfc.step("malloc 3")) / 1024 * 10 / 1024).isEqualTo(744);
    assertThat(LearnRun.lost(bfc.step("malloc 4")) / 1024 * 10 / 1024).isEqualTo(244);
    assertThat(bfc.failures()).containsExactly("malloc 5");
  }

  @Test
  void roundedToStepsBetweenPowersOfTwo() {
    assertThat(LearnRun.text("rounding")).contains("1,030 and 1,090 MiB both become 1,152 MiB");
    for (String size : List.of("1030MiB", "1090MiB")) {
      assertThat(reservedAfter("roundup_power2_divisions:8", "malloc 1 " + size).allocatedBytes())
          .isEqualTo(1152L << 20);
    }
    assertThat(LearnRun.text("rounding")).contains("a million scalars of four bytes");
    assertThat((512L * 1_000_000) >> 20).isEqualTo(488);
  }

  @Test
  void undividedBlocksServeOnlyRequestsNearlyAsLarge() {
    assertThat(LearnRun.text("max-split-size")).contains("the size of a large segment (20 MiB)");
    String freed = "malloc 1 200MiB\nfree 1\n";
    String settings = "max_split_size_mb:64";
    assertThat(reservedAfter(settings, freed + "malloc 2 182MiB").reservedBytes())
        .isEqualTo(200L << 20);
    assertThat(reservedAfter(settings, freed + "malloc 2 180MiB").reservedBytes())
        .isEqualTo(380L << 20);
  }

  private static AllocatorTotals reservedAfter(String settings, String script) {
    Setup setup = new LabRequest.LabAllocator("caching", settings, "4GiB").setup(0);
    Script parsed = Script.parse(script);
    return Experiment.run(setup, parsed, parsed.operations().size(), 0)
        .getFirst()
        .totals()
        .allocated();
  }

  @Test
  void jaxLayers() {
    LearnRun caching = LearnRun.of("jax-layers", 0);
    caching
        .says("64 MiB", "malloc 2", LearnRun::allocated)
        .says("188 MiB", "malloc 5", LearnRun::allocated)
        .says("64 MiB", "empty_cache", LearnRun::reserved);
    LearnRun bfc = LearnRun.of("jax-layers", 1);
    bfc.says("188 MiB", "malloc 5", LearnRun::allocated)
        .says("384 MiB", "malloc 1", LearnRun::reserved)
        .says("384 MiB", "empty_cache", LearnRun::reserved);
  }

  @Test
  void bfcChunks() {
    LearnRun run = LearnRun.of("bfc-chunks", 0);
    run.says("192 MiB", "malloc 1", LearnRun::reserved)
        .says("20 MiB", "malloc 1", LearnRun::allocated)
        .says("172 MiB", "malloc 1", LearnRun::largestFree)
        .says(
            "12 MiB",
            "malloc 7",
            step -> LearnRun.allocated(step) - LearnRun.allocated(run.step("free 5")))
        .says("3 MiB", "malloc 7", step -> LearnRun.lost(step) - LearnRun.lost(run.step("free 5")))
        .says(
            "15 MiB",
            "malloc 8",
            step -> LearnRun.allocated(step) - LearnRun.allocated(run.step("malloc 7")));
    assertThat(run.failures()).isEmpty();
    assertThat(run.reasons("malloc 8")).contains("46 MiB").contains("31 MiB goes to bin");
    assertThat(run.reasons("free 1")).contains("one free chunk of 66 MiB");
    assertThat(LearnRun.text("bfc-chunks")).contains("66 MiB", "other 31 MiB", "21 bins");
  }

  @Test
  void bfcGrowth() {
    LearnRun run = LearnRun.of("bfc-growth", 0);
    run.says("2 MiB", "malloc 1", LearnRun::reserved);
    assertThat(LearnRun.text("bfc-growth")).contains("regions of 2, 4, 8 and 32 MiB");
    String[] requests = {"malloc 1", "malloc 2", "malloc 3", "malloc 4"};
    long[] regions = {2, 4, 8, 32};
    for (int i = 1; i < requests.length; i++) {
      long before = LearnRun.reserved(run.step(requests[i - 1]));
      assertThat(LearnRun.reserved(run.step(requests[i])) - before).isEqualTo(regions[i] << 20);
    }
    assertThat(LearnRun.text("bfc-growth"))
        .contains("57.6 MiB", "100.6 MiB of the 103.6 MiB", "asks for 64 MiB");
    long grown = LearnRun.reserved(run.step("malloc 5")) - LearnRun.reserved(run.step("malloc 4"));
    assertThat(ByteText.of(grown)).isEqualTo("57.6 MiB");
    assertThat(ByteText.of(LearnRun.reserved(run.step("free 3")))).startsWith("103.6");
    assertThat(ByteText.of(LearnRun.free(run.step("free 3")))).startsWith("100.6");
    assertThat(run.failures()).containsExactly("malloc 6");
  }

  @Test
  void jaxNoEmptyCache() {
    for (int side = 0; side < 2; side++) {
      LearnRun run = LearnRun.of("jax-no-empty-cache", side);
      run.says(side == 0 ? "192 MiB" : "130 MiB", "malloc 3", LearnRun::reserved)
          .says(side == 0 ? "192 MiB" : "130 MiB", "empty_cache", LearnRun::reserved)
          .says("2 MiB", "empty_cache", LearnRun::allocated);
      assertThat(run.kinds("malloc 4")).doesNotContain(Reason.Kind.DRIVER);
      assertThat(run.failures()).isEmpty();
    }
  }

  @Test
  void platform() {
    LearnRun pool = LearnRun.of("platform", 0);
    pool.says("160 MiB", "free 5", LearnRun::reserved)
        .says("32 MiB", "free 5", LearnRun::allocated)
        .says("128 MiB", "free 5", LearnRun::free)
        .says("64 MiB", "free 5", LearnRun::largestFree);
    assertThat(pool.step("free 3").totals().driverCalls()).isEqualTo(3);
    assertThat(pool.step("free 5").totals().driverCalls()).isEqualTo(3);
    assertThat(pool.failures()).containsExactly("malloc 6");

    LearnRun driver = LearnRun.of("platform", 1);
    driver
        .says("32 MiB", "free 5", LearnRun::reserved)
        .says("160 MiB", "external 67108864", LearnRun::deviceFree);
    assertThat(driver.step("free 3").totals().driverCalls()).isEqualTo(5);
    assertThat(driver.step("free 5").totals().driverCalls()).isEqualTo(9);
    assertThat(LearnRun.text("platform")).contains("driver 3 times", "9 calls");
    assertThat(driver.failures()).isEmpty();
  }

  @Test
  void compiledStep() {
    LearnRun run = LearnRun.of("compiled-step", 0);
    run.says(
            "1536 MiB",
            "malloc 2",
            step -> LearnRun.allocated(step) - LearnRun.allocated(run.step("malloc 1")))
        .says(
            "256 MiB",
            "malloc 3",
            step -> LearnRun.allocated(step) - LearnRun.allocated(run.step("free 2")))
        .says("1408 MiB", "malloc 10", LearnRun::free)
        .says("1664 MiB", "free 3", LearnRun::free)
        .says("1408 MiB", "free 3", LearnRun::largestFree);
    assertThat(run.failures()).containsExactly("malloc 10", "malloc 11");
  }

  @Test
  void bufferAssignment() {
    LearnRun run = LearnRun.of("buffer-assignment", 0);
    run.says("120 MiB", "malloc 3", LearnRun::allocated)
        .says("180 MiB", "malloc 3", LearnRun::reserved)
        .says("60 MiB", "free 1", LearnRun::free)
        .says("120 MiB", "malloc 4", LearnRun::reserved);
    long mostLive = run.steps().stream().mapToLong(LearnRun::allocated).max().orElseThrow();
    assertThat(mostLive).isEqualTo(120L << 20);
  }

  private static List<String> names(String folder) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
