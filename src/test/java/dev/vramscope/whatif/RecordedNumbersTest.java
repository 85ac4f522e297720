package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TruthCase;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What recordings of whole runs show without a replay equals what PyTorch's allocator did, which
 * the replay under the recorded settings reproduces.
 */
class RecordedNumbersTest {
  @Test
  void eventsShowWhatTheAllocatorDid() {
    List<TruthCase> cases =
        Stream.of("ooms", "whatif", "whatif-random")
            .flatMap(f -> TruthCase.all(f).stream())
            .toList();
    int compared = 0;
    for (TruthCase one : cases) {
      Lifetimes lifetimes = Lifetimes.of(one.device());
      RecordedNumbers recorded =
          RecordedNumbers.of(one.device(), ActiveBytes.of(one.device(), lifetimes));
      RecordedRun run = RecordedRun.of(one.snapshot(), one.device(), lifetimes);
      assertThat(recorded.peakLiveBytes()).as(one + ", live").isEqualTo(run.peakLive().bytes());
      if (lifetimes.liveBeforeCount() > 0 || one.number("totalBytes", 0) == 0) {
        continue;
      }
      compared++;
      String settings = RecordedSettings.of(one.snapshot(), one.device()).text();
      Outcome replayed =
          Replay.run(
              run,
              new Variant.Caching(settings),
              DeviceSize.of(one.number("totalBytes", 0), one.number("othersBytes", 0)),
              new Progress());
      assertThat(recorded)
          .as(one.toString())
          .isEqualTo(
              new RecordedNumbers(
                  replayed.peakReservedBytes(),
                  run.peakLive().bytes(),
                  replayed.driverAllocations(),
                  replayed.driverFrees(),
                  replayed.ooms()));
    }
    assertThat(compared).isGreaterThan(40);
  }
}
