package dev.vramscope.format.torch;

import static dev.vramscope.format.torch.SampleSnapshots.BASE;
import static dev.vramscope.format.torch.SampleSnapshots.LIMITS;
import static dev.vramscope.format.torch.SampleSnapshots.dict;
import static dev.vramscope.format.torch.SampleSnapshots.event;
import static dev.vramscope.format.torch.SampleSnapshots.segment;
import static dev.vramscope.format.torch.SampleSnapshots.snapshot;
import static dev.vramscope.format.torch.SampleSnapshots.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.vramscope.NeedsThirdPartyFiles;
import dev.vramscope.TestData;
import dev.vramscope.ThirdPartyFiles;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.finding.Finding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TorchJsonReaderTest {
  @TestFactory
  Stream<DynamicTest> ownFilesHaveSameContentsAsJson() {
    return comparisons(TestData.snapshots());
  }

  @TestFactory
  @NeedsThirdPartyFiles
  Stream<DynamicTest> realFilesHaveSameContentsAsJson() {
    return comparisons(
        ThirdPartyFiles.files("snapshots/torch").stream()
            .filter(file -> file.toFile().length() < 500_000)
            .toList());
  }

  private static Stream<DynamicTest> comparisons(List<Path> files) {
    return files.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(), () -> compareVariants(file)));
  }

  private static void compareVariants(Path file) throws Exception {
    byte[] pickle = Files.readAllBytes(file);
    Snapshot json = read(JsonText.of(PlainUnpickler.load(pickle)));
    assertThat(SnapshotContents.of(json))
        .isEqualTo(SnapshotContents.of(SampleSnapshots.read(pickle)));
    assertThat(json.origin().format()).isEqualTo("PyTorch snapshot (JSON)");
  }

  @Test
  void handWrittenSnapshotHasSameContentsAsJson() throws Exception {
    assertThat(SnapshotContents.of(read(JsonText.of(snapshot()))))
        .isEqualTo(SnapshotContents.of(SampleSnapshots.read(snapshot())));
    assertThat(SnapshotContents.of(read(JsonText.of(List.of(segment(BASE))))))
        .isEqualTo(SnapshotContents.of(SampleSnapshots.read(List.of(segment(BASE)))));
  }

  @Test
  void readsTraceInSeveralBatches() throws Exception {
    List<Object> events = new ArrayList<>();
    for (int i = 0; i < 3_456; i++) {
      events.add(event("alloc", BASE + i, i, i));
    }
    Snapshot read =
        read(JsonText.of(with(snapshot(), "device_traces", List.of(List.of(), events))));
    assertThat(read.device(1).orElseThrow().trace().size()).isEqualTo(3_456);
    assertThat(read.device(1).orElseThrow().trace().bytes(3_455)).isEqualTo(3_455);
  }

  @Test
  void readsUnusualValues() throws Exception {
    Snapshot read =
        read(
            JsonText.of(
                dict(
                    "segments",
                        List.of(
                            with(
                                with(
                                    segment(BASE),
                                    "address",
                                    new BigInteger("18446744073705357312")),
                                "blocks",
                                List.of())),
                    "device_traces",
                        List.of(List.of(with(event("x", 1, 1, 1), "user_metadata", "\uD800\"é"))),
                    "allocator_settings", dict("a", Double.NaN, "b", 0.1, "c", null))));
    assertThat(read.devices().getFirst().segments().getFirst().address()).isEqualTo(-4194304);
    assertThat(read.settings().orElseThrow().values())
        .containsEntry("a", "NaN")
        .containsEntry("b", "0.1")
        .doesNotContainKey("c");
    assertThat(read.devices().getFirst().trace().userMetadata().of(0)).isEqualTo("\uD800\"é");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{\"segments\": [{\"address\": -1}]};MALFORMED;-1 is negative;segments[0].address",
        "{\"segments\": [{\"address\": 1, \"total_size\": 1.5}]};MALFORMED;found a"
            + " float;segments[0].total_size",
        "{\"segments\": [{\"address\": 18446744073709551616}]};MALFORMED;20 digits;byte",
        "{\"segments\": [{\"address\": -9223372036854775809}]};MALFORMED;20 digits;byte",
        "{\"segments\": {\"a\": 1}};MALFORMED;found a dict;snapshot.segments",
        "{\"device_traces\": [[{\"addr\": 1}]]};MALFORMED;missing;device_traces[0][0].action",
        "{\"device_traces\": [[7]]};MALFORMED;expected an event, found an"
            + " integer;device_traces[0][0]",
        "{\"device_traces\": [7]};MALFORMED;expected a list of events;device_traces[0]",
        "{\"a\": 1};NOT_A_SNAPSHOT;a dict without segments;top level",
        "7;NOT_A_SNAPSHOT;an integer without segments;top level",
        "{\"segments\": [;TRUNCATED;;byte",
        "[1 2];MALFORMED;;byte",
      })
  void rejectsMalformedJsonWithLocation(String json, Reason reason, String what, String where) {
    FormatException rejected = rejection(json);
    assertThat(rejected.reason()).isEqualTo(reason);
    assertThat(rejected.what()).contains(what == null ? "" : what);
    assertThat(rejected.where()).contains(where);
  }

  @Test
  void limitsNestingDepthAndNumberLength() throws Exception {
    FormatException deep = rejection(text("hostile/h68_json_deep.json"));
    assertThat(deep.what()).containsIgnoringCase("nest");
    FormatException digits = rejection(text("hostile/h69_json_big_number.json"));
    assertThat(digits.where()).startsWith("byte ");
    assertThat(digits.reason()).isIn(Reason.TOO_LARGE, Reason.MALFORMED, Reason.NOT_A_SNAPSHOT);
    assertThat(rejection("[" + "9".repeat(200_000) + "]").what()).contains("length");
  }

  @Test
  void countsTrailingBytes() throws Exception {
    assertThat(read("{\"segments\": []} \n").findings()).isEmpty();
    assertThat(read("{\"segments\": []} {\"x\": ").findings())
        .extracting(Finding::code, Finding::count)
        .containsExactly(tuple("trailing-bytes", 5L));
    assertThat(read("{\"segments\": []}" + "x".repeat(100_000)).findings().getFirst().count())
        .isEqualTo(100_000);
  }

  @Test
  void propagatesIoExceptionOfStream() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("connection reset");
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            return read();
          }
        };
    assertThat(catchThrowableOfType(IOException.class, () -> TorchJsonReader.read(broken, LIMITS)))
        .hasMessage("connection reset");
  }

  private static String text(String path) throws IOException {
    return Files.readString(TestData.file(path));
  }

  private static Snapshot read(String json) throws FormatException, IOException {
    return TorchJsonReader.read(
        new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), LIMITS);
  }

  private static FormatException rejection(String json) {
    return catchThrowableOfType(FormatException.class, () -> read(json));
  }
}
