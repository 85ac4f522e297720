package dev.vramscope.analysis.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.analysis.RandomTrace;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.HighWaterMark;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.ActiveSites.Group;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.timeline.ActiveTimeline;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActiveSitesTest {
  private static final Frame INNER = new Frame("at::empty()", "??", 0);

  private final StackTable.Builder stacks = new StackTable.Builder();
  private final Trace.Builder trace = new Trace.Builder();

  private void allocate(long address, long bytes, int line) {
    int event = trace.add(TraceAction.ALLOC, address, bytes);
    if (line > 0) {
      Frame frame = new Frame("forward", "/me/model.py", line);
      trace.stack(event, stacks.stack(List.of(INNER, frame)));
    }
  }

  private ActiveSites sites(int limit) {
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    Lifetimes lifetimes = Lifetimes.of(device);
    return ActiveSites.atPeak(
        lifetimes,
        ActiveBytes.of(device, lifetimes),
        FrameRules.standard().classify(stacks.build()),
        limit);
  }

  @Test
  void blocksOfOneLineAreOneRow() {
    allocate(512, 100, 1);
    allocate(1024, 300, 1);
    allocate(1536, 300, 1);
    allocate(2048, 650, 2);
    allocate(4096, 5, 0);
    trace.add(TraceAction.FREE_REQUESTED, 512, 100);
    trace.add(TraceAction.FREE_COMPLETED, 512, 100);
    ActiveSites sites = sites(2);
    Group first = sites.groups().getFirst();
    assertThat(first.count()).isEqualTo(3);
    assertThat(first.bytes()).isEqualTo(700);
    assertThat(first.smallestBytes()).isEqualTo(100);
    assertThat(first.largestBytes()).isEqualTo(300);
    assertThat(first.largestRow()).as("the first one of that size").isEqualTo(1);
    assertThat(sites.groups().get(1).bytes()).isEqualTo(650);
    assertThat(sites.others()).extracting(Group::bytes).isEqualTo(5L);
    assertThat(sites.otherSiteCount()).isEqualTo(1);
    assertThat(sites(3).others()).isNull();
  }

  @Test
  void freedMemoryFromBeforeTheRecordingIsARowOfItsOwn() {
    trace.add(TraceAction.FREE_REQUESTED, 512, 40);
    trace.add(TraceAction.FREE_COMPLETED, 512, 40);
    allocate(1024, 10, 0);
    assertThat(sites(9).groups()).singleElement().matches(Group::beforeRecording);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 10, 1000})
  void rowsAddUpToThePeakExactly(int limit) {
    for (int seed = 1; seed <= 20; seed++) {
      HistoryModel model = HistoryModel.of(seed, 300);
      DeviceSnapshot device = model.recordedFrom(seed * 10);
      Lifetimes lifetimes = Lifetimes.of(device);
      ActiveBytes active = ActiveBytes.of(device, lifetimes);
      StackTable table = StackTable.EMPTY;
      ActiveSites sites =
          ActiveSites.atPeak(lifetimes, active, FrameRules.standard().classify(table), limit);
      HighWaterMark mark = HighWaterMark.of(lifetimes, active);
      List<Group> rows = new ArrayList<>(sites.groups());
      if (sites.others() != null) {
        rows.add(sites.others());
      }
      assertThat(sites.groups()).hasSizeLessThanOrEqualTo(limit);
      assertThat(rows.stream().mapToLong(Group::bytes).sum()).isEqualTo(mark.bytes());
      assertThat(rows.stream().mapToInt(Group::count).sum()).isEqualTo(mark.allocationCount());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void smallOnesAreTheRestOfATimeline(long seed) {
    RandomTrace random = RandomTrace.of(seed, 500);
    Lifetimes lifetimes = random.lifetimes();
    ActiveBytes active = ActiveBytes.of(random.device(), lifetimes);
    ActiveTimeline timeline =
        ActiveTimeline.of(lifetimes, active, new EventWindow(0, active.eventCount()), 40, 6);
    for (int column = 0; column < timeline.width(); column++) {
      ActiveSites rest =
          ActiveSites.at(
              lifetimes, random.classes(), timeline.event(column), timeline.leastBytes(), 2);
      assertThat(rest.parts().stream().mapToLong(part -> part).sum())
          .isEqualTo(timeline.rest(column));
    }
    assertThat(timeline.summarizedCount()).isPositive();
  }
}
