package dev.vramscope.analysis.lifetimes;

import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
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
    List<Finding> findings = new ArrayList<>();
    add(findings, FindingKind.ALLOCATED_WHILE_LIVE, allocatedWhileLive);
    add(findings, FindingKind.FREE_WITHOUT_ALLOCATION, freesWithoutAllocation);
    add(findings, FindingKind.FREED_TWICE, freedTwice);
    add(findings, FindingKind.COMPLETION_MISSING, completionsMissing);
    add(findings, FindingKind.FREE_NEVER_REQUESTED, requestsMissing);
    add(findings, FindingKind.ACTIVE_THOUGH_FREED, activeThoughFreed);
    add(findings, FindingKind.MISSING_IN_FINAL_STATE, missingInFinalState);
    add(findings, FindingKind.BLOCK_WITHOUT_EVENTS, blocksWithoutEvents);
    add(findings, FindingKind.SIZE_DIFFERS, sizesDiffer);
    return findings;
  }

  private static void add(List<Finding> findings, FindingKind kind, long count) {
    if (count > 0) {
      findings.add(kind.counted(count));
    }
  }
}
