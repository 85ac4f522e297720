package dev.vramscope.analysis;

import dev.vramscope.model.Finding;
import dev.vramscope.model.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Counts what a trace says against itself or against the final state. */
final class Contradictions {
  /** An address was handed out again while its last allocation had not been freed. */
  long allocationsOverLive;

  /** A free of an address that was not handed out, and cannot have been before the recording. */
  long freesOfUnknown;

  long freedTwice;
  long completionsMissing;
  long requestsMissing;
  long aliveThoughFreed;
  long goneWithoutFree;
  long blocksWithoutEvents;
  long sizesDiffer;

  List<Finding> findings() {
    List<Finding> found = new ArrayList<>();
    add(
        found,
        "alloc-over-live",
        allocationsOverLive,
        "Allocations at an address whose last allocation had not been freed",
        "the earlier one is taken to have ended there");
    add(
        found,
        "free-of-unknown",
        freesOfUnknown,
        "Frees of an address that was not allocated, and cannot have been before the recording",
        "they are left out");
    add(found, "freed-twice", freedTwice, "Frees that repeat an earlier one", "they are left out");
    add(
        found,
        "completion-missing",
        completionsMissing,
        "Requested frees that were never completed although their bytes were free again",
        "they count as completed at once");
    add(
        found,
        "request-missing",
        requestsMissing,
        "Frees that were completed without having been requested",
        "when the client gave these bytes back is not known");
    add(
        found,
        "active-though-freed",
        aliveThoughFreed,
        "Blocks that are active in the final state although the trace freed them",
        "the timeline ends lower than the final state by these");
    add(
        found,
        "gone-without-free",
        goneWithoutFree,
        "Allocations that no event freed and that the final state does not show",
        "the timeline ends higher than the final state by these");
    add(
        found,
        "block-without-events",
        blocksWithoutEvents,
        "Active blocks without events although their segment was acquired during the recording",
        "they count as alive before it");
    add(
        found,
        "size-differs",
        sizesDiffer,
        "Blocks with another requested size in the final state than in the trace",
        "the trace's is used");
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
