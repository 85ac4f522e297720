package dev.vramscope.format.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.TestData;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pages of a recorded program, as trace_plot and segment_plot drew them in 2022 and 2023. */
class PlotPageReaderTest {
  private static Snapshot original;
  private static DeviceSnapshot device;
  private static Lifetimes lifetimes;

  @BeforeAll
  static void read() throws IOException, FormatException {
    try (InputStream in =
        new GZIPInputStream(
            Files.newInputStream(TestData.file("programs/train_fixed/snapshot.pickle.gz")))) {
      original = TorchPickleReader.read(in, ReadLimits.defaults());
    }
    device = original.devices().getFirst();
    lifetimes = Lifetimes.of(device);
  }

  private static Snapshot read(String page) throws IOException, FormatException {
    return PlotPageReader.read(
        new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)), ReadLimits.defaults());
  }

  private static List<String> frames(Snapshot snapshot, int stack) {
    return snapshot.stacks().framesOf(stack).stream()
        .map(frame -> frame.file() + ":" + frame.line() + " " + frame.name())
        .toList();
  }

  /** The events that trace_plot draws. */
  private static List<Integer> drawnEvents() {
    List<Integer> drawn = new ArrayList<>();
    for (int event = 0; event < device.trace().size(); event++) {
      TraceAction action = device.trace().action(event);
      if (action == TraceAction.ALLOC || action == TraceAction.FREE_COMPLETED) {
        drawn.add(event);
      }
    }
    return drawn;
  }

  @Test
  void pageOf2023HasTheCurveAddressesAndStacksOfTheSnapshot() throws IOException, FormatException {
    Snapshot page = read(new PlotPages(original).allocations(/* isOf2023= */ true));
    DeviceSnapshot read = page.devices().getFirst();
    assertThat(read.kind()).isEqualTo(RecordingKind.REQUEST_LOG);
    List<Integer> drawn = drawnEvents();
    assertThat(drawn).hasSizeGreaterThan(500);
    assertThat(read.trace().size()).isEqualTo(drawn.size());
    ActiveBytes active = ActiveBytes.of(read, Lifetimes.of(read));
    ActiveBytes truth = ActiveBytes.of(device, lifetimes);
    for (int event = 0; event < drawn.size(); event++) {
      int own = drawn.get(event);
      assertThat(active.at(event)).as("event %d", event).isEqualTo(truth.at(own));
      assertThat(read.trace().address(event)).isEqualTo(device.trace().address(own));
      assertThat(read.trace().bytes(event)).isEqualTo(device.trace().bytes(own));
      if (read.trace().action(event) == TraceAction.ALLOC) {
        assertThat(frames(page, read.trace().stack(event)))
            .isEqualTo(frames(original, device.trace().stack(own)));
      }
    }
    assertThat(active.peakBytes()).isEqualTo(truth.peakBytes());
    assertThat(Lifetimes.of(read).findings()).isEmpty();
    assertThat(page.findings()).extracting(Finding::code).containsExactly("plot-page");
  }

  @Test
  void blocksThatWereLiveBeforeKeepAddressSizeAndStack() throws IOException, FormatException {
    List<Block> live =
        device.segments().stream()
            .flatMap(segment -> segment.blocks().stream())
            .filter(block -> block.state() == BlockState.ALLOCATED)
            .toList();
    Snapshot withoutEvents =
        new Snapshot(
            original.origin(),
            original.settings(),
            List.of(new DeviceSnapshot(0, device.segments(), Trace.EMPTY, List.of())),
            original.stacks(),
            List.of());
    Snapshot page = read(new PlotPages(withoutEvents).allocations(/* isOf2023= */ true));
    List<Segment> segments = page.devices().getFirst().segments();
    assertThat(segments).hasSameSizeAs(live);
    for (int i = 0; i < live.size(); i++) {
      Block block = segments.get(i).blocks().getFirst();
      assertThat(block.address()).isEqualTo(live.get(i).address());
      assertThat(block.requestedBytes()).isEqualTo(live.get(i).requestedBytes());
      assertThat(frames(page, block.stack())).isEqualTo(frames(original, live.get(i).stack()));
    }
  }

  @Test
  void pageOf2022HasTheSameCurveWithoutAddresses() throws IOException, FormatException {
    Snapshot page = read(new PlotPages(original).allocations(/* isOf2023= */ false));
    DeviceSnapshot read = page.devices().getFirst();
    ActiveBytes active = ActiveBytes.of(read, Lifetimes.of(read));
    // Blocks that no event names are not in these pages.
    long unseen = 0;
    for (int row = 0; row < lifetimes.liveBeforeCount(); row++) {
      unseen += lifetimes.endEvent(row) == Lifetimes.NEVER ? lifetimes.bytes(row) : 0;
    }
    ActiveBytes truth = ActiveBytes.of(device, lifetimes);
    List<Integer> drawn = drawnEvents();
    for (int event = 0; event < drawn.size(); event++) {
      assertThat(active.at(event)).isEqualTo(truth.at(drawn.get(event)) - unseen);
    }
    assertThat(page.findings())
        .extracting(Finding::code)
        .containsExactly("plot-page", "plot-addresses");
  }

  @Test
  void segmentPlotIsTheSnapshotWithoutTimes() throws IOException, FormatException {
    Snapshot page = read(new PlotPages(original).segments());
    DeviceSnapshot read = page.devices().getFirst();
    assertThat(read.kind()).isEqualTo(RecordingKind.TRACE);
    Trace trace = device.trace();
    assertThat(read.trace().size()).isEqualTo(trace.size());
    for (int event = 0; event < trace.size(); event++) {
      assertThat(read.trace().action(event)).isEqualTo(trace.action(event));
      assertThat(read.trace().bytes(event)).isEqualTo(trace.bytes(event));
      assertThat(read.trace().stream(event)).isEqualTo(trace.stream(event));
      assertThat(frames(page, read.trace().stack(event)))
          .isEqualTo(frames(original, trace.stack(event)));
      if (trace.action(event) != TraceAction.OOM) {
        assertThat(read.trace().address(event)).isEqualTo(trace.address(event));
      }
    }
    assertThat(read.trace().ooms()).isEqualTo(trace.ooms());
    assertThat(read.segments()).hasSameSizeAs(device.segments());
    for (int i = 0; i < read.segments().size(); i++) {
      Segment own = device.segments().get(i);
      Segment other = read.segments().get(i);
      assertThat(other.address()).isEqualTo(own.address());
      assertThat(other.kind()).as("segment of %d bytes", own.bytes()).isEqualTo(own.kind());
      assertThat(blocks(other)).isEqualTo(blocks(own));
    }
    assertThat(page.findings()).extracting(Finding::code).containsExactly("plot-segments");
  }

  private static List<String> blocks(Segment segment) {
    return segment.blocks().stream()
        .map(
            block ->
                block.address()
                    + " "
                    + block.bytes()
                    + " "
                    + block.state()
                    + " "
                    + (block.isActive() ? block.requestedBytes() : 0))
        .toList();
  }

  @Test
  void profilePlotsAndNamesWithColonsAreRead() throws IOException, FormatException {
    Snapshot page =
        read(
            """
            let alloc_data = {"actions": [0, 1, 0], "elements_size": [100, 7], "elements_info":
            [3, null], "elements_category": [2, 0], "suffix_table": [[0, null], [1, 0], [2, 1],
            [3, 2]], "string_table": ["C:\\\\code\\\\a.py:12:run", "train.py(7): step",
            "nn.Module: Linear_0", "100.0B (100 bytes) allocation (input)"],
            "initially_allocated": [], "categories": ["unknown"]}
            main(alloc_data)
            """);
    Trace trace = page.devices().getFirst().trace();
    assertThat(page.stacks().framesOf(trace.stack(0)))
        .containsExactly(
            new Frame("nn.Module: Linear_0", "", 0),
            new Frame("step", "train.py", 7),
            new Frame("run", "C:\\code\\a.py", 12));
    assertThat(trace.action(2)).isEqualTo(TraceAction.FREE_COMPLETED);
  }

  @Test
  void whatCannotBeReadIsNamed() {
    String page =
        "let alloc_data = {\"actions\": [0], \"elements_size\": [512], \"elements_info\": [0],"
            + " \"suffix_table\": [[0, null]], \"string_table\": [\"%s\"],"
            + " \"initially_allocated\": []}";
    assertThatThrownBy(() -> read(page.formatted("s7f0000000000_0 512.0B allocation (512 bytes)")))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("drawn with plot_segments");
    assertThatThrownBy(() -> read(page.replace("[[0, null]]", "[[0, 0]]").formatted("x")))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("a row is followed by row 0");
    assertThatThrownBy(() -> read(page.replace("[512]", "[-1]").formatted("x")))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("-1 bytes");
    assertThatThrownBy(
            () -> read(page.replace("\"actions\": [0]", "\"actions\": [5]").formatted("x")))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("no element 5");
    assertThatThrownBy(() -> read("let alloc_data = {}"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("has no allocation");
  }

  @Test
  void everyTruncationAndMutationIsReadOrRefused() throws IOException {
    Snapshot small =
        new Snapshot(
            original.origin(),
            original.settings(),
            List.of(new DeviceSnapshot(0, device.segments().subList(0, 2), Trace.EMPTY, List.of())),
            original.stacks(),
            List.of());
    List<String> pages =
        List.of(
            new PlotPages(small).allocations(/* isOf2023= */ true),
            new PlotPages(small).segments());
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 3000; round++) {
      StringBuilder text = new StringBuilder(pages.get(round % 2));
      if (round < 600) {
        text.setLength(random.nextInt(text.length()));
      } else {
        for (int change = random.nextInt(1, 5); change > 0; change--) {
          text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(32, 127));
        }
      }
      try {
        assertThat(read(text.toString()).devices()).isNotEmpty();
      } catch (FormatException refused) {
        assertThat(refused.what()).isNotEmpty();
      }
    }
  }
}
