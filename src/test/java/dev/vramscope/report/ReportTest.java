package dev.vramscope.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.TestData;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.explain.LogExcerpt;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.torch.TorchPickleReader;
import dev.vramscope.format.xla.BfcDumpReader;
import dev.vramscope.format.xla.DeviceMemoryProfileReader;
import dev.vramscope.format.xla.MemoryDumpReader;
import dev.vramscope.format.xla.XlaFiles;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.postmortem.ReplayEffort;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reports on logs and snapshots in every format. */
class ReportTest {
  private static final String MESSAGE =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total"
          + " capacity of 16.00 GiB of which 1.00 GiB is free. Of the allocated memory 14.00 GiB is"
          + " allocated by PyTorch, and 512.00 MiB is reserved by PyTorch but unallocated.";

  static Report ofSnapshot(String name, ReplayEffort effort) throws IOException, FormatException {
    try (InputStream in =
        new GZIPInputStream(
            Files.newInputStream(TestData.file("ooms/" + name + "/snapshot.pickle.gz")))) {
      return report(TorchPickleReader.read(in, ReadLimits.defaults()), effort);
    }
  }

  private static Report report(Snapshot snapshot, ReplayEffort effort) {
    return SnapshotReport.of(
        "snapshot",
        SnapshotInspection.of(snapshot).devices().getFirst(),
        DeviceEvidence.NONE,
        effort);
  }

  private static List<String> titles(Report report) {
    return report.sections().stream().map(Report.Section::title).toList();
  }

  @Test
  void aFailureSaysWhatHappenedAndWhatWouldHaveHelped() throws IOException, FormatException {
    Report report = ofSnapshot("others_hold_most", ReplayEffort.FULL);
    assertThat(report.isFailure()).isTrue();
    assertThat(report.summary()).contains("The program asked for");
    assertThat(titles(report))
        .containsExactly(
            "Who holds the memory",
            "What would have helped",
            "The verdict, and how sure it is",
            "Every byte at the failure",
            "Memory over the recording",
            "What holds the peak",
            "What is missing in the recording");
    assertThat(TextWriter.write(report)).contains("Make the program hold", "model.py");
  }

  @Test
  void aProfileHasItsBuffers() throws IOException, FormatException {
    byte[] file =
        new XlaFiles.Profile().add("buffer", "cuda:0", 2, 2 << 20, "train t.py:7").bytes();
    Report report =
        report(
            DeviceMemoryProfileReader.read(new ByteArrayInputStream(file), ReadLimits.defaults()),
            ReplayEffort.FULL);
    assertThat(report.summary()).contains("2 live buffers held 2 MiB");
    assertThat(report.facts()).contains("device cuda:0");
    assertThat(titles(report))
        .containsExactly("What holds the live memory", "What is missing in the recording");
  }

  @Test
  void aDumpIsExplainedInTheWordsOfItsAllocator() throws IOException, FormatException {
    Report dump =
        report(
            BfcDumpReader.read(
                new ByteArrayInputStream(XlaFiles.log().getBytes(StandardCharsets.UTF_8)),
                ReadLimits.defaults()),
            ReplayEffort.FULL);
    assertThat(dump.summary()).contains("had 3 MiB free in its pool in 2 pieces");
    assertThat(dump.summary()).contains("the pool could not grow beyond its limit of 8 MiB");
    String text =
        ReportFormat.TEXT.write(
            dump.withAdviceOf(LogReport.of("a.log", LogExcerpt.of(XlaFiles.log()))));
    assertThat(text)
        .contains("a device memory profile of JAX does", "XLA_PYTHON_CLIENT_MEM_FRACTION")
        .doesNotContain(
            "in its cache",
            "PyTorch records",
            "may have refused",
            "before the first event",
            "have no time");
    assertThat(text.split("What to collect next", -1)).hasSize(2);
  }

  @Test
  void aMemoryDumpIsWrittenWhenARequestFails() throws IOException, FormatException {
    byte[] file = Files.readAllBytes(TestData.file("xla/tf_bfc_full/memory.dump"));
    Report report =
        report(
            MemoryDumpReader.read(new ByteArrayInputStream(file), ReadLimits.defaults()),
            ReplayEffort.QUICK);
    assertThat(report.isFailure()).isTrue();
    assertThat(report.summary())
        .contains("A request failed", "is not in the file", "254 MiB was in use")
        .contains("requested 200 MiB", "2 MiB was free in the pool as 1 piece of 2 MiB");
    assertThat(ReportFormat.TEXT.write(report))
        .contains("ran out of memory trying to allocate", "Every byte at the failure")
        .doesNotContain("No request failed", "is enough", "No events were recorded");
  }

  @Test
  void aStateWithoutEventsDoesNotSayThatNothingFailed() throws IOException, FormatException {
    try (InputStream in = Files.newInputStream(TestData.file("snapshots/train_33_events.pickle"))) {
      Snapshot read = TorchPickleReader.read(in, ReadLimits.defaults());
      DeviceSnapshot device = read.devices().getFirst();
      Report report =
          report(
              new Snapshot(
                  read.origin(),
                  read.settings(),
                  List.of(
                      new DeviceSnapshot(
                          device.ordinal(), device.segments(), Trace.EMPTY, List.of())),
                  read.stacks(),
                  List.of()),
              ReplayEffort.QUICK);
      assertThat(report.isFailure()).isFalse();
      assertThat(report.summary()).contains("were live", "whether a request failed");
      assertThat(ReportFormat.TEXT.write(report)).doesNotContain("No request failed", "is enough");
    }
  }

  @Test
  void whatALogHasBesidesIsSaid() {
    StringBuilder log = new StringBuilder();
    for (int i = 1; i <= 300; i++) {
      log.append("CUDA out of memory. Tried to allocate ").append(i).append(" bytes\n");
    }
    assertThat(LogReport.of("a.log", LogExcerpt.of(log.toString())).summary())
        .startsWith("300 different failures.")
        .contains("100 further messages of failures are left out");
  }

  @ParameterizedTest
  @EnumSource
  void everyFormatHasTheNumbers(ReportFormat format) {
    String document = format.write(LogReport.of("train.log", LogExcerpt.of(MESSAGE)));
    assertThat(document)
        .contains("train.log", "4.00 GiB", "2.5 GiB less than the request")
        .contains("_dump_snapshot")
        .contains("14 GiB");
  }

  @ParameterizedTest
  @EnumSource
  void textOfAFileIsNeverMarkup(ReportFormat format) {
    String hostile = "<script>alert(1)</script> @octocat #1 `x` | \u001b[31m\u202E</style>";
    String document =
        format.write(LogReport.of(hostile, LogExcerpt.of(hostile + "\nKeyError: " + hostile)));
    if (format == ReportFormat.HTML) {
      assertThat(document).doesNotContain("<script", "\u001b").contains("&lt;script&gt;");
    }
    if (format == ReportFormat.MARKDOWN) {
      assertThat(document).doesNotContain("@octocat", " #1", " <script").contains("\\<script\\>");
    }
    if (format == ReportFormat.TEXT) {
      assertThat(document).doesNotContain("\u001b", "\u202E");
    }
    if (format == ReportFormat.JSON) {
      JsonNode json = new JsonMapper().readTree(document);
      assertThat(json.path("title").asString()).isEqualTo(hostile);
      assertThat(document).doesNotContain("\u001b");
    }
  }

  @Test
  void markdownHasNeitherEntitiesNorLinksOfAFile() {
    String document =
        ReportFormat.MARKDOWN.write(
            LogReport.of(
                "a", LogExcerpt.of("KeyError: &copy; <b> https://example.org www.example.org")));
    assertThat(document)
        .contains("&amp;copy; \\<b\\>", "https\\://example.org", "www\\.example.org");
  }

  @Test
  void aTextReportFitsATerminal() {
    String name = "fusion_of_".repeat(70);
    String log =
        "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 100 bytes.\nPeak buffers:\n"
            + "Buffer 1: Size: 4.00GiB Operator: op_name=\""
            + name
            + "\"\n";
    assertThat(ReportFormat.TEXT.write(LogReport.of("a", LogExcerpt.of(log))).lines())
        .allMatch(line -> line.length() <= TextWriter.WIDTH);
    String none =
        "NVML_SUCCESS == r INTERNAL ASSERT FAILED at \"../c10/cuda/CUDACachingAllocator.cpp\":9";
    assertThat(titles(LogReport.of("a", LogExcerpt.of(none)))).doesNotContain("Read from the log");
  }

  @Test
  void aChartIsAlsoInWords() throws IOException, FormatException {
    Report report = ofSnapshot("others_hold_most", ReplayEffort.QUICK);
    assertThat(ReportFormat.MARKDOWN.write(report))
        .containsPattern("### Memory over the recording\\n\\nActive.*at most .* active");
    assertThat(ReportFormat.TEXT.write(report)).contains("the bars are active bytes. At most ");
    assertThat(ReportFormat.page(report, List.of(new Report.Link("Back", "/snapshots/1"))))
        .contains("<nav><a href=\"/snapshots/1\">Back</a>");
  }

  @Test
  void anHtmlReportLoadsNothing() throws IOException, FormatException {
    String document = ReportFormat.HTML.write(ofSnapshot("others_hold_most", ReplayEffort.QUICK));
    assertThat(document)
        .doesNotContain("http:", "https:", "src=", "href=", "url(", "@import", "<script")
        .contains("<svg class=\"chart\"", "<svg class=\"bar\"");
  }

  @Test
  void anAdviceOfTheLogIsAdded() {
    Report log = LogReport.of("a.log", LogExcerpt.of(MESSAGE));
    Report other = new Report("x", List.of(), "y", true, List.of());
    assertThat(titles(other.withAdviceOf(log)))
        .containsExactly("What may help", "What to collect next");
  }
}
