package dev.vramscope.format.torch;

import dev.vramscope.model.Finding;
import dev.vramscope.model.Finding.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Counts missing and inconsistent data, and reports them as findings. Not thread-safe. */
final class FindingCounter {
  private static final int MAX_LISTED_KEYS = 8;
  private static final int MAX_KEY_LENGTH = 40;
  private static final int MAX_COUNTED_KEYS = 1_000;

  private final Map<Issue, Long> counts = new LinkedHashMap<>();
  private final Map<String, Long> skippedKeys = new TreeMap<>();
  private long otherSkippedKeys;
  private long stacksCut;
  private long framesOmitted;
  private int longestStack;

  /** Problems of a file that can still be read. */
  enum Issue {
    BLOCKS_OVERLAP(
        Severity.ERROR,
        "Blocks that overlap the previous block",
        "They were moved after it, so addresses and the size of the segment are uncertain"),
    BLOCKS_MISSING(
        Severity.WARNING, "Gaps in segments without a block", "They are shown as inactive blocks"),
    BLOCKS_BEYOND_SEGMENT(
        Severity.ERROR,
        "Segments that are smaller than the sum of their blocks",
        "They were extended"),
    EMPTY_BLOCKS(Severity.WARNING, "Blocks of 0 bytes", "They were ignored"),
    EMPTY_SEGMENTS(Severity.WARNING, "Segments of 0 bytes", "They were ignored"),
    RECORDED_SUMS_DIFFER(
        Severity.WARNING,
        "Segments with recorded totals that differ from the sums over their blocks",
        "The sums are used"),
    REQUESTED_EXCEEDS_BLOCK(
        Severity.ERROR,
        "Active blocks that are smaller than their requested size",
        "The size of the block is used for both"),
    SEGMENTS_OVERLAP(
        Severity.ERROR, "Segments that overlap the previous segment", "They are shown as recorded"),
    EVENTS_INCOMPLETE(
        Severity.WARNING, "Events without an address or size", "The missing value is read as 0"),
    TIME_INVALID(
        Severity.WARNING,
        "Events with a time before 1970 or after 9999",
        "Their time is shown as unknown"),
    TIME_BACKWARDS(
        Severity.WARNING,
        "Events with an earlier timestamp than the previous event",
        "They are shown in the order of the file"),
    EMPTY_DEVICES(
        Severity.WARNING,
        "Empty lists of events for more devices than a machine has",
        "They were ignored: only devices with a segment or an event are shown"),
    ANNOTATIONS_UNREADABLE(
        Severity.WARNING, "Annotations without a name or a valid stage", "They were ignored"),
    TRAILING_BYTES(Severity.WARNING, "Bytes after the end of the snapshot", "They were ignored"),
    MORE_SNAPSHOTS(
        Severity.WARNING, "Further snapshots in the same page", "Only the first one was read");

    private final Severity severity;
    private final String subject;
    private final String consequence;

    Issue(Severity severity, String subject, String consequence) {
      this.severity = severity;
      this.subject = subject;
      this.consequence = consequence;
    }

    private Finding finding(long count) {
      String code = name().toLowerCase(Locale.ROOT).replace('_', '-');
      return new Finding(severity, code, subject + ": " + count + ". " + consequence + ".", count);
    }
  }

  void count(Issue issue) {
    count(issue, 1);
  }

  void count(Issue issue, long times) {
    if (times > 0) {
      counts.merge(issue, times, Long::sum);
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
    counts.forEach((issue, count) -> findings.add(issue.finding(count)));
    if (stacksCut > 0) {
      findings.add(stacksCutFinding(maxStackFrames));
    }
    if (!skippedKeys.isEmpty()) {
      findings.add(skippedKeysFinding());
    }
    return findings;
  }

  private Finding stacksCutFinding(int maxStackFrames) {
    return new Finding(
        Severity.WARNING,
        "stacks-cut",
        String.format(
            Locale.ROOT,
            "Stacks with more than %,d frames: %,d; the longest has %,d. Their innermost %,d frames"
                + " are shown; %,d outer frames were omitted.",
            maxStackFrames,
            stacksCut,
            longestStack,
            maxStackFrames,
            framesOmitted),
        stacksCut);
  }

  private Finding skippedKeysFinding() {
    long values = otherSkippedKeys;
    for (long count : skippedKeys.values()) {
      values += count;
    }
    List<String> listed = skippedKeys.keySet().stream().limit(MAX_LISTED_KEYS).toList();
    String more = skippedKeys.size() > listed.size() ? ", …" : "";
    return new Finding(
        Severity.INFO,
        "unknown-keys",
        "Values skipped because of an unknown key: "
            + values
            + ". Their keys are "
            + String.join(", ", listed)
            + more
            + ".",
        values);
  }
}
