package dev.vramscope.web.oom;

import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.Segment;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.postmortem.explanation.Explanation;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.request.TextParameter;
import dev.vramscope.web.snapshot.EnteredSize;
import dev.vramscope.web.snapshot.LedgerView;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.Tab;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.stream.LongStream;
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
  private static final int MAX_STREAMS = 200;

  private final SnapshotFrame frame;
  private final ProfilePartners partners;

  OomPage(SnapshotFrame frame, ProfilePartners partners) {
    this.frame = frame;
    this.partners = partners;
  }

  @GetMapping("/snapshots/{id}/oom")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "0") int n,
      @RequestParam @Nullable String bytes,
      @RequestParam @Nullable Long stream,
      @RequestParam @Nullable String total,
      @RequestParam(defaultValue = "0") int offset,
      @RequestParam(defaultValue = "false") boolean replays,
      @RequestParam @Nullable String profile,
      Model model,
      HttpServletResponse response) {
    DeviceInspection inspection = frame.show(id, device, Tab.OOM, model);
    DeviceEvidence evidence = EnteredSize.forPage(total, inspection, model, response);
    ReplayEffort effort = ReplayEffort.of(replays);
    OomQuery query = new OomQuery(n, bytes, stream, effort);
    long chosenStream = query.streamOn(inspection);
    model.addAttribute("n", n);
    model.addAttribute("bytes", bytes);
    model.addAttribute("stream", chosenStream);
    model.addAttribute("streams", streams(inspection, chosenStream));
    model.addAttribute(
        "failures", Slice.of(inspection.ooms(), Math.max(0, n) / SHOWN * SHOWN, SHOWN));
    if (ProfilePartners.isPossible(inspection)) {
      model.addAttribute("isProfilePossible", true);
      String chosen = TextParameter.strippedOrNull(profile);
      model.addAttribute(
          "profiled", partners.find(id, inspection, chosen).map(ProfiledDumpView::of).orElse(null));
    }
    OomQuery.Answer answer = query.answer(inspection, evidence).orElse(null);
    if (answer == null) {
      model.addAttribute(
          "ledger", LedgerView.of(inspection.moments().ledger(evidence), inspection.family()));
      if (frame.addExplanation(inspection, evidence, effort, total, model)) {
        model.addAttribute(
            "smallestDevice", inspection.failures().smallestDevice().smallest(effort).orElse(null));
        model.addAttribute("isPending", inspection.failures().smallestDevice().isPending());
      }
      return "oom";
    }
    OomReport report = answer.report();
    model.addAttribute("report", PostMortemView.of(report, inspection, offset));
    model.addAttribute("ledger", LedgerView.of(report.ledger(), report.request().family()));
    Explanation explanation = answer.explanation();
    if (explanation != null) {
      frame.addExplanation(explanation, n, total, model);
    }
    return "oom";
  }

  /** The streams to choose from for a hypothetical request. */
  private static List<Long> streams(DeviceInspection device, long chosenStream) {
    return LongStream.concat(
            LongStream.of(0, chosenStream),
            device.device().segments().stream().mapToLong(Segment::stream))
        .distinct()
        .limit(MAX_STREAMS)
        .sorted()
        .boxed()
        .toList();
  }
}
