package dev.vramscope.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.LogExcerpt;
import dev.vramscope.report.Report.Bar;
import dev.vramscope.report.Report.Part;
import dev.vramscope.report.Report.Section;
import dev.vramscope.report.Report.Slice;
import dev.vramscope.report.Report.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reports on logs with a failure, with several, and without one. */
class LogReportTest {
  private static final long MIB = 1 << 20;
  private static final String FAILURE =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total"
          + " capacity of 16.00 GiB of which 1.00 GiB is free. Of the allocated memory 14.00 GiB is"
          + " allocated by PyTorch, and 512.00 MiB is reserved by PyTorch but unallocated.\n";

  private static List<String> titles(Report report) {
    return report.sections().stream().map(Section::title).toList();
  }

  private static <P extends Part> P first(Report report, Class<P> kind) {
    return report.sections().stream()
        .flatMap(section -> section.parts().stream())
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void memoryIsThatOfTheMessageAndAddsUp() {
    Report report = LogReport.of("a.log", LogExcerpt.of(FAILURE));
    assertThat(report.title()).isEqualTo("a.log");
    assertThat(report.facts()).containsExactly("a log of 1 line");
    assertThat(report.isFailure()).isTrue();
    List<Slice> slices = first(report, Bar.class).slices();
    assertThat(slices.stream().mapToLong(Slice::bytes).sum()).isEqualTo(16 * 1024 * MIB);
    Table table = first(report, Table.class);
    assertThat(table.hasTotal()).isTrue();
    assertThat(table.rows().getLast()).containsExactly("Total", "16 GiB");
  }

  @Test
  void fieldsAreAsWritten() {
    Report report = LogReport.of("a.log", LogExcerpt.of(FAILURE));
    assertThat(titles(report)).endsWith("Read from the log");
    assertThat(report.sections().getLast().parts())
        .singleElement()
        .satisfies(
            part ->
                assertThat(((Table) part).rows().stream().map(List::getLast))
                    .contains("4.00 GiB", "16.00 GiB", "1.00 GiB", "14.00 GiB", "512.00 MiB"));
  }

  @Test
  void failuresThatDifferHaveAHeadlineEach() {
    String other = FAILURE.replace("4.00 GiB", "8.00 GiB").replace("GPU 0", "GPU 1");
    Report report = LogReport.of("a.log", LogExcerpt.of(FAILURE + "\n" + other));
    assertThat(report.facts()).containsExactly("a log of 3 lines");
    assertThat(titles(report)).doesNotContain("How sure this is");
    assertThat(titles(report).stream().distinct().filter(title -> title.contains("GiB")))
        .hasSize(2);
  }

  @Test
  void equalFailuresAreCounted() {
    String text = ReportFormat.TEXT.write(LogReport.of("a.log", LogExcerpt.of(FAILURE.repeat(3))));
    assertThat(text).contains("line 1, 3 times");
  }

  @Test
  void withoutAFailureTheReportSaysWhereToLook() {
    Report report = LogReport.of("a.log", LogExcerpt.of("step 1 loss 2.5\nstep 2 loss 2.4\n"));
    assertThat(report.isFailure()).isFalse();
    assertThat(titles(report)).containsExactly("What to do");
    assertThat(ReportFormat.TEXT.write(report)).contains("Look further up");
  }
}
