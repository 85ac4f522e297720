package dev.vramscope.web;

import dev.vramscope.analysis.Sites;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** Memory grouped by allocation site. */
@Controller
class SitesPage {
  private static final int SHOWN = 100;

  /** Sort columns by the value of the parameter {@code by}. */
  private static final Map<String, ToLongFunction<Sites.Row>> ORDERS =
      Map.of(
          "live", Sites.Row::liveBytes,
          "peak", Sites.Row::peakBytes,
          "never", Sites.Row::neverFreedBytes,
          "total", Sites.Row::totalBytes,
          "count", Sites.Row::allocationCount);

  private final SnapshotFrame frame;

  SitesPage(SnapshotFrame frame) {
    this.frame = frame;
  }

  @GetMapping("/snapshots/{id}/sites")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "live") String by,
      @RequestParam @Nullable String all,
      Model model) {
    LoadedDevice shown = frame.show(id, device, Tab.SITES, model);
    ToLongFunction<Sites.Row> order = ORDERS.get(by);
    if (order == null) {
      throw RefusedRequestException.badParameter("by", by, "live, peak, never, total or count");
    }
    Sites sites = shown.sites();
    List<Sites.Row> rows =
        sites.rows().stream()
            .sorted(Comparator.comparingLong(order).reversed())
            .limit(all == null ? SHOWN : Integer.MAX_VALUE)
            .toList();
    model.addAttribute("sites", sites);
    model.addAttribute("rows", rows);
    model.addAttribute("by", by);
    model.addAttribute("hiddenCount", sites.rows().size() - rows.size());
    model.addAttribute("maxLive", max(sites, Sites.Row::liveBytes));
    model.addAttribute("maxPeak", max(sites, Sites.Row::peakBytes));
    model.addAttribute("maxNever", max(sites, Sites.Row::neverFreedBytes));
    return "sites";
  }

  private static long max(Sites sites, ToLongFunction<Sites.Row> column) {
    return Math.max(1, sites.rows().stream().mapToLong(column).max().orElse(1));
  }
}
