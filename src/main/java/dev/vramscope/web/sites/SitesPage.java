package dev.vramscope.web.sites;

import dev.vramscope.analysis.sites.SiteAllocations;
import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.display.TextBudget;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.Slice;
import dev.vramscope.web.snapshot.Selection;
import dev.vramscope.web.snapshot.SiteKey;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.StackFrames;
import dev.vramscope.web.snapshot.Tab;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Memory grouped by allocation site. {@code site}, see {@link SiteKey}, selects a row and lists its
 * blocks. The site of the allocation {@code sel} is marked, and above the others, as are the sites
 * of the stacks with {@code text} in a frame; {@link SiteFilter} leaves sites out.
 */
@Controller
class SitesPage {
  private static final int SHOWN = 50;
  private static final int ALLOCATIONS = 50;
  private static final int MAX_FRAMES = 40;
  private static final int CHARACTERS = 250_000;

  private final SnapshotFrame frame;

  SitesPage(SnapshotFrame frame) {
    this.frame = frame;
  }

  @GetMapping("/snapshots/{id}/sites")
  String show(
      @PathVariable String id,
      @RequestParam @Nullable Integer device,
      @RequestParam(defaultValue = "live") String by,
      @RequestParam(defaultValue = "0") int offset,
      @RequestParam @Nullable String site,
      @RequestParam @Nullable String sel,
      @RequestParam @Nullable String text,
      @RequestParam(defaultValue = "false") boolean only,
      @RequestParam @Nullable String use,
      Model model) {
    DeviceInspection inspection = frame.show(id, device, Tab.SITES, model);
    SiteOrder order = SiteOrder.of(by);
    if (!inspection.hasEvents() && order.needsTrace()) {
      throw RefusedRequestException.badParameter("by", by, "live; the snapshot has no trace");
    }
    Sites sites = inspection.sites();
    StackClasses stacks = inspection.stacks();
    Sites.Row selected = site == null ? null : SiteKey.find(site, sites, stacks);
    Selection allocation =
        Selection.ofNumber(
            sel, inspection.lifetimes().size(), "allocation", inspection.device().label());
    Sites.Row marked = siteOf(allocation, inspection, stacks);
    SiteFilter filter = new SiteFilter(text, only, use);
    Map<Sites.Row, Integer> matchingStacks = filter.matchingStacks(inspection, stacks);
    List<Sites.Row> sorted =
        filter.listed(sites.rows(), matchingStacks.keySet()).stream()
            .sorted(
                Comparator.comparing((Sites.Row row) -> !row.equals(selected))
                    .thenComparing(row -> !row.equals(marked))
                    .thenComparing(row -> !matchingStacks.containsKey(row))
                    .thenComparing(order.largestFirst()))
            .toList();
    Slice<Sites.Row> slice = Slice.of(sorted, offset, SHOWN);
    List<Sites.Row> rows = slice.rows();
    if (selected != null) {
      model.addAttribute("selected", selected);
      model.addAttribute(
          "allocations",
          SiteAllocations.of(
              selected, inspection.lifetimes(), stacks, order.counts(inspection), ALLOCATIONS));
    }
    model.addAttribute("isUnknownSite", site != null && !site.isBlank() && selected == null);
    model.addAttribute("notes", Selection.notes(allocation));
    model.addAttribute("allocation", allocation.value());
    model.addAttribute("marked", marked);
    model.addAttribute("filter", filter);
    model.addAttribute("listed", sorted);
    model.addAttribute("found", matchingStacks);
    model.addAttribute("sites", sites);
    model.addAttribute("rows", rows);
    model.addAttribute("order", order);
    model.addAttribute("orders", SiteOrder.values());
    model.addAttribute("ordersOfAllocations", SiteOrder.ofAllocations());
    model.addAttribute("slice", slice);
    model.addAttribute("stacks", framesOf(stacks, rows, matchingStacks));
    if (inspection.hasEvents()) {
      model.addAttribute("curves", new SiteCurves(rows, inspection, stacks));
    }
    model.addAttribute("liveBytes", sum(sorted, Sites.Row::liveBytes));
    model.addAttribute("peakBytes", sum(sorted, Sites.Row::peakBytes));
    model.addAttribute("maxLive", max(sites, Sites.Row::liveBytes));
    model.addAttribute("maxPeak", max(sites, Sites.Row::peakBytes));
    model.addAttribute("maxNever", max(sites, Sites.Row::neverFreedBytes));
    return "sites";
  }

  /** The row of the selected allocation. */
  private static Sites.@Nullable Row siteOf(
      Selection selected, DeviceInspection device, StackClasses stacks) {
    Long allocation = selected.value();
    return allocation == null
        ? null
        : device.sites().rows().stream()
            .filter(row -> row.isSiteOf(allocation.intValue(), device.lifetimes(), stacks))
            .findFirst()
            .orElse(null);
  }

  /** The inner frames of a stack of each row: the one that was found or, by default, its own. */
  private static Map<Sites.Row, StackFrames> framesOf(
      StackClasses classes, List<Sites.Row> rows, Map<Sites.Row, Integer> matchingStacks) {
    TextBudget budget = new TextBudget(CHARACTERS);
    Map<Sites.Row, StackFrames> stacks = new HashMap<>();
    for (Sites.Row row : rows) {
      int stack = matchingStacks.getOrDefault(row, row.stack());
      stacks.put(row, StackFrames.of(classes, stack, 0, MAX_FRAMES, budget));
    }
    return stacks;
  }

  private static long max(Sites sites, ToLongFunction<Sites.Row> column) {
    return Math.max(1, sites.rows().stream().mapToLong(column).max().orElse(1));
  }

  private static long sum(List<Sites.Row> rows, ToLongFunction<Sites.Row> column) {
    return rows.stream().mapToLong(column).sum();
  }
}
