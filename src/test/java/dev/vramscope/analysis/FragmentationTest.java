package dev.vramscope.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import org.junit.jupiter.api.Test;

class FragmentationTest {
  @Test
  void poolsCoverEverySegmentOnceAndOverheadIsAtLeastOne() {
    for (long seed = 0; seed < 20; seed++) {
      HistoryModel model = HistoryModel.of(seed, 200);
      DeviceSnapshot device = model.recordedFrom(50);
      Lifetimes lifetimes = Lifetimes.of(device);
      Fragmentation found =
          Fragmentation.of(
              AllocatorState.end(device),
              lifetimes,
              ActiveBytes.of(device, lifetimes),
              SizeRules.DEFAULT);
      assertThat(found.pools().stream().mapToLong(Fragmentation.Pool::reservedBytes).sum())
          .isEqualTo(model.reservedBytes(model.eventCount() - 1));
      for (Fragmentation.Pool pool : found.pools()) {
        assertThat(pool.allocatedBytes() + pool.pendingFreeBytes() + pool.freeBytes())
            .isEqualTo(pool.reservedBytes());
        assertThat(pool.external().isPresent()).isEqualTo(pool.freeBytes() > 0);
        pool.external()
            .ifPresent(
                external ->
                    assertThat(external)
                        .isCloseTo(
                            1 - (double) pool.largestFreeBytes() / pool.freeBytes(),
                            within(1e-12)));
      }
      assertThat(found.overhead().orElseThrow()).as("seed %d", seed).isGreaterThanOrEqualTo(1);
      long peakAllocated = 0;
      for (int event = 49; event < model.eventCount(); event++) {
        peakAllocated =
            Math.max(
                peakAllocated,
                model.state(event).stream().mapToLong(Segment::allocatedBytes).sum());
      }
      assertThat(found.peakAllocatedBytes()).as("a lower bound").isLessThanOrEqualTo(peakAllocated);
      assertThat(found.peakAllocatedBytes()).isGreaterThan(peakAllocated * 9 / 10);
    }
  }
}
