package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.Finding;
import dev.vramscope.model.FindingKind;
import java.util.ArrayList;
import java.util.List;

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
    add(found, FindingKind.ALLOCATED_WHILE_LIVE, allocatedWhileLive);
    add(found, FindingKind.FREE_WITHOUT_ALLOCATION, freesWithoutAllocation);
    add(found, FindingKind.FREED_TWICE, freedTwice);
    add(found, FindingKind.COMPLETION_MISSING, completionsMissing);
    add(found, FindingKind.FREE_NEVER_REQUESTED, requestsMissing);
    add(found, FindingKind.ACTIVE_THOUGH_FREED, activeThoughFreed);
    add(found, FindingKind.MISSING_IN_FINAL_STATE, missingInFinalState);
    add(found, FindingKind.BLOCK_WITHOUT_EVENTS, blocksWithoutEvents);
    add(found, FindingKind.SIZE_DIFFERS, sizesDiffer);
    return found;
  }

  private static void add(List<Finding> found, FindingKind kind, long count) {
    if (count > 0) {
      found.add(kind.counted(count));
    }
  }
}
