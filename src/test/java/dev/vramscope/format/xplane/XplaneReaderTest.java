package dev.vramscope.format.xplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedInputStream;
import dev.vramscope.TestData;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.xla.ProtobufFields;
import dev.vramscope.format.xla.XlaFiles;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Profiles of XProf, which the profilers of JAX and TensorFlow write. */
class XplaneReaderTest {
  private static final String ALLOCATOR = "GPU_0_bfc";

  private static Snapshot read(byte[] file) throws IOException, FormatException {
    return XplaneReader.read(new ByteArrayInputStream(file), ReadLimits.defaults());
  }

  private static byte[] real() throws IOException {
    return Files.readAllBytes(TestData.file("xla/tf_xplane_memory/vm.xplane.pb"));
  }

  /** The stats of the allocator's events as they are in the file, by time. */
  private static List<EventStats> stats(byte[] file) throws IOException, FormatException {
    TreeMap<Long, EventStats> byTime = new TreeMap<>();
    CodedInputStream in = CodedInputStream.newInstance(file);
    ProtobufFields fields = new ProtobufFields(in, "");
    fields.message(
        number -> {
          if (number != 1) {
            return false;
          }
          PlaneReader plane = new PlaneReader(in, fields, ReadLimits.defaults(), "");
          plane.read();
          plane.events(
              List.of("MemoryAllocation", "MemoryDeallocation"),
              (_, line, stats) -> byTime.put(line * 1000 + stats.offsetPicos(), stats));
          return true;
        });
    return new ArrayList<>(byTime.values());
  }

  /** The product's total after each event is the number that the allocator wrote beside it. */
  @Test
  void runningTotalsAreTheAllocatorsOwn() throws IOException, FormatException {
    Snapshot snapshot = read(real());
    DeviceSnapshot device = snapshot.devices().getFirst();
    List<EventStats> events = stats(real());
    ActiveBytes active = ActiveBytes.of(device, Lifetimes.of(device));
    assertThat(device.trace().size()).isEqualTo(events.size()).isGreaterThan(30);
    for (int event = 0; event < events.size(); event++) {
      assertThat(active.at(event))
          .as("event %d", event)
          .isEqualTo(events.get(event).number("bytes_allocated").orElseThrow());
    }
    assertThat(active.peakBytes())
        .isEqualTo(events.getLast().number("peak_bytes_in_use").orElseThrow());
    assertThat(device.kind()).isEqualTo(RecordingKind.REQUEST_LOG);
    assertThat(device.facts().limitBytes()).hasValue(256L << 20);
    assertThat(snapshot.findings().stream().map(Finding::code))
        .contains(FindingKind.BFC_EVENTS.code())
        .doesNotContain(FindingKind.BFC_EVENTS_DIFFER.code(), FindingKind.BFC_EVENTS_BEFORE.code());
  }

  @Test
  void sitesAreTheOperations() throws IOException, FormatException {
    Snapshot snapshot = read(real());
    StackTable stacks = snapshot.stacks();
    StackClasses classes = FrameRules.standard().classify(stacks);
    List<EventStats> events = stats(real());
    DeviceSnapshot device = snapshot.devices().getFirst();
    for (int event = 0; event < events.size(); event++) {
      String operation = events.get(event).text("tf_op");
      int stack = device.trace().stack(event);
      assertThat(stack == StackTable.NONE).isEqualTo(operation.isEmpty());
      if (stack != StackTable.NONE) {
        assertThat(stacks.frame(classes.siteOf(stack)).name()).isEqualTo(operation);
        assertThat(stacks.frame(stack).name()).isEqualTo("float" + events.get(event).text("shape"));
      }
    }
  }

  @Test
  void aProfileWithoutEventsOfAnAllocatorSaysWhatItIs() throws IOException {
    byte[] file = Files.readAllBytes(TestData.file("xla/jax_xplane_cpu/vm.xplane.pb"));
    assertThatThrownBy(() -> read(file))
        .isInstanceOfSatisfying(
            FormatException.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Reason.NOT_A_SNAPSHOT);
              assertThat(refused.what()).contains("XProf", "without events of an allocator");
              assertThat(refused.where()).contains("/host:CPU");
              assertThat(refused.next()).contains("GPU", "save_device_memory_profile");
              assertThat(refused.getMessage()).doesNotContain("PyTorch", "torch");
            });
  }

  private static byte[] small() {
    return new Xplanes("/host:CPU")
        .memory(1, 500, false, ALLOCATOR, 0x7000, 512, 512)
        .memory(2, 100, true, ALLOCATOR, 0x7000, 512, 256)
        .memory(1, 900, false, ALLOCATOR, 0x8000, 256, 768)
        .bytes();
  }

  /** The second line begins a second later, so its free is the last event. */
  @Test
  void eventsOfAllThreadsAreInTheOrderOfTime() throws IOException, FormatException {
    DeviceSnapshot device = read(small()).devices().getFirst();
    assertThat(List.of(0, 1, 2).stream().map(device.trace()::action))
        .containsExactly(TraceAction.ALLOC, TraceAction.ALLOC, TraceAction.FREE_REQUESTED);
    assertThat(device.trace().timeMicros(2)).isEqualTo(2_000_000);
    assertThat(device.trace().timeMicros(0)).isEqualTo(1_000_000);
  }

  @Test
  void whatWasInUseBeforeIsOnePartWithoutAddress() throws IOException, FormatException {
    byte[] file =
        new Xplanes("/host:CPU")
            .memory(1, 1, false, ALLOCATOR, 0x7000, 512, 4096 + 512)
            .memory(1, 2, true, ALLOCATOR, 0x3000, 1024, 3072 + 512)
            .bytes();
    Snapshot snapshot = read(file);
    DeviceSnapshot device = snapshot.devices().getFirst();
    Lifetimes lifetimes = Lifetimes.of(device);
    ActiveBytes active = ActiveBytes.of(device, lifetimes);
    assertThat(active.at(0)).isEqualTo(4608);
    assertThat(active.at(1)).isEqualTo(3584);
    assertThat(snapshot.findings().stream().map(Finding::message))
        .anyMatch(each -> each.contains("4,096 bytes were in use before the first event"));
  }

  @Test
  void totalsThatAreNotTheSumAreCounted() throws IOException, FormatException {
    byte[] file =
        new Xplanes("/host:CPU")
            .memory(1, 1, false, ALLOCATOR, 0x7000, 512, 512)
            .memory(1, 2, false, ALLOCATOR, 0x9000, 512, 2048)
            .memory(1, 3, false, ALLOCATOR, 0xb000, 512, 2560)
            .bytes();
    assertThat(read(file).findings().stream().map(Finding::message))
        .anyMatch(each -> each.matches(".*after 2 of 3 events.* by up to 1,024 bytes.*"));
  }

  @Test
  void eachAllocatorIsADevice() throws IOException, FormatException {
    byte[] file =
        new Xplanes("/host:CPU")
            .memory(1, 1, false, "GPU_1_bfc", 0x7000, 512, 512)
            .memory(1, 2, false, "gpu_host_bfc", 0x7000, 256, 256)
            .memory(1, 3, false, "GPU_0_bfc", 0x7000, 1024, 1024)
            .memory(2, 3, true, "GPU_1_bfc", 0x7000, 512, 0)
            .bytes();
    Snapshot snapshot = read(file);
    assertThat(snapshot.devices().stream().map(DeviceSnapshot::ordinal)).containsExactly(0, 1);
    assertThat(snapshot.pinnedHost()).isPresent();
    assertThat(snapshot.devices().getLast().trace().size()).isEqualTo(2);
    assertThat(snapshot.findings().getFirst().message())
        .contains("GPU_1_bfc (device 1)", "gpu_host_bfc (pinned host memory)");
  }

  /** Those of 2020 had none; a free is then that of the oldest chunk of its size. */
  @Test
  void eventsWithoutAddressesHaveRightSums() throws IOException, FormatException {
    byte[] file =
        new Xplanes("/host:CPU")
            .memory(1, 1, false, ALLOCATOR, 0, 512, 512)
            .memory(1, 2, false, ALLOCATOR, 0, 512, 1024)
            .memory(1, 3, true, ALLOCATOR, 0, 512, 512)
            .bytes();
    Snapshot snapshot = read(file);
    DeviceSnapshot device = snapshot.devices().getFirst();
    assertThat(ActiveBytes.of(device, Lifetimes.of(device)).atEnd()).isEqualTo(512);
    assertThat(snapshot.findings().stream().map(Finding::message))
        .anyMatch(each -> each.contains("the events have no addresses"));
  }

  @Test
  void everyTruncationIsRefusedOrReadWithItsEvents() throws IOException {
    byte[] file = small();
    for (int length = 1; length < file.length; length++) {
      byte[] cut = Arrays.copyOf(file, length);
      assertThatThrownBy(() -> read(cut))
          .as("%d bytes", length)
          .isInstanceOfSatisfying(
              FormatException.class, refused -> assertThat(refused.where()).isNotEmpty());
    }
  }

  @Test
  void damagedFilesAreRefusedOrRead() throws IOException {
    byte[] file = real();
    SplittableRandom random = new SplittableRandom(20);
    for (int i = 0; i < 3000; i++) {
      byte[] damaged = file.clone();
      for (int change = 0; change < 1 + i % 4; change++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        assertThat(read(damaged).devices()).isNotEmpty();
      } catch (FormatException refused) {
        assertThat(refused.what()).isNotEmpty();
      }
    }
  }

  private static byte[] plane(XlaFiles.Fields fields) {
    return XlaFiles.message(out -> out.writeByteArray(1, XlaFiles.message(fields)));
  }

  @Test
  void hostileLengthsAndNestingEnd() {
    byte[] longer =
        plane(
            out -> {
              out.writeString(2, "/host:CPU");
              out.writeTag(3, 2);
              out.writeUInt32NoTag(Integer.MAX_VALUE);
            });
    byte[] negative =
        plane(
            out -> {
              out.writeTag(3, 2);
              out.writeUInt64NoTag(-1L);
            });
    byte[] groups =
        plane(
            out -> {
              for (int i = 0; i < 100_000; i++) {
                out.writeTag(9, 3);
              }
            });
    byte[] wrongTypes =
        plane(
            out -> {
              out.writeInt64(2, 5);
              out.writeInt64(3, 5);
              out.writeFixed32(4, 5);
              out.writeDouble(5, 5);
            });
    for (byte[] file : List.of(longer, negative, groups, wrongTypes)) {
      assertThatThrownBy(() -> read(file)).isInstanceOf(FormatException.class);
    }
  }

  @Test
  void sizesThatNoDeviceHasAreRefused() {
    for (long bytes : new long[] {0, -5, 1L << 60}) {
      byte[] file =
          new Xplanes("/host:CPU").memory(1, 1, false, ALLOCATOR, 0x7000, bytes, 5).bytes();
      assertThatThrownBy(() -> read(file))
          .isInstanceOfSatisfying(
              FormatException.class,
              refused -> {
                assertThat(refused.what()).contains("sizes that no device has");
                assertThat(refused.where()).contains("event 1", "/host:CPU");
              });
    }
  }

  @Test
  void otherEventsWithManyStatsAreNotOfAnAllocator() throws IOException, FormatException {
    Map<String, Object> values =
        Map.of("a", 1, "b", 2, "c", 3, "d", "text of a kernel", "e", "ref:grid", "f", 9, "g", 0.5);
    byte[] file =
        new Xplanes("/device:GPU:0")
            .add(1, "MatMul", 5, values)
            .memory(1, 9, false, ALLOCATOR, 0x7000, 512, 512)
            .bytes();
    assertThat(read(file).devices().getFirst().trace().size()).isEqualTo(1);
  }
}
