package dev.vramscope.format.torch;

import dev.vramscope.model.Finding;
import dev.vramscope.model.Finding.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Counts what was lost or contradictory, and turns it into findings. Not thread-safe. */
final class FindingCounter {
  private static final int KEYS_NAMED = 8;
  private static final int KEYS_KEPT = 1_000;

  private final Map<Issue, Long> counts = new LinkedHashMap<>();
  private final Map<String, Long> skippedKeys = new TreeMap<>();
  private long otherSkippedKeys;

  /** What can go wrong without making the file useless. */
  enum Issue {
    BLOCKS_OVERLAP(
        Severity.ERROR,
        "blocks begin inside the block before them; they were moved up, so addresses and the"
            + " segment's size are uncertain"),
    BLOCKS_MISSING(
        Severity.WARNING,
        "stretches of segments are covered by no block; they are shown as inactive"),
    BLOCKS_BEYOND_SEGMENT(
        Severity.ERROR, "segments are smaller than their blocks; they were extended"),
    EMPTY_BLOCKS(Severity.WARNING, "blocks of 0 bytes were left out"),
    EMPTY_SEGMENTS(Severity.WARNING, "segments of 0 bytes were left out"),
    RECORDED_SUMS_DIFFER(
        Severity.WARNING,
        "segments state other totals than their blocks add up to; the blocks are believed"),
    REQUESTED_EXCEEDS_BLOCK(
        Severity.ERROR, "active blocks are smaller than what was requested of them"),
    SEGMENTS_OVERLAP(Severity.ERROR, "segments begin inside the segment before them"),
    EVENTS_INCOMPLETE(Severity.WARNING, "events lack their address or size; it reads as 0"),
    TIME_BACKWARDS(Severity.WARNING, "events are earlier than the event before them"),
    HOST_MEMORY_SKIPPED(
        Severity.INFO, "lists about pinned host memory were left out: this shows device memory"),
    ANNOTATIONS_UNREADABLE(Severity.WARNING, "annotations without a name or a stage were left out"),
    TRAILING_BYTES(Severity.WARNING, "bytes follow the end of the snapshot; they were not read"),
    MORE_SNAPSHOTS(
        Severity.WARNING, "further snapshots are in the same page; only the first was read");

    private final Severity severity;
    private final String words;

    Issue(Severity severity, String words) {
      this.severity = severity;
      this.words = words;
    }

    private Finding finding(long count) {
      String code = name().toLowerCase(Locale.ROOT).replace('_', '-');
      return new Finding(severity, code, count + " " + words + ".", count);
    }
  }

  void count(Issue trouble) {
    count(trouble, 1);
  }

  void count(Issue trouble, long times) {
    if (times > 0) {
      counts.merge(trouble, times, Long::sum);
    }
  }

  /** A key whose meaning is not known. */
  void skippedKey(String key) {
    if (skippedKeys.size() < KEYS_KEPT || skippedKeys.containsKey(key)) {
      skippedKeys.merge(key, 1L, Long::sum);
    } else {
      otherSkippedKeys++;
    }
  }

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    counts.forEach((trouble, count) -> findings.add(trouble.finding(count)));
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
    List<String> named = skippedKeys.keySet().stream().limit(KEYS_NAMED).toList();
    String more = skippedKeys.size() > named.size() ? ", …" : "";
    return new Finding(
        Severity.INFO,
        "unknown-keys",
        values
            + " values were skipped, their keys are not known: "
            + String.join(", ", named)
            + more
            + ".",
        values);
  }
}
