package dev.vramscope.explain.torch;

import static dev.vramscope.explain.findings.Amounts.isSurelyMore;
import static dev.vramscope.explain.findings.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.findings.FieldName;
import dev.vramscope.explain.findings.LogMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the counters of a memory summary cannot be: together, they describe one moment. */
public final class SummaryChecks {
  private SummaryChecks() {}

  /** The contradictions, a sentence each; empty if there is none. */
  public static List<String> of(LogMessage finding) {
    List<String> contradictions = new ArrayList<>();
    Optional<Quantity> allocated = finding.quantity(FieldName.ALLOCATED);
    Optional<Quantity> reserved = finding.quantity(FieldName.RESERVED);
    check(
        contradictions,
        "allocated",
        allocated,
        "at its peak",
        finding.quantity(FieldName.ALLOCATED_PEAK));
    check(
        contradictions,
        "reserved",
        reserved,
        "at its peak",
        finding.quantity(FieldName.RESERVED_PEAK));
    check(contradictions, "allocated", allocated, "reserved", reserved);
    check(
        contradictions,
        "active or non-releasable",
        finding
            .quantity(FieldName.ACTIVE)
            .or(() -> allocated)
            .flatMap(bytes -> finding.quantity(FieldName.NON_RELEASABLE).map(bytes::plus)),
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
