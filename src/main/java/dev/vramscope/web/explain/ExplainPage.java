package dev.vramscope.web.explain;

import dev.vramscope.evidence.Evidence;
import dev.vramscope.explain.LogExcerpt;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.xla.BfcDumpReader;
import dev.vramscope.intake.DuplicateTags;
import dev.vramscope.intake.Intake;
import dev.vramscope.intake.UploadRequest;
import dev.vramscope.report.LogReport;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
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
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/**
 * Explains a pasted log or a file with one. Explaining stores nothing; on request the text is
 * attached to a snapshot, or the BFC dump in it stored as one.
 */
@Controller
class ExplainPage {
  /** Longer texts are explained, but not shown again in the form. */
  private static final int MAX_SHOWN = 200_000;

  /** The snapshots that a text can be attached to from here; the newest. */
  private static final int RECENT = 20;

  private final SnapshotStore store;
  private final EvidenceTexts texts;
  private final ProblemAdvice advice;
  private final Intake intake;

  ExplainPage(SnapshotStore store, EvidenceTexts texts, Intake intake, ProblemAdvice advice) {
    this.store = store;
    this.intake = intake;
    this.texts = texts;
    this.advice = advice;
  }

  /** The address for the command on the page. */
  @ModelAttribute("service")
  String service() {
    return ServletUriComponentsBuilder.fromCurrentContextPath().toUriString();
  }

  @GetMapping("/explain")
  String show() {
    return "explain";
  }

  @Heavy(WorkKind.EXPLANATION)
  @PostMapping("/explain")
  String explain(
      @RequestParam(defaultValue = "") String text,
      @RequestParam(required = false) @Nullable MultipartFile file,
      Model model,
      HttpServletResponse response)
      throws IOException {
    try {
      LogExcerpt log = file == null || file.isEmpty() ? LogExcerpt.of(text) : read(file);
      if (log.text().isBlank()) {
        throw RefusedRequestException.noText();
      }
      model.addAttribute("name", file == null ? "" : file.getOriginalFilename());
      addExplanation(log, model);
    } catch (RefusedRequestException refused) {
      advice.show(refused, model, response);
      model.addAttribute("text", text);
    }
    return "explain";
  }

  /** Downloads what a text says as one document. */
  @Heavy(WorkKind.EXPLANATION)
  @PostMapping("/explain/report")
  void report(
      @RequestParam(defaultValue = "") String text,
      @RequestParam(defaultValue = "") String name,
      @RequestParam(defaultValue = "html") String format,
      HttpServletResponse response)
      throws IOException {
    String title = name.isBlank() ? "log" : name;
    ReportAnswer.send(
        LogReport.of(title, LogExcerpt.of(text)), ReportAnswer.format(format), title, response);
  }

  /** Attaches a text that is about a device to a snapshot. */
  @Heavy(WorkKind.EXPLANATION)
  @PostMapping("/explain/attach")
  String attach(
      @RequestParam String id,
      @RequestParam(defaultValue = "") String text,
      Model model,
      HttpServletResponse response) {
    try {
      texts.attach(id, null, null, text);
      return "redirect:/snapshots/" + id + "#evidence";
    } catch (RefusedRequestException refused) {
      advice.show(refused, model, response);
      addExplanation(LogExcerpt.of(text), model);
      return "explain";
    }
  }

  /** Stores the dump of a BFC allocator in a log as a snapshot. */
  @Heavy(WorkKind.EXPLANATION)
  @PostMapping("/explain/dump")
  String store(@RequestParam(defaultValue = "") String dump, HttpServletRequest request)
      throws IOException, FormatException {
    byte[] text = dump.getBytes(StandardCharsets.UTF_8);
    SaveResult saved =
        intake.accept(
            new ByteArrayInputStream(text),
            new UploadRequest("BFC dump", Tags.NONE, DuplicateTags.KEEP, text.length),
            UploadApi.client(request));
    return "redirect:/snapshots/" + saved.snapshot().id();
  }

  private void addExplanation(LogExcerpt excerpt, Model model) {
    String log = excerpt.text();
    model.addAttribute("text", log.length() <= MAX_SHOWN ? log : "");
    model.addAttribute("lines", excerpt.lines());
    model.addAttribute("explanation", LogExplanationView.of(excerpt));
    BfcDumpReader.cut(log).ifPresent(dump -> model.addAttribute("dump", dump));
    if (log.strip().length() <= Evidence.MAX_CHARACTERS && Evidence.parse(log).isPresent()) {
      model.addAttribute(
          "snapshots",
          store.find(SnapshotFilter.newest(RECENT)).stream()
              .filter(each -> !isProfile(each))
              .toList());
    }
  }

  /** A profile has no page that a text could add to: its buffers are in no segment. */
  private static boolean isProfile(StoredSnapshot stored) {
    return stored.segmentCount() == 0 && stored.totals().blockCount() > 0;
  }

  private static LogExcerpt read(MultipartFile file) throws IOException {
    try (InputStream in = file.getInputStream()) {
      return SubmittedText.read(in, "the file");
    }
  }
}
