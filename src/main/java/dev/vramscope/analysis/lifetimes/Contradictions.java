package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.Finding;
import dev.vramscope.model.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Counts contradictions within a trace, and between a trace and the final state. */
final class Contradictions {
  long allocatedWhileLive;
  long freesWithoutAllocation;
  long freedTwice;
  long completionsMissing;
  long requestsMissing;
  long activeThoughFreed;
  long missingInFinalState;
  long blocksWithoutEvents;
  long sizesDiffer;

  List<Finding> findings() {
    List<Finding> found = new ArrayList<>();
    add(
        found,
        "allocated-while-live",
        allocatedWhileLive,
        "Allocations at an address whose previous allocation had not been freed",
        "the previous allocation is assumed to end there");
    add(
        found,
        "free-without-allocation",
        freesWithoutAllocation,
        "Frees of an address without a live allocation, which cannot have been allocated before"
            + " the recording",
        "they are ignored");
    add(found, "freed-twice", freedTwice, "Repeated frees of an allocation", "they are ignored");
    add(
        found,
        "completion-missing",
        completionsMissing,
        "Requested frees without a completed one, although their memory was reused, or is free at"
            + " the end",
        "they are assumed to have completed immediately");
    add(
        found,
        "request-missing",
        requestsMissing,
        "Completed frees that were never requested",
        "the time of the client's free is unknown");
    add(
        found,
        "active-though-freed",
        activeThoughFreed,
        "Blocks that are active in the final state although they are freed in the trace",
        "the timeline ends below the final state by their size");
    add(
        found,
        "missing-in-final-state",
        missingInFinalState,
        "Allocations that are not freed in the trace and not active in the final state",
        "the timeline ends above the final state by their size");
    add(
        found,
        "block-without-events",
        blocksWithoutEvents,
        "Active blocks without events in segments that were acquired during the recording",
        "they are counted as live before the recording");
    add(
        found,
        "size-differs",
        sizesDiffer,
        "Blocks whose requested size in the final state differs from that in the trace",
        "the size in the trace is used");
    return found;
  }

  private static void add(
      List<Finding> found, String code, long count, String what, String consequence) {
    if (count > 0) {
      String message = String.format(Locale.ROOT, "%s: %,d; %s.", what, count, consequence);
      found.add(new Finding(Severity.ERROR, code, message, count));
    }
  }
}
