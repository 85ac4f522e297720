package dev.vramscope.analysis.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.vramscope.NeedsThirdPartyFiles;
import dev.vramscope.ThirdPartyFiles;
import dev.vramscope.analysis.ExpandableModel;
import dev.vramscope.analysis.HistoryModel;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.LifetimeIndex;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.segments.SegmentHistory.Held;
import dev.vramscope.analysis.segments.SegmentLanes.Lane;
import dev.vramscope.analysis.segments.SegmentLanes.Part;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.io.BufferedInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentTimelineTest {
  private static final SizeRules SIZES = SizeRules.DEFAULT;

  /** The analyses of a device, and a picture of them. */
  private record Drawn(Lifetimes lifetimes, SegmentHistory history, ActiveBytes active) {
    static Drawn of(DeviceSnapshot device) {
      Lifetimes lifetimes = Lifetimes.of(device);
      return new Drawn(
          lifetimes, SegmentHistory.of(device, SIZES), ActiveBytes.of(device, lifetimes));
    }

    SegmentTimeline picture(EventWindow window, int width, int height) {
      return SegmentTimeline.of(
          history, LifetimeIndex.of(lifetimes), SIZES, active, window, width, height);
    }

    EventWindow window(SplittableRandom random) {
      int count = active.eventCount();
      int from = random.nextInt(count);
      return random.nextInt(4) == 0
          ? new EventWindow(0, count)
          : new EventWindow(from, from + 1 + random.nextInt(count - from));
    }
  }

  @Test
  void fixedSegmentsAreHeldAsTheModelHeldThem() {
    for (long seed = 0; seed < 40; seed++) {
      HistoryModel model = HistoryModel.of(seed, 300);
      int start = new SplittableRandom(seed).nextInt(model.eventCount());
      SegmentHistory history = SegmentHistory.of(model.recordedFrom(start), SIZES);
      assertThat(history.contradictionCount()).isZero();
      for (int event = start; event < model.eventCount(); event++) {
        int at = event - start;
        assertThat(history.held().stream().filter(held -> held.isHeldAt(at)))
            .as("seed %d event %d", seed, event)
            .extracting(Held::address, Held::bytes, Held::stream, Held::kind)
            .containsExactlyElementsOf(
                model.state(event).stream()
                    .map(
                        segment ->
                            tuple(
                                segment.address(),
                                segment.bytes(),
                                segment.stream(),
                                segment.kind()))
                    .toList());
      }
    }
  }

  @Test
  void mappedPagesAreHeldAsTheModelHeldThem() {
    for (long seed = 0; seed < 40; seed++) {
      ExpandableModel model = ExpandableModel.of(seed, 300);
      SegmentHistory history = SegmentHistory.of(model.snapshot(), SIZES);
      assertThat(history.contradictionCount()).isZero();
      for (int event = 0; event < model.eventCount(); event++) {
        assertThat(runs(history, event))
            .as("seed %d event %d", seed, event)
            .containsExactlyElementsOf(model.runs(event));
      }
    }
  }

  /** What is held without a gap after an event, as [start, end): a free block may cross it. */
  private static List<long[]> runs(SegmentHistory history, int event) {
    List<long[]> runs = new ArrayList<>();
    boolean wasExpandable = false;
    for (Held held : history.held()) {
      if (!held.isHeldAt(event)) {
        continue;
      }
      boolean joins = wasExpandable && held.expandable() && runs.getLast()[1] == held.address();
      if (joins) {
        runs.getLast()[1] = held.end();
      } else {
        runs.add(new long[] {held.address(), held.end()});
      }
      wasExpandable = held.expandable();
    }
    return runs;
  }

  @Test
  void picturesOfRandomTracesAreExact() {
    for (long seed = 0; seed < 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      HistoryModel fixed = HistoryModel.of(seed, 250);
      ExpandableModel expandable = ExpandableModel.of(seed, 250);
      for (DeviceSnapshot device :
          List.of(
              fixed.recordedFrom(random.nextInt(fixed.eventCount() / 2)), expandable.snapshot())) {
        Drawn drawn = Drawn.of(device);
        for (int i = 0; i < 6; i++) {
          EventWindow window = drawn.window(random);
          int width = 1 + random.nextInt(90);
          int height = 1 + random.nextInt(random.nextBoolean() ? 12 : 600);
          String description =
              "seed %d window %s width %d height %d".formatted(seed, window, width, height);
          check(drawn, drawn.picture(window, width, height), height, description);
        }
      }
    }
  }

  @ParameterizedTest
  @NeedsThirdPartyFiles
  @ValueSource(strings = {"oom_snapshot", "mini_snapshot", "verl", "my_snapshot"})
  void picturesOfRealFilesAreExact(String name) throws Exception {
    Path file =
        ThirdPartyFiles.files("snapshots/torch").stream()
            .filter(path -> path.getFileName().toString().contains(name))
            .findFirst()
            .orElseThrow();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      for (DeviceSnapshot device : TorchPickleReader.read(in, ReadLimits.defaults()).devices()) {
        Drawn drawn = Drawn.of(device);
        if (drawn.active().eventCount() > 0) {
          EventWindow whole = new EventWindow(0, drawn.active().eventCount());
          check(drawn, drawn.picture(whole, 60, 500), 500, name);
          check(drawn, drawn.picture(whole, 7, 20), 20, name + ", grouped");
        }
      }
    }
  }

  private static void check(Drawn drawn, SegmentTimeline picture, int height, String description) {
    SegmentLanes lanes = picture.lanes();
    double bottom = 0;
    for (Lane lane : lanes.lanes()) {
      assertThat(lane.top()).as(description).isCloseTo(bottom, within());
      bottom = lane.top() + lane.height();
    }
    assertThat(bottom).as(description).isLessThanOrEqualTo(height + 0.01);
    int[] run = new int[lanes.lanes().size()];
    Arrays.fill(run, -1);
    int nextRun = 0;
    for (int column = 0; column < picture.width(); column++) {
      LaneRuns runs = picture.runs();
      for (; nextRun < runs.count() && runs.column(nextRun) == column; nextRun++) {
        run[runs.lane(nextRun)] = nextRun;
      }
      checkColumn(drawn, picture, column, run, description + " column " + column);
    }
    assertThat(nextRun).isEqualTo(picture.runs().count());
  }

  private static Offset<Double> within() {
    return Offset.offset(1e-6);
  }

  private static void checkColumn(
      Drawn drawn, SegmentTimeline picture, int column, int[] run, String description) {
    int event = picture.event(column);
    List<long[]> blocks = new ArrayList<>();
    long outside = 0;
    SegmentLanes lanes = picture.lanes();
    for (int row = 0; row < drawn.lifetimes().size(); row++) {
      if (drawn.lifetimes().isActiveAt(row, event)) {
        long address = drawn.lifetimes().address(row);
        long bytes = drawn.lifetimes().allocatedBytes(row, SIZES);
        Part in = part(lanes, address);
        if (in == null) {
          outside += bytes;
        } else {
          blocks.add(new long[] {address, Math.min(address + bytes, in.end())});
        }
      }
    }
    assertThat(picture.blocks().outside(column)).as(description).isEqualTo(outside);
    List<long[]> runs = runs(drawn.history(), event);
    long[][] thin = strips(picture.thinBlocks(), lanes, column);
    long[][] thinHeld = strips(picture.thinHeld(), lanes, column);
    addDrawn(picture, lanes, column, thin, thinHeld);
    for (int i = 0; i < lanes.lanes().size(); i++) {
      Lane lane = lanes.lanes().get(i);
      List<Part> parts = lanes.parts().subList(lane.firstPart(), lane.partLimit());
      long active = sum(blocks, parts, 0, lane.bytes());
      long reserved = sum(runs, parts, 0, lane.bytes());
      PictureRun shown = PictureRun.of(picture.runs(), run[i]);
      assertThat(shown.active()).as(description).isEqualTo(active);
      assertThat(shown.reserved()).as(description).isEqualTo(reserved);
      assertThat(shown.largestFree()).as(description).isEqualTo(largestFree(runs, blocks, parts));
      for (int strip = 0; strip < lane.strips(); strip++) {
        long from = lane.stripStart(strip);
        long to = lane.stripStart(strip + 1);
        assertThat(thin[i][strip]).as(description).isEqualTo(sum(blocks, parts, from, to));
        assertThat(thinHeld[i][strip]).as(description).isEqualTo(sum(runs, parts, from, to));
      }
    }
  }

  private record PictureRun(long reserved, long active, long largestFree) {
    static PictureRun of(LaneRuns runs, int run) {
      return run < 0
          ? new PictureRun(0, 0, 0)
          : new PictureRun(runs.reserved(run), runs.active(run), runs.largestFree(run));
    }
  }

  private static @Nullable Part part(SegmentLanes lanes, long address) {
    return lanes.parts().stream()
        .filter(part -> address >= part.address() && address < part.end())
        .findFirst()
        .orElse(null);
  }

  /** Bytes of the ranges at the offsets [from, to) of a lane of these parts. */
  private static long sum(List<long[]> ranges, List<Part> parts, long from, long to) {
    long sum = 0;
    for (Part part : parts) {
      long first = part.address() + Math.max(0, from - part.offset());
      long last = part.address() + Math.min(part.bytes(), to - part.offset());
      for (long[] range : ranges) {
        sum += Math.max(0, Math.min(last, range[1]) - Math.max(first, range[0]));
      }
    }
    return sum;
  }

  private static long largestFree(List<long[]> runs, List<long[]> blocks, List<Part> parts) {
    long largest = 0;
    for (long[] run : runs) {
      if (parts.stream().noneMatch(part -> run[0] >= part.address() && run[0] < part.end())) {
        continue;
      }
      long cursor = run[0];
      for (long[] block : blocks.stream().sorted((a, b) -> Long.compare(a[0], b[0])).toList()) {
        if (block[0] >= run[0] && block[0] < run[1]) {
          largest = Math.max(largest, block[0] - cursor);
          cursor = block[1];
        }
      }
      largest = Math.max(largest, run[1] - cursor);
    }
    return largest;
  }

  private static long[][] strips(StripRuns runs, SegmentLanes lanes, int column) {
    long[][] bytes = new long[lanes.lanes().size()][];
    Arrays.setAll(bytes, lane -> new long[lanes.lanes().get(lane).strips()]);
    for (int i = 0; i < runs.count(); i++) {
      if (runs.column0(i) <= column && column < runs.column1(i)) {
        int lane = 0;
        while (runs.strip(i)
            >= lanes.lanes().get(lane).firstStrip() + lanes.lanes().get(lane).strips()) {
          lane++;
        }
        bytes[lane][runs.strip(i) - lanes.lanes().get(lane).firstStrip()] += runs.bytes(i);
      }
    }
    return bytes;
  }

  private static void addDrawn(
      SegmentTimeline picture, SegmentLanes lanes, int column, long[][] thin, long[][] thinHeld) {
    LaneBlocks blocks = picture.blocks();
    for (int block : picture.drawnBlocks()) {
      if (blocks.column0(block) <= column && column < blocks.column1(block)) {
        int lane = blocks.lane(block);
        add(thin[lane], lanes.lanes().get(lane), blocks.offset(block), blocks.bytes(block));
      }
    }
    for (int i : picture.drawnHeld()) {
      if (picture.heldColumn0(i) <= column && column < picture.heldColumn1(i)) {
        int lane = picture.heldLane(i);
        long bytes = picture.held().get(i).bytes();
        add(thinHeld[lane], lanes.lanes().get(lane), picture.heldOffset(i), bytes);
      }
    }
  }

  private static void add(long[] strips, Lane lane, long offset, long bytes) {
    for (int strip = 0; strip < strips.length; strip++) {
      long from = Math.max(offset, lane.stripStart(strip));
      long to = Math.min(offset + bytes, lane.stripStart(strip + 1));
      strips[strip] += Math.max(0, to - from);
    }
  }

  @Test
  void markersCountEverySegmentEvent() {
    HistoryModel model = HistoryModel.of(3, 400);
    DeviceSnapshot device = model.recordedFrom(0);
    Drawn drawn = Drawn.of(device);
    SegmentTimeline picture = drawn.picture(new EventWindow(0, model.eventCount()), 37, 300);
    long acquired = 0;
    long released = 0;
    for (int column = 0; column < picture.width(); column++) {
      acquired += picture.markers().acquiredBytes(column);
      released += picture.markers().releasedBytes(column);
    }
    assertThat(acquired - released)
        .isEqualTo(device.segments().stream().mapToLong(Segment::bytes).sum());
    assertThat(released).isPositive();
  }

  @Test
  void contradictingEventsAreCountedAndLeftOut() {
    Trace.Builder trace = new Trace.Builder();
    trace.add(TraceAction.SEGMENT_ALLOC, 4096, 2 << 20);
    trace.add(TraceAction.SEGMENT_MAP, 1L << 40, 2 << 20);
    trace.add(TraceAction.SEGMENT_FREE, -512, 2 << 20);
    trace.add(TraceAction.ALLOC, -4096, 512);
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    Drawn drawn = Drawn.of(device);
    assertThat(drawn.history().contradictionCount()).isEqualTo(3);
    SegmentTimeline picture = drawn.picture(new EventWindow(0, 4), 10, 10);
    assertThat(picture.lanes().lanes()).isEmpty();
    assertThat(picture.blocks().outsideCount()).isEqualTo(1);
    assertThat(picture.blocks().outside(3)).isEqualTo(512);
  }

  @Test
  void thousandsOfSegmentsAreGroupedIntoAFewLanes() {
    Trace.Builder trace = new Trace.Builder();
    for (int i = 1; i <= 5000; i++) {
      trace.add(TraceAction.SEGMENT_ALLOC, (4L << 20) * i, 2 << 20);
    }
    for (int i = 1; i <= 5000; i++) {
      trace.add(TraceAction.SEGMENT_FREE, (4L << 20) * i, 2 << 20);
    }
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    SegmentTimeline picture = Drawn.of(device).picture(new EventWindow(0, 10_000), 500, 600);
    assertThat(picture.lanes().lanes()).hasSizeBetween(50, 100);
    assertThat(picture.lanes().parts()).hasSize(5000);
  }

  @Test
  void emptyTraceHasNoLanes() {
    Drawn drawn = Drawn.of(new DeviceSnapshot(0, List.of(), Trace.EMPTY, List.of()));
    SegmentTimeline picture = drawn.picture(new EventWindow(0, 10), 100, 100);
    assertThat(picture.width()).isZero();
    assertThat(picture.lanes().lanes()).isEmpty();
    assertThatThrownBy(() -> drawn.picture(new EventWindow(0, 0), 0, 10))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
