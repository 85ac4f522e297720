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
  private static final int MAX_COUNTED_KEYS = 1_000;

  private final Map<Issue, Long> counts = new LinkedHashMap<>();
  private final Map<String, Long> skippedKeys = new TreeMap<>();
  private long otherSkippedKeys;

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
        "Both sizes are shown as recorded"),
    SEGMENTS_OVERLAP(
        Severity.ERROR, "Segments that overlap the previous segment", "They are shown as recorded"),
    EVENTS_INCOMPLETE(
        Severity.WARNING, "Events without an address or size", "The missing value is read as 0"),
    TIME_BACKWARDS(
        Severity.WARNING,
        "Events with an earlier timestamp than the previous event",
        "They are shown in the order of the file"),
    HOST_MEMORY_SKIPPED(
        Severity.INFO,
        "Lists of pinned host memory",
        "They were ignored: only device memory is shown"),
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
  void skippedKey(String key) {
    if (skippedKeys.size() < MAX_COUNTED_KEYS || skippedKeys.containsKey(key)) {
      skippedKeys.merge(key, 1L, Long::sum);
    } else {
      otherSkippedKeys++;
    }
  }

  List<Finding> toFindings() {
    List<Finding> findings = new ArrayList<>();
    counts.forEach((issue, count) -> findings.add(issue.finding(count)));
    if (!skippedKeys.isEmpty()) {
      findings.add(skippedKeysFinding());
    }
    return findings;
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
