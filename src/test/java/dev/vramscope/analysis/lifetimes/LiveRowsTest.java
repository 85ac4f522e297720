package dev.vramscope.analysis.lifetimes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.analysis.RandomTrace;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LiveRowsTest {
  @Test
  void rowsAfterAnyEventAreThoseOfAScan() {
    // More allocations than there are between two key events.
    Lifetimes lifetimes = RandomTrace.of(5, 60_000).lifetimes();
    for (int event = Lifetimes.BEFORE_RECORDING; event < 60_010; event += 617) {
      int moment = event;
      assertThat(lifetimes.activeAt(event))
          .as("event %d", event)
          .containsExactly(
              IntStream.range(0, lifetimes.size())
                  .filter(row -> lifetimes.isActiveAt(row, moment))
                  .toArray());
    }
    assertThat(lifetimes.activeAt(Integer.MAX_VALUE - 1))
        .containsExactly(
            IntStream.range(0, lifetimes.size())
                .filter(row -> lifetimes.endEvent(row) == Lifetimes.NEVER)
                .toArray());
  }

  @Test
  void allocationsFromBeforeTheRecordingAreActiveFromItsStart() {
    for (long seed = 1; seed < 4; seed++) {
      Lifetimes lifetimes = Lifetimes.of(HistoryModel.of(seed, 2_000).recordedFrom(700));
      assertThat(lifetimes.liveBeforeCount()).isPositive();
      for (int event = Lifetimes.BEFORE_RECORDING; event < 1_500; event += 13) {
        int moment = event;
        assertThat(lifetimes.activeAt(event))
            .containsExactly(
                IntStream.range(0, lifetimes.size())
                    .filter(row -> lifetimes.isActiveAt(row, moment))
                    .toArray());
      }
    }
  }
}
