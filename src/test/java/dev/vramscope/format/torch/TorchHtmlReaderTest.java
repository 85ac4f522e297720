package dev.vramscope.format.torch;

import static dev.vramscope.format.torch.SampleSnapshots.LIMITS;
import static dev.vramscope.format.torch.SampleSnapshots.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.pickle.PickleWriter;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.finding.Finding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class TorchHtmlReaderTest {
  private static final byte[] PICKLE = PickleWriter.python(snapshot(), 4);

  @Test
  void readsEmbeddedPickle() throws Exception {
    // _memory_viz pads with NUL bytes to a multiple of three, so that no "=" is needed.
    for (int padding = 0; padding < 4; padding++) {
      Snapshot read = read(page(file(Arrays.copyOf(PICKLE, PICKLE.length + padding))));
      assertThat(SnapshotContents.of(read))
          .isEqualTo(SnapshotContents.of(SampleSnapshots.read(PICKLE)));
      assertThat(read.origin().format())
          .isEqualTo("PyTorch snapshot (HTML page, pickle protocol 4)");
    }
  }

  @Test
  void readsFirstOfSeveralFilesAndCountsOthers() throws Exception {
    Snapshot read = read(page(file(PICKLE) + ", " + file(PICKLE) + ", " + file(new byte[9])));
    assertThat(read.findings()).extracting(Finding::code).containsExactly("more-snapshots");
    assertThat(read.findings().getFirst().count()).isEqualTo(2);
  }

  @Test
  void findsKeyAcrossWindowBoundary() throws Exception {
    for (int shift = 0; shift < 40; shift++) {
      String filler = "\"base6".repeat(10_920) + " ".repeat(shift);
      assertThat(read(filler + page(file(PICKLE))).devices()).hasSize(1);
    }
  }

  @Test
  void rejectsPageWithoutFile() {
    FormatException rejected =
        rejection("<html>\"base64\" is a word, \"base64\", \"base64\": 7</html>");
    assertThat(rejected.reason()).isEqualTo(Reason.NOT_A_SNAPSHOT);
    assertThat(rejected.what()).contains("without an embedded snapshot");
  }

  @Test
  void rejectsPageThatEndsInsideFile() {
    String page = page(file(PICKLE));
    int cut = page.indexOf("base64") + 60;
    FormatException rejected = rejection(page.substring(0, cut));
    assertThat(rejected.reason()).isEqualTo(Reason.TRUNCATED);
    assertThat(rejected.where()).isEqualTo("byte " + cut + " of the page");
  }

  @Test
  void rejectsInvalidBase64() {
    FormatException rejected = rejection("{\"base64\": \"gAR9\u00e9\"}");
    assertThat(rejected.reason()).isEqualTo(Reason.MALFORMED);
    assertThat(rejected.where()).isEqualTo("byte 16 of the page");
  }

  @Test
  void locationHasOffsetAndEmbeddedPickle() {
    FormatException rejected = rejection(page(file(PickleWriter.raw(0x80, 4, "cos\nsystem\n."))));
    assertThat(rejected.reason()).isEqualTo(Reason.FORBIDDEN_OPCODE);
    assertThat(rejected.where()).isEqualTo("byte 2, in the page's embedded pickle");
  }

  @Test
  void rejectsPageAboveSizeLimit() {
    FormatException rejected =
        catchThrowableOfType(
            FormatException.class,
            () ->
                TorchHtmlReader.read(
                    new ByteArrayInputStream(new byte[200_000]), LIMITS.withMaxBytes(100_000)));
    assertThat(rejected.reason()).isEqualTo(Reason.TOO_LARGE);
  }

  private static String file(byte[] content) {
    return "{\"name\": \"snapshot.pickle\", \"base64\": \""
        + Base64.getEncoder().encodeToString(content)
        + "\"}";
  }

  private static String page(String files) {
    return "<!DOCTYPE html><html><body><script type=\"module\">const local_files = ["
        + files
        + "]\nadd_local_files(local_files, 'Active Memory Timeline')</script></body></html>";
  }

  private static Snapshot read(String page) throws FormatException, IOException {
    return TorchHtmlReader.read(
        new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)), LIMITS);
  }

  private static FormatException rejection(String page) {
    return catchThrowableOfType(FormatException.class, () -> read(page));
  }
}
