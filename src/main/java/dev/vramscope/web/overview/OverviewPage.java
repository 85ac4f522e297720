package dev.vramscope.web.overview;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.ReplayEffort;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.snapshot.EnteredSize;
import dev.vramscope.web.snapshot.LedgerView;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.Tab;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /** With more events, the sizes of exports follow the page: the first estimate takes a while. */
  private static final int MANY_EVENTS = 100_000;

  private final SnapshotFrame frame;

  /** About how many bytes each export has: that takes a pass over all events. */
  private final LoadingCache<Snapshot, Map<ExportFormat, Long>> exports =
      Caffeine.newBuilder().weakKeys().build(ExportFormat::estimatedBytes);

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
    Optional<String> other = frame.otherPage(id);
    if (other.isPresent()) {
      return "redirect:" + other.get();
    }
    DeviceInspection inspection = frame.show(id, device, Tab.OVERVIEW, model);
    if (inspection.device().kind() == RecordingKind.PROFILE) {
      return "profile";
    }
    DeviceEvidence evidence = EnteredSize.forPage(total, inspection, model, response);
    model.addAttribute(
        "ledger", LedgerView.of(inspection.moments().ledger(evidence), inspection.family()));
    model.addAttribute("kinds", kinds(inspection));
    model.addAttribute(
        "settings", inspection.snapshot().settings().map(SettingsView::of).orElse(null));
    addExports(
        inspection.snapshot(),
        inspection.snapshot().eventCount() > MANY_EVENTS
            ? exports.getIfPresent(inspection.snapshot())
            : exports.get(inspection.snapshot()),
        model);
    model.addAttribute("pools", Slice.of(inspection.fragmentation().pools(), 0, MAX_POOLS));
    if (!inspection.ooms().isEmpty()) {
      frame.addExplanation(
          inspection.failures().explanation(0, evidence, ReplayEffort.QUICK), 0, total, model);
    } else {
      frame.addExplanation(inspection, evidence, ReplayEffort.QUICK, total, model);
    }
    return "overview";
  }

  /** The part of the page that a script fetches if the sizes of the exports are not known yet. */
  @GetMapping("/snapshots/{id}/export-sizes")
  String exportSizes(@PathVariable String id, @RequestParam @Nullable Integer device, Model model) {
    DeviceInspection inspection = frame.show(id, device, Tab.OVERVIEW, model);
    if (inspection.device().kind() == RecordingKind.PROFILE) {
      throw RefusedRequestException.notOfProfile();
    }
    addExports(inspection.snapshot(), exports.get(inspection.snapshot()), model);
    return "overview :: exports";
  }

  private static void addExports(
      Snapshot snapshot, @Nullable Map<ExportFormat, Long> bytes, Model model) {
    model.addAttribute("exports", ExportFormat.of(snapshot));
    model.addAttribute("exportBytes", bytes);
  }

  /** Segments of one size class: small, large, or both. */
  record Kind(long segmentCount, long reserved, long allocated, long pending, long inactive) {}

  private static List<Kind> kinds(DeviceInspection device) {
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
