package dev.vramscope.analysis.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.DeviceSites;
import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.analysis.RandomTrace;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.StackTable;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SiteGrowthTest {
  @Test
  void samplesAreThoseOfASlowRecount() {
    for (long seed = 1; seed <= 20; seed++) {
      RandomTrace random = RandomTrace.of(seed, 300);
      compare("random " + seed, random.device(), random.classes());
    }
  }

  @Test
  void allocationsFromBeforeTheRecordingCount() {
    StackClasses classes = FrameRules.standard().classify(StackTable.EMPTY);
    for (long seed = 1; seed <= 20; seed++) {
      HistoryModel model = HistoryModel.of(seed, 300);
      compare("from the middle " + seed, model.recordedFrom(model.eventCount() / 2), classes);
    }
  }

  @Test
  void shortTracesHaveASampleForEachEvent() {
    RandomTrace random = RandomTrace.of(3, 300);
    Sites sites = sites(random.device(), random.classes());
    int[] counts = {0, 1, 2, 59, 60, 61};
    for (int count : counts) {
      SiteGrowth growth =
          SiteGrowth.of(sites.rows(), random.lifetimes(), random.classes(), count, 60);
      assertThat(growth.sampleCount()).isEqualTo(Math.min(60, count));
      if (count > 0) {
        assertThat(growth.event(growth.sampleCount() - 1)).isEqualTo(count - 1);
      }
    }
  }

  private static Sites sites(DeviceSnapshot device, StackClasses classes) {
    return DeviceSites.of(device, classes);
  }

  private static void compare(String name, DeviceSnapshot device, StackClasses classes) {
    Lifetimes lifetimes = Lifetimes.of(device);
    ActiveBytes active = ActiveBytes.of(device, lifetimes);
    List<Sites.Row> rows = sites(device, classes).rows();
    SiteGrowth growth = SiteGrowth.of(rows, lifetimes, classes, active.eventCount(), 17);
    assertThat(growth.sampleCount()).isEqualTo(17);
    for (int sample = 0; sample < growth.sampleCount(); sample++) {
      int event = growth.event(sample);
      long sum = 0;
      for (int site = 0; site < rows.size(); site++) {
        Sites.Row row = rows.get(site);
        long bytes =
            IntStream.range(0, lifetimes.size())
                .filter(i -> row.isSiteOf(i, lifetimes, classes) && lifetimes.isActiveAt(i, event))
                .mapToLong(lifetimes::bytes)
                .sum();
        assertThat(growth.bytes(site, sample)).as("%s, event %s", name, event).isEqualTo(bytes);
        assertThat(growth.mostBytes(site)).isGreaterThanOrEqualTo(bytes);
        sum += bytes;
      }
      assertThat(sum).isEqualTo(active.at(event));
    }
  }
}
