package dev.vramscope.web;

import dev.vramscope.analysis.DeviceEvidence;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.postmortem.OomReport;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The overview of a snapshot: totals, ledger, fragmentation, peak. */
@Controller
class OverviewPage {
  private static final int MAX_POOLS = 50;

  private final SnapshotFrame frame;

  OverviewPage(SnapshotFrame frame) {
    this.frame = frame;
  }

  @GetMapping("/snapshots/{id}")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam @Nullable String total,
      Model model,
      HttpServletResponse response) {
    LoadedDevice shown = frame.show(id, device, Tab.OVERVIEW, model);
    if (shown.device().isProfile()) {
      return "profile";
    }
    DeviceEvidence known = EnteredSize.shown(total, shown, model, response);
    model.addAttribute("ledger", LedgerView.of(shown.ledger(known), shown.family()));
    model.addAttribute("kinds", kinds(shown));
    model.addAttribute("pools", Slice.of(shown.fragmentation().pools(), 0, MAX_POOLS));
    if (!shown.ooms().isEmpty()) {
      OomReport report = shown.report(0, known);
      frame.addExplanation(shown.explanation(report, 0, false), 0, model);
    } else {
      frame.addExplanation(shown, known, false, model);
    }
    return "overview";
  }

  /** Segments of one size class: small, large, or both. */
  record Kind(long segmentCount, long reserved, long allocated, long pending, long inactive) {}

  private static List<Kind> kinds(LoadedDevice device) {
    List<Kind> kinds = new ArrayList<>();
    for (PoolKind kind : PoolKind.values()) {
      List<Segment> segments =
          device.device().segments().stream().filter(segment -> segment.kind() == kind).toList();
      kinds.add(kind(segments));
    }
    kinds.add(kind(device.device().segments()));
    return kinds;
  }

  private static Kind kind(List<Segment> segments) {
    return new Kind(
        segments.size(),
        segments.stream().mapToLong(Segment::bytes).sum(),
        segments.stream().mapToLong(Segment::allocatedBytes).sum(),
        segments.stream().mapToLong(Segment::pendingFreeBytes).sum(),
        segments.stream().mapToLong(Segment::inactiveBytes).sum());
  }
}
