package dev.vramscope.report;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.LogExcerpt;
import dev.vramscope.explain.LogExplanation;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.model.ByteText;
import dev.vramscope.report.Report.Action;
import dev.vramscope.report.Report.Bar;
import dev.vramscope.report.Report.Claim;
import dev.vramscope.report.Report.Note;
import dev.vramscope.report.Report.Paragraph;
import dev.vramscope.report.Report.Part;
import dev.vramscope.report.Report.Section;
import dev.vramscope.report.Report.Slice;
import dev.vramscope.report.Report.Table;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report on a log. */
public final class LogReport {
  private LogReport() {}

  /** Reads a log to its end and reports what it says. */
  public static Report read(String name, Reader log) throws IOException {
    return of(name, LogExcerpt.read(log));
  }

  /**
   * Reports what a log says.
   *
   * @param name of the file
   */
  public static Report of(String name, LogExcerpt log) {
    return of(name, log, LogExplanation.of(log));
  }

  /** Reports an explanation of a log. */
  public static Report of(String name, LogExcerpt log, LogExplanation explanation) {
    List<Section> sections = new ArrayList<>();
    for (Conclusion conclusion : explanation.conclusions()) {
      sections.addAll(sections(conclusion, explanation.conclusions().size() > 1));
    }
    if (sections.isEmpty()) {
      sections.add(
          new Section(
              "What to do",
              List.of(
                  new Paragraph(
                      "Look further up for the first exception, or at the logs of the other"
                          + " ranks."))));
    }
    return new Report(
        name,
        List.of(lines(log.lines())),
        explanation.summary(),
        explanation.isFailure(),
        sections);
  }

  private static String lines(long lines) {
    return String.format(Locale.ROOT, "a log of %,d line%s", lines, lines == 1 ? "" : "s");
  }

  private static List<Section> sections(Conclusion conclusion, boolean isOneOfSeveral) {
    List<Part> first = new ArrayList<>();
    first.add(new Note(where(conclusion)));
    conclusion
        .statements()
        .forEach(statement -> first.add(new Claim(statement.certaintyLabel(), statement.text())));
    List<Section> sections = new ArrayList<>();
    sections.add(new Section(isOneOfSeveral ? conclusion.headline() : "How sure this is", first));
    if (!conclusion.shares().isEmpty()) {
      sections.add(new Section(conclusion.sharesTitle(), memory(conclusion)));
    }
    if (!conclusion.remedies().isEmpty()) {
      List<Part> parts = new ArrayList<>();
      parts.add(new Note("The log proves none of it. Where a run is recorded, a replay does."));
      conclusion.remedies().forEach(advice -> parts.add(action(advice)));
      sections.add(new Section(Report.MAY_HELP, parts));
    }
    if (!conclusion.next().isEmpty()) {
      sections.add(
          new Section(
              Report.NEXT, conclusion.next().stream().<Part>map(LogReport::action).toList()));
    }
    Table fields = fields(conclusion);
    if (!fields.rows().isEmpty()) {
      sections.add(new Section("Read from the log", List.of(fields)));
    }
    return sections;
  }

  private static String where(Conclusion conclusion) {
    int times = conclusion.times();
    return conclusion.what()
        + ", line "
        + conclusion.message().line()
        + (times > 1 ? ", " + times + " times" : "");
  }

  private static List<Part> memory(Conclusion conclusion) {
    List<Slice> slices = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (Share share : conclusion.shares()) {
      long bytes = share.quantity().bytes();
      slices.add(new Slice(share.kind().id(), share.label(), bytes));
      rows.add(List.of(share.label(), ByteText.of(bytes)));
    }
    conclusion
        .total()
        .map(Quantity::bytes)
        .ifPresent(total -> rows.add(List.of("Total", ByteText.of(total))));
    return List.of(
        new Bar("The memory, as far as the log tells", slices),
        new Table(List.of("Part", "#Bytes"), rows, conclusion.total().isPresent()));
  }

  private static Action action(Advice advice) {
    return new Action(advice.text(), "", advice.code());
  }

  private static Table fields(Conclusion conclusion) {
    List<List<String>> rows = new ArrayList<>();
    for (LogMessage message : conclusion.messages()) {
      for (Field field : message.fields()) {
        String of = field.of().isEmpty() ? "" : " (" + field.of() + ")";
        rows.add(List.of(field.name().label() + of, field.written()));
      }
    }
    return Table.of(List.of("Field", "As written"), rows);
  }
}
