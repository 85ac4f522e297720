package dev.vramscope.plan;

import dev.vramscope.model.ByteText;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.whatif.RecordedRun;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What keeps recordings from being planned with. */
final class PlanChecks {
  /** Recordings of which less agrees are not of the same program. */
  private static final double LEAST_ALIGNED = 0.5;

  private static final int MOST_RECORDINGS = 16;
  private static final int MOST_PARAMETERS = 4;
  private static final int SHOWN_TEXT = 60;

  /** A peak below this part of the peak at a smaller value falls. */
  private static final double FALLING_PART = 0.98;

  private PlanChecks() {}

  static void require(List<SizedRecording> recordings) throws PlanRefusedException {
    if (recordings.size() < 2) {
      throw new PlanRefusedException(
          "A plan needs at least two recordings of the same program.",
          "Record it at two small values, such as batch 2 and batch 3.");
    }
    if (recordings.size() > MOST_RECORDINGS) {
      throw new PlanRefusedException(
          "A plan takes at most " + MOST_RECORDINGS + " recordings.",
          "Two or three for each parameter are enough.");
    }
    requireSameNames(recordings);
    int parameters = recordings.getFirst().values().names().size();
    if (parameters > MOST_PARAMETERS) {
      throw new PlanRefusedException(
          "A plan takes at most "
              + MOST_PARAMETERS
              + " parameters, and "
              + parameters
              + " are given.",
          "Name only those that differ between the recordings.");
    }
    requireDistinct(recordings);
    requireDistinctFiles(recordings);
    for (SizedRecording recording : recordings) {
      if (recording.isWrapped()) {
        throw new PlanRefusedException(
            recording.name()
                + " begins in mid-run: its buffer of "
                + String.format(Locale.ROOT, "%,d", recording.device().trace().size())
                + " events was full, and the oldest were overwritten.",
            "Record it again with a larger max_entries, or with fewer steps.");
      }
    }
  }

  private static void requireSameNames(List<SizedRecording> recordings)
      throws PlanRefusedException {
    SizedRecording first = recordings.getFirst();
    for (SizedRecording other : recordings) {
      if (!new HashSet<>(other.values().names()).equals(new HashSet<>(first.values().names()))) {
        throw new PlanRefusedException(
            String.format(
                "%s has the parameters %s, %s has %s.",
                first.name(),
                String.join(", ", first.values().names()),
                other.name(),
                String.join(", ", other.values().names())),
            "Give each recording a value for the same parameters.");
      }
    }
  }

  private static void requireDistinct(List<SizedRecording> recordings) throws PlanRefusedException {
    Set<ParameterValues> seenValues = new HashSet<>();
    for (SizedRecording recording : recordings) {
      if (!seenValues.add(recording.values())) {
        String first =
            recordings.stream()
                .filter(other -> other.values().equals(recording.values()))
                .findFirst()
                .orElseThrow()
                .name();
        throw new PlanRefusedException(
            String.format(
                "%s and %s have the same value: %s.",
                first, recording.name(), recording.values().label()),
            "How memory grows shows only in recordings at different values.");
      }
    }
  }

  private static void requireDistinctFiles(List<SizedRecording> recordings)
      throws PlanRefusedException {
    for (int i = 0; i < recordings.size(); i++) {
      for (int j = 0; j < i; j++) {
        SizedRecording one = recordings.get(j);
        SizedRecording other = recordings.get(i);
        if (isSameTrace(one.device().trace(), other.device().trace())) {
          throw new PlanRefusedException(
              String.format(
                  "%s, given for %s, and %s, given for %s, are the same recording.",
                  one.name(), one.values().label(), other.name(), other.values().label()),
              "Give each value the recording that was made at it.");
        }
      }
    }
  }

  private static boolean isSameTrace(Trace one, Trace other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int event = 0; event < one.size(); event++) {
      if (one.bytes(event) != other.bytes(event)
          || one.address(event) != other.address(event)
          || one.timeMicros(event) != other.timeMicros(event)
          || one.action(event) != other.action(event)) {
        return false;
      }
    }
    return true;
  }

  /** Refuses recordings of which one needs less than another at smaller values. */
  static void requireGrowing(Plan plan) throws PlanRefusedException {
    List<SizedRecording> whole = new ArrayList<>();
    for (int i = 0; i < plan.recordings().size(); i++) {
      if (plan.isWhole(i)) {
        whole.add(plan.recordings().get(i));
      }
    }
    for (SizedRecording larger : whole) {
      for (SizedRecording smaller : whole) {
        long bytes = larger.run().peakLive().bytes();
        long smallerBytes = smaller.run().peakLive().bytes();
        if (isNowhereLess(larger.values(), smaller.values())
            && bytes < FALLING_PART * smallerBytes) {
          throw new PlanRefusedException(
              String.format(
                  "Memory falls as the value rises: %s (%s) needs %s at the peak, %s (%s) only %s.",
                  smaller.values().label(),
                  smaller.name(),
                  ByteText.of(smallerBytes),
                  larger.values().label(),
                  larger.name(),
                  ByteText.of(bytes)),
              "Check that the values are not swapped. A parameter with which memory falls, such as"
                  + " a number of shards, cannot be planned.");
        }
      }
    }
  }

  private static boolean isNowhereLess(ParameterValues one, ParameterValues other) {
    return one.names().stream().allMatch(name -> one.get(name) >= other.get(name));
  }

  /** Text that somebody typed, for a message. */
  static String elided(String text) {
    return text.length() <= SHOWN_TEXT ? text : text.substring(0, SHOWN_TEXT) + "…";
  }

  static void requireSameProgram(Plan plan, int one, int other) throws PlanRefusedException {
    Alignment alignment = plan.alignment(one, other);
    if (alignment.isComplete()) {
      return;
    }
    int aligned = 0;
    for (int i = 0; i < plan.operations(one).count(); i++) {
      aligned += alignment.partner(i) == Alignment.NONE ? 0 : 1;
    }
    int fewer = Math.min(plan.operations(one).count(), plan.operations(other).count());
    if (aligned < LEAST_ALIGNED * fewer) {
      Difference first = alignment.differences().getFirst();
      throw new PlanRefusedException(
          String.format(
              Locale.ROOT,
              "%s and %s are not recordings of the same program: only %,d of %,d requests and frees"
                  + " agree. They part at %s and %s.",
              plan.recordings().get(one).name(),
              plan.recordings().get(other).name(),
              aligned,
              fewer,
              place(plan, one, first.first()),
              place(plan, other, first.otherFirst())),
          "Record the same program twice, from its start, and change only the parameter.");
    }
  }

  /** Such as {@code event 332 (allocates 8 MiB in forward, train.py:12)}. */
  static String place(Plan plan, int recording, int operation) {
    PlannedOperations operations = plan.operations(recording);
    if (operation >= operations.count()) {
      return "the end";
    }
    SizedRecording of = plan.recordings().get(recording);
    int event = of.run().event(operation);
    if (event < 0) {
      return "the blocks from before the recording";
    }
    Trace trace = of.device().trace();
    String line = "";
    for (int at = event; at >= 0 && line.isEmpty(); at--) {
      if (trace.stack(at) != StackTable.NONE) {
        line =
            (at < event ? ", after " : " in ")
                + PlaceText.of(of.snapshot().stacks(), trace.stack(at));
      }
    }
    return String.format(
        Locale.ROOT, "event %,d (%s%s)", event, action(of.run(), operations, operation), line);
  }

  private static String action(RecordedRun run, PlannedOperations operations, int operation) {
    String bytes = ByteText.of(operations.bytes(operation));
    return switch (run.kind(operation)) {
      case RecordedRun.ALLOCATE -> "allocates " + bytes;
      case RecordedRun.FREE, RecordedRun.FREE_PENDING -> "frees " + bytes;
      case RecordedRun.FAIL, RecordedRun.FAIL_IN_CAPTURE -> "a request for " + bytes + " fails";
      case RecordedRun.EMPTY_CACHE -> "empties the cache";
      default -> "another operation";
    };
  }
}
