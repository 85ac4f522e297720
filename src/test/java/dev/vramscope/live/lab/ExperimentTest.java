package dev.vramscope.live.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.allocator.RequestStep;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.live.AllocatorKind;
import dev.vramscope.model.BlockState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the steps of a script show and say, on each allocator. */
class ExperimentTest {
  private static final long MIB = 1L << 20;
  private static final long BASE = 0x1000_0000_0000L;

  private static Setup caching(String settings, long deviceMib) {
    return new Setup(AllocatorKind.CACHING, settings, deviceMib * MIB);
  }

  private static Setup bfc(long mib) {
    return new Setup(
        AllocatorKind.BFC,
        "memory_limit=" + mib + "MiB,enable_spatial_partitioning=false",
        mib * MIB);
  }

  private static List<Step> run(Setup setup, String script) {
    return Experiment.run(setup, Script.parse(script), 0, Experiment.MAX_STEPS);
  }

  private static Step last(Setup setup, String script) {
    return run(setup, script).getLast();
  }

  private static String text(Step step, Reason.Kind kind) {
    return String.join(
        " | ",
        step.reasons().stream().filter(reason -> reason.kind() == kind).map(Reason::text).toList());
  }

  private static List<RequestStep> attempts(Step step) {
    return step.attempts().stream().map(Attempt::step).toList();
  }

  @Test
  void aRequestTakesTheFrontOfTheBestFitAndTheRestIsSplitOff() {
    Step step = last(caching("", 160), "malloc 1 128MiB\nfree 1\nmalloc 2 16MiB");
    assertThat(text(step, Reason.Kind.SEARCHED))
        .isEqualTo(
            "1 block is free in this pool on stream 0. The smallest that is large enough has 128"
                + " MiB: the best fit.");
    assertThat(text(step, Reason.Kind.SPLIT))
        .isEqualTo("Split: 16 MiB serves the request, 112 MiB stays free in the same segment.");
    assertThat(step.attempts()).isEmpty();
    assertThat(step.search().orElseThrow().chosen()).isEqualTo(BASE);
    assertThat(step.changed()).hasSize(1);
    assertThat(step.changed().getFirst().blocks())
        .containsExactly(
            new ShownBlock(0, 16 * MIB, BlockState.ALLOCATED, 2, 16 * MIB, 0, List.of()),
            new ShownBlock(
                16 * MIB, 112 * MIB, BlockState.INACTIVE, ShownBlock.NO_ID, 0, 0, List.of()));
    assertThat(step.totals().largestFreeBytes()).isEqualTo(112 * MIB);
    assertThat(step.totals().fragmentation()).isZero();
  }

  @Test
  void sizesAreRoundedAndSmallOnesHaveTheirOwnPool() {
    Step step = last(caching("", 160), "malloc 1 1000000");
    assertThat(text(step, Reason.Kind.ROUNDED))
        .isEqualTo("1,000,000 bytes is rounded up to 977 KiB, the next multiple of 512 bytes.");
    assertThat(text(step, Reason.Kind.POOL)).contains("small pool");
    assertThat(text(step, Reason.Kind.DRIVER)).contains("a new segment of 2 MiB");
    assertThat(step.changed().getFirst().pool()).isEqualTo("small");
    Step divided = last(caching("roundup_power2_divisions:4", 160), "malloc 1 9MiB");
    assertThat(text(divided, Reason.Kind.ROUNDED)).contains("10 MiB (roundup_power2_divisions)");
  }

  @Test
  void freedNeighboursCoalesce() {
    String script = "malloc 1 30MiB\nfree 1\nmalloc 2 10MiB\nmalloc 3 10MiB\nfree 2\nfree 3";
    Step step = last(caching("", 160), script);
    assertThat(text(step, Reason.Kind.COALESCED))
        .startsWith("Coalesced with the free 10 MiB before and 10 MiB after it: one free block of")
        .contains("30 MiB");
    assertThat(step.changed().getFirst().blocks()).hasSize(1);
    // The segment stays until the cache is emptied.
    Step emptied = last(caching("", 160), script + "\nempty_cache");
    assertThat(text(emptied, Reason.Kind.DRIVER))
        .isEqualTo("The driver gets back a segment of 30 MiB.");
    assertThat(emptied.removed()).containsExactly(BASE);
    assertThat(emptied.totals().allocated().reservedBytes()).isZero();
  }

  @Test
  void aRemainderOfAtMostOneMebibyteIsNotSplitOff() {
    Step step = last(caching("", 160), "malloc 1 30MiB\nfree 1\nmalloc 2 29MiB");
    assertThat(text(step, Reason.Kind.SPLIT)).startsWith("The remainder of 1 MiB is not split off");
  }

  @Test
  void aFailedRequestNamesEveryRung() {
    Step step =
        last(
            caching("", 100),
            "malloc 1 30MiB\nmalloc 2 30MiB\nfree 1\nexternal 20MiB\nmalloc 3 60MiB");
    assertThat(step.isFailed()).isTrue();
    assertThat(step.address()).isNegative();
    assertThat(attempts(step))
        .containsExactly(
            RequestStep.SEARCH,
            RequestStep.ACQUIRE,
            RequestStep.RELEASE_CACHE,
            RequestStep.ACQUIRE);
    assertThat(step.attempts().get(2).bytes()).isEqualTo(30 * MIB);
    assertThat(text(step, Reason.Kind.FAILED))
        .startsWith("CUDA out of memory. Tried to allocate 60.00 MiB");
    assertThat(step.removed()).containsExactly(BASE);
    assertThat(step.totals().retries()).isEqualTo(1);
    assertThat(step.totals().externalBytes()).isEqualTo(20 * MIB);
  }

  @Test
  void settingsAddRungs() {
    Step collected =
        last(
            caching("garbage_collection_threshold:0.5,per_process_memory_fraction:0.9", 100),
            "malloc 1 40MiB\nfree 1\nmalloc 2 20MiB\nmalloc 3 60MiB");
    assertThat(attempts(collected)).contains(RequestStep.COLLECT_GARBAGE);
    Step oversize =
        last(
            caching("max_split_size_mb:20", 100),
            "malloc 1 50MiB\nmalloc 2 30MiB\nfree 1\nmalloc 3 70MiB");
    assertThat(attempts(oversize))
        .containsSubsequence(RequestStep.ACQUIRE, RequestStep.RELEASE_OVERSIZE);
    Step limited = last(caching("", 100), "set_fraction 0.2\nmalloc 1 30MiB");
    assertThat(attempts(limited))
        .containsExactly(
            RequestStep.SEARCH,
            RequestStep.CHECK_LIMIT,
            RequestStep.RELEASE_CACHE,
            RequestStep.CHECK_LIMIT);
    assertThat(text(limited, Reason.Kind.DRIVER)).contains("would exceed its memory limit");
  }

  @Test
  void expandableSegmentsGrowInPlace() {
    List<Step> steps =
        run(
            caching("expandable_segments:True", 200),
            "malloc 1 30MiB\nfree 1\nmalloc 2 60MiB\nfree 2\nmalloc 3 90MiB");
    assertThat(steps.getLast().totals().allocated().reservedBytes()).isEqualTo(100 * MIB);
    assertThat(steps.getLast().changed()).hasSize(1);
    assertThat(steps.getLast().changed().getFirst().isExpandable()).isTrue();
    assertThat(text(steps.getLast(), Reason.Kind.DRIVER)).contains("grows: 40 MiB is mapped");
  }

  @Test
  void aRecordedStreamHoldsTheBlockUntilItsKernelIsFinished() {
    String held = "malloc 1 30MiB 0\nlaunch 1 1\nrecord_stream 1 1\nfree 1";
    Step freed = last(caching("", 160), held);
    assertThat(text(freed, Reason.Kind.STREAM)).contains("stream 1 may still use it");
    ShownBlock block = freed.changed().getFirst().blocks().getFirst();
    assertThat(block.state()).isEqualTo(BlockState.PENDING_FREE);
    assertThat(block.awaited()).containsExactly(1);
    assertThat(block.id()).isEqualTo(1);
    assertThat(freed.kernels()).hasSize(1);

    Step other = last(caching("", 160), held + "\nmalloc 2 30MiB 0");
    assertThat(other.address()).isEqualTo(BASE + 30 * MIB);

    Step again = last(caching("", 160), held + "\nfinish 1\nmalloc 2 30MiB 0");
    assertThat(again.address()).isEqualTo(BASE);
    assertThat(text(again, Reason.Kind.STREAM))
        .isEqualTo("The event that block 1 waited for is complete: its memory can be used again.");
    assertThat(text(again, Reason.Kind.SEARCHED)).startsWith("1 block is free in this pool");
    assertThat(again.search().orElseThrow().chosen()).isEqualTo(BASE);
  }

  @Test
  void kernelsOfAStreamFinishInTheirOrder() {
    String script =
        "malloc 1 30MiB 0\nlaunch 1 1\nrecord_stream 1 1\nfree 1\nmalloc 2 20MiB\nlaunch 2 1\n"
            + "finish 1\nmalloc 3 30MiB 0";
    Step step = last(caching("", 160), script);
    // The event of block 1 is before the second kernel, which still runs.
    assertThat(step.address()).isEqualTo(BASE);
    assertThat(step.kernels().stream().map(Kernel::id)).containsExactly(2L);
  }

  @Test
  void memoryOfARunningKernelThatIsReusedElsewhereIsAHazard() {
    String script = "malloc 1 30MiB 0\nlaunch 1 1\nfree 1\nmalloc 2 30MiB 0";
    assertThat(text(last(caching("", 160), script), Reason.Kind.HAZARD))
        .isEqualTo(
            "The kernel on stream 1 still uses the memory of block 1, which now belongs to block 2"
                + " on stream 0: nothing orders the two, so it may read what the other writes.");
    assertThat(text(last(caching("", 160), script + "\nfinish 1"), Reason.Kind.HAZARD)).isEmpty();
    // A stream runs in order, so its own reuse is none.
    String own = "malloc 1 30MiB 0\nlaunch 1 0\nfree 1\nmalloc 2 30MiB 0";
    assertThat(text(last(caching("", 160), own), Reason.Kind.HAZARD)).isEmpty();
  }

  @Test
  void anEmptiedCacheWaitsForKernels() {
    Step step =
        last(
            caching("", 160),
            "malloc 1 30MiB 0\nlaunch 1 1\nrecord_stream 1 1\nfree 1\nempty_cache");
    assertThat(step.kernels()).isEmpty();
    assertThat(step.totals().allocated().reservedBytes()).isZero();
  }

  @Test
  void bfcSearchesBinsUpwardsAndKeepsSmallRemainders() {
    Step first = last(bfc(128), "malloc 1 1MiB");
    assertThat(text(first, Reason.Kind.DRIVER))
        .isEqualTo("The driver provides a new region of 128 MiB.");
    Step second = last(bfc(128), "malloc 1 1MiB\nmalloc 2 16MiB");
    Search search = second.search().orElseThrow();
    assertThat(search.firstBin()).isEqualTo(BfcAllocator.binOf(16 * MIB)).isEqualTo(16);
    assertThat(search.lastBin()).isEqualTo(18);
    assertThat(search.chosen()).isEqualTo(BASE + MIB);
    assertThat(text(second, Reason.Kind.SEARCHED)).startsWith("Searched bins 16 to 18:");
    Step kept = last(bfc(128), "malloc 1 1MiB\nmalloc 2 16MiB\nmalloc 3 64MiB");
    assertThat(text(kept, Reason.Kind.SPLIT)).startsWith("Not split: the remainder of 47 MiB");
    Step failed = last(bfc(128), "malloc 1 1MiB\nmalloc 2 64MiB\nmalloc 3 64MiB");
    assertThat(attempts(failed)).containsExactly(RequestStep.SEARCH, RequestStep.CHECK_LIMIT);
    assertThat(text(failed, Reason.Kind.FAILED)).contains("GPU_0_bfc is out of memory");
    assertThat(kept.changed().getFirst().pool()).isEqualTo("region");
    assertThat(kept.changed().getFirst().bins()).hasSameSizeAs(kept.changed().getFirst().blocks());
  }

  @Test
  void operationsWithoutEffectSayWhy() {
    assertThat(text(last(caching("", 160), "free 7"), Reason.Kind.NOTE))
        .isEqualTo("Block 7 is not allocated, so nothing happens.");
    assertThat(text(last(caching("", 160), "malloc 1 1MiB\nmalloc 1 1MiB"), Reason.Kind.NOTE))
        .contains("allocated already");
    assertThat(text(last(bfc(128), "malloc 1 1MiB\nrecord_stream 1 1"), Reason.Kind.NOTE))
        .contains("does not know streams");
    assertThat(text(last(bfc(128), "empty_cache"), Reason.Kind.NOTE)).contains("no such call");
    assertThat(text(last(caching("", 160), "finish 1"), Reason.Kind.NOTE))
        .isEqualTo("No kernel runs on stream 1.");
  }

  @Test
  void fewerStepsAreDescribedIfTheyHaveVeryManyBlocks() {
    StringBuilder script = new StringBuilder("malloc 1 30MiB\nfree 1\n");
    for (int id = 2; id < 2000; id++) {
      script.append("malloc ").append(id).append(" 512\n");
    }
    List<Step> steps = Experiment.run(caching("", 160), Script.parse(script.toString()), 1900, 200);
    assertThat(steps.size()).isBetween(2, 101);
    Script whole = Script.parse(script.toString());
    assertThat(Experiment.run(caching("", 160), whole, whole.operations().size() - 1, 200))
        .hasSize(2);
  }

  @Test
  void stepsFromTheMiddleAreThoseOfTheWholeScript() {
    Script script =
        Script.parse(
            "malloc 1 30MiB\nmalloc 2 3MiB\nfree 1\nmalloc 3 20MiB\nfree 2\nmalloc 4 1MiB\nfree 3");
    List<Step> whole = Experiment.run(caching("", 160), script, 0, 200);
    List<Step> end = Experiment.run(caching("", 160), script, 4, 200);
    assertThat(end.subList(1, end.size())).isEqualTo(whole.subList(5, whole.size()));
    assertThat(end.getFirst().totals()).isEqualTo(whole.get(4).totals());
    assertThat(Experiment.run(caching("", 160), script, 99, 200)).hasSize(1);
    assertThat(Experiment.run(caching("", 160), script, 0, 2)).hasSize(3);
  }

  @Test
  void aGrowingPoolTellsEachRefusedSize() {
    Setup growing = new Setup(AllocatorKind.BFC, "preallocate=false", 256 * MIB);
    String warm = "malloc 1 1MiB\nmalloc 2 2MiB\nmalloc 3 6MiB\nmalloc 4 30MiB\n";
    Step served = last(growing, warm + "external 150MiB\nmalloc 5 40MiB");
    assertThat(text(served, Reason.Kind.DRIVER))
        .isEqualTo(
            "The driver refuses a new region of 64 MiB. | The driver provides a new region of 57.6"
                + " MiB.");
    Step failed = last(growing, warm + "external 186MiB\nmalloc 5 40MiB");
    assertThat(text(failed, Reason.Kind.DRIVER))
        .isEqualTo(
            "The driver refuses a new region of 64 MiB. | The driver refuses 57.6 MiB, a tenth"
                + " less. | The driver refuses 51.84 MiB, a tenth less. | The driver refuses 46.66"
                + " MiB, a tenth less. | The driver refuses 41.99 MiB, a tenth less.");
    Step tiny = last(growing, warm + "external 210MiB\nmalloc 5 5MiB");
    assertThat(text(tiny, Reason.Kind.DRIVER))
        .contains("The driver refuses 5 more sizes from 9.04 MiB on, each a tenth less.")
        .endsWith("The driver refuses 5.34 MiB, a tenth less.");
  }

  @Test
  void withoutACacheTheDriverServesAndGetsBackEachRequest() {
    Setup direct = new Setup(AllocatorKind.DIRECT, "", 256 * MIB);
    List<Step> steps =
        run(
            direct,
            "malloc 1 100MiB\nlaunch 1 1\nrecord_stream 1 1\nempty_cache\nfree 1\nmalloc 2"
                + " 300MiB");
    assertThat(text(steps.get(1), Reason.Kind.DRIVER))
        .isEqualTo("The driver provides a new block of 100 MiB.");
    assertThat(steps.get(1).changed().getFirst().pool()).isEqualTo("driver");
    assertThat(text(steps.get(3), Reason.Kind.NOTE)).contains("a free waits for the work");
    assertThat(text(steps.get(4), Reason.Kind.NOTE)).contains("There is no cache");
    assertThat(text(steps.get(5), Reason.Kind.NOTE))
        .isEqualTo("Block 1 (100 MiB) is freed. cudaFree waits until all kernels are finished.");
    assertThat(text(steps.get(5), Reason.Kind.DRIVER))
        .isEqualTo("The driver gets back a block of 100 MiB.");
    assertThat(steps.get(5).kernels()).isEmpty();
    assertThat(steps.get(5).totals().deviceFreeBytes()).isEqualTo(256 * MIB);
    assertThat(steps.get(6).isFailed()).isTrue();
    assertThat(text(steps.get(6), Reason.Kind.FAILED)).contains("CUDA error: out of memory");
  }
}
