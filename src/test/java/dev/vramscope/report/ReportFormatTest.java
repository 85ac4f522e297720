package dev.vramscope.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.UnsafeText;
import dev.vramscope.report.Report.Link;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReportFormatTest {
  @ParameterizedTest
  @EnumSource
  void formatIsFoundByItsId(ReportFormat format) {
    assertThat(ReportFormat.of(format.id())).contains(format);
    assertThat(format.extension()).matches("\\.[a-z]+");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HTML", "html ", "pdf"})
  void otherNamesAreNoFormats(String id) {
    assertThat(ReportFormat.of(id)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void noFormatHasUnsafeCharacters(ReportFormat format) {
    for (String text : List.of(UnsafeText.ALL, EveryPart.HOSTILE)) {
      UnsafeText.assertVisible(format.label(), format.write(EveryPart.with(text)));
    }
  }

  @Test
  void pageHasNoUnsafeCharactersEither() {
    String page =
        ReportFormat.page(
            EveryPart.with(UnsafeText.ALL), List.of(new Link(UnsafeText.ALL, UnsafeText.ALL)));
    UnsafeText.assertVisible("the page", page);
  }

  @ParameterizedTest
  @EnumSource
  void documentEndsItsLastLine(ReportFormat format) {
    assertThat(format.write(EveryPart.with("x"))).endsWith("\n").doesNotEndWith("\n\n");
  }
}
