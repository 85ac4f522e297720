package dev.vramscope.format.torch;

import static dev.vramscope.format.torch.SampleSnapshots.BASE;
import static dev.vramscope.format.torch.SampleSnapshots.event;
import static dev.vramscope.format.torch.SampleSnapshots.finding;
import static dev.vramscope.format.torch.SampleSnapshots.frame;
import static dev.vramscope.format.torch.SampleSnapshots.segment;
import static dev.vramscope.format.torch.SampleSnapshots.snapshot;
import static dev.vramscope.format.torch.SampleSnapshots.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.PickleWriter;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Limits on memory for hostile files. */
class LimitsTest {
  private static final ReadLimits SMALL =
      new ReadLimits(
          1 << 20,
          new ReadLimits.Encoding(16, 1_000, 5_000, 500, 5_000),
          20,
          20,
          60,
          100,
          3,
          Long.MAX_VALUE,
          1_000);

  @Test
  void rejectsFilesAboveEachLimit() {
    assertTooLarge(List.of("x".repeat(1_001)), "a string of 1001 bytes");
    assertTooLarge(distinctStrings(20), "distinct strings");
    assertTooLarge(manyLists(600), "memo has more than 500");
    assertTooLarge(events(1, 21), "more than 20 events");
    assertTooLarge(events(4, 1), "more than 3 devices");
    assertTooLarge(deepStack(61), "more than 60 stack nodes");
    assertTooLarge(distinctFrames(101), "more than 100 distinct frames");
    assertTooLarge(segments(11, 1), "more than 20 blocks");
    assertTooLarge(segments(4, 4), "more than 3 devices");
  }

  @Test
  void rejectsFileAboveSizeLimit() {
    byte[] pickle = PickleWriter.python(events(1, 20_000), 4);
    for (int limit : new int[] {10, 1_000, 150_000, pickle.length - 1}) {
      FormatException rejected =
          catchThrowableOfType(
              FormatException.class,
              () ->
                  TorchPickleReader.read(
                      new ByteArrayInputStream(pickle),
                      SampleSnapshots.LIMITS.withMaxBytes(limit)));
      assertThat(rejected.reason()).isEqualTo(Reason.TOO_LARGE);
      assertThat(rejected.what()).contains(limit + " bytes");
    }
  }

  @Test
  void acceptsStringsWithEqualHashCodes() throws Exception {
    // "Aa" and "BB" have the same String.hashCode, so all 2^14 of these names collide.
    List<Object> events = new ArrayList<>();
    for (int i = 0; i < 1 << 14; i++) {
      StringBuilder name = new StringBuilder();
      for (int bit = 0; bit < 14; bit++) {
        name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      events.add(with(event("alloc", BASE, 1, i), "frames", List.of(frame(name.toString(), 1))));
    }
    byte[] pickle = PickleWriter.python(with(snapshot(), "device_traces", List.of(events)), 4);
    assertThat(SampleSnapshots.read(pickle).stacks().frames()).hasSize((1 << 14) + 1);
  }

  @Test
  void reportsMoreEmptyDevicesThanAMachineHas() throws Exception {
    List<Object> traces = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      traces.add(new ArrayList<>());
    }
    Snapshot read = SampleSnapshots.read(with(snapshot(), "device_traces", traces));
    assertThat(read.devices()).hasSize(1);
    assertThat(finding(read, "empty-devices").count()).isEqualTo(100_000 - 128);
    assertThat(
            SampleSnapshots.read(with(snapshot(), "device_traces", traces.subList(0, 128)))
                .findings())
        .isEmpty();
  }

  @Test
  void keepsTheInnermostFramesOfALongStack() throws Exception {
    List<Object> frames = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      frames.add(frame("f", i));
    }
    List<Object> longest = List.copyOf(frames);
    List<Object> exact = frames.subList(0, 1_000);
    Object file =
        with(
            snapshot(),
            "device_traces",
            List.of(
                List.of(
                    with(event("alloc", BASE, 1, 1), "frames", longest),
                    with(event("alloc", BASE + 512, 1, 2), "frames", exact),
                    with(event("alloc", BASE + 1024, 1, 3), "frames", frames.subList(0, 1_001)))));
    for (Snapshot read :
        List.of(
            SampleSnapshots.read(file),
            TorchJsonReader.read(
                new ByteArrayInputStream(JsonText.of(file).getBytes(StandardCharsets.UTF_8)),
                SampleSnapshots.LIMITS))) {
      Trace trace = read.devices().getFirst().trace();
      List<Frame> kept = read.stacks().framesOf(trace.stack(0));
      assertThat(kept).hasSize(1_001);
      assertThat(kept.getFirst().line()).isZero();
      assertThat(kept.get(999).line()).isEqualTo(999);
      assertThat(kept.getLast().name()).isEqualTo("(outer frames omitted)");
      assertThat(read.stacks().framesOf(trace.stack(1))).hasSize(1_000);
      assertThat(trace.stack(2)).isEqualTo(trace.stack(0));
      assertThat(finding(read, "stacks-cut").count()).isEqualTo(2);
      assertThat(finding(read, "stacks-cut").message())
          .contains("the longest has 100,000", "99,001 outer frames");
    }
  }

  @Test
  void rejectsEventThatOccursTwice() {
    Map<String, @Nullable Object> event = event("alloc", BASE, 1, 1);
    FormatException rejected =
        SampleSnapshots.rejection(
            with(snapshot(), "device_traces", List.of(List.of(event, event))));
    assertThat(rejected.what()).contains("the same event occurs in two places");
    assertThat(rejected.where()).startsWith("device_traces[0][1]");
  }

  @Test
  void rejectsSharedSegmentsAndBlocks() {
    Map<String, @Nullable Object> segment = segment(BASE);
    assertThat(SampleSnapshots.rejection(List.of(segment, segment)).where())
        .startsWith("segments[1]");
    Map<String, @Nullable Object> sharing =
        with(segment(BASE + (4 << 20)), "blocks", segment.get("blocks"));
    assertThat(SampleSnapshots.rejection(List.of(segment, sharing)).what())
        .contains("the same blocks occur in two segments");
  }

  private static void assertTooLarge(Object value, String message) {
    byte[] pickle = PickleWriter.python(value, 4);
    FormatException rejected =
        catchThrowableOfType(
            FormatException.class,
            () -> TorchPickleReader.read(new ByteArrayInputStream(pickle), SMALL));
    assertThat(rejected).as(message).isNotNull();
    assertThat(rejected.reason()).as(rejected.getMessage()).isEqualTo(Reason.TOO_LARGE);
    assertThat(rejected.what()).contains(message);
  }

  private static Object distinctStrings(int count) {
    List<Object> strings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      strings.add("x".repeat(900) + i);
    }
    return Map.of("unknown", strings);
  }

  private static Object distinctFrames(int count) {
    List<Object> frames = new ArrayList<>();
    for (int line = 0; line < count; line++) {
      frames.add(frame("f", line));
    }
    return with(
        snapshot(),
        "device_traces",
        List.of(List.of(with(event("alloc", BASE, 1, 1), "frames", frames))));
  }

  private static Object manyLists(int count) {
    List<Object> lists = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lists.add(new ArrayList<>());
    }
    return Map.of("unknown", lists);
  }

  private static Object events(int devices, int count) {
    List<Object> traces = new ArrayList<>();
    for (int device = 0; device < devices; device++) {
      List<Object> events = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        events.add(Map.of("action", "alloc", "addr", 1, "size", 1));
      }
      traces.add(events);
    }
    return Map.of("device_traces", traces);
  }

  private static Object deepStack(int frames) {
    List<Object> stack = new ArrayList<>();
    for (int i = 0; i < frames; i++) {
      stack.add(Map.of("name", "f", "line", i));
    }
    return Map.of(
        "device_traces",
        List.of(List.of(Map.of("action", "alloc", "addr", 1, "size", 1, "frames", stack))));
  }

  private static Object segments(int count, int devices) {
    List<Object> segments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      segments.add(with(segment(BASE + ((long) i << 24)), "device", i % devices));
    }
    return segments;
  }
}
