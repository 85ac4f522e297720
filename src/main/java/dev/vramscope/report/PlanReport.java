package dev.vramscope.report;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.model.ByteText;
import dev.vramscope.plan.AnswerBasisText;
import dev.vramscope.plan.Growth;
import dev.vramscope.plan.LargestValue;
import dev.vramscope.plan.Plan;
import dev.vramscope.plan.PlanAnswer;
import dev.vramscope.plan.PlanSentence;
import dev.vramscope.plan.Prediction;
import dev.vramscope.plan.SizedRecording;
import dev.vramscope.report.Report.Note;
import dev.vramscope.report.Report.Paragraph;
import dev.vramscope.report.Report.Part;
import dev.vramscope.report.Report.Section;
import dev.vramscope.report.Report.Table;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The report on a plan: what fits, how memory grows, and what the answer stands on. */
public final class PlanReport {
  private static final int MOST_SITES = 20;
  private static final int SHOWN_DIFFERENCES = 3;

  private PlanReport() {}

  public static Report of(Plan plan, PlanAnswer answer) {
    List<Section> sections = new ArrayList<>();
    if (!answer.largest().isEmpty()) {
      sections.add(largest(answer));
    }
    if (!answer.predictions().isEmpty()) {
      sections.add(predictions(answer));
    }
    sections.add(curve(answer));
    sections.add(growth(plan, answer));
    sections.add(basis(answer));
    return new Report(
        plan.recordings().stream()
            .map(recording -> recording.values().text() + "=" + recording.name())
            .collect(Collectors.joining(" ")),
        List.of("a plan from " + plan.recordings().size() + " recordings"),
        PlanSentence.of(answer),
        answer.predictions().stream().anyMatch(prediction -> !prediction.fits()),
        sections);
  }

  private static Section largest(PlanAnswer answer) {
    String name = answer.question().find();
    List<List<String>> rows = new ArrayList<>();
    for (LargestValue largestValue : answer.largest()) {
      Outcome fitting = largestValue.fitting();
      Prediction failing = largestValue.failing();
      rows.add(
          List.of(
              largestValue.variant().label(),
              device(largestValue.size()),
              largestText(largestValue),
              fitting == null ? "" : ByteText.of(fitting.peakReservedBytes()),
              failing == null ? "" : PlanSentence.needed(failing)));
    }
    return new Section(
        "The largest " + name + " that fits",
        List.of(
            Table.of(
                List.of("Settings", "Device", "#Largest " + name, "#Reserved", "#The next needs"),
                rows),
            new Note(note(answer))));
  }

  private static String largestText(LargestValue largestValue) {
    if (largestValue.isUnlimited()) {
      return "every value";
    }
    if (largestValue.value().isEmpty()) {
      return "none";
    }
    String value = String.format(Locale.ROOT, "%,d", largestValue.value().getAsLong());
    return largestValue.end() == LargestValue.End.AT_LEAST
        ? "at least " + value
        : value + PlanSentence.range(largestValue);
  }

  private static String note(PlanAnswer answer) {
    StringBuilder note =
        new StringBuilder(
            "Each value was replayed through the allocator on a simulated device of this size");
    if (answer.largest().stream().anyMatch(largestValue -> largestValue.failing() != null)) {
      note.append(", and so was the next one, which fails");
    }
    note.append('.');
    if (answer.largest().stream()
        .anyMatch(largestValue -> largestValue.end() == LargestValue.End.SAMPLED)) {
      note.append(" Of larger values, which may fit again, only some were replayed.");
    }
    for (LargestValue largestValue : answer.largest()) {
      String smaller = PlanSentence.smallerFailing(largestValue);
      if (!smaller.isEmpty()) {
        note.append(' ')
            .append(largestValue.variant().label())
            .append(", ")
            .append(device(largestValue.size()))
            .append(':')
            .append(smaller);
      }
    }
    return note.toString();
  }

  private static Section predictions(PlanAnswer answer) {
    List<List<String>> rows = new ArrayList<>();
    for (Prediction prediction : answer.predictions()) {
      rows.add(
          List.of(
              prediction.variant().label(),
              prediction.size().isLimited() ? device(prediction.size()) : "without limit",
              result(prediction),
              PlanSentence.allocated(prediction),
              PlanSentence.needed(prediction),
              PlanSentence.failingLine(prediction)));
    }
    return new Section(
        "At " + answer.askedValues().label(),
        List.of(
            Table.of(
                List.of(
                    "Settings",
                    "Device",
                    "Result",
                    "#Peak allocated",
                    "#Peak reserved",
                    "Fails first in"),
                rows)));
  }

  private static String result(Prediction prediction) {
    if (prediction.size().isLimited()) {
      return prediction.fits() ? "fits" : "fails";
    }
    return prediction.isLowerBound() ? "needs more than is simulated" : "";
  }

  private static Section curve(PlanAnswer answer) {
    String name = answer.question().find();
    List<List<String>> rows = new ArrayList<>();
    for (Prediction point : answer.curve()) {
      rows.add(
          List.of(
              point.variant().label(),
              String.format(Locale.ROOT, "%,d", point.values().get(name)),
              PlanSentence.allocated(point),
              PlanSentence.needed(point)));
    }
    return new Section(
        "Peak memory by " + name,
        List.of(
            Table.of(List.of("Settings", "#" + name, "#Peak allocated", "#Peak reserved"), rows)));
  }

  private static Section growth(Plan plan, PlanAnswer answer) {
    List<String> columns = new ArrayList<>(List.of("Site", "Grows with"));
    plan.recordings().forEach(recording -> columns.add("#" + recording.values().label()));
    columns.add("#" + answer.askedValues().label());
    List<List<String>> rows = new ArrayList<>();
    Growth growth = answer.growth();
    growth.rows().stream()
        .limit(MOST_SITES)
        .forEach(row -> rows.add(row(AnswerBasisText.site(row), row)));
    rows.add(row("All " + growth.rows().size() + " sites", growth.total()));
    return new Section(
        "How memory grows",
        List.of(
            new Paragraph(PlanSentence.of(growth)),
            Table.withTotal(columns, rows),
            new Note(
                "Requested bytes that are live at the peak of the last column; the other columns"
                    + " are the same allocations at the recorded values.")));
  }

  private static List<String> row(String name, Growth.Row row) {
    List<String> cells =
        new ArrayList<>(List.of(name, row.isGrowing() ? row.growthLabel() : "does not grow"));
    row.recordedBytes().forEach(bytes -> cells.add(ByteText.of(bytes)));
    cells.add(ByteText.of(row.askedBytes()));
    return cells;
  }

  private static Section basis(PlanAnswer answer) {
    List<Part> parts = new ArrayList<>();
    AnswerBasisText.of(answer).forEach(text -> parts.add(new Paragraph(text)));
    answer.basis().pairs().stream()
        .flatMap(pair -> pair.differences().stream().limit(SHOWN_DIFFERENCES))
        .forEach(text -> parts.add(new Note(text)));
    List<List<String>> rows = new ArrayList<>();
    for (PlanAnswer.Check check : answer.checks()) {
      SizedRecording recording = check.recording();
      rows.add(
          List.of(
              recording.values().label(),
              recording.name(),
              check.recordedReservedBytes() == ActiveBytes.UNKNOWN
                  ? "unknown"
                  : ByteText.of(check.recordedReservedBytes()),
              ByteText.of(check.plannedReservedBytes())));
    }
    parts.add(Table.of(List.of("Recording", "File", "#Peak reserved, recorded", "#Planned"), rows));
    return new Section("What this stands on", parts);
  }

  private static String device(DeviceSize size) {
    return ByteText.of(size.totalBytes().orElse(0))
        + (size.othersBytes() == 0 ? "" : ", others " + ByteText.of(size.othersBytes()));
  }
}
