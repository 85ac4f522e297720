package dev.vramscope.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.NeedsThirdPartyFiles;
import dev.vramscope.TestData;
import dev.vramscope.ThirdPartyFiles;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.HighWaterMark;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.summary.MemorySummary;
import dev.vramscope.analysis.summary.SummaryTable;
import dev.vramscope.analysis.timeline.ActiveTimeline;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Snapshot;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Analyses of snapshots recorded by real training programs. */
class RealFilesTest {
  private static final String FOLDER = "snapshots/torch";
  private static final long MIB = 1 << 20;

  private static Snapshot read(Path file) {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return TorchPickleReader.read(in, ReadLimits.defaults());
    } catch (IOException | FormatException exception) {
      throw new AssertionError(file + " was rejected", exception);
    }
  }

  private static DeviceSnapshot device(String nameContains) {
    Path file =
        ThirdPartyFiles.files(FOLDER).stream()
            .filter(path -> path.getFileName().toString().contains(nameContains))
            .findFirst()
            .orElseThrow();
    return read(file).devices().getFirst();
  }

  private static HighWaterMark peak(DeviceSnapshot device, Lifetimes lifetimes) {
    return HighWaterMark.of(lifetimes, ActiveBytes.of(device, lifetimes));
  }

  @Test
  @NeedsThirdPartyFiles
  void peakIncludesMemoryFromBeforeTheRecording() {
    DeviceSnapshot device = device("xl_ctx512_full_step_bf16");
    Lifetimes lifetimes = Lifetimes.of(device);
    HighWaterMark mark = peak(device, lifetimes);
    // Requested sizes; an independent count of the pickle in Python gives the same numbers.
    assertThat(ActiveBytes.of(device, lifetimes).baselineBytes() / MIB).isEqualTo(52_000);
    assertThat(mark.bytes() / MIB).isEqualTo(65_035);
    assertThat(mark.recordedOnlyBytes() / MIB)
        .as("25.4 GiB from the events alone")
        .isEqualTo(26_030);
    assertThat(mark.liveBeforeBytes() / MIB).as("38.1 GiB").isEqualTo(39_004);
    // Block sizes, including unsplit remainders of blocks in the final state: 63.7 GiB.
    assertThat(mark.allocatedBytes(lifetimes, SizeRules.DEFAULT) / MIB).isEqualTo(65_246);
  }

  @Test
  @NeedsThirdPartyFiles
  void peakIncludesAllocationsThatAreFreedLater() {
    DeviceSnapshot device = device("medium_512_training");
    Lifetimes lifetimes = Lifetimes.of(device);
    HighWaterMark mark = peak(device, lifetimes);
    // Counting only allocations that are live during the whole trace would give 8.42 GiB.
    assertThat(mark.allocatedBytes(lifetimes, SizeRules.DEFAULT) / (10 * MIB)).isEqualTo(1185);
    assertThat(mark.bytes()).isBetween(11_840 * MIB, 11_860 * MIB);
  }

  @TestFactory
  Stream<DynamicTest> ownSnapshotsSatisfyTheInvariants() {
    return checks(TestData.snapshots());
  }

  @TestFactory
  @NeedsThirdPartyFiles
  Stream<DynamicTest> realSnapshotsSatisfyTheInvariants() {
    return checks(ThirdPartyFiles.files(FOLDER));
  }

  private static Stream<DynamicTest> checks(List<Path> files) {
    return files.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(), () -> checkInvariants(read(file))));
  }

  private static void checkInvariants(Snapshot snapshot) {
    SizeRules sizes = SizeRules.of(snapshot.settings());
    StackClasses stacks = FrameRules.standard().classify(snapshot.stacks());
    for (DeviceSnapshot device : snapshot.devices()) {
      Lifetimes lifetimes = Lifetimes.of(device);
      ActiveBytes active = ActiveBytes.of(device, lifetimes);
      boolean isWhole = lifetimes.findings().isEmpty();
      if (isWhole) {
        checkFinalState(device, lifetimes, active, sizes);
      }
      Ledger ledger = Ledger.of(AllocatorState.end(device), sizes, Ledger.DeviceMemory.UNKNOWN);
      assertThat(ledger.reservedBytes())
          .isEqualTo(device.segments().stream().mapToLong(Segment::bytes).sum());
      Sites sites = DeviceSites.of(device, stacks);
      assertThat(sites.liveBytes()).isEqualTo(active.atEnd());
      assertThat(sites.peakBytes()).isEqualTo(active.peakBytes());
      MemorySummary summary = MemorySummary.of(snapshot, device, lifetimes, active);
      assertThat(new SummaryTable(summary.device(), summary.counters()).full().lines())
          .allSatisfy(line -> assertThat(line).hasSize(77));
      checkPicture(active, ActiveTimeline.of(lifetimes, active, all(active), 1200, 600));
    }
  }

  private static EventWindow all(ActiveBytes active) {
    return new EventWindow(0, active.eventCount());
  }

  private static void checkFinalState(
      DeviceSnapshot device, Lifetimes lifetimes, ActiveBytes active, SizeRules sizes) {
    List<Block> live =
        device.segments().stream()
            .flatMap(segment -> segment.blocks().stream())
            .filter(Block::isActive)
            .toList();
    long bytes = 0;
    for (Block block : live) {
      bytes += block.requestedBytes() == Block.UNKNOWN ? block.bytes() : block.requestedBytes();
    }
    assertThat(active.atEnd()).as("the trace leads to the final blocks").isEqualTo(bytes);
    AllocatorState reconstructed =
        AllocatorState.at(device, lifetimes, sizes, device.trace().size() - 1);
    assertThat(reconstructed.findings()).isEmpty();
    assertThat(reconstructed.segments().stream().map(RealFilesTest::outline).toList())
        .isEqualTo(device.segments().stream().map(RealFilesTest::outline).toList());
    AllocatorState start = AllocatorState.at(device, lifetimes, sizes, Lifetimes.BEFORE_RECORDING);
    assertThat(start.findings()).isEmpty();
    if (active.isReservedKnown()) {
      assertThat(start.reservedBytes()).isEqualTo(active.reservedAt(Lifetimes.BEFORE_RECORDING));
    }
  }

  /** The properties of a segment's blocks that can be reconstructed from the trace. */
  private static List<String> outline(Segment segment) {
    return segment.blocks().stream()
        .map(
            block ->
                block.address()
                    + " "
                    + block.bytes()
                    + " "
                    + block.state()
                    + (block.state() == BlockState.INACTIVE ? "" : " " + block.requestedBytes()))
        .toList();
  }

  private static void checkPicture(ActiveBytes active, ActiveTimeline picture) {
    long[] height = new long[picture.width() + 1];
    for (int i = 0; i < picture.rectangleCount(); i++) {
      for (int column = picture.column0(i); column < picture.column1(i); column++) {
        height[column] += picture.bytes(i);
      }
    }
    long highest = 0;
    for (int column = 0; column < picture.width(); column++) {
      assertThat(height[column] + picture.rest(column)).isEqualTo(picture.activeMax(column));
      highest = Math.max(highest, picture.activeMax(column));
    }
    if (active.peakEvent() >= 0) {
      assertThat(highest).as("no peak is missed").isEqualTo(active.peakBytes());
    }
  }
}
