package dev.vramscope.web;

import dev.vramscope.analysis.Sites;
import dev.vramscope.model.Frame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Allocation sites in JSON, as many as fit into one response.
 *
 * @param liveBytes of all sites, not only of these rows
 * @param peakBytes of all sites, not only of these rows
 * @param offset the position of the first row in the list of all sites
 * @param total number of all sites
 * @param nextOffset the offset of the rows that follow, or null
 */
record SitesView(
    List<Sites.Row> rows,
    long liveBytes,
    long peakBytes,
    int offset,
    int total,
    @Nullable Integer nextOffset) {
  private static final int CHARACTERS = 400_000;

  static SitesView of(Sites sites, int offset, int limit) {
    Slice<Sites.Row> slice = Slice.of(sites.rows(), offset, limit);
    TextBudget budget = new TextBudget(CHARACTERS);
    List<Sites.Row> rows = new ArrayList<>();
    for (Sites.Row row : slice.rows()) {
      if (budget.isSpent()) {
        break;
      }
      Frame frame = row.frame();
      rows.add(row.withFrame(frame == null ? null : budget.frame(frame)));
    }
    int end = slice.offset() + rows.size();
    return new SitesView(
        rows,
        sites.liveBytes(),
        sites.peakBytes(),
        slice.offset(),
        slice.total(),
        end < slice.total() ? end : null);
  }
}
