package dev.vramscope.report;

import dev.vramscope.report.Report.Action;
import dev.vramscope.report.Report.Bar;
import dev.vramscope.report.Report.Chart;
import dev.vramscope.report.Report.Claim;
import dev.vramscope.report.Report.Note;
import dev.vramscope.report.Report.Paragraph;
import dev.vramscope.report.Report.Part;
import dev.vramscope.report.Report.Section;
import dev.vramscope.report.Report.Slice;
import dev.vramscope.report.Report.Table;
import java.util.List;

/** Reports for tests of the writers. */
final class EveryPart {
  /** Would be markup, a mention or a control of a terminal if a writer did not escape it. */
  static final String HOSTILE =
      "</title></style></script><script>alert('1')</script>\" onload=\"x | `code` ```\n"
          + "# heading **bold** _em_ [a](https://example.org) ![i](www.example.org) ~~no~~ &lt;"
          + " &#60; @octocat #17 GH-18 \\| \u001b[31m \u202e \u2028 \0 %s %n $1";

  private EveryPart() {}

  /** A report with every kind of part and this text in every place. */
  static Report with(String text) {
    return of(
        text,
        new Paragraph(text),
        new Note(text),
        new Claim(text, text),
        new Action(text, text, text),
        new Table(
            List.of(text, "#" + text), List.of(List.of(text, text), List.of(text, text)), true),
        new Bar(text, List.of(new Slice(text, text, 3), new Slice(text, text, 1))),
        new Chart(text, List.of(1L, 2L), List.of(3L, 3L), List.of(0.5)));
  }

  /** A report with these parts, and a text in every other place. */
  static Report of(String text, Part... parts) {
    return new Report(
        text, List.of(text, text), text, true, List.of(new Section(text, List.of(parts))));
  }
}
