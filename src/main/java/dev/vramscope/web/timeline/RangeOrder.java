package dev.vramscope.web.timeline;

import dev.vramscope.analysis.sites.RangeSites;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.Comparator;
import java.util.Locale;

/** The order of the sites of a range of events, the largest first. */
enum RangeOrder {
  ALLOCATED("allocated"),
  FREED("freed"),
  START("live at the start"),
  END("live at the end"),
  GROWTH("growth"),
  OWN("own peak"),
  PEAK("at the peak");

  private final String label;

  RangeOrder(String label) {
    this.label = label;
  }

  /** The order with the value of the parameter {@code by}. */
  static RangeOrder of(String id) {
    for (RangeOrder order : values()) {
      if (order.id().equals(id)) {
        return order;
      }
    }
    throw RefusedRequestException.badParameter(
        "by", id, "allocated, freed, start, end, growth, own or peak");
  }

  /** The value of the parameter. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Text for a choice on a page. */
  public String label() {
    return label;
  }

  long value(RangeSites.Row row) {
    RangeSites.Amounts amounts = row.amounts();
    return switch (this) {
      case ALLOCATED -> amounts.allocatedBytes();
      case FREED -> amounts.freedBytes();
      case START -> amounts.liveAtStartBytes();
      case END -> amounts.liveAtEndBytes();
      case GROWTH -> amounts.growthBytes();
      case OWN -> amounts.ownPeakBytes();
      case PEAK -> amounts.atPeakBytes();
    };
  }

  Comparator<RangeSites.Row> largestFirst() {
    return Comparator.comparingLong(this::value).reversed();
  }
}
