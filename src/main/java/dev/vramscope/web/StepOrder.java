package dev.vramscope.web;

import dev.vramscope.analysis.StepTable;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** The order of a list of steps: by number, otherwise the largest first. */
enum StepOrder {
  NUMBER("number", step -> -step.number()),
  EVENTS("events", step -> step.window().size()),
  TIME("time", StepTable.Step::elapsedMicros),
  PEAK("peak", StepTable.Step::peakBytes),
  GROWTH("growth", StepTable.Step::growthBytes),
  ALLOCATED("allocated", StepTable.Step::allocatedBytes),
  CALLS("driver calls", StepTable.Step::driverCalls),
  FAILURES("failed requests and retries", step -> (long) step.failureCount() + step.retryCount());

  private final String label;
  private final ToLongFunction<StepTable.Step> value;

  StepOrder(String label, ToLongFunction<StepTable.Step> value) {
    this.label = label;
    this.value = value;
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
        : steps.stream().sorted(Comparator.comparingLong(value).reversed()).toList();
  }
}
