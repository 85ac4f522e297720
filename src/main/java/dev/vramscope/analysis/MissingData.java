package dev.vramscope.analysis;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.lifetimes.RingWrap;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Finding;
import dev.vramscope.model.Finding.Severity;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * Data that is missing in the recording of a device, as findings about its effect on the results.
 *
 * @param findings most severe first
 * @param isPeakUncertain whether older events were lost, so that the recording's peak may lie
 *     before the first event
 */
public record MissingData(List<Finding> findings, boolean isPeakUncertain) {
  public MissingData {
    findings = List.copyOf(findings);
  }

  public static MissingData of(
      Snapshot snapshot, DeviceSnapshot device, Lifetimes lifetimes, ActiveBytes active) {
    List<Finding> found = new ArrayList<>(snapshot.findings());
    found.addAll(lifetimes.findings());
    if (!device.kind().hasAddresses()) {
      stacksMissing(lifetimes, found);
      found.sort(Comparator.comparing(Finding::severity).reversed());
      return new MissingData(found, /* isPeakUncertain= */ false);
    }
    Trace trace = device.trace();
    boolean isPeakUncertain = false;
    if (device.isFailedRequestUnknown()) {
      found.add(
          new Finding(
              Severity.WARNING,
              "request-missing",
              "A request failed, because the allocator writes a dump at no other time, but the file"
                  + " does not contain it. Its size is in the program’s log.",
              1));
    } else if (trace.isEmpty()) {
      found.add(
          new Finding(
              Severity.WARNING,
              "trace-empty",
              "No events were recorded. Only the final state is known; there is no timeline and no"
                  + " peak.",
              1));
    } else if (device.kind() != RecordingKind.DUMP) {
      isPeakUncertain = ringWrapped(RingWrap.of(snapshot, device), found);
      isPeakUncertain |= eventsLost(lifetimes, found);
      liveBefore(lifetimes, active, found);
      timesMissing(trace, found);
    }
    stacksMissing(lifetimes, found);
    requestsUnknown(lifetimes, found);
    reservedUnknown(trace, active, found);
    segmentsMissing(device, active, found);
    if (snapshot.settings().isEmpty() && device.facts().family() == AllocatorFamily.CACHING) {
      found.add(
          new Finding(
              Severity.INFO,
              "settings-unknown",
              "The allocator's settings were not recorded. The default rules for rounding and"
                  + " splitting are assumed.",
              1));
    }
    found.sort(Comparator.comparing(Finding::severity).reversed());
    return new MissingData(found, isPeakUncertain);
  }

  /** The findings of several devices, each once, most severe first. */
  public static List<Finding> distinct(List<List<Finding>> ofDevices) {
    return ofDevices.stream()
        .flatMap(List::stream)
        .distinct()
        .sorted(Comparator.comparing(Finding::severity).reversed())
        .toList();
  }

  /** Number and bytes of the lifetimes for which a condition holds. */
  private record Rows(long count, long bytes) {
    static Rows of(Lifetimes lifetimes, int first, int end, IntPredicate condition) {
      long count = 0;
      long bytes = 0;
      for (int row = first; row < end; row++) {
        if (condition.test(row)) {
          count++;
          bytes += lifetimes.bytes(row);
        }
      }
      return new Rows(count, bytes);
    }
  }

  private static boolean ringWrapped(RingWrap wrap, List<Finding> found) {
    if (wrap.isLikely() && !wrap.reason().isEmpty()) {
      found.add(
          new Finding(
              Severity.WARNING,
              RingWrap.CODE,
              "The ring buffer of events "
                  + (wrap.isCertain() ? "was full" : "was probably full")
                  + " ("
                  + wrap.reason()
                  + "). Older events are lost, so an earlier peak does not appear on the timeline.",
              1));
    }
    return wrap.isLikely();
  }

  /**
   * A block with a stack was allocated while stacks were recorded. If its allocation has no event,
   * the recording began before the trace does.
   */
  private static boolean eventsLost(Lifetimes lifetimes, List<Finding> found) {
    Rows lost = Rows.of(lifetimes, 0, lifetimes.liveBeforeCount(), lifetimes::hasStack);
    if (lost.count() > 0) {
      found.add(
          new Finding(
              Severity.WARNING,
              "events-lost",
              String.format(
                  Locale.ROOT,
                  "The recording began before the first event of the trace: %s at the end (%s) with"
                      + " a recorded stack but without an allocation event. The highest value in"
                      + " the trace is not necessarily the peak of the recording.",
                  counted(lost.count(), "block is live", "blocks are live"),
                  ByteText.of(lost.bytes())),
              lost.count()));
    }
    return lost.count() > 0;
  }

  private static void liveBefore(Lifetimes lifetimes, ActiveBytes active, List<Finding> found) {
    int count = lifetimes.liveBeforeCount();
    if (count == 0) {
      return;
    }
    Rows withoutStack = Rows.of(lifetimes, 0, count, row -> !lifetimes.hasStack(row));
    Rows ended = Rows.of(lifetimes, 0, count, row -> lifetimes.endEvent(row) != Lifetimes.NEVER);
    long freed = ended.count();
    String stacks =
        withoutStack.count() == 0
            ? "."
            : String.format(
                Locale.ROOT,
                "; the code that made %s (%s) is unknown, because no stack was recorded.",
                withoutStack.count() == count
                    ? "them"
                    : counted(withoutStack.count(), "of them", "of them"),
                ByteText.of(withoutStack.bytes()));
    String message =
        String.format(
            Locale.ROOT,
            "%s in %s live before the first event, and %s freed later. All totals include them%s",
            ByteText.of(active.baselineBytes()),
            counted(count, "allocation was", "allocations were"),
            freed == 0 ? "none was" : counted(freed, "was", "were"),
            stacks);
    found.add(new Finding(Severity.WARNING, "live-before-recording", message, count));
  }

  private static void timesMissing(Trace trace, List<Finding> found) {
    long missing = 0;
    for (int event = 0; event < trace.size(); event++) {
      if (trace.timeMicros(event) == Trace.NO_TIME) {
        missing++;
      }
    }
    if (missing > 0) {
      found.add(
          new Finding(
              Severity.INFO,
              "times-missing",
              (missing == trace.size()
                      ? "The events have no time. "
                      : String.format(
                          Locale.ROOT, "%,d of %,d events have no time. ", missing, trace.size()))
                  + "The timeline is drawn by event number.",
              missing));
    }
  }

  private static void stacksMissing(Lifetimes lifetimes, List<Finding> found) {
    int first = lifetimes.liveBeforeCount();
    Rows all = Rows.of(lifetimes, first, lifetimes.size(), _ -> true);
    Rows missing = Rows.of(lifetimes, first, lifetimes.size(), row -> !lifetimes.hasStack(row));
    if (missing.count() > 0) {
      found.add(
          new Finding(
              Severity.WARNING,
              "stacks-missing",
              String.format(
                  Locale.ROOT,
                  "No stack was recorded for %s, so the code that made them is unknown: %s of the"
                      + " %s that were allocated in the whole recording.",
                  counted(missing.count(), "allocation", "allocations"),
                  ByteText.of(missing.bytes()),
                  ByteText.of(all.bytes())),
              missing.count()));
    }
  }

  private static void requestsUnknown(Lifetimes lifetimes, List<Finding> found) {
    Rows unknown =
        Rows.of(
            lifetimes,
            0,
            lifetimes.liveBeforeCount(),
            row -> lifetimes.requestedBytes(row) == Lifetimes.UNKNOWN);
    if (unknown.count() > 0) {
      found.add(
          new Finding(
              Severity.INFO,
              "requested-size-unknown",
              String.format(
                  Locale.ROOT,
                  "The requested size of %s (%s) was not recorded. The rounded size is counted"
                      + " instead.",
                  counted(unknown.count(), "block", "blocks"),
                  ByteText.of(unknown.bytes())),
              unknown.count()));
    }
  }

  private static String counted(long count, String singular, String plural) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? singular : plural);
  }

  /** Without segments, only the trace shows what is live at the end. */
  private static void segmentsMissing(
      DeviceSnapshot device, ActiveBytes active, List<Finding> found) {
    if (device.segments().isEmpty() && active.atEnd() > 0) {
      found.add(
          new Finding(
              Severity.WARNING,
              "segments-missing",
              String.format(
                  Locale.ROOT,
                  "The file has no segments, but %s are live at the end of the trace. Allocated,"
                      + " active and reserved bytes at the end are unknown.",
                  ByteText.of(active.atEnd())),
              1));
    }
  }

  private static void reservedUnknown(Trace trace, ActiveBytes active, List<Finding> found) {
    if (!trace.isEmpty() && !active.isReservedKnown()) {
      found.add(
          new Finding(
              Severity.WARNING,
              "reserved-unknown",
              "Reserved memory over time is unknown: either there are no segments, or they do not"
                  + " match the segment events.",
              1));
    }
  }
}
