package dev.vramscope.explain.torch;

import static dev.vramscope.explain.message.Amounts.isSurelyMore;
import static dev.vramscope.explain.message.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the counters of a memory summary cannot be: together, they describe one moment. */
public final class SummaryChecks {
  private SummaryChecks() {}

  /** The contradictions, a sentence each; empty if there is none. */
  public static List<String> of(LogMessage message) {
    List<String> contradictions = new ArrayList<>();
    Optional<Quantity> allocated = message.quantity(FieldName.ALLOCATED);
    Optional<Quantity> reserved = message.quantity(FieldName.RESERVED);
    check(
        contradictions,
        "allocated",
        allocated,
        "at its peak",
        message.quantity(FieldName.ALLOCATED_PEAK));
    check(
        contradictions,
        "reserved",
        reserved,
        "at its peak",
        message.quantity(FieldName.RESERVED_PEAK));
    check(contradictions, "allocated", allocated, "reserved", reserved);
    check(
        contradictions,
        "active or non-releasable",
        message
            .quantity(FieldName.ACTIVE)
            .or(() -> allocated)
            .flatMap(bytes -> message.quantity(FieldName.NON_RELEASABLE).map(bytes::plus)),
        "reserved",
        reserved);
    return contradictions;
  }

  private static void check(
      List<String> contradictions,
      String part,
      Optional<Quantity> less,
      String whole,
      Optional<Quantity> more) {
    if (less.isPresent() && more.isPresent() && isSurelyMore(less.get(), more.get())) {
      contradictions.add(
          "The numbers contradict each other: "
              + text(less.get())
              + " are "
              + part
              + ", more than the "
              + text(more.get())
              + " "
              + whole
              + ".");
    }
  }
}
