package dev.vramscope.analysis.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which sites of two snapshots are the same. */
class MatchedSitesTest {
  private static Frame frame(String file, int line) {
    return new Frame("forward", file, line);
  }

  /** A device that holds 100 bytes at each of these frames. */
  private static DeviceMoment holding(Frame... sites) {
    StackTable.Builder stacks = new StackTable.Builder();
    Trace.Builder trace = new Trace.Builder();
    for (Frame site : sites) {
      int event = trace.add(TraceAction.ALLOC, 512L * (trace.size() + 1), 100);
      trace.stack(event, stacks.stack(List.of(site)));
    }
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    Lifetimes lifetimes = Lifetimes.of(device);
    return new DeviceMoment(
        lifetimes,
        ActiveBytes.of(device, lifetimes),
        FrameRules.standard().classify(stacks.build()),
        trace.size() - 1);
  }

  private static Map<Change, Long> sites(DeviceMoment before, DeviceMoment after) {
    Map<Change, Long> counts = new TreeMap<>();
    for (DiffRows.Group group : MemoryDiff.of(before, after, 100).sites().groups()) {
      if (group.rowCount() > 0) {
        counts.put(group.change(), group.rowCount());
      }
    }
    return counts;
  }

  @Test
  void sameFileInAnotherFolderIsTheSame() {
    assertThat(
            sites(
                holding(frame("/home/a/project/net/model.py", 41)),
                holding(frame("/mnt/b/net/model.py", 41))))
        .isEqualTo(Map.of(Change.SAME, 1L));
    assertThat(sites(holding(frame("/me/train.py", 1)), holding(frame("/work/you/train.py", 1))))
        .isEqualTo(Map.of(Change.SAME, 1L));
    assertThat(sites(holding(frame("C:\\net\\model.py", 1)), holding(frame("/net/model.py", 1))))
        .isEqualTo(Map.of(Change.SAME, 1L));
  }

  @Test
  void wholePathComesFirst() {
    DeviceMoment both = holding(frame("/a/net/model.py", 41), frame("/b/net/model.py", 41));
    assertThat(sites(both, holding(frame("/b/net/model.py", 41))))
        .isEqualTo(Map.of(Change.SAME, 1L, Change.REMOVED, 1L));
  }

  @Test
  void twoFilesOfTheSameNameAreNotGuessed() {
    DeviceMoment both = holding(frame("/a/net/model.py", 41), frame("/b/net/model.py", 41));
    assertThat(sites(both, holding(frame("/c/net/model.py", 41))))
        .isEqualTo(Map.of(Change.ADDED, 1L, Change.REMOVED, 2L));
  }

  @Test
  void siteThatMovedToAnotherLineIsTheSame() {
    assertThat(sites(holding(frame("/a/model.py", 41)), holding(frame("/a/model.py", 44))))
        .isEqualTo(Map.of(Change.SAME, 1L));
    assertThat(
            sites(
                holding(frame("/a/model.py", 41), frame("/a/model.py", 60)),
                holding(frame("/a/model.py", 44), frame("/a/model.py", 63))))
        .as("which one is which is not certain")
        .isEqualTo(Map.of(Change.ADDED, 2L, Change.REMOVED, 2L));
  }

  @Test
  void codeKeepsItsOrder() {
    // Lines 41 and 44 have become 44 and 47: the common line 44 is another one.
    assertThat(
            sites(
                holding(frame("/a/model.py", 41), frame("/a/model.py", 44)),
                holding(frame("/a/model.py", 44), frame("/a/model.py", 47))))
        .isEqualTo(Map.of(Change.SAME, 1L, Change.ADDED, 1L, Change.REMOVED, 1L));
    assertThat(
            sites(
                holding(frame("/a/model.py", 41), frame("/a/model.py", 60)),
                holding(frame("/a/model.py", 44), frame("/a/model.py", 60))))
        .isEqualTo(Map.of(Change.SAME, 2L));
  }

  @Test
  void otherFunctionIsAnotherSite() {
    assertThat(
            sites(
                holding(frame("/a/model.py", 41)),
                holding(new Frame("backward", "/a/model.py", 41))))
        .isEqualTo(Map.of(Change.ADDED, 1L, Change.REMOVED, 1L));
  }
}
