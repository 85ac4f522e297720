package dev.vramscope.format.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.NeedsThirdPartyFiles;
import dev.vramscope.TestData;
import dev.vramscope.ThirdPartyFiles;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchHtmlReader;
import dev.vramscope.format.torch.TorchJsonReader;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.TextColumn;
import dev.vramscope.model.Trace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Reading, writing and reading PyTorch's files again gives the same model. */
class TorchRoundTripTest {
  @TestFactory
  Stream<DynamicTest> ownSnapshotsSurviveRoundTrip() {
    return roundTrips(TestData.snapshots());
  }

  /** Files with contradictory, missing and unknown data, of every release. */
  @TestFactory
  Stream<DynamicTest> hostileSnapshotsSurviveRoundTrip() {
    return roundTrips(
        TestData.files("hostile").stream().filter(TorchRoundTripTest::isSnapshot).toList());
  }

  private static boolean isSnapshot(Path file) {
    try {
      read(Files.readAllBytes(file));
      return true;
    } catch (FormatException | IOException rejected) {
      return false;
    }
  }

  @Test
  void jsonAndHtmlSurviveRoundTrip() throws IOException, FormatException {
    String json =
        """
        {"segments": [{"device": 1, "address": 4096, "total_size": 2097152, "stream": 7,
          "segment_type": "small", "blocks": [
            {"address": 4096, "size": 512, "state": "active_allocated"},
            {"address": 4608, "size": 512, "requested_size": 400, "state": "inactive"}]}],
         "device_traces": [[], [
            {"action": "alloc", "addr": 4096, "size": 300, "stream": 7, "time_us": 1700000000000001},
            {"action": "oom", "size": 9000, "stream": 7, "time_us": 1700000000000000}]],
         "unknown": 3}
        """;
    Snapshot fromJson =
        TorchJsonReader.read(
            new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), ReadLimits.defaults());
    assertThat(fromJson.findings()).isNotEmpty();
    assertRoundTrip(fromJson);

    byte[] pickle = Files.readAllBytes(TestData.snapshots().getFirst());
    String page =
        "<html><script>init([{\"name\": \"a\", \"base64\": \""
            + Base64.getEncoder().encodeToString(pickle)
            + "\"}])</script></html>";
    Snapshot fromHtml =
        TorchHtmlReader.read(
            new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)), ReadLimits.defaults());
    assertRoundTrip(fromHtml);
  }

  @TestFactory
  @NeedsThirdPartyFiles
  Stream<DynamicTest> realSnapshotsSurviveRoundTrip() {
    return roundTrips(ThirdPartyFiles.files("snapshots/torch"));
  }

  private static Stream<DynamicTest> roundTrips(List<Path> files) {
    return files.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(), () -> assertRoundTrip(file)));
  }

  private static void assertRoundTrip(Path file) throws IOException, FormatException {
    byte[] written = assertRoundTrip(read(Files.readAllBytes(file)));
    assertThat(written).hasSizeLessThanOrEqualTo((int) (1.1 * Files.size(file)) + 4096);
  }

  private static byte[] assertRoundTrip(Snapshot original) throws IOException, FormatException {
    byte[] written = write(original);
    Snapshot again = read(written);
    assertThat(again.origin().producer()).isEqualTo(original.origin().producer());
    assertThat(again.origin().captureMicros()).isEqualTo(original.origin().captureMicros());
    assertThat(again.findings()).containsExactlyInAnyOrderElementsOf(original.findings());
    assertThat(again.settings()).isEqualTo(original.settings());
    assertThat(again.parts()).hasSameSizeAs(original.parts());
    StackPairs stacks = new StackPairs(original.stacks(), again.stacks());
    for (int i = 0; i < original.parts().size(); i++) {
      DeviceSnapshot before = original.parts().get(i);
      DeviceSnapshot after = again.parts().get(i);
      assertThat(after.ordinal()).isEqualTo(before.ordinal());
      assertThat(after.annotations()).isEqualTo(before.annotations());
      assertThat(after.facts()).isEqualTo(before.facts());
      assertSameSegments(before.segments(), after.segments(), stacks);
      assertSameTrace(before.trace(), after.trace(), stacks);
    }
    // Fewer if the original has unreferenced stacks, such as those of past allocations.
    assertThat(again.stacks().nodeCount()).isLessThanOrEqualTo(original.stacks().nodeCount());
    assertThat(write(again)).isEqualTo(write(read(write(again))));
    return written;
  }

  private static byte[] write(Snapshot snapshot) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TorchPickleWriter.write(snapshot, out);
    return out.toByteArray();
  }

  private static void assertSameSegments(
      List<Segment> before, List<Segment> after, StackPairs stacks) {
    assertThat(after).hasSameSizeAs(before);
    for (int i = 0; i < before.size(); i++) {
      Segment expected = before.get(i);
      Segment found = after.get(i);
      stacks.assertSame(expected.stack(), found.stack());
      assertThat(withoutStacks(found)).isEqualTo(withoutStacks(expected));
      for (int b = 0; b < expected.blocks().size(); b++) {
        stacks.assertSame(expected.blocks().get(b).stack(), found.blocks().get(b).stack());
      }
    }
  }

  private static Segment withoutStacks(Segment segment) {
    List<Block> blocks =
        segment.blocks().stream()
            .map(
                block ->
                    new Block(
                        block.address(), block.bytes(), block.requestedBytes(), block.state(), 0))
            .toList();
    return new Segment(
        segment.address(),
        segment.bytes(),
        segment.stream(),
        segment.kind(),
        segment.pool(),
        segment.expandable(),
        0,
        blocks);
  }

  private static void assertSameTrace(Trace before, Trace after, StackPairs stacks) {
    assertThat(after.size()).isEqualTo(before.size());
    for (int event = 0; event < before.size(); event++) {
      assertThat(after.action(event)).isEqualTo(before.action(event));
      assertThat(after.address(event)).isEqualTo(before.address(event));
      assertThat(after.bytes(event)).isEqualTo(before.bytes(event));
      assertThat(after.stream(event)).isEqualTo(before.stream(event));
      assertThat(after.timeMicros(event)).isEqualTo(before.timeMicros(event));
      assertThat(after.pool(event)).isEqualTo(before.pool(event));
      stacks.assertSame(before.stack(event), after.stack(event));
    }
    assertThat(after.ooms()).isEqualTo(before.ooms());
    assertThat(texts(after.userMetadata())).isEqualTo(texts(before.userMetadata()));
    assertThat(texts(after.compileContexts())).isEqualTo(texts(before.compileContexts()));
    assertThat(texts(after.otherActions())).isEqualTo(texts(before.otherActions()));
  }

  private static Map<Integer, String> texts(TextColumn column) {
    Map<Integer, String> texts = new HashMap<>();
    for (int i = 0; i < column.count(); i++) {
      texts.put(column.row(i), column.text(i));
    }
    return texts;
  }

  private static Snapshot read(byte[] pickle) throws IOException, FormatException {
    return TorchPickleReader.read(new ByteArrayInputStream(pickle), ReadLimits.defaults());
  }

  /** Compares the stacks of two tables, which may number them differently. */
  private static final class StackPairs {
    private final StackTable before;
    private final StackTable after;
    private final Map<Integer, Integer> pairs = new HashMap<>();

    StackPairs(StackTable before, StackTable after) {
      this.before = before;
      this.after = after;
    }

    void assertSame(int expected, int found) {
      Integer paired = pairs.putIfAbsent(expected, found);
      if (paired == null) {
        assertThat(after.framesOf(found)).isEqualTo(before.framesOf(expected));
      } else {
        assertThat(found).isEqualTo((int) paired);
      }
    }
  }
}
