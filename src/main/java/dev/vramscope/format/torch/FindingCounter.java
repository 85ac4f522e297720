package dev.vramscope.format.torch;

import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts missing and inconsistent data, and reports them as findings. Not thread-safe. */
final class FindingCounter {
  private static final int MAX_LISTED_KEYS = 8;
  private static final int MAX_KEY_LENGTH = 40;
  private static final int MAX_COUNTED_KEYS = 1_000;

  private final Map<FindingKind, Long> counts = new LinkedHashMap<>();
  private final Map<String, Long> skippedKeys = new TreeMap<>();
  private long otherSkippedKeys;
  private long stacksCut;
  private long framesOmitted;
  private int longestStack;

  void count(FindingKind kind) {
    count(kind, 1);
  }

  void count(FindingKind kind, long times) {
    if (times > 0) {
      counts.merge(kind, times, Long::sum);
    }
  }

  /** Counts a value that was skipped because its key is unknown. */
  void skippedKey(String text) {
    String key = text.length() <= MAX_KEY_LENGTH ? text : text.substring(0, MAX_KEY_LENGTH) + "…";
    if (skippedKeys.size() < MAX_COUNTED_KEYS || skippedKeys.containsKey(key)) {
      skippedKeys.merge(key, 1L, Long::sum);
    } else {
      otherSkippedKeys++;
    }
  }

  /** Counts a stack of {@code recorded} frames of which {@code kept} are kept. */
  void stackCut(int kept, int recorded) {
    stacksCut++;
    framesOmitted += recorded - kept;
    longestStack = Math.max(longestStack, recorded);
  }

  List<Finding> toFindings(int maxStackFrames) {
    List<Finding> findings = new ArrayList<>();
    counts.forEach((kind, count) -> findings.add(kind.counted(count)));
    if (stacksCut > 0) {
      findings.add(stacksCutFinding(maxStackFrames));
    }
    if (!skippedKeys.isEmpty()) {
      findings.add(skippedKeysFinding());
    }
    return findings;
  }

  private Finding stacksCutFinding(int maxStackFrames) {
    return FindingKind.STACKS_CUT.finding(
        stacksCut, maxStackFrames, stacksCut, longestStack, maxStackFrames, framesOmitted);
  }

  private Finding skippedKeysFinding() {
    long values = otherSkippedKeys;
    for (long count : skippedKeys.values()) {
      values += count;
    }
    List<String> listed = skippedKeys.keySet().stream().limit(MAX_LISTED_KEYS).toList();
    String more = skippedKeys.size() > listed.size() ? ", …" : "";
    return FindingKind.UNKNOWN_KEYS.finding(values, values, String.join(", ", listed) + more);
  }
}
