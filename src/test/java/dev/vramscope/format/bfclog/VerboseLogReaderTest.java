package dev.vramscope.format.bfclog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.TestData;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Verbose logs of the BFC allocator of XLA and TensorFlow. */
class VerboseLogReaderTest {
  private static Snapshot read(String log) throws IOException, FormatException {
    return VerboseLogReader.read(
        new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)), ReadLimits.defaults());
  }

  private static DeviceSnapshot device(String log) throws IOException, FormatException {
    return read(log).devices().getFirst();
  }

  private static String file(String name) throws IOException {
    return Files.readString(TestData.file("xla/" + name));
  }

  private static JsonNode truth(String folder) throws IOException {
    return new JsonMapper().readTree(file(folder + "/truth.json"));
  }

  /** The requests of a device in the grammar of traces: each block has the next number. */
  static String trace(DeviceSnapshot device) {
    StringBuilder text = new StringBuilder();
    Map<Long, Integer> live = new HashMap<>();
    int next = 0;
    Trace trace = device.trace();
    for (int event = 0; event < trace.size(); event++) {
      switch (trace.action(event)) {
        case ALLOC -> {
          live.put(trace.address(event), next);
          text.append("malloc a").append(next++).append(' ').append(trace.bytes(event));
        }
        case FREE_REQUESTED -> text.append("free a").append(live.get(trace.address(event)));
        default -> {
          continue;
        }
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** What programs did; the other lines ask for the state. */
  private static String requests(String trace) {
    return trace
        .lines()
        .filter(line -> line.startsWith("malloc") || line.startsWith("free"))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  /** Region, in the order of acquisition, and offset of each request. */
  private static List<String> placements(DeviceSnapshot device) {
    List<String> placements = new ArrayList<>();
    List<long[]> regions = new ArrayList<>();
    Trace trace = device.trace();
    for (int event = 0; event < trace.size(); event++) {
      long address = trace.address(event);
      if (trace.action(event) == TraceAction.SEGMENT_ALLOC) {
        regions.add(new long[] {address, trace.bytes(event)});
      } else if (trace.action(event) == TraceAction.ALLOC) {
        for (int region = 0; region < regions.size(); region++) {
          long offset = address - regions.get(region)[0];
          if (offset >= 0 && offset < regions.get(region)[1]) {
            placements.add(trace.bytes(event) + " at " + region + " + " + offset);
          }
        }
      }
    }
    return placements;
  }

  private static List<String> truePlacements(String folder) throws IOException {
    List<String> placements = new ArrayList<>();
    for (JsonNode each : new JsonMapper().readTree(file(folder + "/real_placements.json"))) {
      placements.add(
          each.path(1).asLong()
              + " at "
              + each.path(2).path(0).asLong()
              + " + "
              + each.path(2).path(1).asLong());
    }
    return placements;
  }

  /** The allocator's own regions, requests, frees and places. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void aLogIsTheTraceOfTheRealAllocator(String name) throws IOException, FormatException {
    String folder = "bfc_truth_" + name;
    JsonNode truth = truth(folder);
    Snapshot snapshot = read(file(folder + "/" + truth.path("log").asString()));
    DeviceSnapshot device = snapshot.devices().getFirst();
    assertThat(trace(device)).isEqualTo(requests(file(folder + "/trace.txt")));
    assertThat(placements(device)).isEqualTo(truePlacements(folder));
    List<Long> regions = new ArrayList<>();
    truth.path("regions").forEach(region -> regions.add(region.asLong()));
    assertThat(regions(device)).isEqualTo(regions);
    assertThat(placements(device)).hasSize(truth.path("mallocs").asInt());
    assertThat(snapshot.findings().stream().map(Finding::code))
        .containsExactly(FindingKind.BFC_EVENTS.code());
    assertThat(device.kind()).isEqualTo(RecordingKind.TRACE);
    assertThat(device.facts().family()).isEqualTo(AllocatorFamily.BFC);
  }

  private static List<Long> regions(DeviceSnapshot device) {
    List<Long> regions = new ArrayList<>();
    for (int event = 0; event < device.trace().size(); event++) {
      if (device.trace().action(event) == TraceAction.SEGMENT_ALLOC) {
        regions.add(device.trace().bytes(event));
      }
    }
    return regions;
  }

  /** Level 3 is level 5 without the lines that have the addresses of frees. */
  private static String atLevel3(String log) {
    return log.lines()
        .filter(line -> !line.matches(".*\\] (\\[mem-debug\\]|Returning|Merging|[AF]: ).*"))
        .collect(Collectors.joining("\n"));
  }

  /** Without the addresses of frees, the sizes of all chunks agree with the allocator's peaks. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void freesWithoutAddressesAreFound(String name) throws IOException, FormatException {
    String folder = "bfc_truth_" + name;
    String log = file(folder + "/" + truth(folder).path("log").asString());
    Snapshot level3 = read(atLevel3(log));
    DeviceSnapshot device = level3.devices().getFirst();
    DeviceSnapshot whole = device(log);
    assertThat(device.trace().size()).isEqualTo(whole.trace().size());
    assertThat(placements(device)).isEqualTo(truePlacements(folder));
    assertThat(device.allocatedBytes()).isEqualTo(whole.allocatedBytes());
    int same = 0;
    for (int event = 0; event < whole.trace().size(); event++) {
      same += device.trace().address(event) == whole.trace().address(event) ? 1 : 0;
    }
    assertThat(same).isGreaterThan(whole.trace().size() * 9 / 10);
    assertThat(level3.findings().stream().map(Finding::message))
        .noneMatch(each -> each.contains("missing") || each.contains("new peaks"));
  }

  @Test
  void aRunThatEndsWithADumpHasItsFailure() throws IOException, FormatException {
    Snapshot snapshot = read(file("tf_vlog_trace_frag/tf_vfrag.log"));
    DeviceSnapshot device = snapshot.devices().getFirst();
    assertThat(device.trace().ooms()).hasSize(1);
    assertThat(device.trace().ooms().getFirst().requestedBytes()).isEqualTo(8 << 20);
    int failed = device.trace().ooms().getFirst().event();
    assertThat(snapshot.stacks().frame(device.trace().stack(failed)).name()).isEqualTo("AddV2");
    assertThat(device.facts().limitBytes()).hasValue(64 << 20);
    // Each chunk of the dump is one of the state that the lines before it lead to.
    assertThat(snapshot.findings().stream().map(Finding::code).distinct())
        .containsExactlyInAnyOrder(
            FindingKind.BFC_EVENTS.code(), FindingKind.BFC_EVENTS_DIFFER.code());
    assertThat(snapshot.findings().stream().map(Finding::message))
        .noneMatch(each -> each.contains("chunks of the dump") || each.contains("missing"))
        .anyMatch(each -> each.contains("do not say which block they free"));
    assertThat(device.segments()).hasSize(5);
    assertThat(device.reservedBytes()).isEqualTo(64 << 20);
  }

  private static final String HEAD =
      "2026-01-02 03:04:05.000006: I external/xla/tsl/framework/bfc_allocator.cc:281] ";

  private static String log(String... messages) {
    return Arrays.stream(messages).map(each -> HEAD + each + "\n").collect(Collectors.joining());
  }

  private static final String REGION =
      "Extending allocation by 2.00MiB bytes for GPU_1_bfc.\n"
          + HEAD
          + "Allocated memory at 0x7f0000000000 to 0x7f0000200000";

  private static List<String> blocks(DeviceSnapshot device) {
    return device.segments().stream()
        .map(Segment::blocks)
        .flatMap(List::stream)
        .map(
            block ->
                block.bytes()
                    + (block.state() == BlockState.ALLOCATED
                        ? " used " + block.requestedBytes()
                        : " free"))
        .toList();
  }

  @Test
  void chunksFollowTheRulesOfTheAllocator() throws IOException, FormatException {
    DeviceSnapshot device =
        device(
            log(
                "AllocateRaw GPU_1_bfc  700000",
                REGION,
                "AllocateRaw GPU_1_bfc  700000 0x7f0000000000",
                "AllocateRaw GPU_1_bfc 1300000 alignment=256",
                "AllocateRaw GPU_1_bfc  1300000 0x7f00000aaf00"));
    assertThat(device.ordinal()).isEqualTo(1);
    assertThat(blocks(device)).containsExactly("700160 used 700000", "1396992 used 1300000");
    assertThat(device.trace().timeMicros(0)).isEqualTo(1_767_323_045_000_006L);
  }

  /** Whoever could do without the memory has not failed. */
  @Test
  void aRequestThatMayFailIsNoFailure() throws IOException, FormatException {
    DeviceSnapshot device =
        device(
            log(
                REGION,
                "AllocateRaw GPU_1_bfc  256 0x7f0000000000",
                "AllocateRaw GPU_1_bfc  99999999",
                "Allocator (GPU_1_bfc) ran out of memory trying to allocate 95.37MiB with"
                    + " freed_by_count=0. The caller indicates that this is not a failure, but",
                "AllocateRaw GPU_1_bfc  99999999 0",
                "AllocateRaw GPU_1_bfc  88888888",
                "AllocateRaw GPU_1_bfc  88888888 (nil)"));
    assertThat(device.trace().ooms()).hasSize(1);
    assertThat(device.trace().ooms().getFirst().requestedBytes())
        .isEqualTo(88888888 / 256 * 256 + 256);
  }

  @Test
  void severalAllocatorsAreDevices() throws IOException, FormatException {
    Snapshot snapshot =
        read(
            log(
                REGION,
                "AllocateRaw gpu_host_bfc  16 0x100000",
                "AllocateRaw GPU_1_bfc  256 0x7f0000000000",
                "DeallocateRaw gpu_host_bfc 16",
                "AllocateRaw cpu_bfc  16 0x200000",
                "DeallocateRaw GPU_1_bfc 256"));
    assertThat(snapshot.devices().stream().map(DeviceSnapshot::ordinal)).containsExactly(0, 1);
    assertThat(snapshot.pinnedHost()).isPresent();
    assertThat(snapshot.devices().getLast().trace().size()).isEqualTo(3);
    assertThat(snapshot.devices().getFirst().kind()).isEqualTo(RecordingKind.REQUEST_LOG);
    assertThat(snapshot.findings().stream().map(Finding::message))
        .anyMatch(each -> each.contains("does not have all regions of the pool"));
  }

  /** Before 2022, a request was written when it began, at level 1. */
  @Test
  void requestsOfOlderReleasesHaveAddressesAtLevel4() throws IOException, FormatException {
    String[] messages = {
      "AllocateRaw GPU_0_bfc  1000",
      "Extending allocation by 2.00MiB bytes.",
      "Allocated memory at 0x7f0000000000 to 0x7f0000200000",
      "Returning: 0x7f0000000000",
      "AllocateRaw GPU_0_bfc  1000",
      "Returning: 0x7f0000000400",
      "DeallocateRaw GPU_0_bfc 1000",
      "AllocateRaw GPU_0_bfc  9999999",
      "Allocator (GPU_0_bfc) ran out of memory trying to allocate 9.54MiB (rounded to"
          + " 10000128)requested by op conv"
    };
    DeviceSnapshot device = device(log(messages));
    assertThat(blocks(device)).hasSize(3).contains("1024 used 1000");
    assertThat(device.trace().ooms()).hasSize(1);
    String[] withoutAddresses =
        Arrays.stream(messages).filter(each -> !each.contains("0x")).toArray(String[]::new);
    Snapshot level1 = read(log(withoutAddresses));
    assertThat(level1.devices().getFirst().kind()).isEqualTo(RecordingKind.REQUEST_LOG);
    assertThat(level1.devices().getFirst().trace().size()).isEqualTo(4);
    assertThat(level1.findings().stream().map(Finding::message))
        .anyMatch(each -> each.contains("the log has no addresses"));
  }

  @Test
  void stacksFollowTheirLine() throws IOException, FormatException {
    String log =
        log(
                REGION,
                "AllocateRaw GPU_1_bfc  256 0x7f0000000000",
                "[mem-debug] AllocateRaw,GPU_1_bfc,256,0x7f0000000000,*** Begin stack trace ***")
            + "\ttsl::CurrentStackTrace[abi:cxx11]()\n\ttsl::BFCAllocator::AllocateRaw\n\tmain\n"
            + "*** End stack trace ***\n";
    Snapshot snapshot = read(log);
    int stack = snapshot.devices().getFirst().trace().stack(1);
    assertThat(snapshot.stacks().framesOf(stack).stream().map(frame -> frame.name()))
        .containsExactly("tsl::BFCAllocator::AllocateRaw", "main");
  }

  @Test
  void releasedRegionsAreGone() throws IOException, FormatException {
    DeviceSnapshot device =
        device(
            log(
                REGION,
                "AllocateRaw GPU_1_bfc  256 0x7f0000000000",
                "DeallocateRaw GPU_1_bfc 256",
                "Deallocate region with ptr = 0x7f0000000000",
                "Extending allocation by 4.00MiB bytes for GPU_1_bfc.",
                "Allocated memory at 0x7f0000000000 to 0x7f0000400000",
                "AllocateRaw GPU_1_bfc  3000000 0x7f0000000000"));
    assertThat(device.reservedBytes()).isEqualTo(4 << 20);
    assertThat(device.trace().action(3)).isEqualTo(TraceAction.SEGMENT_FREE);
  }

  @Test
  void aLogWithoutRequestsIsALog() {
    assertThatThrownBy(() -> read(log("Creating new BFCAllocator named: GPU_0_bfc", REGION)))
        .isInstanceOfSatisfying(
            FormatException.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Reason.TEXT);
              assertThat(refused.next()).contains("TF_CPP_VMODULE=bfc_allocator=4");
            });
  }

  @Test
  void damagedLogsAreReadOrRefused() throws IOException {
    byte[] log = file("tf_vlog_trace_frag/tf_vfrag.log").getBytes(StandardCharsets.UTF_8);
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = Arrays.copyOf(log, log.length - random.nextInt(log.length / 2));
      for (int change = 0; change < 40; change++) {
        damaged[random.nextInt(damaged.length)] = (byte) (' ' + random.nextInt(95));
      }
      try {
        Snapshot snapshot = read(new String(damaged, StandardCharsets.UTF_8));
        for (DeviceSnapshot device : snapshot.devices()) {
          for (Segment segment : device.segments()) {
            assertThat(segment.blocks().stream().mapToLong(Block::bytes).sum())
                .isEqualTo(segment.bytes());
          }
        }
      } catch (FormatException refused) {
        assertThat(refused.reason()).isEqualTo(Reason.TEXT);
      }
    }
  }
}
