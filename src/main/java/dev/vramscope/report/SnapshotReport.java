package dev.vramscope.report;

import dev.vramscope.analysis.Shares;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.LedgerWords;
import dev.vramscope.analysis.lifetimes.HighWaterMark;
import dev.vramscope.analysis.sites.ActiveSites;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Origin;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.SentenceCase;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.postmortem.explanation.Explanation;
import dev.vramscope.postmortem.explanation.HealthyRun;
import dev.vramscope.postmortem.explanation.Remedy;
import dev.vramscope.postmortem.explanation.Sentence;
import dev.vramscope.postmortem.explanation.UnrecordedRequest;
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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report on one device of a snapshot: its first failure, or a run without one. */
public final class SnapshotReport {
  private static final int SITES = 12;
  private static final int REMEDIES = 8;
  private static final int COLUMNS = 400;

  /** The places of a chart where a failure can be marked. */
  private static final int MARKS = 2 * COLUMNS;

  private static final long MICROS = 1_000_000;

  private final String name;
  private final DeviceInspection inspection;
  private final DeviceSnapshot device;
  private final DeviceEvidence evidence;
  private final ReplayEffort effort;
  private final List<Section> sections = new ArrayList<>();

  private SnapshotReport(
      String name, DeviceInspection inspection, DeviceEvidence evidence, ReplayEffort effort) {
    this.name = name;
    this.inspection = inspection;
    device = inspection.device();
    this.evidence = evidence;
    this.effort = effort;
  }

  /**
   * Reports on a device.
   *
   * @param name of the file
   * @param evidence what is known of the device besides
   * @param effort for replays of the run under other settings
   */
  public static Report of(
      String name, DeviceInspection inspection, DeviceEvidence evidence, ReplayEffort effort) {
    return new SnapshotReport(name, inspection, evidence, effort).report();
  }

  private Report report() {
    String summary = summary();
    chart();
    sites();
    missing();
    return new Report(name, facts(), summary, device.failedRequestCount() > 0, sections);
  }

  private String summary() {
    if (device.kind() == RecordingKind.PROFILE) {
      return profile();
    }
    if (device.isFailedRequestUnknown()) {
      return unrecordedRequest();
    }
    if (!device.trace().ooms().isEmpty()) {
      return failure();
    }
    return device.trace().isEmpty() ? state() : healthy();
  }

  private List<String> facts() {
    List<String> facts = new ArrayList<>();
    Origin origin = inspection.snapshot().origin();
    facts.add(origin.producer());
    facts.add(origin.format());
    facts.add(
        device
            .facts()
            .profiledDevice()
            .map(each -> "device " + each)
            .orElseGet(() -> "device " + device.ordinal()));
    long micros = origin.captureMicros();
    if (micros != Trace.NO_TIME && micros > 0) {
      facts.add(
          "taken "
              + Instant.ofEpochSecond(micros / MICROS)
                  .truncatedTo(ChronoUnit.SECONDS)
                  .toString()
                  .replace('T', ' ')
                  .replace("Z", " UTC"));
    }
    if (!device.trace().isEmpty()) {
      facts.add(
          String.format(
              Locale.ROOT,
              "%,d event%s",
              device.trace().size(),
              device.trace().size() == 1 ? "" : "s"));
    }
    return facts;
  }

  private String profile() {
    return String.format(
        Locale.ROOT,
        "When the profile was saved, %,d live buffer%s held %s.",
        inspection.lifetimes().size(),
        inspection.lifetimes().size() == 1 ? "" : "s",
        ByteText.of(peak().bytes()));
  }

  private String failure() {
    OomReport report = inspection.failures().report(0, evidence);
    Explanation explanation = inspection.failures().explanation(0, evidence, effort);
    sections.add(
        new Section(
            "Who holds the memory", List.of(new Paragraph(explanation.whatHolds().text()))));
    remedies(explanation);
    verdict(report);
    ledger("Every byte at the failure", report.ledger());
    if (device.trace().ooms().size() > 1) {
      sections.add(
          new Section(
              "Further failures",
              List.of(
                  new Note(
                      device.trace().ooms().size()
                          + " requests failed; this report is about the first."))));
    }
    return explanation.whatHappened().text();
  }

  private void remedies(Explanation explanation) {
    List<Part> parts = new ArrayList<>();
    add(parts, explanation.remedies().replays());
    if (explanation.remedies().isPending()) {
      parts.add(
          new Note(
              "The recording is long and was not replayed under other settings, which would show"
                  + " whether they would have helped."));
    }
    for (Remedy remedy : explanation.remedies().ranked().stream().limit(REMEDIES).toList()) {
      String proof =
          SentenceCase.of(explanation.effect(remedy))
              + (remedy.isEstimated() ? " (estimated). " : ". ")
              + remedy.proof().text()
              + (remedy.price().isEmpty() ? "" : " Price: " + remedy.price().text());
      parts.add(
          new Action(
              remedy.action().text(),
              proof,
              remedy.settings().map(each -> "PYTORCH_CUDA_ALLOC_CONF=" + each).orElse("")));
    }
    if (explanation.remedies().ranked().isEmpty()) {
      parts.add(new Note("Nothing in this recording supports a specific change."));
    }
    sections.add(new Section("What would have helped", parts));
  }

  private static void add(List<Part> parts, Sentence sentence) {
    if (!sentence.isEmpty()) {
      parts.add(new Note(sentence.text()));
    }
  }

  private void verdict(OomReport report) {
    List<Part> parts = new ArrayList<>();
    parts.add(new Claim(report.verdict().certainty().label(), report.verdict().sentence()));
    report.verdict().caveats().forEach(caveat -> parts.add(new Note(caveat)));
    sections.add(new Section("The verdict, and how sure it is", parts));
  }

  private String unrecordedRequest() {
    UnrecordedRequest request = inspection.failures().unrecordedRequest();
    sections.add(
        new Section("Who holds the memory", List.of(new Paragraph(request.whatHolds().text()))));
    sections.add(new Section(Report.NEXT, List.of(new Paragraph(request.nextStep().text()))));
    ledger("Every byte at the failure", ledgerAtEnd());
    return request.whatHappened().text();
  }

  /** A state without events shows neither a failure nor that there was none. */
  private String state() {
    ledger("Every byte when the snapshot was taken", ledgerAtEnd());
    return "When the snapshot was taken, "
        + ByteText.of(inspection.active().atEnd())
        + " were live. It has no events: whether a request failed before, and how much memory the"
        + " program needed at most, is not in the file.";
  }

  private Ledger ledgerAtEnd() {
    return inspection.moments().ledger(evidence);
  }

  private HighWaterMark peak() {
    return inspection.highWaterMark();
  }

  private String healthy() {
    HealthyRun run = inspection.failures().healthyRun(evidence, effort);
    if (run == null) {
      return "No request failed, and the recording does not show how much memory was live.";
    }
    sections.add(
        new Section(
            "Who held the memory",
            List.of(
                new Paragraph(run.whatHolds().text()),
                new Paragraph(run.smallestDevice().text()))));
    ledger("Every byte at the end of the recording", ledgerAtEnd());
    return run.howClose().text();
  }

  private void ledger(String title, Ledger ledger) {
    List<Slice> slices = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (Ledger.Row row : ledger.rows()) {
      String label = LedgerWords.label(row.item(), device.facts().family());
      if (row.amount() instanceof Amount.Known(long bytes)) {
        if (bytes == 0) {
          continue;
        }
        slices.add(new Slice(kind(row.item()), label, bytes));
        rows.add(
            List.of(
                label,
                ByteText.of(bytes),
                LedgerWords.meaning(row.item(), device.facts().family())));
      } else if (row.amount() instanceof Amount.Unknown(String reason)) {
        rows.add(List.of(label, "unknown", reason));
      }
    }
    rows.add(
        switch (ledger.total()) {
          case Amount.Known(long bytes) -> List.of("Device total", ByteText.of(bytes), "");
          case Amount.AtLeast(long bytes, String reason) ->
              List.of("Device total", "at least " + ByteText.of(bytes), reason);
          case Amount.Unknown(String reason) -> List.of("Device total", "unknown", reason);
        });
    sections.add(
        new Section(
            title,
            List.of(
                new Bar("The known rows, to scale", slices),
                Table.withTotal(List.of("Category", "#Bytes", "Description"), rows))));
  }

  private static String kind(Ledger.Item item) {
    return switch (item) {
      case LIVE_REQUESTED, LIVE_REQUEST_UNKNOWN, LIVE_EARLIER, ROUNDING -> "allocated";
      case PENDING_FREE -> "temporary";
      case CACHED_PRIVATE_POOL, UNRELEASABLE_PRIVATE_POOL -> "private";
      case OUTSIDE_ALLOCATOR, OTHER_PROCESSES -> "outside";
      case DEVICE_FREE -> "free";
      case UNRECORDED -> "unknown";
      default -> "unallocated";
    };
  }

  private void chart() {
    int events = device.trace().size();
    if (events < 2) {
      return;
    }
    int columns = Math.min(COLUMNS, events);
    List<Long> most = new ArrayList<>();
    List<Long> reserved = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      int from = (int) ((long) events * i / columns);
      int to = Math.max(from + 1, (int) ((long) events * (i + 1) / columns));
      most.add(inspection.active().max(from, to));
      if (inspection.active().isReservedKnown()) {
        reserved.add(Math.max(0, inspection.active().reservedAt(to - 1)));
      }
    }
    sections.add(
        new Section(
            "Memory over the recording",
            List.of(
                new Chart(
                    String.format(
                        Locale.ROOT,
                        "Active%s bytes, events 0 to %,d",
                        reserved.isEmpty() ? "" : " and reserved",
                        events - 1),
                    most,
                    reserved,
                    failures(events)))));
  }

  /**
   * Where requests failed, as parts of the recording; those that a chart cannot tell apart once.
   */
  private List<Double> failures(int events) {
    return device.trace().ooms().stream()
        .map(oom -> (double) ((long) oom.event() * MARKS / events) / MARKS)
        .distinct()
        .toList();
  }

  private void sites() {
    boolean hasStacks = inspection.snapshot().stacks().nodeCount() > 1;
    // A dump in a log has no stacks: all would be one line.
    if (peak().allocationCount() == 0 || (device.kind() == RecordingKind.DUMP && !hasStacks)) {
      return;
    }
    ActiveSites sites =
        ActiveSites.atPeak(inspection.lifetimes(), inspection.active(), inspection.stacks(), SITES);
    List<String> shares = Shares.of(sites.parts(), peak().bytes());
    List<List<String>> rows = new ArrayList<>();
    for (ActiveSites.Group group : sites.groups()) {
      rows.add(row(code(group), group.count(), group.bytes(), shares.get(rows.size())));
    }
    if (sites.others() != null) {
      rows.add(
          row(
              String.format(
                  Locale.ROOT,
                  "%,d other site%s",
                  sites.otherSiteCount(),
                  sites.otherSiteCount() == 1 ? "" : "s"),
              sites.others().count(),
              sites.others().bytes(),
              shares.get(rows.size())));
    }
    rows.add(row("All", peak().allocationCount(), peak().bytes(), "100 %"));
    sections.add(
        new Section(
            device.trace().isEmpty() ? "What holds the live memory" : "What holds the peak",
            List.of(Table.withTotal(List.of("Site", "#Count", "#Requested", "#Share"), rows))));
  }

  private static List<String> row(String label, long count, long bytes, String share) {
    return List.of(label, String.format(Locale.ROOT, "%,d", count), ByteText.of(bytes), share);
  }

  private String code(ActiveSites.Group group) {
    return group.site() == StackTable.NONE && group.beforeRecording()
        ? "allocated before the recording"
        : code(group.site());
  }

  private String code(int stack) {
    int node = inspection.stacks().siteOf(stack);
    if (node == StackTable.NONE) {
      return "no stack recorded";
    }
    Frame frame = inspection.snapshot().stacks().frame(node);
    String file = frame.file().replace('\\', '/');
    String place =
        file.isEmpty() || file.equals("??")
            ? ""
            : " (" + file.substring(file.lastIndexOf('/') + 1) + ":" + frame.line() + ")";
    String function =
        frame.name().length() <= 80 ? frame.name() : frame.name().substring(0, 80) + "…";
    return function + place;
  }

  private void missing() {
    List<Finding> findings = inspection.missingData().findings();
    List<Part> parts = new ArrayList<>();
    for (Finding finding : findings) {
      parts.add(new Claim(finding.severity().name().toLowerCase(Locale.ROOT), finding.message()));
    }
    if (parts.isEmpty()) {
      parts.add(
          new Paragraph(
              "Nothing: the recording contains every allocation from the first to the last, each"
                  + " with its stack."));
    }
    sections.add(new Section("What is missing in the recording", parts));
  }
}
