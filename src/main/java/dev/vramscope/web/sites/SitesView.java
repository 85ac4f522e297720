package dev.vramscope.web.sites;

import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.model.Frame;
import dev.vramscope.web.display.TextBudget;
import dev.vramscope.web.request.Slice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Allocation sites in JSON, as many as fit into one response.
 *
 * @param liveBytes of all sites, not only of these rows; active at the end
 * @param pendingFreeBytes the part of them that is pending free
 * @param peakBytes of all sites, not only of these rows; null without a trace
 * @param offset the position of the first row in the list of all sites
 * @param total number of all sites
 * @param nextOffset the offset of the rows that follow, or null
 */
public record SitesView(
    List<SiteView> rows,
    long liveBytes,
    long pendingFreeBytes,
    @Nullable Long peakBytes,
    int offset,
    int total,
    @Nullable Integer nextOffset) {
  private static final int CHARACTERS = 400_000;

  public static SitesView of(Sites sites, boolean hasEvents, int offset, int limit) {
    Slice<Sites.Row> slice = Slice.of(sites.rows(), offset, limit);
    TextBudget budget = new TextBudget(CHARACTERS);
    List<SiteView> rows = new ArrayList<>();
    for (Sites.Row row : slice.rows()) {
      if (budget.isSpent()) {
        break;
      }
      Frame frame = row.frame();
      rows.add(SiteView.of(row, frame == null ? null : budget.frame(frame), hasEvents));
    }
    int end = slice.offset() + rows.size();
    return new SitesView(
        rows,
        sites.liveBytes(),
        sites.pendingFreeBytes(),
        hasEvents ? sites.peakBytes() : null,
        slice.offset(),
        slice.total(),
        end < slice.total() ? end : null);
  }
}
