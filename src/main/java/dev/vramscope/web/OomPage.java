package dev.vramscope.web;

import dev.vramscope.model.Segment;
import dev.vramscope.postmortem.Candidate;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.Verdict;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The post-mortem: the failed request, and why no free block could serve it. */
@Controller
class OomPage {
  private static final int SHOWN = 50;

  private final SnapshotFrame frame;

  OomPage(SnapshotFrame frame) {
    this.frame = frame;
  }

  @GetMapping("/snapshots/{id}/oom")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "0") int n,
      @RequestParam @Nullable String bytes,
      @RequestParam(defaultValue = "0") long stream,
      @RequestParam @Nullable String total,
      @RequestParam @Nullable String all,
      Model model) {
    LoadedDevice shown = frame.show(id, device, Tab.OOM, model);
    OptionalLong deviceBytes = SizeParameter.of("total", total);
    OptionalLong hypothetical = SizeParameter.of("bytes", bytes);
    int count = shown.ooms().size();
    model.addAttribute("n", n);
    model.addAttribute("bytes", bytes);
    model.addAttribute("stream", stream);
    model.addAttribute("total", total);
    model.addAttribute(
        "streams",
        shown.device().segments().stream().map(Segment::stream).distinct().sorted().toList());
    if (hypothetical.isPresent()) {
      addReport(shown.hypothetical(hypothetical.getAsLong(), stream, deviceBytes), all, model);
    } else if (count > 0) {
      if (n < 0 || n >= count) {
        throw RefusedRequestException.badParameter("n", n, "0 to " + (count - 1));
      }
      addReport(shown.report(n, deviceBytes), all, model);
    }
    return "oom";
  }

  /** A free block and the reason why it was not used. */
  record FreeBlock(Candidate candidate, String reason) {}

  private static void addReport(OomReport report, @Nullable String all, Model model) {
    List<FreeBlock> freeBlocks =
        report.candidates().stream()
            .limit(all == null ? SHOWN : Integer.MAX_VALUE)
            .map(candidate -> new FreeBlock(candidate, OomView.reason(candidate.rejection())))
            .toList();
    model.addAttribute("report", report);
    model.addAttribute("isHypothetical", !report.request().isRecorded());
    model.addAttribute("ledger", LedgerView.of(report.ledger()));
    model.addAttribute("freeBlocks", freeBlocks);
    model.addAttribute("hiddenCount", report.candidates().size() - freeBlocks.size());
    model.addAttribute("css", css(report.verdict()));
  }

  private static String css(Verdict verdict) {
    if (verdict.cause() == Verdict.Cause.FITS) {
      return "verdict fits";
    }
    return verdict.certainty() == Verdict.Certainty.INCONCLUSIVE
        ? "verdict inconclusive"
        : "verdict";
  }
}
