package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TruthCase;
import java.util.List;
import org.junit.jupiter.api.Test;

class SmallestDeviceTest {
  private static final long STEP_BYTES = 2L << 20;
  private static final long OTHERS_BYTES = 300L << 20;

  /** Every allocator, on a run that failed and on one that did not. */
  @Test
  void fitsAndTheNextSmallerDeviceDoesNot() {
    List<Variant> variants =
        List.of(
            new Variant.Caching(""),
            new Variant.Caching("expandable_segments:True"),
            new Variant.Caching("per_process_memory_fraction:0.5"),
            Variant.Bfc.preallocated(0.75),
            Variant.Bfc.growing(0.75),
            new Variant.Direct());
    for (String name : List.of("programs/train_varying", "programs/train_fixed")) {
      TruthCase program = TruthCase.of(name);
      RecordedRun run = RecordedRun.of(program.snapshot(), program.device());
      for (Variant variant : variants) {
        SmallestDevice found = SmallestDevice.of(run, variant, OTHERS_BYTES, new Progress());
        long total = found.totalBytes().orElseThrow();
        assertThat(fits(run, variant, total)).as("%s %s", name, variant).isTrue();
        assertThat(fits(run, variant, total - STEP_BYTES)).as("%s %s", name, variant).isFalse();
        assertThat(total).isGreaterThan(OTHERS_BYTES + run.peakLive().bytes());
      }
    }
  }

  /** A limit of 0 leaves nothing on any device. */
  @Test
  void noDeviceIsLargeEnough() {
    TruthCase program = TruthCase.of("programs/train_fixed");
    RecordedRun run = RecordedRun.of(program.snapshot(), program.device());
    Variant limited = new Variant.Caching("per_process_memory_fraction:0.0");
    assertThat(SmallestDevice.of(run, limited, 0, new Progress()).totalBytes()).isEmpty();
  }

  private static boolean fits(RecordedRun run, Variant variant, long total) {
    return Replay.run(run, variant, DeviceSize.of(total, OTHERS_BYTES), new Progress()).fits();
  }
}
