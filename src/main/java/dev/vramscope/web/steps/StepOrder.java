package dev.vramscope.web.steps;

import dev.vramscope.analysis.steps.StepTable;
import dev.vramscope.web.problem.RefusedRequestException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The order of a list of steps: by number, otherwise the largest first. */
enum StepOrder {
  NUMBER("number"),
  EVENTS("events"),
  TIME("time"),
  PEAK("peak"),
  GROWTH("growth"),
  ALLOCATED("allocated"),
  CALLS("driver calls"),
  FAILURES("failed requests and retries");

  private final String label;

  StepOrder(String label) {
    this.label = label;
  }

  /** The order with the value of the parameter {@code by}. */
  static StepOrder of(String id) {
    for (StepOrder order : values()) {
      if (order.id().equals(id)) {
        return order;
      }
    }
    throw RefusedRequestException.badParameter(
        "by", id, "number, events, time, peak, growth, allocated, calls or failures");
  }

  /** The value of the parameter. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Text for a choice on a page. */
  public String label() {
    return label;
  }

  List<StepTable.Step> sorted(List<StepTable.Step> steps) {
    return this == NUMBER
        ? steps
        : steps.stream().sorted(Comparator.comparingLong(this::value).reversed()).toList();
  }

  private long value(StepTable.Step step) {
    return switch (this) {
      case NUMBER -> -step.number();
      case EVENTS -> step.window().size();
      case TIME -> step.elapsedMicros();
      case PEAK -> step.peakBytes();
      case GROWTH -> step.growthBytes();
      case ALLOCATED -> step.allocatedBytes();
      case CALLS -> step.driverCalls();
      case FAILURES -> (long) step.failureCount() + step.retryCount();
    };
  }
}
