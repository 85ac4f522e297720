package dev.vramscope.web.explain;

import dev.vramscope.evidence.Evidence;
import dev.vramscope.explain.LogExcerpt;
import dev.vramscope.explain.LogExplanation;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.bfclog.VerboseLogReader;
import dev.vramscope.format.xla.BfcDumpReader;
import dev.vramscope.intake.DuplicateTags;
import dev.vramscope.intake.Intake;
import dev.vramscope.intake.UploadRequest;
import dev.vramscope.report.LogReport;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.oom.EvidenceTexts;
import dev.vramscope.web.problem.ProblemAdvice;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.report.ReportAnswer;
import dev.vramscope.web.request.Heavy;
import dev.vramscope.web.uploads.UploadApi;
import dev.vramscope.work.WorkKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** A stored log: what it says, and what can be done with it. */
@Controller
class LogPage {
  /** The snapshots that a text can be attached to from here: those of its job, and the newest. */
  private static final int CHOICES = 20;

  private final StoredLogs logs;
  private final SnapshotStore store;
  private final EvidenceTexts texts;
  private final Intake intake;
  private final ProblemAdvice advice;

  LogPage(
      StoredLogs logs,
      SnapshotStore store,
      EvidenceTexts texts,
      Intake intake,
      ProblemAdvice advice) {
    this.logs = logs;
    this.store = store;
    this.texts = texts;
    this.intake = intake;
    this.advice = advice;
  }

  /** The address for the command on the page. */
  @ModelAttribute("service")
  String service() {
    return ServletUriComponentsBuilder.fromCurrentContextPath().toUriString();
  }

  @Heavy(WorkKind.EXPLANATION)
  @GetMapping("/logs/{id}")
  String show(@PathVariable String id, Model model) throws IOException {
    StoredSnapshot stored = logs.find(id);
    if (stored.isCompiled()) {
      return "redirect:" + stored.path();
    }
    SubmittedLog submitted;
    try {
      submitted = logs.open(stored);
    } catch (RefusedRequestException notText) {
      if (stored.isLog()) {
        throw notText;
      }
      return "redirect:" + stored.path();
    }
    LogExcerpt log = submitted.log();
    model.addAttribute("stored", stored);
    model.addAttribute("name", stored.name());
    model.addAttribute("lines", log.lines());
    model.addAttribute("explanation", LogExplanationView.of(submitted.explanation()));
    model.addAttribute("hasDump", stored.isLog() && BfcDumpReader.cut(log.text()).isPresent());
    model.addAttribute(
        "hasRequests", stored.isLog() && VerboseLogReader.MARK.matcher(log.text()).find());
    if (EvidenceOfLog.of(log, submitted.explanation()).isPresent()) {
      model.addAttribute("snapshots", choices(stored));
    }
    return "explain";
  }

  /** Those of the same rank come first, then those of the same job. */
  private List<StoredSnapshot> choices(StoredSnapshot log) {
    Set<StoredSnapshot> choices = new LinkedHashSet<>();
    String job = log.tags().job();
    if (job != null) {
      choices.addAll(store.find(SnapshotFilter.snapshotsOf(job, log.tags().rank(), CHOICES)));
      choices.addAll(store.find(SnapshotFilter.snapshotsOf(job, null, CHOICES)));
    }
    choices.addAll(store.find(SnapshotFilter.snapshotsOf(null, null, CHOICES)));
    return choices.stream().filter(LogPage::mayHaveEvidence).limit(CHOICES).toList();
  }

  /** A profile has no page that a text could add to: its buffers are in no segment. */
  private static boolean mayHaveEvidence(StoredSnapshot stored) {
    boolean isProfile = stored.segmentCount() == 0 && stored.totals().blockCount() > 0;
    return !isProfile;
  }

  /** Downloads what a log says as one document. */
  @Heavy(WorkKind.EXPLANATION)
  @GetMapping("/logs/{id}/report")
  void report(
      @PathVariable String id,
      @RequestParam(defaultValue = "html") String format,
      HttpServletResponse response)
      throws IOException {
    String name = logs.find(id).name();
    ReportAnswer.send(
        LogReport.of(name, logs.text(id)), ReportAnswer.format(format), name, response);
  }

  /** Attaches what a log says about a device to a snapshot. */
  @Heavy(WorkKind.EXPLANATION)
  @PostMapping("/logs/{id}/attach")
  String attach(
      @PathVariable String id,
      @RequestParam String snapshot,
      Model model,
      HttpServletResponse response)
      throws IOException {
    try {
      LogExcerpt log = logs.text(id);
      String text =
          EvidenceOfLog.of(log, LogExplanation.of(log))
              .orElseThrow(
                  () ->
                      RefusedRequestException.badEvidence(
                          "The log says nothing about a device that is recognized",
                          "the log",
                          Evidence.RECOGNIZED));
      texts.attach(snapshot, null, null, text);
      return "redirect:/snapshots/" + snapshot + "#evidence";
    } catch (RefusedRequestException refused) {
      advice.show(refused, model, response);
      return show(id, model);
    }
  }

  /** Stores the requests of a BFC allocator in a verbose log as a snapshot. */
  @Heavy(WorkKind.EXPLANATION)
  @PostMapping("/logs/{id}/requests")
  String requests(@PathVariable String id, HttpServletRequest request)
      throws IOException, FormatException {
    StoredSnapshot log = logs.find(id);
    try (RequestLines lines = logs.requests(id)) {
      SaveResult saved =
          intake.accept(
              lines,
              new UploadRequest(
                  "requests of " + log.name(), log.tags(), DuplicateTags.KEEP, log.originalBytes()),
              UploadApi.client(request));
      return "redirect:/snapshots/" + saved.snapshot().id();
    }
  }

  /** Stores the dump of a BFC allocator in a log as a snapshot. */
  @Heavy(WorkKind.EXPLANATION)
  @PostMapping("/logs/{id}/dump")
  String dump(@PathVariable String id, HttpServletRequest request)
      throws IOException, FormatException {
    StoredSnapshot log = logs.find(id);
    byte[] dump =
        BfcDumpReader.cut(logs.text(id).text())
            .orElseThrow(() -> RefusedRequestException.noSnapshot(id))
            .getBytes(StandardCharsets.UTF_8);
    SaveResult saved =
        intake.accept(
            new ByteArrayInputStream(dump),
            new UploadRequest(
                "BFC dump of " + log.name(), log.tags(), DuplicateTags.KEEP, dump.length),
            UploadApi.client(request));
    return "redirect:/snapshots/" + saved.snapshot().id();
  }
}
