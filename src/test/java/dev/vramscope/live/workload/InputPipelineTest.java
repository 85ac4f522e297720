package dev.vramscope.live.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.allocator.pinned.PinnedStatistics;
import org.junit.jupiter.api.Test;

class InputPipelineTest {
  private static final WorkloadRequest TWENTY_STEPS =
      WorkloadRequest.of(WorkloadKind.INPUT_PIPELINE, 20).withScale(0.02);

  private final Bench bench = Bench.of(Bench.Kind.CACHING, 512 * Bench.MIB);

  @Test
  void pinnedMemoryIsReusedAfterItsCopyAndNotBefore() {
    WorkloadProgress progress = bench.run(new InputPipeline(), TWENTY_STEPS);
    assertEquals(new WorkloadState.Done(), progress.state());
    assertEquals(80, progress.contents().checks());
    assertEquals(0, progress.contents().mismatches());
    PinnedStatistics pinned = bench.pinned().statistics();
    assertEquals(80, pinned.activeRequests().allocated());
    assertThat(pinned.activeRequests().peak()).as("copies in flight").isGreaterThan(1);
    assertThat(pinned.allocateTime().count()).as("driver calls").isLessThan(40);
    bench.pinned().checkInvariants();
  }

  @Test
  void pinnedMemoryIsReleasedAfterTheRun() {
    bench.run(new InputPipeline(), TWENTY_STEPS);
    bench.pinned().emptyCache();
    assertEquals(0, bench.pinned().statistics().activeBytes().current());
    assertEquals(0, bench.pinned().statistics().allocatedBytes().current());
  }
}
