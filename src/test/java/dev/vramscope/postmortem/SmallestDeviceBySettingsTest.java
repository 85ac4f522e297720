package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.EmptyCache;
import dev.vramscope.whatif.Progress;
import dev.vramscope.whatif.Replay;
import dev.vramscope.whatif.Variant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The least memory of real programs that ran to their end. */
class SmallestDeviceBySettingsTest {
  private static final long STEP_BYTES = 2L << 20;

  @Test
  void everyRowFitsIntoItsMemoryAndNotIntoLess() {
    int rows = 0;
    for (ExplainedCase found : ExplainedCase.healthy()) {
      SmallestDeviceBySettings devices = devices(found);
      List<SmallestDeviceBySettings.Row> all = new ArrayList<>(devices.changed());
      all.add(devices.recorded());
      for (SmallestDeviceBySettings.Row row : all) {
        assertThat(fits(found, row, row.bytes())).as(found.name() + row).isTrue();
        assertThat(fits(found, row, row.bytes() - STEP_BYTES)).as(found.name() + row).isFalse();
        rows++;
      }
    }
    assertThat(rows).isGreaterThan(8);
  }

  @Test
  void recordedSettingsNeedAtMostWhatPyTorchReserved() {
    List<ExplainedCase> healthy = ExplainedCase.healthy();
    assertThat(healthy).isNotEmpty();
    for (ExplainedCase found : healthy) {
      SmallestDeviceBySettings devices = devices(found);
      assertThat(devices.recorded().bytes())
          .isBetween(
              found.truth().number("peakAllocatedBytes", 0),
              found.truth().number("peakReservedBytes", 0));
      assertThat(devices.isEstimated()).isFalse();
      assertThat(devices.changed())
          .isSortedAccordingTo((left, right) -> Long.compare(left.bytes(), right.bytes()));
    }
  }

  private static SmallestDeviceBySettings devices(ExplainedCase found) {
    return SmallestDeviceBySettings.of(
            found.truth().snapshot(), found.truth().device(), found.run())
        .orElseThrow();
  }

  private static boolean fits(ExplainedCase found, SmallestDeviceBySettings.Row row, long bytes) {
    Variant variant =
        new Variant.Caching(
            row.settings(), row.isEmptiedEachStep() ? EmptyCache.EACH_STEP : EmptyCache.NEVER);
    return Replay.run(found.run().run().get(), variant, DeviceSize.of(bytes, 0), new Progress())
        .fits();
  }
}
