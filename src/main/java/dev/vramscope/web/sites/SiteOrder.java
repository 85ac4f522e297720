package dev.vramscope.web.sites;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/** The order of a list of sites, the largest first, and which of their allocations it counts. */
enum SiteOrder {
  LIVE("live at the end", "live at the end"),
  PEAK("at the peak", "at the peak"),
  NEVER("never freed", "never freed"),
  TOTAL("total allocated", "in total"),
  COUNT("allocations", "in total");

  private final String label;
  private final String counted;

  SiteOrder(String label, String counted) {
    this.label = label;
    this.counted = counted;
  }

  /** The order with the value of the parameter {@code by}. */
  static SiteOrder of(String id) {
    for (SiteOrder order : values()) {
      if (order.id().equals(id)) {
        return order;
      }
    }
    throw RefusedRequestException.badParameter("by", id, "live, peak, never, total or count");
  }

  /** One order for each set of allocations that can be listed. */
  static List<SiteOrder> ofAllocations() {
    return List.of(LIVE, PEAK, NEVER, COUNT);
  }

  /** The value of the parameter. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Text for a choice on a page. */
  public String label() {
    return label;
  }

  /** Text after a number of allocations. */
  public String counted() {
    return counted;
  }

  boolean needsTrace() {
    return this != LIVE;
  }

  Comparator<Sites.Row> largestFirst() {
    return Comparator.comparingLong(this::value).reversed();
  }

  private long value(Sites.Row row) {
    return switch (this) {
      case LIVE -> row.liveBytes();
      case PEAK -> row.peakBytes();
      case NEVER -> row.neverFreedBytes();
      case TOTAL -> row.totalBytes();
      case COUNT -> row.allocationCount();
    };
  }

  /** Selects the allocations that the sorted column counts. */
  IntPredicate counts(DeviceInspection device) {
    Lifetimes lifetimes = device.lifetimes();
    int peak = device.active().peakEvent();
    int end = device.active().eventCount() - 1;
    return switch (this) {
      case LIVE -> row -> lifetimes.isActiveAt(row, end);
      case PEAK -> row -> lifetimes.isActiveAt(row, peak);
      case NEVER -> lifetimes::isNeverFreed;
      case TOTAL, COUNT -> _ -> true;
    };
  }
}
