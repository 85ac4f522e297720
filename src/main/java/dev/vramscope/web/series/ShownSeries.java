package dev.vramscope.web.series;

import dev.vramscope.analysis.series.Series;
import dev.vramscope.store.listing.StoredSnapshot;
import java.util.List;

/**
 * A series and the stored snapshots that it is of.
 *
 * @param stored one for each recording of the series
 * @param total how many the job has; the newest are shown
 * @param ranks how many processes the recordings are of, by their tags
 */
public record ShownSeries(Series series, List<StoredSnapshot> stored, long total, long ranks) {
  public ShownSeries {
    stored = List.copyOf(stored);
  }
}
